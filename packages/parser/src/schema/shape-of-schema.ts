import { kindOfJson } from '../engine/scalar.js'
import { ANY_KIND, Kind, type Shape, silentShape } from '../engine/shape.js'
import { isRecord } from './is-record.js'

export type SchemaObject = Record<string, unknown>

/** One way to satisfy a schema: all of these plain schemas at once (`allOf`, `$ref` with siblings, a branch with its base). */
type Branch = readonly SchemaObject[]

/** A schema with more ways than this is cut there: unions of unions multiply. */
const MAX_BRANCHES = 64

const kindOfType: Record<string, number> = {
  string: Kind.string,
  number: Kind.number,
  integer: Kind.number,
  boolean: Kind.boolean,
  null: Kind.null,
  object: Kind.object,
  array: Kind.array,
}

const shapesOfRoot = new WeakMap<SchemaObject, Shape>()

/** The shape of a JSON Schema (draft-07 to 2020-12). Resolved lazily, so a recursive schema is no problem. */
export function shapeOfSchema(schema: unknown): Shape {
  if (!isRecord(schema)) return silentShape
  const shape = shapesOfRoot.get(schema) ?? shapeIn(schema)
  shapesOfRoot.set(schema, shape)
  return shape
}

function shapeIn(root: SchemaObject): Shape {
  const shapes = new WeakMap<SchemaObject, Shape>()
  /** What fits any of the schemas; each is first taken apart into plain ones. */
  const shapeOf = (schemas: readonly unknown[]): Shape => {
    const [only] = schemas.length === 1 ? schemas.filter(isRecord) : []
    const known = only && shapes.get(only)
    if (known) return known
    const branches = schemas.flatMap(schema => expand([schema], root)).slice(0, MAX_BRANCHES)
    const shape = branches.length ? shapeOfBranches(branches) : silentShape
    if (only) shapes.set(only, shape)
    return shape
  }
  const shapeOfBranches = (branches: readonly Branch[]): Shape => {
    const objects = branches.filter(branch => kindsOf(branch) & Kind.object).map(merge)
    const arrays = branches.filter(branch => kindsOf(branch) & Kind.array).map(merge)
    const names = new Set(objects.flatMap(schema => Object.keys(recordAt(schema, 'properties'))))
    const properties = new Map<string, Shape>()
    const shape: Shape = {
      kinds: branches.reduce((all, branch) => all | kindsOf(branch), 0),
      values: valuesOf(branches),
      propertyNames: [...names],
      isOpen: objects.some(schema => schema.additionalProperties !== false),
      property(name) {
        const found = properties.get(name) ?? shapeOf(objects.map(schema => propertyOf(schema, name)))
        // Only declared names are remembered: the others are the model's, and there is no end to them.
        if (names.has(name)) properties.set(name, found)
        return found
      },
      item: index => shapeOf(arrays.map(schema => itemOf(schema, index))),
      narrow(name, json) {
        const left = branches.filter(branch => {
          const property = propertyOf(merge(branch), name)
          return property !== false && (shapeOf([property]).values?.has(json) ?? true)
        })
        return left.length && left.length < branches.length ? shapeOfBranches(left) : shape
      },
    }
    return shape
  }
  return shapeOf([root])
}

/** Takes `$ref`, `allOf`, `anyOf` and `oneOf` apart until only plain schemas are left. */
export function expand(way: readonly unknown[], root: SchemaObject, seen: readonly unknown[] = []): Branch[] {
  let branches: Branch[] = [[]]
  const multiply = (options: Branch[]) => {
    branches = branches.flatMap(left => options.map(right => [...left, ...right])).slice(0, MAX_BRANCHES)
  }
  for (const schema of way) {
    if (schema === false) return []
    if (!isRecord(schema) || seen.includes(schema)) continue
    const path = [...seen, schema]
    multiply([[schema]])
    if (typeof schema.$ref === 'string') multiply(expand([resolvePointer(schema.$ref, root)], root, path))
    if (Array.isArray(schema.allOf)) multiply(expand(schema.allOf, root, path))
    for (const union of [schema.anyOf, schema.oneOf]) {
      if (Array.isArray(union) && union.length) multiply(union.flatMap(option => expand([option], root, path)))
    }
  }
  return branches.filter(branch => kindsOf(branch) !== 0)
}

/** A branch as one schema: what stands first counts, and what is said of properties adds up. */
export function merge(branch: Branch): SchemaObject {
  const [first = {}] = branch
  if (branch.length < 2) return first
  const properties = new Map<string, unknown>()
  for (const [name, more] of branch.flatMap(part => Object.entries(recordAt(part, 'properties')))) {
    const said = properties.get(name)
    properties.set(name, isRecord(said) ? { ...said, allOf: [...listOf(said.allOf), more] } : more)
  }
  return {
    ...Object.assign({}, ...[...branch].reverse()),
    ...(properties.size ? { properties: Object.fromEntries(properties) } : {}),
    ...(branch.some(part => part.additionalProperties === false) ? { additionalProperties: false } : {}),
    required: branch.flatMap(part => listOf(part.required)),
  }
}

/** Follows a reference inside the document (`#/$defs/Name`, `#`). What points elsewhere says nothing. */
export function resolvePointer(ref: string, root: SchemaObject): unknown {
  const [start, ...steps] = ref.split('/')
  if (start !== '#') return undefined
  return steps.reduce<unknown>((at, step) => {
    const name = (tried(() => decodeURIComponent(step)) ?? step).replaceAll('~1', '/').replaceAll('~0', '~')
    return typeof at === 'object' && at && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined
  }, root)
}

function tried<Result>(make: () => Result): Result | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

function kindsOf(branch: Branch): number {
  return branch.reduce((left, part) => left & kindsOfPart(part), ANY_KIND)
}

function kindsOfPart(part: SchemaObject): number {
  const nullable = part.nullable === true ? Kind.null : 0
  const types = Array.isArray(part.type) ? part.type : [part.type]
  const typed = types.reduce<number>((all, type) => all | (kindOfType[String(type)] ?? 0), 0)
  const values = valuesOfPart(part)
  if (values) return (typed || ANY_KIND) & values.reduce((all, value) => all | kindOfJson(value), nullable)
  if (typed) return typed | nullable
  // Schemas written by hand often leave `type` out where the keywords leave no doubt.
  if ('properties' in part || 'additionalProperties' in part || 'required' in part) return Kind.object | nullable
  if ('items' in part || 'prefixItems' in part) return Kind.array | nullable
  return ANY_KIND
}

/** The allowed values, each as JSON text. */
function valuesOfPart(part: SchemaObject): readonly string[] | undefined {
  const list = Array.isArray(part.enum) && part.enum.length ? part.enum : undefined
  return ('const' in part ? [part.const] : list)?.map(value => JSON.stringify(value) ?? 'null')
}

/** The allowed values of all branches together, or undefined as soon as one branch leaves them open (null is no choice). */
function valuesOf(branches: readonly Branch[]): ReadonlySet<string> | undefined {
  const lists = branches.map(branch => {
    const values = branch.map(valuesOfPart).find(found => found !== undefined)
    return values ?? (kindsOf(branch) === Kind.null ? ['null'] : undefined)
  })
  return lists.every(values => values !== undefined) ? new Set(lists.flat()) : undefined
}

/** What a schema says of a property: false where it forbids it. */
function propertyOf(schema: SchemaObject, name: string): unknown {
  const properties = recordAt(schema, 'properties')
  if (Object.hasOwn(properties, name)) return properties[name]
  const patterns = Object.entries(recordAt(schema, 'patternProperties'))
  const [, found] = patterns.find(([pattern]) => tried(() => new RegExp(pattern, 'u'))?.test(name)) ?? []
  return found ?? schema.additionalProperties
}

function itemOf(schema: SchemaObject, index: number): unknown {
  const tuple = tupleOf(schema)
  if (index < tuple.length) return tuple[index]
  return Array.isArray(schema.items) ? schema.additionalItems : schema.items
}

export function tupleOf(part: SchemaObject): readonly unknown[] {
  if (Array.isArray(part.prefixItems)) return part.prefixItems
  return Array.isArray(part.items) ? part.items : []
}

export function recordAt(part: SchemaObject, key: string): SchemaObject {
  const value = part[key]
  return isRecord(value) ? value : {}
}

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
