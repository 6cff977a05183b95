import type { EngineProtocol } from '../protocols/protocol.js'

/** A format: its names, the models that write it, and its protocol. */
export interface ModelFormat {
  /** The name of the format, for the option `protocol`. */
  readonly id: string
  /** Other names, among them those of the parsers of vLLM and SGLang. */
  readonly aliases?: readonly string[] | undefined
  /** The models that write it, in words: `DeepSeek V3 and R1`. */
  readonly family: string
  /** The ids of these models, in lower case, with `-` for `_`. */
  readonly models?: RegExp | undefined
  /** The grammar that reads the format. Formats of one grammar differ only in their marks. */
  readonly grammar: FormatGrammar
  /** Returns the protocol of the format. */
  readonly create: () => EngineProtocol
}

/**
 * Returns a function that makes formats of one grammar. Its parameters:
 * - `names`: the id, then the aliases: `'kimi_k2'`, `'deepseek_v3 deepseekv3'`
 * - `describe`: returns the options of the protocol, and `writtenBy`: the family and the ids of its
 *   models. It is a function so that bundlers can leave out formats that are not used.
 */
export function formatMaker<Options>(
  grammar: FormatGrammar,
  createProtocol: (options: Options) => EngineProtocol,
) {
  return (
    names: string,
    describe: () => Options & { readonly writtenBy: readonly [family: string, models?: RegExp] },
  ): ModelFormat => {
    const [id = '', ...aliases] = names.split(' ')
    const options = describe()
    const [family, models] = options.writtenBy
    let protocol: EngineProtocol | undefined
    const create = () => {
      protocol ??= createProtocol(options)
      return protocol
    }
    return { id, family, aliases, models, grammar, create }
  }
}

/** Returns the formats with the highest score. Returns none if all scores are 0. */
export function bestFormats(
  formats: readonly ModelFormat[],
  score: (format: ModelFormat) => number,
): ModelFormat[] {
  const scores = formats.map(score)
  const top = Math.max(...scores)
  return formats.filter((_, i) => top > 0 && scores[i] === top)
}

/** An id may be the path of a file, which ends with the name of the model. */
const MAX_ID_CHARS = 256

/**
 * Returns how many characters of a model's id the pattern of a format matches. Ids that may not
 * contain a dot spell the version `v3.1` as `v3p1`, `v3-1` or `v3_1`. The end of a long id counts.
 */
export function modelScore({ models }: ModelFormat, modelId: string): number {
  const id = modelId.slice(-MAX_ID_CHARS).toLowerCase().replaceAll('_', '-')
  return models?.exec(id.replace(/(?<=\d)[p-](?=\d(?![\d.b]))/g, '.'))?.[0].length ?? 0
}

/** Returns the format that a model's id suggests, or undefined. */
export function chooseFormat(
  formats: readonly ModelFormat[],
  modelId: string,
): ModelFormat | undefined {
  return bestFormats(formats, format => modelScore(format, modelId))[0]
}

/** The family of a format: how its calls are written, whatever its marks are. */
export type FormatGrammar =
  /** `<tool_call>{"name": "get_weather", "arguments": {…}}</tool_call>` */
  | 'json'
  /** `[TOOL_CALLS]get_weather[ARGS]{"city": "Paris"}` */
  | 'named-json'
  /** `call:get_weather{city:<|"|>Paris<|"|>}` */
  | 'marked-json'
  /** `<function=get_weather><parameter=city>Paris</parameter></function>` */
  | 'tagged'
  /** `<get_weather><city>Paris</city></get_weather>` */
  | 'element'
  /** `[get_weather(city="Paris")]` */
  | 'pythonic'
  /** `<call>get_weather city=Paris</call>` */
  | 'pairs'
  /** `@get_weather city=Paris` */
  | 'lines'
  /** `<get_weather>`, a line `city: Paris`, `</get_weather>` */
  | 'yaml'
