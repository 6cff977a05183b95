import { anyObjectShape } from '../engine/values/shape.js'
import { coerceJson } from './coerce-json.js'
import { shapeOfSchema } from './shape-of-schema.js'

/**
 * Gives a value the types that a JSON Schema asks for, by the rules that hold for calls: `"5"`
 * becomes 5 where a number is wanted, a single value a list, a string that contains JSON an object.
 * What fits nowhere stays as it is.
 */
export function coerceBySchema(value: unknown, schema?: unknown): unknown {
  const shape = shapeOfSchema(schema)
  // The reader reads objects, and the value may be something else.
  const json = coerceJson(JSON.stringify({ value }), {
    ...anyObjectShape,
    property: () => shape,
  })
  if (json === undefined) return value
  const coerced: { value?: unknown } = JSON.parse(json)
  return coerced.value
}
