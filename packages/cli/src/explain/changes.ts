import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../is-record.js'

export interface Change {
  readonly path: string
  /** The value as the model wrote it, as JSON, shortened. */
  readonly from: string
  /** The value after the schema was applied. */
  readonly to: string
}

const MAX_CHANGES = 20
const MAX_SHOWN_CHARS = 40

/** Finds the values of a call whose type is not the one that the model wrote: `"3"` became 3. */
export function findChanges(plainInput: string, input: string): Change[] {
  const changes: Change[] = []
  for (const change of typeChanges(parseJson(plainInput), parseJson(input), '')) {
    changes.push(change)
    if (changes.length >= MAX_CHANGES) break
  }
  return changes
}

function* typeChanges(before: unknown, after: unknown, path: string): Generator<Change> {
  if (before === undefined || isDeepStrictEqual(before, after)) return
  if (isRecord(before) && isRecord(after)) {
    for (const [key, value] of Object.entries(after))
      yield* typeChanges(before[key], value, path ? `${path}.${key}` : key)
    return
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [i, value] of after.entries()) yield* typeChanges(before[i], value, `${path}[${i}]`)
    return
  }
  if (typeOf(before) !== typeOf(after)) yield { path, from: show(before), to: show(after) }
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
