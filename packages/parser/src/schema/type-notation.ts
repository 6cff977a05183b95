import { type Alternative, alternativesOf, type SchemaObject } from './shape-of-schema.js'

/** How types are written, from those that hold no others to those that do. */
export interface TypeNotation {
  literal(value: unknown): string
  word(type: unknown, schema: SchemaObject): string
  list(way: Alternative, typesIn: (schema: unknown) => readonly string[]): string
  object(way: Alternative, typesIn: (schema: unknown) => readonly string[]): string
  /** A type that stands inside of itself. */
  again(way: Alternative): string
}

/** The types that a schema allows, as a notation writes them. */
export function writeTypes(notation: TypeNotation, root: SchemaObject): readonly string[] {
  const write = (schema: unknown, around: readonly unknown[]): readonly string[] => {
    if (schema === false) return ['never']
    const types = alternativesOf(schema, root).flatMap(way => {
      if (way.parts.some(part => around.includes(part))) return notation.again(way)
      const typesIn = (inner: unknown) => write(inner, [...around, ...way.parts])
      const plain = way.typeNames.map(type => {
        if (type === 'array') return notation.list(way, typesIn)
        return type === 'object' ? notation.object(way, typesIn) : notation.word(type, way.schema)
      })
      const named = way.values.length ? way.values.map(notation.literal) : plain
      return way.schema.nullable === true ? [...named, 'null'] : named
    })
    return types.length ? [...new Set(types)] : ['any']
  }
  return write(root, [])
}
