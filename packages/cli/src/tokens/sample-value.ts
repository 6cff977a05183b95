import type { FunctionTool } from '@toolglot/parser'
import type { GivenCall } from '../input/read-calls.js'
import { isRecord } from '../is-record.js'

/** Deeper than any real tool. A schema that refers to itself ends here. */
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

/** Returns one call of each tool, with all arguments. The calls are always the same. */
export function sampleCalls(tools: readonly FunctionTool[]): GivenCall[] {
  return tools.map(({ name, inputSchema }) => {
    const input = sampleValue(inputSchema, { root: inputSchema, name, depth: 0 })
    return { toolName: name, input: isRecord(input) ? input : {} }
  })
}

/** A place in a schema. */
interface Place {
  readonly root: unknown
  /** Name of the parameter, for its text. */
  readonly name: string
  readonly depth: number
}

/** Returns a value that the schema allows. Keywords that are rare in tools are ignored. */
function sampleValue(schema: unknown, place: Place): unknown {
  if (!isRecord(schema) || place.depth > MAX_DEPTH) return `some ${place.name}`
  const deeper = { ...place, depth: place.depth + 1 }
  if (typeof schema.$ref === 'string') return sampleValue(resolve(schema.$ref, place.root), deeper)
  const [example] = examplesOf(schema)
  if (example) return example.value
  const options = schema.anyOf ?? schema.oneOf
  if (Array.isArray(options)) return sampleValue(options.find(isNotNull) ?? options[0], deeper)
  if (Array.isArray(schema.allOf))
    return sampleValue(Object.assign({}, ...schema.allOf.filter(isRecord)), deeper)
  return sampleOfType(schema, place)
}

/** Values that the schema itself names, the best first. */
function examplesOf(schema: Record<string, unknown>): { readonly value: unknown }[] {
  const { examples } = schema
  const hasDefault = 'default' in schema && schema.default !== null
  return [
    ...('const' in schema ? [{ value: schema.const }] : []),
    ...(hasDefault ? [{ value: schema.default }] : []),
    ...(Array.isArray(examples) && examples.length ? [{ value: examples[0] }] : []),
    ...(Array.isArray(schema.enum) ? [{ value: schema.enum[0] }] : []),
  ]
}

function sampleOfType(schema: Record<string, unknown>, place: Place): unknown {
  const types = [schema.type].flat().filter(type => type !== 'null')
  const type = types[0] ?? (isRecord(schema.properties) ? 'object' : 'string')
  switch (type) {
    case 'object':
      return sampleObject(schema, place)
    case 'array':
      return sampleList(schema, place)
    case 'integer':
    case 'number':
      return Math.min(
        Math.max(3, numberOf(schema.minimum, 3)),
        numberOf(schema.maximum, Number.POSITIVE_INFINITY),
      )
    case 'boolean':
      return true
    default:
      return textsByFormat[String(schema.format)] ?? `some ${place.name.replaceAll('_', ' ')}`
  }
}

function sampleList(schema: Record<string, unknown>, place: Place): unknown[] {
  const length = Math.max(1, Math.min(3, numberOf(schema.minItems, 2)))
  const item = { ...place, depth: place.depth + 1 }
  return Array.from({ length }, () => sampleValue(schema.items ?? {}, item))
}

function sampleObject(
  schema: Record<string, unknown>,
  { root, depth }: Place,
): Record<string, unknown> {
  const properties = isRecord(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  // Optional properties are left out at depth 3 and below: a schema may refer to itself.
  const keys = Object.keys(properties).filter(key => depth < 3 || required.includes(key))
  return Object.fromEntries(
    keys.map(name => [name, sampleValue(properties[name], { root, name, depth: depth + 1 })]),
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
