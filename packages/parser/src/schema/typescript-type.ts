import { isRecord } from './is-record.js'
import { expand, listOf, merge, recordAt, type SchemaObject } from './shape-of-schema.js'

/** How the fields of an object are laid out in a type. */
export interface TypeLayout {
  /** What stands before a field, by its depth: the arguments have depth 1. */
  readonly indent: (depth: number) => string
  /** A comma stands behind the last field too. */
  readonly hasLastComma: boolean
}

const words: Readonly<Record<string, string>> = { integer: 'number', number: 'number', string: 'string' }

/** The JSON Schema of a tool's arguments as a TypeScript type, with descriptions as comments above the fields. */
export function typeScriptType(schema: unknown, layout: TypeLayout): string {
  const root = isRecord(schema) ? schema : {}
  const objectType = (schema: SchemaObject, path: readonly unknown[], depth: number): string => {
    const properties = Object.entries(recordAt(schema, 'properties'))
    if (properties.length === 0) return 'object'
    const indent = layout.indent(depth)
    const fields = properties.map(([key, property]) => {
      const { description, default: preset } = isRecord(property) ? property : {}
      const about = typeof description === 'string' && description.trim() ? commentLines(description, indent) : ''
      const note = preset === undefined ? '' : `${indent}// default: ${JSON.stringify(preset)}\n`
      const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)
      const mark = listOf(schema.required).includes(key) ? '' : '?'
      return `${about}${note}${indent}${name}${mark}: ${typeOf(property, path, depth + 1)}`
    })
    return `{\n${fields.join(',\n')}${layout.hasLastComma ? ',' : ''}\n${layout.indent(depth - 1)}}`
  }
  /** `path` is what the value stands in: a schema that holds itself ends there. */
  const typeOf = (value: unknown, path: readonly unknown[], depth: number): string => {
    const types = expand([value], root).flatMap(branch => {
      if (branch.some(part => path.includes(part))) return ['any']
      const schema = merge(branch)
      const values = 'const' in schema ? [schema.const] : schema.enum
      if (Array.isArray(values)) return values.map(each => JSON.stringify(each) ?? 'any')
      const names = Array.isArray(schema.type) ? schema.type : [schema.type]
      return names.map(name => plainType(name, schema, [...path, ...branch], depth))
    })
    return [...new Set(types)].join(' | ') || 'any'
  }
  const plainType = (type: unknown, schema: SchemaObject, path: readonly unknown[], depth: number): string => {
    if (type === 'array') {
      const item = typeOf(schema.items, path, depth)
      return item.includes(' | ') && !item.startsWith('{') ? `Array<${item}>` : `${item}[]`
    }
    if (type === 'object' || isRecord(schema.properties)) return objectType(schema, path, depth)
    return typeof type === 'string' ? (words[type] ?? type) : 'any'
  }
  return typeOf(root, [], 1)
}

/** A description as a comment: every line of it, or the rest would be read as code. */
export function commentLines(description: string, indent = ''): string {
  return description
    .trim()
    .split('\n')
    .map(line => `${indent}// ${line}\n`)
    .join('')
}
