import type { ToolCallOptions } from './request-options.js'

/**
 * Data of the AI SDK, and the only loose type. Versions 5, 6 and 7 have three types for the same
 * data that do not fit each other, so a middleware that all three accept can use none of them.
 */
// biome-ignore lint/suspicious/noExplicitAny: three SDKs, three types for the same data
type Loose = any

/** A middleware that `wrapLanguageModel` of AI SDK 5, 6 and 7 accepts without a cast. */
export interface ToolCallMiddleware {
  /** AI SDK 6 demands exactly this version, 7 accepts any, 5 ignores it. */
  readonly specificationVersion: 'v3'
  /** Rewrites a request: the tools go into the prompt. */
  transformParams(options: {
    type: 'generate' | 'stream'
    params: Loose
    model: Loose
  }): Promise<Loose>
  /** Reads the calls of a whole answer. */
  wrapGenerate(options: WrapOptions): Promise<Loose>
  /** Reads the calls of a streamed answer. */
  wrapStream(options: WrapOptions): Promise<Loose>
}

/** A request that `wrapLanguageModel` hands to a middleware. */
export interface WrapOptions {
  /** Asks the model for a whole answer. */
  doGenerate: () => PromiseLike<Loose>
  /** Asks the model for a streamed answer. */
  doStream: () => PromiseLike<Loose>
  /** The request, as `transformParams` returned it. */
  params: Loose
  /** The model that is wrapped. */
  model: Loose
}

/** A language model of AI SDK 5, 6 or 7. */
export interface LanguageModelLike {
  /** The version of the interface: `v2` in AI SDK 5, `v3` in 6, `v4` in 7. */
  readonly specificationVersion: 'v2' | 'v3' | 'v4'
  /** Returns a whole answer. */
  doGenerate(options: Loose): PromiseLike<Loose>
  /** Returns a streamed answer. */
  doStream(options: Loose): PromiseLike<Loose>
}

/**
 * Wraps the options of a single request for `providerOptions`. The types of the SDKs allow only JSON
 * there, which a listener is not; the SDKs hand it on all the same.
 *
 * @example
 * ```ts
 * import { toolCallOptions } from '@toolglot/parser'
 *
 * export const providerOptions = toolCallOptions({
 *   reasoning: true,
 *   onError: (message, { code }) => console.warn(code, message),
 * })
 * ```
 */
export function toolCallOptions(options: ToolCallOptions): {
  toolCallMiddleware: Record<string, never>
} {
  return { toolCallMiddleware: options as Record<string, never> }
}
