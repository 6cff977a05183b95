import { Kind, type Shape } from '../engine/shape.js'
import type { FunctionTool } from '../sdk/parts.js'
import { asRecord, isRecord } from './is-record.js'
import { type SchemaObject, shapeOfSchema, type Way, waysOf } from './shape-of-schema.js'

/** How much of what a schema says about a parameter is shown: nothing, its first sentence, or all of it. */
export type Descriptions = 'none' | 'short' | 'full'

export interface SignatureOptions {
  readonly descriptions?: Descriptions | undefined
  /** The arguments are written as one JSON object: the parameters stand in braces. */
  readonly isJson?: boolean | undefined
}

const SHORT_CHARS = 80

/**
 * A tool in one line, from its JSON Schema: `get_weather city days?:int units:metric|imperial=metric - The weather in a city.`
 * A parameter without a type is a text.
 */
export function renderSignature(
  { name, description, inputSchema }: Pick<FunctionTool, 'name' | 'description' | 'inputSchema'>,
  { descriptions = 'short', isJson = false }: SignatureOptions = {},
): string {
  const root = asRecord(inputSchema)
  const type = typeIn({ root, descriptions, seen: [root] }, { type: 'object', ...root })
  // Arguments are an object; its braces are left out where they are written as pairs.
  const parameters = !isJson && type.startsWith('{') && complexFields(root) ? type.slice(1, -1) : type
  return [oneLine(name), parameters, description?.trim() && `- ${oneLine(description)}`].filter(Boolean).join(' ')
}

interface Context {
  readonly root: SchemaObject
  readonly descriptions: Descriptions
  /** The schemas around this one, so that one that holds itself ends somewhere. */
  readonly seen: readonly unknown[]
}

function typeIn(context: Context, value: unknown): string {
  return typesIn(context, value).join('|') || 'any'
}

function typesIn(context: Context, value: unknown): string[] {
  if (value === false) return ['never']
  const { root, seen } = context
  const types = waysOf(value, root).flatMap(way => {
    const around = way.parts.find(part => seen.includes(part))
    if (around) return nameOf(around, root)
    const inner = { ...context, seen: [...seen, ...way.parts] }
    const named = way.values?.map(literal) ?? way.types.map(type => plainType(type, way, inner))
    return way.schema.nullable === true ? [...named, 'null'] : named
  })
  const distinct = [...new Set(types)]
  return distinct.length > 1 ? distinct.filter(type => type !== 'any') : distinct
}

function plainType(type: unknown, way: Way, context: Context): string {
  const { format } = way.schema
  const isUntyped = (...keywords: string[]) => type === undefined && keywords.some(keyword => keyword in way.schema)
  if (type === 'string') return typeof format === 'string' && /^[\w-]+$/.test(format) ? format : 'str'
  if (type === 'array' || isUntyped('items', 'prefixItems')) return listType(way, context)
  if (type === 'object' || isUntyped('properties', 'additionalProperties')) return objectType(way, context)
  return words.get(type) ?? 'any'
}

function listType({ tuple, rest }: Way, context: Context): string {
  if (tuple.length) {
    const types = tuple.map(item => typeIn(context, item))
    return `[${types.join(' ')}${isRecord(rest) ? ` ${typeIn(context, rest)}...` : ''}]`
  }
  const types = typesIn(context, rest ?? true)
  return types.length > 1 ? `(${types.join('|')})[]` : `${types[0] ?? 'any'}[]`
}

function objectType({ fields, schema }: Way, context: Context): string {
  const shown = fields.map(({ name, property, preset, isRequired }) => {
    const type = typeIn(context, property)
    const mark = isRequired || preset !== undefined ? '' : '?'
    const value = preset === undefined ? '' : `=${literal(preset)}`
    return `${plainKey(name)}${mark}${type === 'str' ? '' : `:${type}`}${value}${about(property, context)}`
  })
  if (isRecord(schema.additionalProperties)) shown.push(`*:${typeIn(context, schema.additionalProperties)}`)
  return `{${shown.join(' ')}}`
}

/** What the schema says of a parameter, in parentheses. */
function about(property: unknown, { descriptions, root }: Context): string {
  if (descriptions === 'none') return ''
  const description = waysOf(property, root)[0]?.schema.description
  if (typeof description !== 'string' || description.trim() === '') return ''
  const text = oneLine(description)
  return `(${descriptions === 'full' ? text : shorten(text)})`
}

function shorten(text: string): string {
  const sentence = /^.{12,}?[.!?](?=\s)/u.exec(text)?.[0] ?? text
  const short = sentence.replace(/[.]$/u, '')
  if (short.length <= SHORT_CHARS) return short
  return `${short.slice(0, SHORT_CHARS).replace(/\s+\S*$/u, '')}…`
}

const oneLine = (text: string) => text.trim().replace(/\s+/gu, ' ')
const plainKey = (key: string) => (/^[\p{L}\p{N}_$.-]+$/u.test(key) ? key : JSON.stringify(key))
const words = new Map<unknown, string>(Object.entries({ integer: 'int', number: 'num', boolean: 'bool', null: 'null' }))
const typeNames = new Set([...words.values(), 'str', 'any', 'true', 'false'])

/** A value as it may stand in a signature: a string without quotes, unless it could be taken for something else. */
function literal(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'any'
  return /^[\p{L}_][\p{L}\p{N}_./+-]*$/u.test(value) && !typeNames.has(value) ? value : JSON.stringify(value)
}

function nameOf(schema: unknown, root: SchemaObject): string {
  if (schema === root) return 'this'
  const definitions = { ...asRecord(root.definitions), ...asRecord(root.$defs) }
  const [name] = Object.entries(definitions).find(([, definition]) => definition === schema) ?? []
  return name === undefined ? 'any' : oneLine(name)
}

/**
 * True for an object of named properties each of which is something simple: a text, a number, a constant, one of several
 * of these, or a list of them.
 */
export function isFlatObject(schema: unknown): boolean {
  return complexFields(schema)?.length === 0
}

/**
 * The properties that hold objects, or lists of more than simple values; undefined for arguments that are no object of named
 * properties. With `mayBeTable` a list of flat objects counts as simple.
 */
export function complexFields(schema: unknown, mayBeTable = false): string[] | undefined {
  if (!isRecord(schema)) return schema === undefined ? [] : undefined
  const [way, ...others] = waysOf(schema, schema)
  const { type = 'object', additionalProperties } = way?.schema ?? {}
  if (others.length || type !== 'object' || isRecord(additionalProperties)) return undefined
  const { propertyNames, property } = shapeOfSchema(schema)
  return propertyNames.filter(name => !isSimple(property(name)) && !(mayBeTable && isTable(property(name))))
}

function isSimple({ kinds, item }: Shape, mayBeList = true): boolean {
  return !(kinds & Kind.object) && (!(kinds & Kind.array) || (mayBeList && isSimple(item(0), false)))
}

function isTable({ kinds, item }: Shape): boolean {
  const { kinds: rowKinds, propertyNames, property } = item(0)
  return kinds === Kind.array && rowKinds === Kind.object && propertyNames.every(name => isSimple(property(name)))
}
