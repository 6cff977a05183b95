import { isRecord } from '../is-record.js'
import type { ToolCall } from '../sdk/parts.js'
import { escapeChar } from './control-tokens.js'

/**
 * Writes JSON with a space after commas and colons, as in the training data of most models:
 * `{"city": "Paris", "days": 3}`.
 */
export function spacedJson(value: unknown): string {
  const lines = JSON.stringify(value, null, 1) ?? 'null'
  return lines.replace(/,\n */g, ', ').replace(/\n */g, '')
}

/** The arguments of a call. They come as a value, as JSON text, or as text that is not JSON. */
export interface CallInput {
  /** The arguments as JSON. Text that is not JSON is a JSON string. */
  readonly json: string
  /**
   * The arguments as an object. Undefined for anything else, and for JSON text with a number that
   * JavaScript would round: `12345678901234567890`.
   */
  readonly args?: Record<string, unknown> | undefined
  /** The text, if it is not JSON. */
  readonly text?: string | undefined
}

const longNumber = /\d[\d.]{15}|\d[eE]/

export function readCallInput({ input }: ToolCall): CallInput {
  const isText = typeof input === 'string' && input.trim() !== ''
  const json = isText ? input : spacedJson(typeof input === 'string' ? {} : (input ?? {}))
  try {
    const value: unknown = JSON.parse(json)
    // `{"id": 12345678901234567890}`: `JSON.parse` would round the number, so the text is kept.
    const isExact = !isText || !longNumber.test(json.replace(/"(?:[^"\\]|\\.)*"/g, '""'))
    return { json, args: isExact && isRecord(value) ? value : undefined }
  } catch {
    return { json: JSON.stringify(json), text: json }
  }
}

/** Escapes every `<` in JSON: `"<b>"` becomes `"\u003cb>"`. */
export const escapeTags = (json: string) => json.replaceAll('<', '\\u003c')

/**
 * Escapes one character of each mark: `"</result>"` becomes `"\u003c/result>"`. In JSON it is the same
 * string, but does not contain the mark.
 */
export function escapeMarks(text: string, marks: readonly string[]): string {
  return marks.reduce((escaped, mark) => replaceMark(escaped, mark), text)
}

/** Escapes a mark wherever it is; a tag in any case, because it is read in any (decision 82). */
function replaceMark(text: string, mark: string): string {
  const escaped = text.replaceAll(mark, () => escapeMark(mark))
  const isTag = /^<\/?[a-z]/i.test(mark)
  if (!isTag || !escaped.toLowerCase().includes(mark.toLowerCase())) return escaped
  return escaped.replace(new RegExp(mark.replace(/[^\w<>/]/g, '\\$&'), 'gi'), escapeMark)
}

function escapeMark(mark: string): string {
  // `"\to=functions."`: here the first letter of the mark may belong to an escape.
  const at = /^[a-z]./i.test(mark) ? 1 : 0
  return mark.slice(0, at) + escapeChar(mark.slice(at)) + mark.slice(at + 1)
}

/** Other spellings that a model may mistake for the end of a result. */
export const resultMarks: readonly string[] = ['</ result', '< /result', '</Result', '</RESULT']
