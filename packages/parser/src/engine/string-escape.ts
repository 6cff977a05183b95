/** Reads what stands behind a backslash in a quoted string, character by character. */
export interface StringEscape {
  /** Takes one more character; returns the text that is meant once that is clear. */
  read(char: string): string | undefined
  /** The last character did not belong to the escape and is to be read again. */
  isUnread(): boolean
}

const escapes: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  '\n': '\n',
}

export function createStringEscape(): StringEscape {
  /** The digits of a unicode escape. */
  let digits: string | undefined
  let isUnread = false
  const end = (text: string) => {
    digits = undefined
    return text
  }
  return {
    read(char) {
      isUnread = false
      if (digits === undefined) {
        if (char === 'u') digits = ''
        // An escape that JSON does not have (`\d` of a pattern, `\_`) was meant as it stands.
        return char === 'u' ? undefined : (escapes[char] ?? `\\${char}`)
      }
      if (!/[0-9a-fA-F]/.test(char)) {
        isUnread = true
        return end(`\\u${digits}`)
      }
      digits += char
      return digits.length < 4 ? undefined : end(String.fromCharCode(Number.parseInt(digits, 16)))
    },
    isUnread: () => isUnread,
  }
}
