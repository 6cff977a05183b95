import { didYouMean } from '../options/closest-name.js'
import type { EngineProtocol, ToolCallProtocol } from '../protocols/protocol.js'
import { autoProtocol } from './auto-protocol.js'
import * as all from './catalogue.js'
import { chooseFormat, type ModelFormat } from './model-format.js'

/** The option `protocol`: a protocol, a function that returns one, or the name of a built-in one. */
export type ProtocolLike = ToolCallProtocol | (() => ToolCallProtocol) | string

/** All built-in formats. Of formats that fit a model equally well, the first is chosen. */
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

/**
 * Returns the names of the built-in protocols.
 *
 * @example
 * ```ts
 * import { getProtocolInfo, listProtocols } from '@toolglot/parser'
 *
 * for (const name of listProtocols()) console.log(name, getProtocolInfo(name)?.family)
 * ```
 */
export function listProtocols(): string[] {
  return formats.map(format => format.id)
}

/** Finds a built-in format. `DeepSeek-V3.1` is the same name as `deepseek_v3_1`. */
function findFormat(name: string): ModelFormat | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[._-]/g, '')
  return formats.find(({ id, aliases = [] }) =>
    [id, ...aliases].some(each => plain(each) === plain(name)),
  )
}

/** The names, the models and the grammar of a built-in protocol. */
export interface ProtocolInfo extends Pick<ModelFormat, 'family' | 'grammar'> {
  /** The name of the protocol, for `getProtocol` and the option `protocol`. */
  readonly name: string
  /** Other names, among them those of the parsers of vLLM and SGLang. */
  readonly aliases: readonly string[]
}

/**
 * Describes a built-in protocol: its names, the models that write it, and its grammar. Returns
 * undefined if there is no protocol of that name.
 *
 * @example
 * ```ts
 * import { getProtocolInfo } from '@toolglot/parser'
 *
 * console.log(getProtocolInfo('kimi_k2')?.family) // Kimi K2, K2 Thinking, K2.5 and K2.6
 * ```
 */
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

/** The formats that models were trained on. `auto` reads these; the others only when asked for. */
export const nativeFormats: readonly ModelFormat[] = formats.filter(
  format => format.family !== all.wire.family,
)

/** `auto` for each format that it has asked in: what a protocol prepares is kept. */
const autoProtocols = new Map<ModelFormat, EngineProtocol>()

/** Returns a protocol that asks in the format that a model's id suggests, and reads all formats. */
export function autoProtocolOf(modelId: string) {
  const suggested = chooseFormat(formats, modelId)
  const format = suggested ?? all.hermes
  const protocol = autoProtocols.get(format) ?? autoProtocol(format, nativeFormats)
  autoProtocols.set(format, protocol)
  return {
    protocol,
    formatName: `${format.id}, reading every format`,
    formatReason: suggested ? "the model's id suggests it" : "the model's id suggests no format",
  }
}

/**
 * Returns a built-in protocol by its name. `auto` writes the prompt of `hermes` and reads the
 * formats of all models. Throws a `TypeError` if there is no protocol of that name.
 *
 * @example
 * ```ts
 * import { getProtocol } from '@toolglot/parser'
 *
 * const text = '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>'
 * const inputSchema = { type: 'object', properties: { city: { type: 'string' } } }
 * const tools = [{ type: 'function' as const, name: 'get_weather', inputSchema }]
 *
 * const [call] = getProtocol('hermes').parseGeneratedText({ text, tools })
 * console.log(call?.type === 'tool-call' && call.input) // {"city":"Paris"}
 * ```
 */
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
