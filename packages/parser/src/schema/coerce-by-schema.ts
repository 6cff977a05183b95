import { anyObjectShape } from '../engine/values/shape.js'
import { coerceJson } from './coerce-json.js'
import { shapeOfSchema } from './shape-of-schema.js'

/**
 * Converts a value to the types of a JSON Schema, by the rules for calls:
 * - number: `"5"` becomes 5
 * - list: `"a"` becomes `["a"]`
 * - object: a string of JSON becomes that object
 *
 * A value that cannot be converted is kept.
 *
 * @example
 * ```ts
 * import { coerceBySchema } from '@toolglot/parser'
 *
 * const schema = { type: 'object', properties: { days: { type: 'integer' } } }
 * console.log(coerceBySchema({ days: '3' }, schema)) // { days: 3 }
 * ```
 */
export function coerceBySchema(value: unknown, schema?: unknown): unknown {
  const shape = shapeOfSchema(schema)
  // The value may be a string or a list, and the reader reads objects.
  const json = coerceJson(JSON.stringify({ value }), {
    ...anyObjectShape,
    property: () => shape,
  })
  if (json === undefined) return value
  const coerced: { value?: unknown } = JSON.parse(json)
  return coerced.value
}
