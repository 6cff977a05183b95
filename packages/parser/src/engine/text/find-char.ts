/** Finds the first of some characters at or after a position; -1 without one. */
export function createCharFinder(chars: readonly string[]): (text: string, from: number) => number {
  const codes = chars.map(char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  // Without brackets one character is found as fast as by indexOf.
  const anyChar = new RegExp(codes.join('|') || '(?!)', 'g')
  return (text, from) => {
    anyChar.lastIndex = from
    return anyChar.test(text) ? anyChar.lastIndex - 1 : -1
  }
}
