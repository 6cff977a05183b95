/** Reads what stands behind a backslash in a quoted string, character by character. */
export interface StringEscape {
  /** Takes one more character; returns the text that is meant once that is clear. */
  read(char: string): string | undefined
  /** The last character did not belong to the escape and is to be read again. */
  isUnread(): boolean
}

const shared = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '"': '"', "'": "'", '\\': '\\' }

/** What the escapes of a language mean; one that it does not have (`\d` of a pattern, `\_`) was meant as it stands. */
export interface EscapeRules {
  readonly texts: Readonly<Record<string, string>>
  /** The beginning of an escape by number, as long as a digit is missing: `u00e`. */
  readonly openNumber: RegExp
}

export const jsonEscapes: EscapeRules = {
  texts: { ...shared, '/': '/', '\n': '\n' },
  openNumber: /^u[\da-fA-F]{0,3}$/,
}
/** In Python a backslash takes a line break away, and `\0` and `\101` are characters too. */
export const pythonEscapes: EscapeRules = {
  texts: { ...shared, a: '\u0007', v: '\v', '\n': '' },
  openNumber: /^(?:x[\da-fA-F]?|u[\da-fA-F]{0,3}|U[\da-fA-F]{0,7}|[0-7]{1,2})$/,
}

export function createStringEscape({ texts, openNumber }: EscapeRules = jsonEscapes): StringEscape {
  /** What stands behind the backslash. */
  let held = ''
  let isUnread = false
  const characterOf = (number: string) => {
    const code = /^\d/.test(number) ? Number.parseInt(number, 8) : Number.parseInt(number.slice(1), 16)
    return code > 0x10ffff ? `\\${number}` : String.fromCodePoint(code)
  }
  return {
    read(char) {
      const before = held
      held += char
      if (openNumber.test(held)) return undefined
      const text = held
      held = ''
      isUnread = false
      if (before === '') return Object.hasOwn(texts, char) ? texts[char] : `\\${char}`
      if (/^(?:[0-7]+|[a-zA-Z][\da-fA-F]+)$/.test(text)) return characterOf(text)
      isUnread = true
      return /^\d/.test(before) ? characterOf(before) : `\\${before}`
    },
    isUnread: () => isUnread,
  }
}
