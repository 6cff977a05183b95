import { asRecord } from './is-record.js'
import { type TypeNotation, writeTypes } from './type-notation.js'

/** What stands before the arguments in their lines, and before the fields of what they hold. */
export type TypeIndents = readonly [outer: string, inner: string]

/** The JSON Schema of a tool's arguments as a TypeScript type, with descriptions as comments above the fields. */
export function typeScriptType(schema: unknown, [outer, inner]: TypeIndents, lastComma: string): string {
  const root = asRecord(schema)
  const notation: TypeNotation = {
    literal: value => JSON.stringify(value) ?? 'any',
    word: type => (type === 'integer' ? 'number' : String(type)),
    list({ schema: { items } }, typesIn) {
      const types = typesIn(items)
      return types.length > 1 ? `Array<${types.join(' | ')}>` : `${types[0]}[]`
    },
    object({ fields, parts }, typesIn) {
      if (fields.length === 0) return 'object'
      const lines = fields.map(({ name, property, preset, isRequired }) => {
        const note = preset === undefined ? '' : `// default: ${JSON.stringify(preset)}\n`
        const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
        const type = typesIn(property).join(' | ')
        return `${commentLines(asRecord(property).description)}${note}${key}${isRequired ? '' : '?'}: ${type}`
      })
      const indent = parts.includes(root) ? outer : inner
      const body = `\n${lines.join(',\n')}`.replaceAll('\n', `\n${indent}`)
      return `{${body}${lastComma}\n}`
    },
    again: () => 'any',
  }
  return writeTypes(notation, root, root).join(' | ')
}

/** A description as a comment: every line of it, or the rest would be read as code. */
export function commentLines(description: unknown): string {
  const text = typeof description === 'string' ? description.trim() : ''
  return text && `// ${text.replaceAll('\n', '\n// ')}\n`
}
