/**
 * JSON for a terminal as well as for a program: what could steer a terminal is spelled as an
 * escape.
 */
export function jsonText(value: unknown, indent?: number): string {
  return escapeControls(JSON.stringify(value, null, indent))
}

/** The same for JSON that is written already: such characters stand in strings only. */
export function escapeControls(json: string): string {
  return json.replace(controls, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

// What JSON leaves as it is: delete, the second set of control characters, and what turns the
// direction of writing around.
const controls = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g
