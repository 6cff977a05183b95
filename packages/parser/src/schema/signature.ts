import type { FunctionTool } from '../sdk/parts.js'
import { isRecord } from './is-record.js'
import { resolvePointer, type SchemaObject } from './shape-of-schema.js'

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
  const root = isRecord(inputSchema) ? inputSchema : {}
  const type = typeOf({ type: 'object', ...root }, { root, descriptions, seen: [root] })
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

/** A schema with its reference followed and its `allOf` put together. */
function resolve(schema: SchemaObject, context: Context): SchemaObject {
  let merged: SchemaObject = schema
  const add = (part: unknown) => {
    if (!isRecord(part) || context.seen.includes(part)) return
    const other = resolve(part, { ...context, seen: [...context.seen, part] })
    merged = {
      ...other,
      ...merged,
      ...mergedFields(merged, other),
    }
  }
  if (typeof schema.$ref === 'string') add(resolvePointer(schema.$ref, context.root))
  for (const part of listOf(schema.allOf)) add(part)
  return merged
}

/** The properties of two schemas that hold at once; the first one's come first, and count. */
function mergedFields(first: SchemaObject, second: SchemaObject): SchemaObject {
  if (!isRecord(first.properties) && !isRecord(second.properties)) return {}
  const own = recordOf(first.properties)
  return {
    properties: { ...own, ...recordOf(second.properties), ...own },
    required: [...listOf(first.required), ...listOf(second.required)],
  }
}

function typeOf(value: unknown, outer: Context): string {
  return typesOfValue(value, outer).join('|') || 'any'
}

function typesOfValue(value: unknown, outer: Context): string[] {
  if (!isRecord(value)) return [value === false ? 'never' : 'any']
  if (outer.seen.includes(value)) return [nameOf(value, outer.root)]
  const target = typeof value.$ref === 'string' ? resolvePointer(value.$ref, outer.root) : undefined
  if (target !== undefined && outer.seen.includes(target)) return [nameOf(target, outer.root)]
  const context = { ...outer, seen: [...outer.seen, value, ...(target === undefined ? [] : [target])] }
  const schema = resolve(value, outer)
  const types = [...new Set(typesOf(schema, context))]
  return types.length > 1 ? types.filter(type => type !== 'any') : types
}

function typesOf(schema: SchemaObject, context: Context): string[] {
  const nullable = schema.nullable === true ? ['null'] : []
  if ('const' in schema) return [literal(schema.const), ...nullable]
  if (Array.isArray(schema.enum)) return [...schema.enum.map(literal), ...nullable]
  const options = [...listOf(schema.anyOf), ...listOf(schema.oneOf)]
  if (options.length) {
    // What stands beside the options holds for each of them.
    const whole = (option: unknown) =>
      isRecord(option) ? { ...option, ...mergedFields(schema, resolve(option, context)) } : option
    return [
      ...options.flatMap(option => typesOfValue(isRecord(schema.properties) ? whole(option) : option, context)),
      ...nullable,
    ]
  }
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  return [...types.map(type => plainType(type, schema, context)), ...nullable]
}

function plainType(type: unknown, schema: SchemaObject, context: Context): string {
  if (type === 'string')
    return typeof schema.format === 'string' && /^[\w-]+$/.test(schema.format) ? schema.format : 'str'
  if (type === 'integer') return 'int'
  if (type === 'number') return 'num'
  if (type === 'boolean') return 'bool'
  if (type === 'null') return 'null'
  if (type === 'array' || (type === undefined && ('items' in schema || 'prefixItems' in schema)))
    return listType(schema, context)
  if (type === 'object' || isObject(schema)) return objectType(schema, context)
  return 'any'
}

function listType(schema: SchemaObject, context: Context): string {
  const tuple = tupleOf(schema)
  const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items
  if (tuple.length) {
    const types = tuple.map(item => typeOf(item, context))
    if (isRecord(rest)) types.push(`${typeOf(rest, context)}...`)
    return `[${types.join(' ')}]`
  }
  const types = typesOfValue(rest ?? true, context)
  return types.length > 1 ? `(${types.join('|')})[]` : `${types[0] ?? 'any'}[]`
}

const tupleOf = (schema: SchemaObject): unknown[] =>
  Array.isArray(schema.prefixItems) ? schema.prefixItems : Array.isArray(schema.items) ? schema.items : []

function objectType(schema: SchemaObject, context: Context): string {
  const required = new Set(listOf(schema.required))
  const fields = Object.entries(recordOf(schema.properties)).map(([key, property]) => {
    const type = typeOf(property, context)
    const { default: preset } = isRecord(property) ? property : {}
    const mark = required.has(key) || preset !== undefined ? '' : '?'
    const value = preset === undefined ? '' : `=${literal(preset)}`
    return `${plainKey(key)}${mark}${type === 'str' ? '' : `:${type}`}${value}${about(property, context)}`
  })
  if (isRecord(schema.additionalProperties)) fields.push(`*:${typeOf(schema.additionalProperties, context)}`)
  return `{${fields.join(' ')}}`
}

/** What the schema says of a parameter, in parentheses. */
function about(property: unknown, { descriptions, root, seen }: Context): string {
  if (descriptions === 'none' || !isRecord(property)) return ''
  const { description } = resolve(property, { root, descriptions, seen })
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
const typeNames = new Set(['str', 'int', 'num', 'bool', 'null', 'any', 'true', 'false'])

/** A value as it may stand in a signature: a string without quotes, unless it could be taken for something else. */
function literal(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'any'
  return /^[\p{L}_][\p{L}\p{N}_./+-]*$/u.test(value) && !typeNames.has(value) ? value : JSON.stringify(value)
}

function nameOf(schema: unknown, root: SchemaObject): string {
  if (schema === root) return 'this'
  const definitions = { ...recordOf(root.definitions), ...recordOf(root.$defs) }
  const [name] = Object.entries(definitions).find(([, definition]) => definition === schema) ?? []
  return name === undefined ? 'any' : oneLine(name)
}

const recordOf = (value: unknown): SchemaObject => (isRecord(value) ? value : {})
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const isObject = (schema: SchemaObject) =>
  schema.type === 'object' ||
  (schema.type === undefined && ('properties' in schema || 'additionalProperties' in schema))

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
  const context: Context = { root: schema, descriptions: 'none', seen: [] }
  const { anyOf, oneOf, additionalProperties, properties, ...rest } = resolve(schema, context)
  const isNamed =
    isObject({ type: 'object', properties, ...rest }) && !anyOf && !oneOf && !isRecord(additionalProperties)
  if (!isNamed) return undefined
  return Object.entries(recordOf(properties)).flatMap(([key, property]) =>
    isSimple(property, context, true) || (mayBeTable && isTable(property, context)) ? [] : [key],
  )
}

function isSimple(value: unknown, context: Context, mayBeList: boolean): boolean {
  if (!isRecord(value) || context.seen.includes(value)) return false
  const inner = { ...context, seen: [...context.seen, value] }
  const schema = resolve(value, context)
  const options = [...listOf(schema.anyOf), ...listOf(schema.oneOf)]
  if (options.length) return options.every(option => isSimple(option, inner, mayBeList))
  const values = 'const' in schema ? [schema.const] : listOf(schema.enum)
  if (values.length) return values.every(each => typeof each !== 'object' || each === null)
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  return types.every(type => {
    if (type === 'array')
      return mayBeList && [...tupleOf(schema), ...restOf(schema)].every(item => isSimple(item, inner, false))
    return typeof type === 'string' && type !== 'object'
  })
}

/** What a list holds behind its tuple; what is not said may be anything. */
function restOf(schema: SchemaObject): unknown[] {
  const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items
  if (rest === false || (rest === undefined && tupleOf(schema).length)) return []
  return [rest]
}

function isTable(value: unknown, context: Context): boolean {
  if (!isRecord(value)) return false
  const { type, items } = resolve(value, context)
  if (type !== 'array' || !isRecord(items)) return false
  const { properties, ...rest } = resolve(items, context)
  return (
    isObject({ properties, ...rest }) &&
    Object.values(recordOf(properties)).every(each => isSimple(each, context, true))
  )
}
