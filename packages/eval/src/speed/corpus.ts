/** The texts that are measured. They repeat a few lines, and are the same in every run. */

const proseLines = [
  'The parser reads the answer as it comes, so nothing waits for the end of a call. Most of an answer is ordinary text,\n',
  'and ordinary text must cost next to nothing: a comparison such as `a < b`, an arrow -> or a tag like <div class="x">\n',
  'is no call. Some words carry accents, déjà vu, and a few answers end with a smile 🙂.\n\n',
  '## A heading, and a list\n\n* first: **bold** and _italic_\n* second: see [the docs](https://example.com/?a=1&b=2)\n\n',
  '```ts\nfor (let i = 0; i < items.length; i++) {\n  if (items[i] <= limit && !done) total += items[i]\n}\n```\n\n',
  '| size | time |\n|---|---|\n| 1 KB | < 1 ms |\n\nJSON like {"name": "value", "list": [1, 2]} is shown now and then.\n',
  'It is raining in Paris, and the forecast for tomorrow is no better; take an umbrella with you if you go out.\n',
]

const codeLines = [
  "import { readFile } from 'node:fs/promises'\n",
  '\n/** Reads a file and counts what is in it. */\n',
  'export async function countWords(path: string): Promise<Map<string, number>> {\n',
  "  const text = await readFile(path, 'utf8')\n",
  '  const counts = new Map<string, number>()\n',
  '  for (const word of text.split(/\\W+/)) counts.set(word, (counts.get(word) ?? 0) + 1)\n',
  '  if (counts.size < 2 && text.length > 0) console.warn("only one word\\n")\n',
  '  return counts\n}\n\n',
  'const view = <ul className="list">{items.map(item => <li key={item}>{item}</li>)}</ul>\n',
  "const greeting = { en: 'hello', fr: 'ça va', sign: '→' }\n",
]

/** Returns ordinary prose with some code, Markdown and brackets. */
export function createProse(chars: number): string {
  return repeatLines(proseLines, chars)
}

/**
 * Returns source code, as a model writes it into a file. It contains no capital Z, which marks the
 * beginning of a value.
 */
export function createCode(chars: number): string {
  return repeatLines(codeLines, chars)
}

/**
 * Repeats the lines up to the exact length. Some are numbered, so that no two parts are equal.
 */
function repeatLines(lines: readonly string[], chars: number): string {
  const pieces: string[] = []
  let length = 0
  for (let i = 0; length < chars; i++) {
    const line = lines[i % lines.length] ?? ''
    const piece = i % lines.length === 0 ? `// ${i}\n${line}` : line
    pieces.push(piece)
    length += piece.length
  }
  return pieces.join('').slice(0, chars)
}
