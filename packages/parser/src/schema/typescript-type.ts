import { isRecord } from './is-record.js'
import { resolvePointer, type SchemaObject } from './shape-of-schema.js'

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
  const objectType = ({ properties, required }: SchemaObject, path: readonly unknown[], depth: number): string => {
    if (!isRecord(properties) || Object.keys(properties).length === 0) return 'object'
    const indent = layout.indent(depth)
    const needed = Array.isArray(required) ? required : []
    const fields = Object.entries(properties).map(([key, property]) => {
      const { description, default: preset } = isRecord(property) ? property : {}
      const about = typeof description === 'string' && description.trim() ? commentLines(description, indent) : ''
      const note = preset === undefined ? '' : `${indent}// default: ${JSON.stringify(preset)}\n`
      const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)
      return `${about}${note}${indent}${name}${needed.includes(key) ? '' : '?'}: ${typeOf(property, path, depth + 1)}`
    })
    const end = layout.hasLastComma ? ',' : ''
    return `{\n${fields.join(',\n')}${end}\n${layout.indent(depth - 1)}}`
  }
  /** `path` is what the value stands in: a schema that holds itself ends there. */
  const typeOf = (value: unknown, path: readonly unknown[], depth: number): string => {
    if (!isRecord(value) || path.includes(value)) return 'any'
    const inner = [...path, value]
    if (typeof value.$ref === 'string') {
      const target = resolvePointer(value.$ref, root)
      return typeOf(target, inner, depth)
    }
    if ('const' in value) return JSON.stringify(value.const) ?? 'any'
    if (Array.isArray(value.enum)) return value.enum.map(each => JSON.stringify(each)).join(' | ')
    const options =
      [value.anyOf, value.oneOf].find(Array.isArray) ?? (Array.isArray(value.type) ? value.type : undefined)
    if (options) {
      const types = options.map(each =>
        typeOf(typeof each === 'string' ? { ...value, type: each } : each, inner, depth),
      )
      return [...new Set(types)].join(' | ') || 'any'
    }
    if (value.type === 'array') {
      const item = typeOf(value.items, inner, depth)
      return item.includes(' | ') && !item.startsWith('{') ? `Array<${item}>` : `${item}[]`
    }
    if (value.type === 'object' || isRecord(value.properties)) return objectType(value, inner, depth)
    return typeof value.type === 'string' ? (words[value.type] ?? value.type) : 'any'
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
