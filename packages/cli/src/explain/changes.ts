import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../is-record.js'

export interface Change {
  readonly path: string
  /** Both as JSON, shortened. */
  readonly from: string
  readonly to: string
}

const MAX_CHANGES = 20
const MAX_SHOWN_CHARS = 40

/** The values of a call that have another type than they were written with. */
export function findChanges(plainInput: string, input: string): Change[] {
  const changes: Change[] = []
  const compare = (before: unknown, after: unknown, path: string) => {
    if (changes.length >= MAX_CHANGES || before === undefined || isDeepStrictEqual(before, after))
      return
    if (isRecord(before) && isRecord(after)) {
      for (const [key, value] of Object.entries(after))
        compare(before[key], value, path ? `${path}.${key}` : key)
    } else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
      for (const [i, value] of after.entries()) compare(before[i], value, `${path}[${i}]`)
    } else if (typeOf(before) !== typeOf(after))
      changes.push({ path, from: show(before), to: show(after) })
  }
  compare(parseJson(plainInput), parseJson(input), '')
  return changes
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function show(value: unknown): string {
  const json = JSON.stringify(value)
  return json.length > MAX_SHOWN_CHARS ? `${json.slice(0, MAX_SHOWN_CHARS)}…` : json
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
