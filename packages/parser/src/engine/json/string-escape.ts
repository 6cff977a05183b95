/**
 * What the escapes of a language mean. One that it does not have (`\d` of a pattern, `\_`) stays as
 * it was written.
 */
export interface EscapeRules {
  readonly texts: Readonly<Record<string, string>>
  /** An escape, from its backslash on; the group is one by number. */
  readonly whole: RegExp
}

const shared = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '"': '"', "'": "'", '\\': '\\' }

export const jsonEscapes: EscapeRules = {
  texts: { ...shared, '/': '/', '\n': '\n' },
  whole: /\\(?:(u[\da-fA-F]{4})|.)/gs,
}
/** In Python a backslash takes a line break away, and `\0` and `\101` are characters too. */
export const pythonEscapes: EscapeRules = {
  texts: { ...shared, a: '\u0007', v: '\v', '\n': '' },
  whole: /\\(?:(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-7]{1,3})|.)/gs,
}
/** A raw string keeps its backslashes. */
export const rawEscapes: EscapeRules = { texts: {}, whole: /\\()./gs }

const MAX_ESCAPE_CHARS = 10

/**
 * The escape at a position, and the text that it means. Undefined if more characters may belong to
 * it.
 */
export function escapeAt(text: string, at: number, rules: EscapeRules) {
  // Most are of this kind, and most text that is long has many.
  const meant = rules.texts[text.charAt(at + 1)]
  if (meant !== undefined) return { source: text.slice(at, at + 2), text: meant }
  const ahead = text.slice(at, at + MAX_ESCAPE_CHARS)
  // A digit may belong to any that is not whole.
  const [source = ''] = `${ahead}${'0'.repeat(MAX_ESCAPE_CHARS)}`.match(rules.whole) ?? []
  return source.length > ahead.length ? undefined : { source, text: unescaped(source, rules) }
}

/** A text without its escapes. */
export function unescaped(text: string, { texts, whole }: EscapeRules = jsonEscapes): string {
  return text.replace(
    whole,
    (source, number?: string) => (number ? characterOf(number) : texts[source.slice(1)]) ?? source,
  )
}

function characterOf(number: string): string | undefined {
  const code = /^\d/.test(number)
    ? Number.parseInt(number, 8)
    : Number.parseInt(number.slice(1), 16)
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}
