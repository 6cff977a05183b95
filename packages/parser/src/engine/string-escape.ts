/** What the escapes of a language mean; one that it does not have (`\\d` of a pattern, `\\_`) was meant as it stands. */
export interface EscapeRules {
  readonly texts: Readonly<Record<string, string>>
  /** An escape, from its backslash on; the group is one by number. */
  readonly whole: RegExp
  /** The beginning of an escape, as long as more may belong to it: `\\u00e`. */
  readonly begun: RegExp
}

const shared = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '"': '"', "'": "'", '\\': '\\' }

export const jsonEscapes: EscapeRules = {
  texts: { ...shared, '/': '/', '\n': '\n' },
  whole: /^\\(?:(u[\da-fA-F]{4})|.)/s,
  begun: /^\\(?:u[\da-fA-F]{0,3})?$/,
}
/** In Python a backslash takes a line break away, and `\\0` and `\\101` are characters too. */
export const pythonEscapes: EscapeRules = {
  texts: { ...shared, a: '\u0007', v: '\v', '\n': '' },
  whole: /^\\(?:(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-7]{1,3})|.)/s,
  begun: /^\\(?:x[\da-fA-F]?|u[\da-fA-F]{0,3}|U[\da-fA-F]{0,7}|[0-7]{1,2})?$/,
}
/** A raw string keeps its backslashes. */
export const rawEscapes: EscapeRules = { texts: {}, whole: /^\\./s, begun: /^\\$/ }

const MAX_ESCAPE_CHARS = 10

/** The escape that stands there, and the text that is meant. Undefined as long as more may belong to it. */
export function escapeAt(text: string, at: number, { texts, whole, begun }: EscapeRules) {
  const name = text.charAt(at + 1)
  const meant = texts[name]
  if (meant !== undefined) return { source: `\\${name}`, text: meant }
  const ahead = text.slice(at, at + MAX_ESCAPE_CHARS)
  const match = begun.test(ahead) ? null : whole.exec(ahead)
  return match ? { source: match[0], text: characterOf(match[1]) ?? match[0] } : undefined
}

function characterOf(number = ''): string | undefined {
  const code = /^\d/.test(number) ? Number.parseInt(number, 8) : Number.parseInt(number.slice(1), 16)
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}

/** A whole text without its escapes. */
export function unescaped(text: string, rules = jsonEscapes): string {
  let plain = ''
  for (let from = 0; ; ) {
    const at = text.indexOf('\\', from)
    if (at < 0) return plain + text.slice(from)
    const { source, text: meant } = escapeAt(text, at, rules) ?? { source: '\\', text: '\\' }
    plain += text.slice(from, at) + meant
    from = at + source.length
  }
}
