/** Cuts a text into chunks, as a server streams it, and shows a person where it was cut. */

/** Chunks of that many UTF-16 units each; a cut may fall into a surrogate pair. */
export function chunksOf(text: string, chars: number): string[] {
  const chunks: string[] = []
  for (let at = 0; at < text.length; at += chars) chunks.push(text.slice(at, at + chars))
  return chunks
}

/** Cuts a text at these places, which may be in any order, doubled or beyond its end. */
export function splitAt(text: string, cuts: readonly number[]): string[] {
  const places = [...new Set(cuts.map(cut => cut % (text.length + 1)))]
  places.sort((left, right) => left - right)
  const chunks: string[] = []
  let from = 0
  for (const place of [...places, text.length]) {
    chunks.push(text.slice(from, place))
    from = place
  }
  return chunks
}

/** Chunks of 1 to 9 characters; the same seed cuts in the same way. */
export function randomChunks(text: string, seed: number): string[] {
  let state = seed >>> 0
  const chunks: string[] = []
  for (let at = 0; at < text.length; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    const length = 1 + Math.floor((state / 2 ** 32) * 9)
    chunks.push(text.slice(at, at + length))
    at += length
  }
  return chunks
}

const RANDOM_SPLITS = 20

/**
 * Every way in which a text must be read alike: whole, by character, at each two-way split and in
 * random chunks.
 */
export function* allSplits(text: string): Generator<readonly string[]> {
  yield [text]
  yield chunksOf(text, 1)
  for (let at = 1; at < text.length; at++) yield [text.slice(0, at), text.slice(at)]
  for (let seed = 1; seed <= RANDOM_SPLITS; seed++) yield randomChunks(text, seed)
}

const AROUND_CUT_CHARS = 30
const SHOWN_CHUNKS = 40

/** Says how a text was cut: `split at 6: "<tool_" | "call>{"`. */
export function describeChunks(chunks: readonly string[]): string {
  const [head = '', tail = ''] = chunks
  if (chunks.length === 1) return 'in one chunk'
  if (chunks.length === 2) {
    const before = visible(head.slice(-AROUND_CUT_CHARS))
    const after = visible(tail.slice(0, AROUND_CUT_CHARS))
    return `split at ${head.length}: "${before}" | "${after}"`
  }
  const isEven = chunks.slice(0, -1).every(chunk => chunk.length === head.length)
  if (isEven) return `in chunks of ${head.length}`
  const shown = chunks.slice(0, SHOWN_CHUNKS).map(chunk => `"${visible(chunk)}"`)
  const rest = chunks.length > SHOWN_CHUNKS ? ' | …' : ''
  return `in ${chunks.length} chunks: ${shown.join(' | ')}${rest}`
}

/** Control characters, format characters and halves of surrogate pairs, which a terminal hides. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A text with every hidden character as an escape: a line break as `\n`. */
export function visible(text: string): string {
  const codeEscape = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  return text.replace(hidden, char => shortEscapes[char] ?? codeEscape(char))
}
