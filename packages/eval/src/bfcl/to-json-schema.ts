import { isRecord } from '../is-record.js'
import type { JsonObject } from '../live/json.js'

const typeNames: ReadonlyMap<string, string> = new Map([
  ['dict', 'object'],
  ['hashmap', 'object'],
  ['float', 'number'],
  ['double', 'number'],
  ['int', 'integer'],
  ['long', 'integer'],
  ['short', 'integer'],
  ['byte', 'integer'],
  ['bigint', 'integer'],
  ['bool', 'boolean'],
  ['tuple', 'array'],
  ['list', 'array'],
  ['arraylist', 'array'],
  ['set', 'array'],
  ['char', 'string'],
  ['str', 'string'],
  // The leaderboard declares a parameter of any type as a string, and its answers contain strings.
  ['any', 'string'],
])
const standardNames = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])

/** Turns the schemas of the leaderboard into JSON Schema. */
export function toJsonSchema(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    switch (key) {
      case 'type':
        return [[key, toType(value)]]
      case 'properties':
        return isRecord(value) ? [[key, mapValues(value)]] : []
      case 'items':
      case 'additionalProperties':
        return [[key, isRecord(value) ? toParameter(value) : value]]
      // Some files have `required: true` or `optional: true` in a parameter, which JSON Schema does not
      // allow.
      case 'required':
        return Array.isArray(value) ? [[key, value]] : []
      case 'optional':
        return []
      default:
        return [[key, value]]
    }
  })
  return Object.fromEntries(entries)
}

function mapValues(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [
      name,
      isRecord(each) ? toParameter(each) : each,
    ]),
  )
}

/**
 * Converts a parameter. For the leaderboard one without a type is a string, unless another keyword
 * describes it.
 */
function toParameter(schema: JsonObject): JsonObject {
  const isTyped = ['type', 'anyOf', 'oneOf', 'allOf', '$ref', 'enum', 'const'].some(
    key => key in schema,
  )
  return toJsonSchema(isTyped ? schema : { type: 'string', ...schema })
}

function toType(type: unknown): unknown {
  if (Array.isArray(type)) return type.map(toType)
  if (typeof type !== 'string') return 'string'
  const name = type.toLowerCase()
  return standardNames.has(name) ? name : (typeNames.get(name) ?? 'string')
}
