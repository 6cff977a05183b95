import { JsonType, type Shape } from '../engine/values/shape.js'
import { asRecord, isRecord } from '../is-record.js'
import type { FunctionTool } from '../sdk/parts.js'
import { alternativesOf, type SchemaObject, shapeOfSchema } from './shape-of-schema.js'
import { type TypeNotation, writeTypes } from './type-notation.js'
import { unwrapSchema } from './unwrap-schema.js'

/** How much of a parameter's description is shown: nothing, its first sentence, or all of it. */
export type Descriptions = 'none' | 'short' | 'full'

/** The options of `renderSignature`. */
export interface SignatureOptions {
  /**
   * How much of the parameters' descriptions is shown.
   *
   * @default 'short'
   */
  readonly descriptions?: Descriptions | undefined
  /**
   * The arguments are written as one JSON object, so the parameters are in braces.
   *
   * @default false
   */
  readonly isJson?: boolean | undefined
}

const SHORT_CHARS = 80

/**
 * Writes a tool as one line, from its JSON Schema. A parameter without a type is a string.
 *
 * @example
 * ```ts
 * import { renderSignature } from '@toolglot/parser'
 *
 * const properties = { city: { type: 'string' }, days: { type: 'integer' } }
 * const inputSchema = { type: 'object', properties, required: ['city'] }
 * const description = 'The weather in a city.'
 *
 * // get_weather city days?:int - The weather in a city.
 * console.log(renderSignature({ name: 'get_weather', description, inputSchema }))
 * ```
 */
export function renderSignature(
  { name, description, inputSchema }: Pick<FunctionTool, 'name' | 'description' | 'inputSchema'>,
  { descriptions = 'short', isJson = false }: SignatureOptions = {},
): string {
  const schema = asRecord(unwrapSchema(inputSchema))
  const root: SchemaObject = { type: 'object', ...schema }
  const notation: TypeNotation = {
    literal: writeLiteral,
    word: (type, { format }) =>
      type === 'string' && typeof format === 'string' && /^[\w-]+$/.test(format)
        ? format
        : (words.get(type) ?? 'any'),
    list({ tuple, rest }, typesIn) {
      const types = typesIn(rest ?? true)
      if (tuple.length === 0) return types.length > 1 ? `(${types.join('|')})[]` : `${types[0]}[]`
      const first = tuple.map(item => typesIn(item).join('|')).join(' ')
      return `[${first}${isRecord(rest) ? ` ${types.join('|')}...` : ''}]`
    },
    object({ fields, additional }, typesIn) {
      const shown = fields.map(({ name, property, preset, isRequired }) => {
        const type = typesIn(property).join('|')
        const mark = isRequired || preset !== undefined ? '' : '?'
        const value = preset === undefined ? '' : `=${writeLiteral(preset)}`
        return `${writeKey(name)}${mark}${type === 'str' ? '' : `:${type}`}${value}${about(property)}`
      })
      if (isRecord(additional)) shown.push(`*:${typesIn(additional).join('|')}`)
      return `{${shown.join(' ')}}`
    },
    recursive: ({ schema: { $ref = 'any' } }) =>
      $ref === '#' ? 'this' : String($ref).replace(/^.*\//, ''),
  }
  /** The description of a parameter, in parentheses. */
  const about = (property: unknown) => {
    const description = alternativesOf(property, root)[0]?.schema.description
    const isShown = typeof description === 'string' && descriptions !== 'none'
    const text = isShown ? oneLine(description) : ''
    return text && `(${descriptions === 'full' ? text : shorten(text)})`
  }
  const type = writeTypes(notation, root).join('|')
  // `get_weather city days:int`: arguments that are written as pairs have no braces.
  const parameters =
    !isJson && type.startsWith('{') && complexFields(schema) ? type.slice(1, -1) : type
  return [oneLine(name), parameters, description?.trim() && `- ${oneLine(description)}`]
    .filter(Boolean)
    .join(' ')
}

function shorten(text: string): string {
  const sentence = /^.{12,}?(?<!\b(?:e\.g|i\.e|etc|vs|cf))[.!?](?=\s)/iu.exec(text)?.[0] ?? text
  const short = sentence.replace(/[.]$/u, '')
  if (short.length <= SHORT_CHARS) return short
  return `${short.slice(0, SHORT_CHARS).replace(/\s+\S*$/u, '')}…`
}

const oneLine = (text: string) => text.trim().replace(/\s+/gu, ' ')
const writeKey = (key: string) => (/^[\p{L}\p{N}_$.-]+$/u.test(key) ? key : JSON.stringify(key))
const plainTypes = { string: 'str', integer: 'int', number: 'num', boolean: 'bool', null: 'null' }
const words = new Map<unknown, string>(Object.entries(plainTypes))
const typeNames = new Set([...words.values(), 'any', 'true', 'false'])

/**
 * Writes a value of a signature. A string has no quotes, unless it could be mistaken for something
 * else: `metric`, but `"5"` and `"str"`.
 */
function writeLiteral(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'any'
  return /^[\p{L}_][\p{L}\p{N}_./+-]*$/u.test(value) && !typeNames.has(value)
    ? value
    : JSON.stringify(value)
}

/**
 * Returns true for the schema of an object with named properties that are all simple: strings,
 * numbers, booleans, null, or lists of these.
 *
 * @example
 * ```ts
 * import { isFlatObject } from '@toolglot/parser'
 *
 * console.log(isFlatObject({ type: 'object', properties: { city: { type: 'string' } } })) // true
 * console.log(isFlatObject({ type: 'object', properties: { place: { type: 'object' } } })) // false
 * ```
 */
export const isFlatObject = (schema: unknown): boolean => complexFields(schema)?.length === 0

/**
 * Returns the names of the properties that are not simple: objects, and lists of objects or lists.
 * Returns undefined if the arguments are not an object with named properties. With `mayBeTable`, a
 * list of flat objects counts as simple.
 */
export function complexFields(given: unknown, mayBeTable = false): string[] | undefined {
  const schema = unwrapSchema(given)
  if (!isRecord(schema)) return schema === undefined ? [] : undefined
  const [only, ...others] = alternativesOf(schema, schema)
  const { type = 'object' } = only?.schema ?? {}
  if (others.length || type !== 'object' || isRecord(only?.additional)) return undefined
  const { propertyNames, property } = shapeOfSchema(schema)
  return propertyNames.filter(
    name => !isSimple(property(name)) && !(mayBeTable && isTable(property(name))),
  )
}

function isSimple({ types, item }: Shape, mayBeList = true): boolean {
  return (
    !(types & JsonType.object) &&
    (!(types & JsonType.array) || (mayBeList && isSimple(item(0), false)))
  )
}

function isTable({ types, item }: Shape): boolean {
  const { types: rowTypes, propertyNames, property } = item(0)
  return (
    types === JsonType.array &&
    rowTypes === JsonType.object &&
    propertyNames.every(name => isSimple(property(name)))
  )
}
