import { createArgumentWriter } from '../engine/argument-writer.js'
import { createJsonReader } from '../engine/json-reader.js'
import { silentObjectShape } from '../engine/shape.js'
import { shapeOfSchema } from './shape-of-schema.js'

/**
 * Gives a value the types that a JSON Schema asks for, by the rules that hold for calls: `"5"` becomes 5 where a number is
 * wanted, a single value a list, a string that holds JSON an object. What fits nowhere stays as it is.
 */
export function coerceBySchema(value: unknown, schema: unknown): unknown {
  const maxHeldChars = Number.POSITIVE_INFINITY
  const shape = shapeOfSchema(schema)
  // A reader reads objects, and a value may be none.
  const json = JSON.stringify({ value })
  const writer = createArgumentWriter({ ...silentObjectShape, property: () => shape }, maxHeldChars)
  const reader = createJsonReader(writer.put, { maxHeldChars })
  reader.feed(json, 0, json.length)
  if (reader.status() !== 'done' || writer.error() !== undefined) return value
  const coerced: { value?: unknown } = JSON.parse(writer.take())
  return coerced.value
}
