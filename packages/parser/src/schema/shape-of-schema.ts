import { typeOfJson } from '../engine/values/scalar.js'
import { ANY_TYPE, anyShape, JsonType, type Shape } from '../engine/values/shape.js'
import { asRecord, isRecord } from '../is-record.js'
import { unwrapSchema } from './unwrap-schema.js'

export type SchemaObject = Record<string, unknown>

/** Schemas that apply together: `allOf`, `$ref` and its siblings, a branch and its base. */
type Parts = readonly SchemaObject[]

/** Further alternatives of a schema are ignored: unions of unions multiply. */
const MAX_ALTERNATIVES = 64

const typeBits: Readonly<Record<string, number>> = { ...JsonType, integer: JsonType.number }

const shapesOfRoot = new WeakMap<SchemaObject, Shape>()

/**
 * Returns the shape of a JSON Schema (draft-07 to 2020-12). References are resolved on demand, so a
 * schema may be recursive.
 */
export function shapeOfSchema(given: unknown): Shape {
  const schema = unwrapSchema(given)
  if (!isRecord(schema)) return anyShape
  const shape = shapesOfRoot.get(schema) ?? shapeIn(schema)
  shapesOfRoot.set(schema, shape)
  return shape
}

const shapesOfArguments = new WeakMap<Shape, Shape>()

/** The shape of a tool's arguments, which are an object, even if the schema is `{}`. */
export function shapeOfArguments(schema: unknown): Shape {
  return asObject(shapeOfSchema(schema))
}

function asObject(shape: Shape): Shape {
  if (shape.types !== ANY_TYPE) return shape
  const known = shapesOfArguments.get(shape)
  if (known) return known
  const narrow = (name: string, json: string) => asObject(shape.narrow(name, json))
  const asked: Shape = { ...shape, types: JsonType.object, narrow }
  shapesOfArguments.set(shape, asked)
  return asked
}

function shapeIn(root: SchemaObject): Shape {
  const ids = new Map<unknown, number>()
  const shapes = new Map<string, Shape>()
  /** Returns the shape of these schemas or alternatives, and makes it only once. */
  const shapeOnce = (items: readonly unknown[], make: () => Shape): Shape => {
    for (const item of items) if (!ids.has(item)) ids.set(item, ids.size)
    const key = items.map(item => ids.get(item)).join()
    const shape = shapes.get(key) ?? make()
    shapes.set(key, shape)
    return shape
  }
  /** Returns the shape of values that fit any of the schemas. */
  const shapeOf = (schemas: readonly unknown[]): Shape =>
    shapeOnce(schemas, () =>
      shapeOfAlternatives(
        schemas.flatMap(schema => alternativesOf(schema, root)).slice(0, MAX_ALTERNATIVES),
      ),
    )
  const shapeOfAlternatives = (alternatives: readonly Alternative[]): Shape => {
    if (alternatives.length === 0) return anyShape
    const objects = alternatives.filter(each => each.types & JsonType.object)
    const arrays = alternatives.filter(each => each.types & JsonType.array)
    const values = alternatives.map(each => (each.types === JsonType.null ? [null] : each.values))
    const shape: Shape = {
      types: alternatives.reduce((all, each) => all | each.types, 0),
      // `{"anyOf": [{"const": 1}, {"type": "string"}]}`: one alternative allows any value.
      values: values.every(each => each.length) ? new Set(values.flat().map(asJson)) : undefined,
      propertyNames: [...new Set(objects.flatMap(each => each.fields.map(field => field.name)))],
      requiredNames: requiredOf(objects),
      isOpen: objects.some(each => each.additional !== false || each.hasPatterns),
      property: name => shapeOf(objects.map(each => each.property(name))),
      item: index =>
        shapeOf(arrays.map(({ tuple, rest }) => (index < tuple.length ? tuple[index] : rest))),
      narrow(name, json) {
        const left = alternatives.filter(each => {
          const property = each.property(name)
          return property !== false && (shapeOf([property]).values?.has(json) ?? true)
        })
        return left.length && left.length < alternatives.length
          ? shapeOnce(left, () => shapeOfAlternatives(left))
          : shape
      },
    }
    return shape
  }
  return shapeOf([root])
}

/** The names of the properties that all alternatives require. */
function requiredOf([first, ...others]: readonly Alternative[]): string[] {
  const names = (first?.fields ?? []).filter(field => field.isRequired).map(field => field.name)
  const requires = ({ fields }: Alternative, name: string) =>
    fields.some(field => field.name === name && field.isRequired)
  return names.filter(name => others.every(other => requires(other, name)))
}

/** Returns the alternatives of a schema, without `$ref`, `allOf`, `anyOf` and `oneOf`. */
export function alternativesOf(schema: unknown, root: SchemaObject): Alternative[] {
  return expand(schema, root)
    .map(createAlternative)
    .filter(each => each.types !== 0)
}

export type Alternative = ReturnType<typeof createAlternative>

function createAlternative(parts: Parts) {
  // The first part with a keyword counts. `properties` and `required` of all parts count.
  const schema: SchemaObject = Object.assign({}, ...[...parts].reverse())
  const { items, prefixItems, additionalItems, additionalProperties } = schema
  /** The schema of properties that are not declared. False if they are not allowed. */
  const additional = parts.some(part => part.additionalProperties === false)
    ? false
    : additionalProperties
  const required = parts.flatMap(part => listOf(part.required))
  const properties = new Map<string, unknown>()
  for (const [name, more] of parts.flatMap(part => Object.entries(asRecord(part.properties)))) {
    const known = properties.get(name)
    properties.set(
      name,
      isRecord(known) ? { ...known, allOf: [...listOf(known.allOf), more] } : more,
    )
  }
  const patterns = parts.flatMap(part => Object.entries(asRecord(part.patternProperties)))
  return {
    parts,
    schema,
    hasPatterns: patterns.length > 0,
    /** The JSON types that all parts allow. */
    types: parts.reduce((left, part) => left & typesAllowedBy(part), ANY_TYPE),
    typeNames: typesOf(schema),
    values: valuesOf(schema),
    fields: [...properties].map(([name, property]) => {
      const { default: preset } = asRecord(property)
      return { name, property, preset, isRequired: required.includes(name) }
    }),
    additional,
    /** The schema of a property. False if it is not allowed. */
    property(name: string) {
      if (properties.has(name)) return properties.get(name)
      const found = patterns.find(([pattern]) => matchesPattern(name, pattern))
      return found ? found[1] : additional
    },
    /** The schemas of the first items of a list. `rest` is the schema of all items after them. */
    tuple: listOf(Array.isArray(prefixItems) ? prefixItems : items),
    rest: Array.isArray(items) ? additionalItems : items,
  }
}

/** Longer keys match no pattern: the time that a pattern takes may grow fast with the text. */
const MAX_PATTERN_KEY_CHARS = 128
const patternsByText = new Map<string, RegExp | undefined>()
const MAX_PATTERNS = 256

/** `{"patternProperties": {"^x-": {"type": "integer"}}}`: decides whether a key matches. */
function matchesPattern(key: string, pattern: string): boolean {
  if (key.length > MAX_PATTERN_KEY_CHARS) return false
  if (!patternsByText.has(pattern)) {
    if (patternsByText.size === MAX_PATTERNS) patternsByText.clear()
    patternsByText.set(pattern, compilePattern(pattern))
  }
  return patternsByText.get(pattern)?.test(key) === true
}

/** Undefined for a pattern that JavaScript does not know. */
function compilePattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return undefined
  }
}

/** Returns the alternatives of a schema. Each is a list of plain schemas that apply together. */
function expand(schema: unknown, root: SchemaObject, seen: readonly unknown[] = []): Parts[] {
  if (schema === false) return []
  if (!isRecord(schema) || seen.includes(schema)) return [[]]
  const inner = (part: unknown) => expand(part, root, [...seen, schema])
  const unions = [schema.anyOf, schema.oneOf].map(listOf).filter(union => union.length)
  const conditions = [
    inner(resolvePointer(schema.$ref, root)),
    ...listOf(schema.allOf).map(inner),
    ...unions.map(union => union.flatMap(inner)),
  ]
  return conditions.reduce(
    (combined, options) =>
      combined
        .flatMap(left => options.map(right => [...left, ...right]))
        .slice(0, MAX_ALTERNATIVES),
    [[schema]],
  )
}

/**
 * Returns the target of a reference inside the document: `#/$defs/Name`, `#`. Returns `undefined` for
 * a reference to another document.
 */
export function resolvePointer(ref: unknown, root: SchemaObject): unknown {
  const [start, ...steps] = String(ref).split('/')
  if (start !== '#') return undefined
  return steps.reduce<unknown>((at, step) => {
    // `#/$defs/List%3CNode%3E`: generators escape only ASCII characters in names.
    const decoded = step.replace(/%[0-7][\da-f]/gi, decodeURIComponent)
    const name = decoded.replaceAll('~1', '/').replaceAll('~0', '~')
    return typeof at === 'object' && at && Object.hasOwn(at, name)
      ? Reflect.get(at, name)
      : undefined
  }, root)
}

function typesAllowedBy(part: SchemaObject): number {
  const nullable = part.nullable === true ? JsonType.null : 0
  const typed =
    typesOf(part).reduce<number>((all, type) => all | (typeBits[String(type)] ?? 0), 0) || ANY_TYPE
  const values = valuesOf(part)
  if (values.length === 0) return typed | nullable
  return typed & values.reduce<number>((all, value) => all | typeOfJson(asJson(value)), nullable)
}

function typesOf(schema: SchemaObject): readonly unknown[] {
  const { type } = schema
  if (type !== undefined) return Array.isArray(type) ? type : [type]
  if (valuesOf(schema).length) return []
  // `{"properties": {…}}`: schemas written by hand often have no `type`, but keywords that show it.
  if (objectKeywords.some(keyword => keyword in schema)) return ['object']
  return 'items' in schema || 'prefixItems' in schema ? ['array'] : []
}

const objectKeywords = ['properties', 'patternProperties', 'additionalProperties', 'required']

const valuesOf = (schema: SchemaObject) =>
  'const' in schema ? [schema.const] : listOf(schema.enum)

const asJson = (value: unknown) => JSON.stringify(value) ?? 'null'

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
