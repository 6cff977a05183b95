import { asRecord, isRecord } from './is-record.js'
import { type Way, waysOf } from './shape-of-schema.js'

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
  const root = asRecord(schema)
  const objectType = ({ fields }: Way, path: readonly unknown[], depth: number): string => {
    if (fields.length === 0) return 'object'
    const indent = layout.indent(depth)
    const lines = fields.map(({ name, property, preset, isRequired }) => {
      const about = commentLines(asRecord(property).description, indent)
      const note = preset === undefined ? '' : `${indent}// default: ${JSON.stringify(preset)}\n`
      const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
      return `${about}${note}${indent}${key}${isRequired ? '' : '?'}: ${typeOf(property, path, depth + 1)}`
    })
    return `{\n${lines.join(',\n')}${layout.hasLastComma ? ',' : ''}\n${layout.indent(depth - 1)}}`
  }
  /** `path` is what the value stands in: a schema that holds itself ends there. */
  const typeOf = (value: unknown, path: readonly unknown[], depth: number): string => {
    const types = waysOf(value, root).flatMap(way => {
      if (way.parts.some(part => path.includes(part))) return 'any'
      const values = way.values?.map(each => JSON.stringify(each) ?? 'any')
      return values ?? way.types.map(type => plainType(type, way, [...path, ...way.parts], depth))
    })
    return [...new Set(types)].join(' | ') || 'any'
  }
  const plainType = (type: unknown, way: Way, path: readonly unknown[], depth: number): string => {
    if (type === 'array') {
      const item = typeOf(way.schema.items, path, depth)
      return item.includes(' | ') && !item.startsWith('{') ? `Array<${item}>` : `${item}[]`
    }
    if (type === 'object' || isRecord(way.schema.properties)) return objectType(way, path, depth)
    return typeof type === 'string' ? (words[type] ?? type) : 'any'
  }
  return typeOf(root, [], 1)
}

/** A description as a comment: every line of it, or the rest would be read as code. */
export function commentLines(description: unknown, indent = ''): string {
  const text = typeof description === 'string' ? description.trim() : ''
  return text && `${indent}// ${text.replaceAll('\n', `\n${indent}// `)}\n`
}
