import { autoProtocol } from './auto-protocol.js'
import * as all from './catalogue.js'
import { anyModel } from './formats/own-formats.js'
import { chooseFormat, type ModelFormat } from './model-format.js'
import type { EngineProtocol, ToolCallProtocol } from './tool-call-protocol.js'

/** A protocol in any of the forms in which it may be given. */
export type ProtocolLike = ToolCallProtocol | (() => ToolCallProtocol) | string

/** Of formats that fit equally well the first one is chosen. */
const preferred = [all.hermes, all.qwen3Coder, all.cohereCommandR7b, all.phi4Mini, all.pythonic]
/** Sorted, since it depends on the bundler in which order exports come. */
const sorted = Object.values(all).sort((one, other) => (one.id < other.id ? -1 : 1))
const formats: readonly ModelFormat[] = [...new Set([...preferred, ...sorted])]

/** The names of the built-in protocols. */
export function protocolNames(): string[] {
  return formats.map(format => format.id)
}

/** The built-in format of that name. `-` and `_` are the same, and so are upper and lower case. */
function findFormat(name: string): ModelFormat | undefined {
  const id = name.toLowerCase().replaceAll('-', '_')
  return formats.find(format => format.id === id) ?? formats.find(format => format.aliases?.includes(id))
}

/** What a built-in protocol is known by: the models that write it, in words; and its grammar, in which others differ only in their marks. */
export interface ProtocolInfo extends Pick<ModelFormat, 'family' | 'grammar'> {
  readonly name: string
  readonly aliases: readonly string[]
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
export function autoProtocolOf(modelId: string): { readonly protocol: EngineProtocol; readonly formatName: string } {
  const format = formatOfModel(modelId) ?? all.hermes
  const protocol = autos.get(format.id) ?? autoProtocol(format, nativeFormats)
  autos.set(format.id, protocol)
  return { protocol, formatName: `${format.id}, reading every format` }
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
