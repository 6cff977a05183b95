/**
 * Makes text from a model safe to show: control characters (escape sequences, carriage returns) and
 * changes of the writing direction are replaced by visible symbols. Line breaks stay.
 */
export function showControls(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', '  ')
    .replace(controls, char => {
      const code = char.charCodeAt(0)
      return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd'
    })
}

/** Like `showControls`, but line breaks become visible symbols too. */
export function showInLine(text: string): string {
  return showControls(text).replaceAll('\n', '\u240a')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

const zeroWidth = /^(?:\p{Mn}|\p{Me}|\p{Cf}|\ufe0f)$/u
const doubleWidth =
  /^(?:[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]|[\u{20000}-\u{3fffd}])$/u

/**
 * Returns the columns of a character. Rare emoji may be wrong, so use it only to decide where lines
 * break.
 */
export function charWidth(char: string): number {
  if (char < '\u0300') return 1
  if (zeroWidth.test(char)) return 0
  return doubleWidth.test(char) ? 2 : 1
}

/** `1 call`, `2 calls`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
