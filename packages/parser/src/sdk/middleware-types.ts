/**
 * The boundary to the AI SDK, and the only place where types are loose. Versions 5, 6 and 7 type the same data in three
 * ways that do not fit each other; a middleware that all three accept can name none of them.
 */

/** A middleware that `wrapLanguageModel` of AI SDK 5, 6 and 7 takes without a cast. */
export interface ToolCallMiddleware {
  /** AI SDK 6 demands exactly this, 7 takes any, 5 does not look. */
  readonly specificationVersion: 'v3'
  // biome-ignore lint/suspicious/noExplicitAny: three SDKs, three types for the same data
  transformParams(options: { type: 'generate' | 'stream'; params: any; model: any }): Promise<any>
  wrapGenerate(options: {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    doGenerate: () => PromiseLike<any>
    // biome-ignore lint/suspicious/noExplicitAny: as above
    doStream: () => PromiseLike<any>
    // biome-ignore lint/suspicious/noExplicitAny: as above
    params: any
    // biome-ignore lint/suspicious/noExplicitAny: as above
    model: any
    // biome-ignore lint/suspicious/noExplicitAny: as above
  }): Promise<any>
  wrapStream(options: {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    doGenerate: () => PromiseLike<any>
    // biome-ignore lint/suspicious/noExplicitAny: as above
    doStream: () => PromiseLike<any>
    // biome-ignore lint/suspicious/noExplicitAny: as above
    params: any
    // biome-ignore lint/suspicious/noExplicitAny: as above
    model: any
    // biome-ignore lint/suspicious/noExplicitAny: as above
  }): Promise<any>
}

/** A language model of any of the three. */
export interface LanguageModelLike {
  readonly specificationVersion: 'v2' | 'v3' | 'v4'
  // biome-ignore lint/suspicious/noExplicitAny: as above
  doGenerate(options: any): PromiseLike<any>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  doStream(options: any): PromiseLike<any>
}

/** Provider options are JSON to the SDKs' types; a listener or an object to be filled is not, and passes all the same. */
export function asProviderOptions(options: object): { toolCallMiddleware: Record<string, never> } {
  return options as { toolCallMiddleware: Record<string, never> }
}
