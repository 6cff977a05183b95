import { compactProtocol } from './compact-protocol.js'
import { jsonMixProtocol } from './json-mix-protocol.js'
import { morphXmlProtocol } from './morph-xml-protocol.js'
import type { ToolCallProtocol } from './tool-call-protocol.js'

/** A protocol in any of the forms in which it may be given. */
export type ProtocolLike = ToolCallProtocol | (() => ToolCallProtocol) | string

/** JSON in Markdown fences: what Gemma and small models write best. ```json is read too, if it holds a declared tool's call. */
export function fencedJsonProtocol(): ToolCallProtocol {
  return jsonMixProtocol({
    toolCallStart: '```tool_call',
    toolCallEnd: '```',
    toolResponseStart: '```tool_response',
    toolResponseEnd: '```',
    otherMarks: [{ open: '```json', close: '```', isWeak: true }],
  })
}

const factories: ReadonlyMap<string, () => ToolCallProtocol> = new Map([
  ['hermes', () => jsonMixProtocol()],
  ['fenced_json', fencedJsonProtocol],
  ['morph_xml', () => morphXmlProtocol()],
  ['wire', () => compactProtocol()],
  ['compact_json', () => compactProtocol({ syntax: 'json' })],
  ['line', () => compactProtocol({ syntax: 'line' })],
])
const aliases: ReadonlyMap<string, string> = new Map([
  ['json_mix', 'hermes'],
  ['gemma', 'fenced_json'],
  ['xml', 'morph_xml'],
])

/** The names of the built-in protocols. */
export function protocolNames(): string[] {
  return [...factories.keys()]
}

/** Finds a built-in protocol by its name. `-` and `_` are the same, and so are upper and lower case. */
export function getProtocol(name: string): ToolCallProtocol {
  const key = name.toLowerCase().replaceAll('-', '_')
  const factory = factories.get(aliases.get(key) ?? key)
  if (factory) return factory()
  throw new RangeError(`There is no protocol named ${JSON.stringify(name)}. Known are: ${protocolNames().join(', ')}.`)
}

/** The protocol itself, given as a name, an instance or a factory. */
export function resolveProtocol(protocol: ProtocolLike): ToolCallProtocol {
  if (typeof protocol === 'string') return getProtocol(protocol)
  return typeof protocol === 'function' ? protocol() : protocol
}
