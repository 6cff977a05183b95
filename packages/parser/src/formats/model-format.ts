import type { EngineProtocol } from '../protocols/protocol.js'

/** A built-in format: how to make its protocol, and what it is known by. */
export interface ModelFormat {
  readonly id: string
  /** Other names, among them those of the parsers of vLLM and SGLang. */
  readonly aliases?: readonly string[] | undefined
  /** The models that write it, in words. */
  readonly family: string
  /** Ids of these models, in lower case, with `-` for `_`. */
  readonly models?: RegExp | undefined
  /** The grammar that it stands on: formats of one grammar differ only in their marks. */
  readonly grammar: FormatGrammar
  readonly create: () => EngineProtocol
}

/**
 * Makes formats that stand on one grammar. `names` is the id, and other names behind it;
 * `writtenBy` the family and its models. A format is described in a function, so that bundlers can
 * leave out what is not used.
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

/** The formats of the highest score, if that is more than nothing. */
export function bestFormats(
  formats: readonly ModelFormat[],
  score: (format: ModelFormat) => number,
): ModelFormat[] {
  const scores = formats.map(score)
  const top = Math.max(...scores)
  return formats.filter((_, i) => top > 0 && scores[i] === top)
}

/**
 * How much of a model's id the format's pattern fits. Where a dot may not stand, versions are spelt
 * `v3p1`, `v3-1` or `v3_1`.
 */
export function modelScore({ models }: ModelFormat, modelId: string): number {
  const id = modelId.toLowerCase().replaceAll('_', '-')
  return models?.exec(id.replace(/(?<=\d)[p-](?=\d(?![\d.b]))/g, '.'))?.[0].length ?? 0
}

/** The format that a model's id suggests. */
export function chooseFormat(
  formats: readonly ModelFormat[],
  modelId: string,
): ModelFormat | undefined {
  return bestFormats(formats, format => modelScore(format, modelId))[0]
}

/** Those whose arguments are JSON, or nearly so. */
type JsonFamily = 'json' | 'named-json' | 'marked-json'

export type FormatGrammar =
  | JsonFamily
  | 'tagged'
  | 'element'
  | 'pythonic'
  | 'pairs'
  | 'lines'
  | 'yaml'
