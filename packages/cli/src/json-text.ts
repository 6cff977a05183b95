/**
 * Returns JSON that is safe to print in a terminal: control characters are written as escapes.
 */
export function jsonText(value: unknown, indent?: number): string {
  return escapeControls(JSON.stringify(value, null, indent))
}

/** Escapes control characters in JSON text, where they can only occur in strings. */
export function escapeControls(json: string): string {
  return json.replace(controls, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

// Characters that JSON does not escape: delete, the C1 control characters, and those that change
// the direction of writing.
const controls = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g
