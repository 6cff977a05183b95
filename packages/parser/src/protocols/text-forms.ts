import type { ToolCall } from '../sdk/parts.js'

/** JSON with a space behind commas and colons, as the training data of most models has it. Line breaks stand only between values. */
export function spacedJson(value: unknown): string {
  const lines = JSON.stringify(value, null, 1) ?? 'null'
  return lines.replace(/(,?)\n */g, (_, comma: string) => comma && ', ')
}

/** The arguments of a call, in whatever form they come: a value, JSON text, or text that never was JSON. */
export type CallInput =
  | {
      readonly json: string
      readonly value: unknown
      /** False where the text holds a number that a JavaScript value cannot. */
      readonly isExact: boolean
    }
  | { readonly text: string }

const longNumber = /\d[\d.]{15}|\d[eE]/
const withoutStrings = (json: string) => json.replace(/"(?:[^"\\]|\\.)*"/g, '""')

export function readCallInput({ input }: ToolCall): CallInput {
  const isText = typeof input === 'string' && input.trim() !== ''
  const json = isText ? input : spacedJson(typeof input === 'string' ? {} : (input ?? {}))
  try {
    const value: unknown = JSON.parse(json)
    // The text is kept as it is: a number of twenty digits would not survive a detour over a value.
    return { json, value, isExact: !isText || !longNumber.test(withoutStrings(json)) }
  } catch {
    return { text: json }
  }
}

/** The arguments of a call as JSON, whatever they are. With a line break to put before them, each has a line of its own. */
export function callArguments(toolCall: ToolCall, lineBreak?: string): string {
  const input = readCallInput(toolCall)
  if ('text' in input) return JSON.stringify(input.text)
  if (lineBreak === undefined || !input.isExact) return input.json
  return JSON.stringify(input.value, null, 4).replaceAll('\n', lineBreak)
}

/** JSON in which no tag can be seen. */
export const hideTags = (json: string) => json.replaceAll('<', '\\u003c')

/** Writes JSON so that none of the marks occurs in it: JSON can spell any character of a string in another way. */
export function hideMarks(json: string, marks: readonly string[]): string {
  return marks.reduce((hidden, mark) => {
    const first = `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`
    return hidden.replaceAll(mark, first + mark.slice(1))
  }, json)
}

/**
 * Fills in a template: `$name` stands for the value of that name, and `"$name"` for the same as a JSON string in which none of the
 * marks occurs. Other words are left as they are.
 */
export function fillIn(
  template: string,
  values: Readonly<Record<string, string | number>>,
  marks: readonly string[] = [],
): string {
  return template.replace(/("?)\$(\w+)\1/g, (hole: string, quote: string, name: string) => {
    const value = values[name]
    if (value === undefined) return hole
    return quote ? hideMarks(JSON.stringify(String(value)), marks) : String(value)
  })
}
