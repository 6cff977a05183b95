import { isRecord } from '../is-record.js'

export type JsonObject = Readonly<Record<string, unknown>>

/** Compares two JSON values. The order of keys does not matter, the order of items does. */
export function isEqualJson(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, i) => isEqualJson(item, right[i]))
  }
  if (!isRecord(left) || !isRecord(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every(key => Object.hasOwn(right, key) && isEqualJson(left[key], right[key]))
  )
}

/** Returns the JSON of a value for a message, shortened. */
export function preview(value: unknown, maxChars = 200): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > maxChars ? `${text.slice(0, maxChars)}… (${text.length} characters)` : text
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
