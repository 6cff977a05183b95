import { createArgumentWriter } from '../engine/argument-writer.js'
import { Token, type ValueSink } from '../engine/value-token.js'
import { isRecord } from './is-record.js'
import { shapeOfSchema } from './shape-of-schema.js'

/**
 * Gives a value the types that a JSON Schema asks for, by the rules that hold for calls: `"5"` becomes 5 where a number is
 * wanted, a single value a list, a string that holds JSON an object. What fits nowhere stays as it is.
 */
export function coerceBySchema(value: unknown, schema: unknown): unknown {
  if (value === undefined) return undefined
  const writer = createArgumentWriter(shapeOfSchema(schema), Number.POSITIVE_INFINITY)
  putValue(value, writer.put)
  if (writer.error() !== undefined) return value
  const coerced: unknown = JSON.parse(writer.take())
  return coerced
}

function putValue(value: unknown, put: ValueSink): void {
  if (typeof value === 'string') {
    put(Token.beginQuoted, '')
    put(Token.text, value)
    put(Token.endText, '')
  } else if (Array.isArray(value)) {
    put(Token.beginArray, '')
    for (const item of value) putValue(item ?? null, put)
    put(Token.endArray, '')
  } else if (isRecord(value)) {
    put(Token.beginObject, '')
    for (const [key, each] of Object.entries(value)) {
      if (each === undefined) continue
      put(Token.key, key)
      putValue(each, put)
    }
    put(Token.endObject, '')
  } else put(Token.literal, JSON.stringify(value) ?? 'null')
}
