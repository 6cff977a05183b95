import { autoProtocol } from './auto-protocol.js'
import { chooseFormat } from './choose-format.js'
import { gemmaFormats } from './formats/gemma-formats.js'
import { inkling } from './formats/inkling-format.js'
import { fencedJson, hermes, jsonFormats } from './formats/json-formats.js'
import { jsonListFormats } from './formats/json-list-formats.js'
import { kimiK3 } from './formats/kimi-k3-format.js'
import { minimaxM3 } from './formats/minimax-m3-format.js'
import { museGlimmer } from './formats/muse-glimmer-format.js'
import { namedJsonFormats } from './formats/named-json-formats.js'
import { anyModel, compactJson, line, morphXml, wire } from './formats/own-formats.js'
import { pythonicFormats } from './formats/pythonic-formats.js'
import { taggedFormats } from './formats/tagged-formats.js'
import type { FormatGrammar, ModelFormat } from './model-format.js'
import type { EngineProtocol, ToolCallProtocol } from './tool-call-protocol.js'
import { yamlXml } from './yaml-xml-protocol.js'

/** A protocol in any of the forms in which it may be given. */
export type ProtocolLike = ToolCallProtocol | (() => ToolCallProtocol) | string

const formats: readonly ModelFormat[] = [
  hermes,
  fencedJson,
  morphXml,
  wire,
  compactJson,
  line,
  yamlXml,
  ...taggedFormats,
  kimiK3,
  minimaxM3,
  museGlimmer,
  inkling,
  ...namedJsonFormats,
  ...jsonFormats,
  ...jsonListFormats,
  ...pythonicFormats,
  ...gemmaFormats,
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

/** The built-in format that a model's id suggests. */
export function formatOfModel(modelId: string): ModelFormat | undefined {
  return chooseFormat(formats, modelId)
}

/** Formats that models were trained on. A format for any model is read only where it was asked for. */
export const nativeFormats: readonly ModelFormat[] = formats.filter(format => format.family !== anyModel)

const autos = new Map<string, EngineProtocol>()

/** Asks in the format that a model's id suggests, and reads them all. */
export function autoProtocolOf(modelId: string): { readonly name: string; readonly protocol: EngineProtocol } {
  const format = formatOfModel(modelId) ?? hermes
  const protocol = autos.get(format.id) ?? autoProtocol(format, nativeFormats)
  autos.set(format.id, protocol)
  return { name: format.id, protocol }
}

/** Finds a built-in protocol by its name. `auto` asks as `hermes` does and reads all of them. */
export function getProtocol(name: string): ToolCallProtocol {
  const format = findFormat(name)
  if (format) return format.create()
  if (name === 'auto') return autoProtocolOf('').protocol
  throw new RangeError(
    `There is no protocol named ${JSON.stringify(name)}. Known are: auto, ${protocolNames().join(', ')}.`,
  )
}

/** The protocol itself, given as a name, an instance or a factory. */
export function resolveProtocol(protocol: ProtocolLike): ToolCallProtocol {
  if (typeof protocol === 'string') return getProtocol(protocol)
  return typeof protocol === 'function' ? protocol() : protocol
}
