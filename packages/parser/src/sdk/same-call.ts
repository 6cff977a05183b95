import { isJson } from '../engine/scalar.js'
import { isRecord } from '../schema/is-record.js'
import type { ToolCallContent } from './parts.js'

/** True for calls of the same tool with the same arguments, in whatever order their keys are. */
export function isSameCall(left: ToolCallContent, right: ToolCallContent): boolean {
  return left.toolName === right.toolName && canonical(left.input) === canonical(right.input)
}

/** JSON text with its keys in order; text that is no JSON as it is. */
function canonical(input: string): string {
  // Some providers send nothing for no arguments.
  if (input.trim() === '') return '{}'
  if (!isJson(input)) return input
  return JSON.stringify(JSON.parse(input.replace(longNumbers, asString)), (_key, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  )
}

/** Numbers of more digits than JavaScript keeps, and strings, so that none is found inside of one. */
const longNumbers = /"(?:[^"\\]|\\.)*"|-?\d[\d.]{15,}(?:e[+-]?\d+)?/gi

const asString = (token: string) => (token.startsWith('"') ? token : JSON.stringify(token))
