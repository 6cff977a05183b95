import { isRecord } from '../../is-record.js'

/**
 * Writes a JSON Schema as the TypeScript-like type that gpt-oss gets. Like OpenAI's own renderer, it
 * does not support `anyOf` (`any`) and records (an object without properties), so the definitions
 * are shorter than the schema and lose information.
 */
export function renderTypeScript(schema: unknown, indent = ''): string {
  if (!isRecord(schema)) return 'any'
  if (Array.isArray(schema.oneOf)) {
    return schema.oneOf
      .map(variant => renderTypeScript(variant, `${indent}   `))
      .join(`\n${indent} | `)
  }
  if (Array.isArray(schema.type)) return schema.type.map(nameOfType).join(' | ')
  if (schema.type === 'object') return renderObject(schema, indent)
  if (schema.type === 'array')
    return schema.items === undefined ? 'Array<any>' : `${renderTypeScript(schema.items, indent)}[]`
  if (schema.type === 'string' && Array.isArray(schema.enum) && schema.enum.length > 0) {
    return schema.enum.map(value => JSON.stringify(value)).join(' | ')
  }
  return typeof schema.type === 'string' ? nameOfType(schema.type) : 'any'
}

function renderObject({ properties, required }: Record<string, unknown>, indent: string): string {
  const requiredNames: readonly unknown[] = Array.isArray(required) ? required : []
  const lines = Object.entries(isRecord(properties) ? properties : {}).map(([name, property]) => {
    const { description, default: initial } = isRecord(property) ? property : {}
    const comment = typeof description === 'string' ? `${indent}// ${description}\n` : ''
    const mark = requiredNames.includes(name) ? '' : '?'
    const end = initial === undefined ? '' : ` // default: ${JSON.stringify(initial)}`
    return `${comment}${indent}${name}${mark}: ${renderTypeScript(property, `${indent}    `)},${end}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

function nameOfType(type: unknown): string {
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string' || type === 'boolean' || type === 'null') return type
  return 'any'
}
