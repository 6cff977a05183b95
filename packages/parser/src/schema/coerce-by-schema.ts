import { createArgumentWriter } from '../engine/argument-writer.js'
import { createRun } from '../engine/cursor.js'
import { readJson } from '../engine/read-json.js'
import { silentObjectShape } from '../engine/shape.js'
import { shapeOfSchema } from './shape-of-schema.js'

/**
 * Gives a value the types that a JSON Schema asks for, by the rules that hold for calls: `"5"` becomes 5 where a number is
 * wanted, a single value a list, a string that holds JSON an object. What fits nowhere stays as it is.
 */
export function coerceBySchema(value: unknown, schema: unknown): unknown {
  const shape = shapeOfSchema(schema)
  // A reader reads objects, and a value may be none.
  const json = JSON.stringify({ value })
  const writer = createArgumentWriter({ ...silentObjectShape, property: () => shape }, Number.POSITIVE_INFINITY)
  createRun(cursor => readJson(cursor, writer.put)).feed(json)
  if (!writer.isWhole() || writer.error() !== undefined) return value
  const coerced: { value?: unknown } = JSON.parse(writer.take())
  return coerced.value
}
