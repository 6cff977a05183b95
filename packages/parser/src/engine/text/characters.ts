/** The white space of JSON and of markup. Other space characters are text. */
export const isSpace = (char: string): boolean =>
  char === ' ' || char === '\n' || char === '\t' || char === '\r'

/** `{…}|}` After a JSON object, a brace too many is a mistake of the model and not text. */
export const isSpaceOrStrayBrace = (char: string) => isSpace(char) || char === '}'

export const isQuote = (char: string) => char === '"' || char === "'"

export const isCloser = (char: string) => char === '}' || char === ']' || char === ')'

/** The first character of a bare word or key. */
export const isWordStart = (char: string) => /[\p{L}_$]/u.test(char)

const bareWord = /(?:[\p{L}\p{N}_$.-]|\\(?:_|$))*/uy

/** `get\_weather` is `get_weather`: models escape the sign as in Markdown. */
export const withoutMarkdown = (name: string) => name.replaceAll('\\_', '_')

const literalPattern =
  /^(?:[-+]?(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:[eE][-+]?\d+)?|true|false|null|True|False|None)$/

/** True for a number or another constant, in JSON or in Python. */
export const isLiteral = (word: string) => literalPattern.test(word.trimEnd())

/** The bare word or key at a position. */
export function wordAt(text: string, at: number): string {
  bareWord.lastIndex = at
  return bareWord.exec(text)?.[0] ?? ''
}

const inQuotes = /(["'])(?:(?!\1)[^\\]|\\.)*\1/sy

/** The text in quotes at a position, with its quotes; undefined if it does not end. */
export function quotedAt(text: string, at: number): string | undefined {
  inQuotes.lastIndex = at
  return inQuotes.exec(text)?.[0]
}

/**
 * The text between two marks at the beginning, with the marks; undefined if it does not
 * end.
 */
export function markedAt(text: string, mark: string): string | undefined {
  const end = text.indexOf(mark, mark.length)
  return end < 0 ? undefined : text.slice(0, end + mark.length)
}
