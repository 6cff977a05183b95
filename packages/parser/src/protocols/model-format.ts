import type { EngineProtocol } from './tool-call-protocol.js'

/** A built-in format: how to make its protocol, and what it is known by. */
export interface ModelFormat {
  readonly id: string
  /** Other names, among them those of the parsers of vLLM and SGLang. */
  readonly aliases?: readonly string[] | undefined
  /** The models that write it, in words. */
  readonly family: string
  /** Ids of these models, in lower case. */
  readonly models?: RegExp | undefined
  /** The grammar that it stands on: formats of one grammar differ only in their marks. */
  readonly grammar: FormatGrammar
  readonly create: () => EngineProtocol
}

/** What a format is known by. */
export type FormatNames = Omit<ModelFormat, 'grammar' | 'create'>

/** Makes formats that stand on one grammar. What tells them apart is asked for only where the format is used. */
export function formatMaker<Options>(grammar: FormatGrammar, createProtocol: (options: Options) => EngineProtocol) {
  return (names: FormatNames, options: () => Options): ModelFormat => ({
    ...names,
    grammar,
    create: () => createProtocol(options()),
  })
}

export type FormatGrammar =
  | 'json'
  | 'named-json'
  | 'marked-json'
  | 'tagged'
  | 'element'
  | 'pythonic'
  | 'pairs'
  | 'lines'
  | 'yaml'
