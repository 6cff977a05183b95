/**
 * Returns JSON that is safe to print in a terminal: control characters are written as escapes.
 */
export function jsonText(value: unknown, indent?: number): string {
  const lines = JSON.stringify(value, null, indent).split('\n')
  return lines.map(escapeControls).join('\n')
}

/**
 * Writes characters that control a terminal as escapes: `\u001b`. They are control characters, line
 * separators, and those that change the direction of writing. JSON text stays the same JSON.
 */
export function escapeControls(text: string): string {
  return text.replace(controls, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to escape
const controls = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g
