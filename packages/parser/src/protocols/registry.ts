import { autoProtocol } from './auto-protocol.js'
import * as gemma from './formats/gemma-formats.js'
import { inkling } from './formats/inkling-format.js'
import * as json from './formats/json-formats.js'
import * as list from './formats/json-list-formats.js'
import { minimaxM3 } from './formats/minimax-m3-format.js'
import * as named from './formats/named-json-formats.js'
import { anyModel, compactJson, line, morphXml, wire } from './formats/own-formats.js'
import * as python from './formats/pythonic-formats.js'
import * as tagged from './formats/tagged-formats.js'
import { chooseFormat, type FormatGrammar, type ModelFormat } from './model-format.js'
import type { EngineProtocol, ToolCallProtocol } from './tool-call-protocol.js'
import { yamlXml } from './yaml-xml-protocol.js'

/** A protocol in any of the forms in which it may be given. */
export type ProtocolLike = ToolCallProtocol | (() => ToolCallProtocol) | string

/** Of formats that fit equally well the first one is chosen. */
const formats: readonly ModelFormat[] = [
  [json.hermes, json.fencedJson, morphXml, wire, compactJson, line, yamlXml],
  [tagged.qwen3Coder, tagged.qwen35, tagged.kExaone2, tagged.seedOss, tagged.glm45, tagged.glm47, tagged.poolsideV1],
  [tagged.minimaxM2, tagged.hunyuanV3, tagged.step3, tagged.minicpm5, tagged.dots, tagged.anthropicXml],
  [tagged.deepseekV32Dsml, tagged.deepseekV4Dsml, tagged.kimiK3, minimaxM3, tagged.museGlimmer, inkling],
  [named.kimiK2, named.mistral, named.deepseekV3, named.deepseekV31, named.functionaryV31, named.functionaryV32],
  [named.solarOpen, named.gptOssHarmony, named.react],
  [json.llama3Json, json.granite4, json.granite20bFc, json.internlm2, json.minimaxM1, json.ernie45, json.longcat],
  [json.gigachat3, json.rekaEdge, json.exaone4],
  [list.granite3, list.phi4Mini, list.firefunctionV2, list.jamba, list.hunyuanA13b, list.apriel],
  [list.cohereCommandRPlus, list.cohereCommandR7b, list.cohereCommand4, list.nemotronNanoV2, list.xlam],
  [list.jsonArray, list.apertus],
  [python.pythonic, python.llama4Pythonic, python.lfm2, python.olmo3, gemma.gemma4, gemma.functionGemma, python.gemma3],
].flat()
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
  const format = formatOfModel(modelId) ?? json.hermes
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
