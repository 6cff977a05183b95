import { Token, type ValueSink } from './value-token.js'

const escapes: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', n: '\n', t: '\t', r: '\r' }

/** Brackets and space before the first quote that are more than this tell enough. */
const MAX_HELD_CHARS = 64

/**
 * Takes one layer of escapes off raw text that is JSON as it stands in a string: `[{\"id\": 1}]`. The first quote tells: no
 * JSON has a backslash before it.
 */
export function unescaped(sink: ValueSink): ValueSink {
  /** What came before it was clear what the text is. */
  let held: string | undefined = ''
  let isEscaped = false
  let hasBackslash = false
  const plainOf = (text: string): string => {
    let plain = ''
    for (const char of text) {
      if (hasBackslash) plain += escapes[char] ?? `\\${char}`
      else if (char !== '\\') plain += char
      hasBackslash = !hasBackslash && char === '\\'
    }
    return plain
  }
  const release = () => {
    if (held) sink(Token.text, isEscaped ? plainOf(held) : held)
    held = undefined
  }
  return (kind, text) => {
    if (kind !== Token.text) {
      release()
      if (hasBackslash) sink(Token.text, '\\')
      hasBackslash = false
      return sink(kind, text)
    }
    if (held === undefined) return sink(kind, isEscaped ? plainOf(text) : text)
    held += text
    if (held.length < MAX_HELD_CHARS && /^\s*(?:[[{][\s[{]*\\?)?$/.test(held)) return
    isEscaped = /^\s*[[{][\s[{]*\\"/.test(held)
    release()
  }
}
