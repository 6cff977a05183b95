import { asRecord } from '../is-record.js'
import { listOf, resolvePointer } from '../schema/shape-of-schema.js'
import { type TypeNotation, writeTypes } from '../schema/type-notation.js'
import type { FunctionTool } from '../sdk/parts.js'
import { escapeControlTokens } from './control-tokens.js'
import { spacedJson } from './json-text.js'
import { type ToolListTemplates, toolFields } from './tool-prompt.js'

/**
 * Writes a tool as elements, whose tags are the keys of the schema. Lists and objects in the schema
 * are JSON.
 */
export function elementTool(tool: FunctionTool): string {
  const { name, description, parameters } = toolFields(tool)
  const { type: _, properties, ...rest } = asRecord(parameters)
  const elements = (record: Record<string, unknown>) =>
    Object.entries(record)
      .filter(([, value]) => value !== undefined)
      .map(
        ([key, value]) =>
          `<${key}>${typeof value === 'string' ? value.trim() : spacedJson(value)}</${key}>`,
      )
  const fields = Object.entries(asRecord(properties)).flatMap(([key, property]) => {
    const { name: __, type, description: about, ...others } = asRecord(property)
    return [
      '<parameter>',
      ...elements({ name: key, type, description: about, ...others }),
      '</parameter>',
    ]
  })
  const parts = ['<parameters>', ...fields, ...elements(rest), '</parameters>']
  const lines = ['<function>', ...elements({ name, description }), ...parts, '</function>']
  return escapeControlTokens(lines.join('\n'))
}

/** The indents of the arguments, and of the fields of objects in them. */
type TypeIndents = readonly [outer: string, inner: string]

/**
 * Writes a tool as a type: `type get_weather = (_: { city: string, }) => any;`. Each field is on its
 * own line, below its description as a comment.
 */
export function typeScriptTool(
  tool: FunctionTool,
  [outer, inner]: TypeIndents = ['', ''],
  lastComma = ',',
): string {
  const root = asRecord(tool.inputSchema)
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
    recursive: () => 'any',
  }
  const type = writeTypes(notation, root).join(' | ')
  const isEmpty = ['any', 'object'].includes(type) && !root.additionalProperties
  const parameter = isEmpty ? '' : `_: ${type}`
  const text = `${commentLines(tool.description)}type ${tool.name} = (${parameter}) => any;`
  return escapeControlTokens(text)
}

/** Writes a description as a comment, with `//` on each of its lines. */
function commentLines(description: unknown): string {
  const text = typeof description === 'string' ? description.trim() : ''
  return text && `// ${text.replaceAll('\n', '\n// ')}\n`
}

/** Writes the tools as types in a namespace, as OpenAI's models know them. */
export const namespaceTools = (indents?: TypeIndents, emptyLine = '\n'): ToolListTemplates => ({
  tool: tool => typeScriptTool(tool, indents),
  joint: '\n\n',
  list: `namespace functions {\n${emptyLine}$tools\n\n} // namespace functions`,
})

/**
 * Returns the parts of a Python function that shows a tool: its name, its docstring, and its
 * parameters with their types and descriptions.
 */
export function pythonParts(tool: FunctionTool) {
  const { name, description = '', parameters } = toolFields(tool)
  const schema = asRecord(parameters)
  const args = Object.entries(asRecord(schema.properties)).map(([key, property]) => {
    const { $ref, ...own } = asRecord(property)
    const {
      type,
      description: about,
      ...rest
    } = { ...asRecord(resolvePointer($ref, schema)), ...own }
    // `list`, `dict`: the name of the type does not show the items, the fields or the allowed values,
    // so the rest of the schema is shown as JSON.
    const isPlain = Object.keys(rest).length === 0 && !Array.isArray(type)
    const more = isPlain ? '' : spacedJson({ type, ...rest })
    const text = [about, more].filter(each => typeof each === 'string' && each !== '').join(' ')
    const [, word = 'Any'] = Object.entries(pythonTypes).find(([name]) => name === type) ?? []
    return {
      key: escapeControlTokens(key),
      type: word,
      isNeeded: listOf(schema.required).includes(key),
      text: escapeControlTokens(text),
    }
  })
  // `{"$ref": "#/$defs/Place"}`: the prompt must show the schema of `Place`, too.
  const { $defs, definitions } = schema
  const defs = args.some(({ text }) => text.includes('"$ref"'))
    ? spacedJson({ $defs, definitions })
    : ''
  const docstring = [description.trim(), defs].filter(Boolean).join('\n')
  return {
    name: escapeControlTokens(name),
    description: escapeControlTokens(docstring),
    args,
  }
}

const pythonTypes = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  array: 'list',
}
