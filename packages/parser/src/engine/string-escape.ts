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
  /** How many hexadecimal digits follow the letter. */
  readonly hexDigits: Readonly<Record<string, number>>
  /** `\0` and `\101` are characters too. */
  readonly hasOctal: boolean
}

export const jsonEscapes: EscapeRules = {
  texts: { ...shared, '/': '/', '\n': '\n' },
  hexDigits: { u: 4 },
  hasOctal: false,
}
/** In Python a backslash takes a line break away. */
export const pythonEscapes: EscapeRules = {
  texts: { ...shared, a: '\u0007', v: '\v', '\n': '' },
  hexDigits: { x: 2, u: 4, U: 8 },
  hasOctal: true,
}

export function createStringEscape({ texts, hexDigits, hasOctal }: EscapeRules = jsonEscapes): StringEscape {
  /** The letter and the digits of an escape by number. */
  let letter = ''
  let digits: string | undefined
  let isUnread = false
  const end = (text: string) => {
    digits = undefined
    return text
  }
  const begin = (char: string): string | undefined => {
    const isOctal = hasOctal && /[0-7]/.test(char)
    if (!isOctal && !Object.hasOwn(hexDigits, char)) return Object.hasOwn(texts, char) ? texts[char] : `\\${char}`
    letter = isOctal ? '' : char
    digits = isOctal ? char : ''
    return undefined
  }
  const characterOf = (number: string, radix: number) => {
    const code = Number.parseInt(number, radix)
    return code > 0x10ffff ? `\\${letter}${number}` : String.fromCodePoint(code)
  }
  return {
    read(char) {
      isUnread = false
      if (digits === undefined) return begin(char)
      const isOctal = letter === ''
      if (!(isOctal ? /[0-7]/ : /[0-9a-fA-F]/).test(char)) {
        isUnread = true
        return end(isOctal ? characterOf(digits, 8) : `\\${letter}${digits}`)
      }
      digits += char
      if (digits.length < (isOctal ? 3 : (hexDigits[letter] ?? 0))) return undefined
      return end(characterOf(digits, isOctal ? 8 : 16))
    },
    isUnread: () => isUnread,
  }
}
