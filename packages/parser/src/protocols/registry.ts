import { compactProtocol } from './compact-protocol.js'
import { jsonFormats } from './formats/json-formats.js'
import { namedJsonFormats } from './formats/named-json-formats.js'
import { pythonicFormats } from './formats/pythonic-formats.js'
import { taggedFormats } from './formats/tagged-formats.js'
import { jsonMixProtocol } from './json-mix-protocol.js'
import type { FormatGrammar, ModelFormat } from './model-format.js'
import { morphXmlProtocol } from './morph-xml-protocol.js'
import type { EngineProtocol, ToolCallProtocol } from './tool-call-protocol.js'

/** A protocol in any of the forms in which it may be given. */
export type ProtocolLike = ToolCallProtocol | (() => ToolCallProtocol) | string

/** JSON in Markdown fences: what Gemma and small models write best. ```json is read too, if it holds a declared tool's call. */
export function fencedJsonProtocol(): EngineProtocol {
  return jsonMixProtocol({
    toolCallStart: '```tool_call',
    toolCallEnd: '```',
    toolResponseStart: '```tool_response',
    toolResponseEnd: '```',
    otherMarks: [{ open: '```json', close: '```', isWeak: true }],
  })
}

const anyModel = 'any model that follows instructions'
const formats: readonly ModelFormat[] = [
  {
    id: 'hermes',
    aliases: ['json_mix', 'qwen', 'qwen25'],
    family: 'Hermes, Qwen 2.5 and 3, QwQ, SmolLM 3 and others',
    models: /hermes-[234]|qwen-?(?:2\.5|3)|qwq|smollm-?3/,
    grammar: 'json',
    create: () => jsonMixProtocol(),
  },
  {
    id: 'fenced_json',
    aliases: ['gemma'],
    family: 'Gemma, Phi and small models',
    grammar: 'json',
    create: fencedJsonProtocol,
  },
  { id: 'morph_xml', aliases: ['xml'], family: anyModel, grammar: 'element', create: () => morphXmlProtocol() },
  { id: 'wire', family: anyModel, grammar: 'pairs', create: () => compactProtocol() },
  { id: 'compact_json', family: anyModel, grammar: 'pairs', create: () => compactProtocol({ syntax: 'json' }) },
  { id: 'line', family: anyModel, grammar: 'lines', create: () => compactProtocol({ syntax: 'line' }) },
  ...taggedFormats,
  ...namedJsonFormats,
  ...jsonFormats,
  ...pythonicFormats,
]
const byName: ReadonlyMap<string, ModelFormat> = new Map([
  ...formats.flatMap(format => (format.aliases ?? []).map(alias => [alias, format] as const)),
  ...formats.map(format => [format.id, format] as const),
])

/** The names of the built-in protocols. */
export function protocolNames(): string[] {
  return formats.map(format => format.id)
}

/** The built-in format of that name. `-` and `_` are the same, and so are upper and lower case. */
function findFormat(name: string): ModelFormat | undefined {
  return byName.get(name.toLowerCase().replaceAll('-', '_'))
}

/** What a built-in protocol is known by. */
export interface ProtocolInfo {
  readonly name: string
  readonly aliases: readonly string[]
  /** The models that write it, in words. */
  readonly family: string
  /** Protocols of one grammar differ only in their marks. */
  readonly grammar: FormatGrammar
}

/** Tells of a built-in protocol; undefined for a name that is none. */
export function protocolInfo(name: string): ProtocolInfo | undefined {
  const format = findFormat(name)
  return format && { name: format.id, aliases: format.aliases ?? [], family: format.family, grammar: format.grammar }
}

/** Finds a built-in protocol by its name. */
export function getProtocol(name: string): ToolCallProtocol {
  const format = findFormat(name)
  if (format) return format.create()
  throw new RangeError(`There is no protocol named ${JSON.stringify(name)}. Known are: ${protocolNames().join(', ')}.`)
}

/** The protocol itself, given as a name, an instance or a factory. */
export function resolveProtocol(protocol: ProtocolLike): ToolCallProtocol {
  if (typeof protocol === 'string') return getProtocol(protocol)
  return typeof protocol === 'function' ? protocol() : protocol
}
