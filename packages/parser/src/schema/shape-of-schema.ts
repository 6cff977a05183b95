import { typeOfJson } from '../engine/values/scalar.js'
import { ANY_TYPE, anyShape, JsonType, type Shape } from '../engine/values/shape.js'
import { asRecord, isRecord } from '../is-record.js'
import { unwrapSchema } from './unwrap-schema.js'

export type SchemaObject = Record<string, unknown>

/** Schemas that hold at once: `allOf`, `$ref` with its siblings, a branch with its base. */
type Parts = readonly SchemaObject[]

/** A schema with more ways than this is cut there: unions of unions multiply. */
const MAX_ALTERNATIVES = 64

const typeBits: Readonly<Record<string, number>> = { ...JsonType, integer: JsonType.number }

const shapesOfRoot = new WeakMap<SchemaObject, Shape>()

/**
 * The shape of a JSON Schema (draft-07 to 2020-12). Resolved lazily, so a recursive schema is no
 * problem.
 */
export function shapeOfSchema(given: unknown): Shape {
  const schema = unwrapSchema(given)
  if (!isRecord(schema)) return anyShape
  const shape = shapesOfRoot.get(schema) ?? shapeIn(schema)
  shapesOfRoot.set(schema, shape)
  return shape
}

function shapeIn(root: SchemaObject): Shape {
  const ids = new Map<unknown, number>()
  const shapes = new Map<string, Shape>()
  /**
   * The shape of these schemas, or of these ways: they may be met anywhere in the data, but there
   * are only so many of them.
   */
  const shapeOnce = (items: readonly unknown[], make: () => Shape): Shape => {
    for (const item of items) if (!ids.has(item)) ids.set(item, ids.size)
    const key = items.map(item => ids.get(item)).join()
    const shape = shapes.get(key) ?? make()
    shapes.set(key, shape)
    return shape
  }
  /** What fits any of the schemas; each is first taken apart into plain ones. */
  const shapeOf = (schemas: readonly unknown[]): Shape =>
    shapeOnce(schemas, () =>
      shapeOfAlternatives(
        schemas.flatMap(schema => alternativesOf(schema, root)).slice(0, MAX_ALTERNATIVES),
      ),
    )
  const shapeOfAlternatives = (ways: readonly Alternative[]): Shape => {
    if (ways.length === 0) return anyShape
    const objects = ways.filter(way => way.types & JsonType.object)
    const arrays = ways.filter(way => way.types & JsonType.array)
    const values = ways.map(way => (way.types === JsonType.null ? [null] : way.values))
    const shape: Shape = {
      types: ways.reduce((all, way) => all | way.types, 0),
      // As soon as one way leaves them open, any value will do.
      values: values.every(each => each.length) ? new Set(values.flat().map(asJson)) : undefined,
      propertyNames: [...new Set(objects.flatMap(way => way.fields.map(field => field.name)))],
      isOpen: objects.some(way => way.additional !== false),
      property: name => shapeOf(objects.map(way => way.property(name))),
      item: index =>
        shapeOf(arrays.map(({ tuple, rest }) => (index < tuple.length ? tuple[index] : rest))),
      narrow(name, json) {
        const left = ways.filter(way => {
          const property = way.property(name)
          return property !== false && (shapeOf([property]).values?.has(json) ?? true)
        })
        return left.length && left.length < ways.length
          ? shapeOnce(left, () => shapeOfAlternatives(left))
          : shape
      },
    }
    return shape
  }
  return shapeOf([root])
}

/** The ways to satisfy a schema, with nothing left to resolve. */
export function alternativesOf(schema: unknown, root: SchemaObject): Alternative[] {
  return expand(schema, root)
    .map(createAlternative)
    .filter(way => way.types !== 0)
}

export type Alternative = ReturnType<typeof createAlternative>

function createAlternative(parts: Parts) {
  // What stands first counts, and what is said of properties adds up.
  const schema: SchemaObject = Object.assign({}, ...[...parts].reverse())
  const { items, prefixItems, additionalItems, additionalProperties } = schema
  /** What is said of properties that are not declared: false where there may be none. */
  const additional = parts.some(part => part.additionalProperties === false)
    ? false
    : additionalProperties
  const required = parts.flatMap(part => listOf(part.required))
  const properties = new Map<string, unknown>()
  for (const [name, more] of parts.flatMap(part => Object.entries(asRecord(part.properties)))) {
    const said = properties.get(name)
    properties.set(name, isRecord(said) ? { ...said, allOf: [...listOf(said.allOf), more] } : more)
  }
  return {
    parts,
    schema,
    /** The JSON types that all parts allow. */
    types: parts.reduce((left, part) => left & typesAllowedBy(part), ANY_TYPE),
    typeNames: typesOf(schema),
    values: valuesOf(schema),
    fields: [...properties].map(([name, property]) => {
      const { default: preset } = asRecord(property)
      return { name, property, preset, isRequired: required.includes(name) }
    }),
    additional,
    /** What is said of a property: false where it is forbidden. */
    property: (name: string) => (properties.has(name) ? properties.get(name) : additional),
    /**
     * The first items of a list, each with a schema of its own, and what holds for those behind
     * them.
     */
    tuple: listOf(Array.isArray(prefixItems) ? prefixItems : items),
    rest: Array.isArray(items) ? additionalItems : items,
  }
}

/** Takes `$ref`, `allOf`, `anyOf` and `oneOf` apart until only plain schemas are left. */
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
    (ways, options) =>
      ways.flatMap(left => options.map(right => [...left, ...right])).slice(0, MAX_ALTERNATIVES),
    [[schema]],
  )
}

/**
 * Follows a reference inside the document (`#/$defs/Name`, `#`). What points elsewhere says
 * nothing.
 */
export function resolvePointer(ref: unknown, root: SchemaObject): unknown {
  const [start, ...steps] = String(ref).split('/')
  if (start !== '#') return undefined
  return steps.reduce<unknown>((at, step) => {
    // What generators escape in names, such as `<`, is ASCII.
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
  // Schemas written by hand often leave `type` out where the keywords leave no doubt.
  if ('properties' in schema || 'additionalProperties' in schema || 'required' in schema)
    return ['object']
  return 'items' in schema || 'prefixItems' in schema ? ['array'] : []
}

const valuesOf = (schema: SchemaObject) =>
  'const' in schema ? [schema.const] : listOf(schema.enum)

const asJson = (value: unknown) => JSON.stringify(value) ?? 'null'

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
