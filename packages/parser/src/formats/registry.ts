import { didYouMean } from '../options/closest-name.js'
import type { EngineProtocol, ToolCallProtocol } from '../protocols/protocol.js'
import { autoProtocol } from './auto-protocol.js'
import * as all from './catalogue.js'
import { chooseFormat, type ModelFormat } from './model-format.js'

/** A protocol in any of the forms in which it may be given. */
export type ProtocolLike = ToolCallProtocol | (() => ToolCallProtocol) | string

/** Of formats that fit equally well the first one is chosen. */
const formats: readonly ModelFormat[] = [
  [all.hermes, all.fencedJson, all.morphXml, all.wire, all.compactJson, all.line, all.yamlXml],
  [all.qwen3Coder, all.qwen35, all.kExaone2, all.seedOss, all.glm45, all.glm47, all.poolsideV1],
  [all.minimaxM2, all.hunyuanV3, all.step3, all.minicpm5, all.dots, all.anthropicXml],
  [
    all.deepseekV32Dsml,
    all.deepseekV4Dsml,
    all.kimiK3,
    all.minimaxM3,
    all.museGlimmer,
    all.inkling,
  ],
  [
    all.kimiK2,
    all.mistral,
    all.mistralV3,
    all.deepseekV3,
    all.deepseekV31,
    all.functionaryV31,
    all.functionaryV32,
  ],
  [all.solarOpen, all.gptOssHarmony, all.react],
  [
    all.llama3Json,
    all.granite4,
    all.granite20bFc,
    all.internlm2,
    all.minimaxM1,
    all.ernie45,
    all.longcat,
  ],
  [all.gigachat3, all.rekaEdge, all.exaone4],
  [all.granite3, all.phi4Mini, all.firefunctionV2, all.jamba, all.hunyuanA13b, all.apriel],
  [all.cohereCommandRPlus, all.cohereCommandR7b, all.cohereCommand4, all.nemotronNanoV2, all.xlam],
  [all.jsonArray, all.apertus],
  [
    all.pythonic,
    all.llama4Pythonic,
    all.lfm2,
    all.olmo3,
    all.gemma4,
    all.functionGemma,
    all.gemma3,
  ],
].flat()

/** The names of the built-in protocols. */
export function listProtocols(): string[] {
  return formats.map(format => format.id)
}

/** The built-in format of that name. Only letters and digits count, in upper or lower case. */
function findFormat(name: string): ModelFormat | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[._-]/g, '')
  return formats.find(({ id, aliases = [] }) =>
    [id, ...aliases].some(each => plain(each) === plain(name)),
  )
}

/**
 * What a built-in protocol is known by: the models that write it, in words; and its grammar, in
 * which others differ only in their marks.
 */
export interface ProtocolInfo extends Pick<ModelFormat, 'family' | 'grammar'> {
  readonly name: string
  readonly aliases: readonly string[]
}

/** Tells of a built-in protocol; undefined for a name that is none. */
export function getProtocolInfo(name: string): ProtocolInfo | undefined {
  const format = findFormat(name)
  return (
    format && {
      name: format.id,
      aliases: format.aliases ?? [],
      family: format.family,
      grammar: format.grammar,
    }
  )
}

/**
 * Formats that models were trained on. A format for any model is read only where it was asked for.
 */
export const nativeFormats: readonly ModelFormat[] = formats.filter(
  format => format.family !== all.wire.family,
)

/** Asks in the format that a model's id suggests, and reads them all. */
export function autoProtocolOf(modelId: string) {
  const suggested = chooseFormat(formats, modelId)
  const format = suggested ?? all.hermes
  return {
    protocol: autoProtocol(format, nativeFormats),
    formatName: `${format.id}, reading every format`,
    formatReason: suggested ? "the model's id suggests it" : "the model's id suggests no format",
  }
}

/** Finds a built-in protocol by its name. `auto` asks as `hermes` does and reads all of them. */
export function getProtocol(name: string): EngineProtocol {
  const format = findFormat(name)
  if (format) return format.create()
  if (name === 'auto') return autoProtocolOf('').protocol
  const hint = didYouMean(name, [
    'auto',
    ...formats.flatMap(({ id, aliases = [] }) => [id, ...aliases]),
  ])
  throw new TypeError(
    `There is no protocol named ${JSON.stringify(name)}.${hint || ' listProtocols() lists them, and docs/models.md says which one a model writes.'}`,
  )
}
