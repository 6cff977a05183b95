import type { ToolCallOptions } from './request-options.js'

/**
 * The boundary to the AI SDK, and the only place where types are loose. Versions 5, 6 and 7 type
 * the same data in three ways that do not fit each other; a middleware that all three accept can
 * name none of them.
 */
// biome-ignore lint/suspicious/noExplicitAny: three SDKs, three types for the same data
type Loose = any

/** A middleware that `wrapLanguageModel` of AI SDK 5, 6 and 7 takes without a cast. */
export interface ToolCallMiddleware {
  /** AI SDK 6 demands exactly this, 7 takes any, 5 does not look. */
  readonly specificationVersion: 'v3'
  transformParams(options: {
    type: 'generate' | 'stream'
    params: Loose
    model: Loose
  }): Promise<Loose>
  wrapGenerate(options: WrapOptions): Promise<Loose>
  wrapStream(options: WrapOptions): Promise<Loose>
}

interface WrapOptions {
  doGenerate: () => PromiseLike<Loose>
  doStream: () => PromiseLike<Loose>
  params: Loose
  model: Loose
}

/** A language model of any of the three. */
export interface LanguageModelLike {
  readonly specificationVersion: 'v2' | 'v3' | 'v4'
  doGenerate(options: Loose): PromiseLike<Loose>
  doStream(options: Loose): PromiseLike<Loose>
}

/**
 * The options of a single call, in the form that `providerOptions` wants: `providerOptions:
 * toolCallOptions({ onError })`. That is JSON to the SDKs' types; a listener or an object to be
 * filled is not, and passes all the same.
 */
export function toolCallOptions(options: ToolCallOptions): {
  toolCallMiddleware: Record<string, never>
} {
  return { toolCallMiddleware: options as Record<string, never> }
}
