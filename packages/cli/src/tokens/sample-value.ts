import type { FunctionTool } from '@toolglot/parser'
import type { GivenCall } from '../input/read-calls.js'
import { isRecord } from '../is-record.js'

/** Deeper than any tool; a schema that refers to itself ends here. */
const MAX_DEPTH = 6

const textsByFormat: Readonly<Record<string, string>> = {
  date: '2025-01-31',
  time: '09:30:00',
  'date-time': '2025-01-31T09:30:00Z',
  email: 'ada@example.com',
  uri: 'https://example.com/page',
  url: 'https://example.com/page',
  uuid: '3f2b8c1e-5d4a-4c7b-9e6f-1a2b3c4d5e6f',
  ipv4: '192.0.2.1',
}

/** One call of each tool, with all its arguments: the same each time. */
export function sampleCalls(tools: readonly FunctionTool[]): GivenCall[] {
  return tools.map(({ name, inputSchema }) => {
    const input = sampleValue(inputSchema, inputSchema, name)
    return { toolName: name, input: isRecord(input) ? input : {} }
  })
}

/** A value that the schema allows, as far as it says so in the usual words. */
function sampleValue(schema: unknown, root: unknown, name: string, depth = 0): unknown {
  if (!isRecord(schema) || depth > MAX_DEPTH) return `some ${name}`
  if (typeof schema.$ref === 'string')
    return sampleValue(resolve(schema.$ref, root), root, name, depth + 1)
  if ('const' in schema) return schema.const
  if ('default' in schema && schema.default !== null) return schema.default
  if (Array.isArray(schema.examples) && schema.examples.length) return schema.examples[0]
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const options = schema.anyOf ?? schema.oneOf
  if (Array.isArray(options))
    return sampleValue(options.find(isNotNull) ?? options[0], root, name, depth + 1)
  if (Array.isArray(schema.allOf)) {
    const merged = Object.assign({}, ...schema.allOf.filter(isRecord))
    return sampleValue(merged, root, name, depth + 1)
  }
  const types = [schema.type].flat().filter(type => type !== 'null')
  const type = types[0] ?? (isRecord(schema.properties) ? 'object' : 'string')
  switch (type) {
    case 'object':
      return sampleObject(schema, root, depth)
    case 'array':
      return Array.from({ length: Math.max(1, Math.min(3, numberOf(schema.minItems, 2))) }, () =>
        sampleValue(schema.items ?? {}, root, name, depth + 1),
      )
    case 'integer':
    case 'number':
      return Math.min(
        Math.max(3, numberOf(schema.minimum, 3)),
        numberOf(schema.maximum, Number.POSITIVE_INFINITY),
      )
    case 'boolean':
      return true
    default:
      return textsByFormat[String(schema.format)] ?? `some ${name.replaceAll('_', ' ')}`
  }
}

function sampleObject(
  schema: Record<string, unknown>,
  root: unknown,
  depth: number,
): Record<string, unknown> {
  const properties = isRecord(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  // What need not be given is left out where the schema goes deep: it may go on without end.
  const keys = Object.keys(properties).filter(key => depth < 3 || required.includes(key))
  return Object.fromEntries(
    keys.map(key => [key, sampleValue(properties[key], root, key, depth + 1)]),
  )
}

const isNotNull = (schema: unknown) => !isRecord(schema) || schema.type !== 'null'
const numberOf = (value: unknown, otherwise: number) =>
  typeof value === 'number' ? value : otherwise

function resolve(ref: string, root: unknown): unknown {
  if (!ref.startsWith('#')) return undefined
  let at: unknown = root
  for (const step of ref.slice(1).split('/').filter(Boolean)) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    at = isRecord(at) ? at[key] : undefined
  }
  return at
}
