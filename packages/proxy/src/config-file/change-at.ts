import { isRecord } from '../is-record.js'
import type { Path } from './problem.js'

/** Returns a copy with the value at a path changed. What is missing on the way is added. */
export function changeAt(value: unknown, path: Path, change: (value: unknown) => unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return change(value)
  if (Array.isArray(value))
    return value.map((item, i) => (i === key ? changeAt(item, rest, change) : item))
  const record = isRecord(value) ? value : {}
  return { ...record, [key]: changeAt(record[key], rest, change) }
}
