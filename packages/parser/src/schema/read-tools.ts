// Reads the tools of an application in any of the usual shapes, for use without the AI SDK:
//
//     [{ type: 'function', function: { name, description, parameters } }]   OpenAI
//     [{ name, description, input_schema }]                                 Anthropic
//     { tools: [{ name, description, inputSchema }] }                       MCP
//     { get_weather: tool({ description, inputSchema }) }                   AI SDK
//     { get_weather: { type: 'object', properties: {…} } }                  JSON Schema
import { isRecord } from '../is-record.js'
import type { FunctionTool } from '../sdk/parts.js'
import { unwrapSchema } from './unwrap-schema.js'

/**
 * Tools in any usual shape: a list of OpenAI's, Anthropic's, MCP's or the AI SDK's tools, an object
 * with such a list as `tools`, or an object with tools or JSON Schemas by their names. `readTools`
 * checks them.
 */
export type AnyTools = object

/** A tool as it was given. */
interface GivenTool {
  /** Where it was found: `tools[0].function`, `tools.get_weather`. */
  readonly place: string
  /** Its key, if the tools are an object. */
  readonly key?: string | undefined
  readonly value: unknown
}

/**
 * Reads tools in any usual shape. Throws a `TypeError` that names the tool and the place for a tool
 * that cannot be used.
 *
 * @example
 * ```ts
 * import { readTools } from '@toolglot/parser'
 *
 * const parameters = { type: 'object', properties: { city: { type: 'string' } } }
 * const [tool] = readTools([{ type: 'function', function: { name: 'get_weather', parameters } }])
 * console.log(tool?.name) // get_weather
 * ```
 */
export function readTools(tools: unknown): FunctionTool[] {
  const places = new Map<string, string>()
  return listTools(tools).map(given => {
    const tool = readTool(given)
    const earlier = places.get(tool.name)
    if (earlier !== undefined)
      throw new TypeError(`${given.place} is named ${quote(tool.name)}, as ${earlier} is.`)
    places.set(tool.name, given.place)
    return tool
  })
}

function listTools(tools: unknown): GivenTool[] {
  const list = findList(tools)
  if (list) return list.map((value, i) => ({ place: `tools[${i}]`, value }))
  if (isRecord(tools))
    return Object.entries(tools).map(([key, value]) => ({ place: `tools.${key}`, key, value }))
  throw new TypeError(
    `tools must be a list of tools, or an object with the tools by their names, found ${describe(tools)}.`,
  )
}

/**
 * Finds the list of tools: the value itself, `{ tools }` of a request or of MCP, `{ result: { tools
 * } }` of JSON-RPC, or the older `{ functions }`.
 */
function findList(tools: unknown): readonly unknown[] | undefined {
  if (Array.isArray(tools)) return tools
  if (!isRecord(tools)) return undefined
  const inner =
    tools.tools ?? tools.functions ?? (isRecord(tools.result) ? tools.result.tools : undefined)
  return Array.isArray(inner) ? inner : undefined
}

function readTool({ place, key, value }: GivenTool): FunctionTool {
  // `{ get_weather: { type: 'object', … } }`: the schema is the tool.
  if (key !== undefined && isSchema(value)) {
    const inputSchema = readSchema(value, place, key)
    return createTool(key, readText(inputSchema.description), inputSchema)
  }
  if (!isRecord(value) || !mayBeTool(value)) {
    const wanted = key === undefined ? 'a tool' : 'a tool or a JSON Schema'
    throw new TypeError(`${place} must be ${wanted}, found ${describe(value)}.`)
  }
  checkToolType(value, place)
  // `{ type: 'function', function: { name, parameters } }`
  if (value.function !== undefined)
    return readTool({ place: `${place}.function`, key, value: value.function })
  const name = key ?? value.name
  if (typeof name !== 'string' || name === '')
    throw new TypeError(
      `${place} has no name: ${place}.name must be a text, found ${describe(name)}.`,
    )
  const description = value.description ?? undefined
  if (description !== undefined && typeof description !== 'string')
    throw fail(`${place}.description`, name, 'a text', description)
  const schemaKey = schemaKeys.find(each => value[each] !== undefined && value[each] !== null)
  const inputSchema = schemaKey
    ? readSchema(value[schemaKey], `${place}.${schemaKey}`, name)
    : { type: 'object', properties: {} }
  const { inputExamples } = value
  const examples = Array.isArray(inputExamples) ? { inputExamples } : {}
  return { ...createTool(name, description, inputSchema), ...examples }
}

const schemaKeys = ['inputSchema', 'input_schema', 'parameters']
const toolKeys = ['function', 'name', 'description', 'type', 'execute', ...schemaKeys]

/** False for `{ get_weather: {…} }`, which contains a tool. */
const mayBeTool = (value: Record<string, unknown>) =>
  Object.keys(value).length === 0 || toolKeys.some(key => key in value)

const createTool = (
  name: string,
  description: string | undefined,
  inputSchema: unknown,
): FunctionTool => ({
  type: 'function',
  name,
  ...(description === undefined ? {} : { description }),
  inputSchema,
})

const readText = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** What the AI SDK and Anthropic call tools that the application runs. */
const ownTypes: readonly unknown[] = ['function', 'dynamic', 'custom', undefined, null]

/** `{ type: 'web_search' }`: throws for a tool that only a provider can run. */
function checkToolType({ type }: Record<string, unknown>, place: string): void {
  if (ownTypes.includes(type)) return
  throw new TypeError(
    `${place} has the type ${describe(type)}: a provider runs it, and a model that only writes text cannot call it. Leave it out.`,
  )
}

/** True for a JSON Schema and for a schema of a library, false for a tool. */
function isSchema(value: unknown): boolean {
  if (findStandard(value) || unwrapSchema(value) !== value) return true
  if (!isRecord(value) || schemaKeys.some(key => key in value)) return false
  return jsonTypes.includes(value.type) || structureKeywords.some(keyword => keyword in value)
}

const jsonTypes: readonly unknown[] = 'object array string number integer boolean null'.split(' ')
const structureKeywords =
  'properties patternProperties additionalProperties required $ref anyOf oneOf allOf'.split(' ')
const schemaKeywords = new Set([
  ...structureKeywords,
  ...'type not if enum const propertyNames minProperties maxProperties'.split(' '),
  ...'$schema $id $defs definitions title description'.split(' '),
])

/** Reads the schema of a tool's arguments as a JSON Schema. */
function readSchema(given: unknown, place: string, name: string): Record<string, unknown> {
  const schema = toJsonSchema(given, place, name)
  if (!isRecord(schema)) throw fail(place, name, 'a JSON Schema', schema)
  const { type, properties, required } = schema
  if (typeof schema.then === 'function')
    throw new TypeError(`${place} of the tool ${quote(name)} is a promise. Await it first.`)
  // `{ city: 'string' }`, `{ city: z.string() }`
  const keys = Object.keys(schema)
  if (keys.length > 0 && !keys.some(key => schemaKeywords.has(key)))
    throw fail(place, name, 'a JSON Schema: { "type": "object", "properties": {…} }', given)
  if (type !== undefined && ![type].flat().includes('object'))
    throw fail(`${place}.type`, name, '"object", since arguments have names', type)
  if (isGiven(properties)) checkProperties(properties, `${place}.properties`, name)
  const isNameList = Array.isArray(required) && required.every(each => typeof each === 'string')
  if (isGiven(required) && !isNameList)
    throw fail(`${place}.required`, name, 'a list of names', required)
  return schema
}

const isGiven = (value: unknown) => value !== undefined && value !== null

/** `{ city: 'string' }`: throws for a property that is not a schema. */
function checkProperties(properties: unknown, place: string, name: string): void {
  if (!isRecord(properties)) throw fail(place, name, 'an object of JSON Schemas', properties)
  for (const [key, schema] of Object.entries(properties)) {
    if (isRecord(schema) || typeof schema === 'boolean') continue
    throw fail(`${place}.${key}`, name, 'a JSON Schema', schema)
  }
}

/** Returns the JSON Schema of a schema: of JSON itself, of the AI SDK's `jsonSchema()`, or of Zod. */
function toJsonSchema(given: unknown, place: string, name: string): unknown {
  const standard = findStandard(given)
  if (!standard) return unwrapSchema(given)
  const { vendor, jsonSchema } = standard
  const where = `${place} of the tool ${quote(name)}`
  if (!isRecord(jsonSchema) || typeof jsonSchema.input !== 'function')
    throw new TypeError(
      `${where} is a schema of ${String(vendor)} that has no JSON Schema of its own. Convert it: z.toJSONSchema(schema) does so for Zod.`,
    )
  try {
    return jsonSchema.input({ target: 'draft-07' })
  } catch (error) {
    throw new TypeError(
      `${where} is a schema of ${String(vendor)} that has no JSON Schema: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** The interface that Zod, Valibot and ArkType share: `schema['~standard']`. */
function findStandard(schema: unknown): Record<string, unknown> | undefined {
  const isObject = typeof schema === 'function' || isRecord(schema)
  const standard: unknown = isObject ? Reflect.get(schema, '~standard') : undefined
  return isRecord(standard) ? standard : undefined
}

const fail = (place: string, name: string, wanted: string, found: unknown) =>
  new TypeError(`${place} of the tool ${quote(name)} must be ${wanted}, found ${describe(found)}.`)

const quote = (name: string) => JSON.stringify(name)

const MAX_SHOWN_CHARS = 60
const cutText = (text: string) =>
  text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text
const describeObject = (value: object) =>
  `an object with the keys ${cutText(Object.keys(value).join(', ')) || '(none)'}`

/** `"string"`, `a list`: what was found in a message. */
function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'function') return 'a function'
  if (isRecord(value)) return describeObject(value)
  return cutText(typeof value === 'string' ? JSON.stringify(value) : String(value))
}
