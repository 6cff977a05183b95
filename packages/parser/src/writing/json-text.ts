import { isRecord } from '../is-record.js'
import type { ToolCall } from '../sdk/parts.js'

/**
 * JSON with a space behind commas and colons, as the training data of most models has it. Line
 * breaks stand only between values.
 */
export function spacedJson(value: unknown): string {
  const lines = JSON.stringify(value, null, 1) ?? 'null'
  return lines.replace(/(,?)\n */g, (_, comma: string) => comma && ', ')
}

/**
 * The arguments of a call, in whatever form they came: a value, JSON text, or text that never was
 * JSON.
 */
export interface CallInput {
  /** Whatever they are, as JSON. */
  readonly json: string
  /** The object that they are, unless the text holds a number that a JavaScript value cannot. */
  readonly args?: Record<string, unknown> | undefined
  /** The text that never was JSON. */
  readonly text?: string | undefined
}

const longNumber = /\d[\d.]{15}|\d[eE]/

export function readCallInput({ input }: ToolCall): CallInput {
  const isText = typeof input === 'string' && input.trim() !== ''
  const json = isText ? input : spacedJson(typeof input === 'string' ? {} : (input ?? {}))
  try {
    const value: unknown = JSON.parse(json)
    // The text is kept as it is: a number of twenty digits would not survive a detour over a value.
    const isExact = !isText || !longNumber.test(json.replace(/"(?:[^"\\]|\\.)*"/g, '""'))
    return { json, args: isExact && isRecord(value) ? value : undefined }
  } catch {
    return { json: JSON.stringify(json), text: json }
  }
}

/** JSON in which no tag can be seen. */
export const escapeTags = (json: string) => json.replaceAll('<', '\\u003c')

/**
 * Writes JSON so that none of the marks occurs in it: JSON can spell any character of a string in
 * another way.
 */
export function escapeMarks(json: string, marks: readonly string[]): string {
  return marks.reduce((hidden, mark) => {
    const first = `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`
    return hidden.replaceAll(mark, first + mark.slice(1))
  }, json)
}

/** Other spellings that a model may take for the end of a result. */
export const resultMarks: readonly string[] = ['</ result', '< /result', '</Result', '</RESULT']
