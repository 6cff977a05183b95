/**
 * The part of a JSON Schema that the argument writer needs for a value. The engine only reads
 * shapes; `schema/` makes them.
 */
export interface Shape {
  /**
   * The JSON types that the value may have, as `JsonType` bits. `ANY_TYPE` if the schema names no
   * type.
   */
  readonly types: number
  /**
   * The only values allowed (`enum`, `const`), each as JSON text; undefined if any value is allowed.
   */
  readonly values: ReadonlySet<string> | undefined
  /** The declared properties, in their order. */
  readonly propertyNames: readonly string[]
  /** The properties without which the schema accepts no object. */
  readonly requiredNames: readonly string[]
  /** True unless the schema forbids properties that it does not declare. */
  readonly isOpen: boolean
  /** The shape of a property; `anyShape` for one that is not declared. */
  property(name: string): Shape
  /** The shape of an array's item. */
  item(index: number): Shape
  /**
   * The shape after a property turned out to be this JSON text: `"type": "circle"` selects one
   * member of a union.
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

/** The shape of a value without a schema. */
export const anyShape: Shape = {
  types: ANY_TYPE,
  values: undefined,
  propertyNames: [],
  requiredNames: [],
  isOpen: true,
  property: () => anyShape,
  item: () => anyShape,
  narrow: () => anyShape,
}

/** The shape of the arguments of an unknown tool: an object with any properties. */
export const anyObjectShape: Shape = {
  ...anyShape,
  types: JsonType.object,
  narrow: () => anyObjectShape,
}
