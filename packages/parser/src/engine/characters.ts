/** The white space of JSON and of markup. Other space characters are text. */
export const isSpace = (char: string) => char === ' ' || char === '\n' || char === '\t' || char === '\r'

export const isQuote = (char: string) => char === '"' || char === "'"

/** The first character of a bare word or key. */
export const isWordStart = (char: string) => /[\p{L}_$]/u.test(char)

/** Any character of a bare key. */
export const isWordPart = (char: string) => /[\p{L}\p{N}_$.-]/u.test(char)

/** The bare word or key that stands there. */
export function wordAt(text: string, at: number): string {
  let end = at
  while (isWordPart(text.charAt(end))) end++
  return text.slice(at, end)
}

const inDoubleQuotes = /"(?:[^"\\]|\\.)*"/sy
const inSingleQuotes = /'(?:[^'\\]|\\.)*'/sy

/** The text in quotes that stands there, with them; undefined where it does not end. */
export function quotedAt(text: string, at: number): string | undefined {
  const inQuotes = text.charAt(at) === '"' ? inDoubleQuotes : inSingleQuotes
  inQuotes.lastIndex = at
  return inQuotes.exec(text)?.[0]
}
