import { type Alternative, alternativesOf, type SchemaObject } from './shape-of-schema.js'

/** Writes types: values, simple types, lists and objects. */
export interface TypeNotation {
  literal(value: unknown): string
  word(type: unknown, schema: SchemaObject): string
  list(alternative: Alternative, typesIn: (schema: unknown) => readonly string[]): string
  object(alternative: Alternative, typesIn: (schema: unknown) => readonly string[]): string
  /** Writes a type that contains itself, in the place of the inner one. */
  recursive(alternative: Alternative): string
}

/** The types that a schema allows, as a notation writes them. */
export function writeTypes(notation: TypeNotation, root: SchemaObject): readonly string[] {
  const write = (schema: unknown, ancestors: readonly unknown[]): readonly string[] => {
    if (schema === false) return ['never']
    const types = alternativesOf(schema, root).flatMap(alternative => {
      const { parts, schema: resolved, typeNames, values } = alternative
      if (parts.some(part => ancestors.includes(part))) return notation.recursive(alternative)
      const typesIn = (inner: unknown) => write(inner, [...ancestors, ...parts])
      const plain = typeNames.map(type => {
        if (type === 'array') return notation.list(alternative, typesIn)
        return type === 'object'
          ? notation.object(alternative, typesIn)
          : notation.word(type, resolved)
      })
      const named = values.length ? values.map(notation.literal) : plain
      return resolved.nullable === true ? [...named, 'null'] : named
    })
    return types.length ? [...new Set(types)] : ['any']
  }
  return write(root, [])
}
