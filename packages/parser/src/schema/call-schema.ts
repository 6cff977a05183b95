import { asRecord, isRecord } from '../is-record.js'
import { resolvePointer, type SchemaObject } from './shape-of-schema.js'

/** The fields of a tool that a call schema needs. */
interface CallableTool {
  readonly name: string
  readonly inputSchema?: unknown
}

/**
 * Returns the JSON Schema of one call of any of the tools, for a server that makes the model follow
 * it:
 *
 *     { "anyOf": [ { "name": { "const": "get_weather" }, "arguments": {…} }, … ] }
 *
 * For a single tool there is no `anyOf`. All keywords are ones that constrained decoders apply
 * (decision 59).
 */
export function createCallSchema(tools: readonly CallableTool[]): SchemaObject {
  const definitions = createDefinitions()
  const branches = tools.map(({ name, inputSchema }) => ({
    type: 'object',
    properties: { name: { const: name }, arguments: definitions.embed(name, inputSchema) },
    required: ['name', 'arguments'],
    additionalProperties: false,
  }))
  const [only, ...others] = branches
  const schema = only && others.length === 0 ? only : { anyOf: branches }
  return Object.keys(definitions.all).length > 0 ? { ...schema, $defs: definitions.all } : schema
}

/**
 * Keywords whose value is a map from names to schemas: a property may be called `$ref` or `$defs`.
 */
const schemaMaps = new Set(['properties', 'patternProperties', 'dependentSchemas'])

/** Keywords whose value is data, not a schema. */
const dataKeywords = new Set(['const', 'enum', 'default', 'examples', 'required', 'type'])

/** Keywords that are left out of an embedded schema. References copy what they need of `$defs`. */
const droppedKeywords = new Set(['$schema', '$id', '$defs', 'definitions'])

/**
 * Creates the `$defs` of a schema that contains several others. The target of each reference becomes
 * an entry: two tools may both have a `#/$defs/Node`, and xgrammar refuses a pointer through an array
 * (`#/anyOf/0/…`).
 */
function createDefinitions() {
  const all: Record<string, unknown> = {}

  /** Returns the name for `#/$defs/Node` of the tool `add`: `add-Node`, or else `add-Node-2`. */
  const createName = (toolName: string, pointer: string) => {
    const lastStep = pointer === '#' ? 'arguments' : pointer.replace(/^.*\//, '')
    const base = [toolName, lastStep].map(word => word.replace(/[^A-Za-z0-9_]+/g, '_')).join('-')
    let name = base
    for (let count = 2; Object.hasOwn(all, name); count++) name = `${base}-${count}`
    return name
  }

  /** Returns the schema of a tool's arguments, with references that point into `all`. */
  const embed = (toolName: string, schema: unknown): unknown => {
    if (!isRecord(schema)) return { type: 'object' }
    const names = new Map<string, string>()

    const define = (pointer: string, target: unknown): string => {
      const known = names.get(pointer)
      if (known !== undefined) return known
      const name = createName(toolName, pointer)
      names.set(pointer, name)
      // The name is set before the target is copied, because a recursive schema refers to itself.
      all[name] = true
      all[name] = copy(target)
      return name
    }
    const copyReference = (reference: string, siblings: SchemaObject): unknown => {
      const target = resolvePointer(reference, schema)
      // `https://example.com/other.json`: a schema that we do not have allows anything.
      if (target === undefined) return siblings
      return { $ref: `#/$defs/${define(reference, target)}`, ...siblings }
    }
    const copyEntry = ([keyword, value]: [string, unknown]): [string, unknown] => {
      if (dataKeywords.has(keyword)) return [keyword, value]
      if (!schemaMaps.has(keyword)) return [keyword, copy(value)]
      const entries = Object.entries(asRecord(value))
      return [keyword, Object.fromEntries(entries.map(([name, inner]) => [name, copy(inner)]))]
    }
    const copy = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(copy)
      if (!isRecord(value)) return value
      const { $ref, ...others } = value
      const kept = Object.entries(others).filter(([keyword]) => !droppedKeywords.has(keyword))
      const siblings = Object.fromEntries(kept.map(copyEntry))
      return typeof $ref === 'string' ? copyReference($ref, siblings) : siblings
    }
    const copied = copy(schema)
    // `{"$ref": "#"}`: the whole schema is an entry already, so it is not written again.
    const ownName = names.get('#')
    return ownName === undefined ? copied : { $ref: `#/$defs/${ownName}` }
  }

  return { all, embed }
}
