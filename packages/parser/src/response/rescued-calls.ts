import { isRecord } from '../is-record.js'
import type { Part } from '../sdk/parts.js'

/**
 * Numbers of more digits than JavaScript keeps, and strings, so that none is found inside of one.
 */
const longNumbers = /"(?:[^"\\]|\\.)*"|-?\d[\d.]{15,}(?:e[+-]?\d+)?/gi

const asString = (token: string) => (token.startsWith('"') ? token : JSON.stringify(token))

/**
 * The same text for calls of the same tool with the same arguments, in whatever order their keys
 * are.
 */
export function identityOf({ toolName, input }: Part): string {
  // Some providers send nothing for no arguments.
  const json = String(input).trim() || '{}'
  try {
    const value: unknown = JSON.parse(json.replace(longNumbers, asString))
    return `${toolName} ${JSON.stringify(value, sortKeys)}`
  } catch {
    // No JSON, or nested too deeply.
    return `${toolName} ${json}`
  }
}

function sortKeys(_key: string, value: unknown): unknown {
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value
}
