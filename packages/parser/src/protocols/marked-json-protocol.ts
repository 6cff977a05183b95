import { isRecord } from '../is-record.js'
import { escapeControlTokens, hasControlToken } from '../writing/control-tokens.js'
import { escapeMarks, spacedJson } from '../writing/json-text.js'
import type { FormatDefinition, FormatTemplates } from './format-definition.js'
import { namedJsonProtocol } from './named-json-protocol.js'
import type { EngineProtocol } from './protocol.js'

/**
 * A format that writes `call:name{key:value}`: JSON with keys without quotes, and with text between
 * special tokens instead of quotes. All marks are special tokens.
 */
interface MarkedJsonForm extends FormatTemplates, Pick<FormatDefinition, 'call'> {
  /** The mark around text, in place of quotes: `<|"|>`. */
  readonly quoteMark: string
  /** A tool in the prompt: its `$name`, and its description and schema as `$declare`. */
  readonly tool: string
}

/** The open mark and the name. */
const header = /^<[^<>]*>\s*(?:call:\s*(?<name>[^\s(){}<>]+)|:?\s*(?<declared>[^\s(){}<>]+))$/

const jsonToken = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|\s+/g

/** A key without quotes. The reader reads it by UTF-16 unit, so it may not contain surrogates. */
const bareKey = /^(?!.*[\u{10000}-\u{10ffff}])[\p{L}_$][\p{L}\p{N}_$.-]*$/u

const loneSurrogate = /\p{Surrogate}/u

export function markedJsonProtocol(form: MarkedJsonForm): EngineProtocol {
  const { quoteMark, call, tool, result } = form
  const marks = [...new Set([quoteMark, call, tool, result].join('').match(/<[^<>]+>/g))]
  const isPlain = (text: string) =>
    !marks.some(mark => text.includes(mark)) && !loneSurrogate.test(text) && !hasControlToken(text)
  // `say <|"|>`: text that contains a mark is written as a JSON string, in which it is escaped.
  const quoted = (text: string) => escapeMarks(escapeControlTokens(JSON.stringify(text)), marks)
  const writeText = (text: string) => (isPlain(text) ? quoteMark + text + quoteMark : quoted(text))
  /** Rewrites strings and whitespace in JSON. Everything else is kept, so no number is rounded. */
  const writeValue = (json: string) =>
    json.replace(jsonToken, (_, string: string | undefined, colon: string | undefined) => {
      if (string === undefined) return ''
      const text = String(JSON.parse(string))
      if (colon === undefined) return writeText(text)
      return `${bareKey.test(text) ? text : quoted(text)}:`
    })
  return namedJsonProtocol({
    ...form,
    header,
    hasEnvelopes: true,
    hasSpecialTokens: true,
    toolsForm: {
      tool,
      moreHoles: ({ description, inputSchema }) => ({
        declare: writeValue(spacedJson({ description, parameters: declared(inputSchema) })),
      }),
      joint: '',
    },
    writeArgs: ({ json }) => {
      const args = writeValue(json)
      return args.startsWith('{') ? args : `{${args}}`
    },
    marks,
    resultJoint: '',
    howTo: sample => sample(['name_a', { key: 'text', other: 5 }], ['name_b', {}]),
    prompt: ({ tools, howTo }) =>
      `You can call these functions:\n${tools}\n\nWrite a call as a function's name and its arguments, one call right behind the other:\n${howTo}\nPut text between two ${quoteMark} and leave out quotes; write numbers, true, false, null, lists and objects as in JSON, but keys without quotes. Call only functions that are declared. Then stop and wait for the results. When no function is needed, just answer.`,
  })
}

/** Keywords whose value is data, not a schema. */
const dataKeywords = ['const', 'default', 'enum', 'examples']

/** Writes a schema as the chat templates declare it: keys are sorted, types are in upper case. */
export function declared(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(declared)
  if (!isRecord(schema)) return schema
  const declare = (key: string) => {
    const value = schema[key]
    // `{"properties": {"type": {…}}}`: a schema, of an argument that is called `type`.
    if (key === 'type' && !isRecord(value))
      return Array.isArray(value) ? value.map(upperCase) : upperCase(value)
    return dataKeywords.includes(key) ? value : declared(value)
  }
  const keys = Object.keys(schema).filter(key => key !== '$schema')
  return Object.fromEntries(keys.sort().map(key => [key, declare(key)]))
}

const upperCase = (type: unknown) => (typeof type === 'string' ? type.toUpperCase() : type)
