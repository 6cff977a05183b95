/**
 * What the argument writer needs to know of a value's schema. The engine only reads shapes;
 * `schema/` makes them from JSON Schema.
 */
export interface Shape {
  /**
   * The JSON types the value may have, as a set of `Kind` bits. `ANY_KIND` where the schema is
   * silent.
   */
  readonly types: number
  /**
   * The only values allowed (`enum`, `const`), each as JSON text; undefined where any value will
   * do.
   */
  readonly values: ReadonlySet<string> | undefined
  /** The declared properties, in their order. */
  readonly propertyNames: readonly string[]
  /** True unless the schema forbids properties that it does not declare. */
  readonly isOpen: boolean
  /** The shape of a property; the silent shape for one that is not declared. */
  property(name: string): Shape
  /** The shape of an array's item. */
  item(index: number): Shape
  /**
   * The shape that is left once a property is known to hold this JSON text (tells the members of a
   * union apart).
   */
  narrow(name: string, json: string): Shape
}

/** JSON types as bits, so that a union is one number. */
export const JsonType = {
  string: 1,
  number: 2,
  boolean: 4,
  null: 8,
  object: 16,
  array: 32,
} as const
export const ANY_TYPE = 63
export const CONTAINER = JsonType.object | JsonType.array

/** The shape of a value that no schema speaks of. */
export const anyShape: Shape = {
  types: ANY_TYPE,
  values: undefined,
  propertyNames: [],
  isOpen: true,
  property: () => anyShape,
  item: () => anyShape,
  narrow: () => anyShape,
}

/** The shape of arguments whose tool is not known: an object of which nothing else is said. */
export const anyObjectShape: Shape = {
  ...anyShape,
  types: JsonType.object,
  narrow: () => anyObjectShape,
}
