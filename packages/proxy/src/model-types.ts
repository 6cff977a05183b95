import type { createOpenAICompatible } from '@ai-sdk/openai-compatible'

// The types of the AI SDK's models, derived from the provider: a request and the parts of an answer.

export type Provider = ReturnType<typeof createOpenAICompatible>
type ProviderModel = ReturnType<Provider>
export type ModelParams = Parameters<ProviderModel['doStream']>[0]

/** The parts of an answer, as they are read. A `ReadableStream` of parts is one. */
export interface PartStream {
  getReader(): PartReader
}

export interface PartReader {
  read(): Promise<PartResult>
  cancel(reason?: unknown): Promise<void>
}

/** The next part, or the end. */
export type PartResult =
  | { readonly done: false; readonly value: StreamPart }
  | { readonly done: true; readonly value?: StreamPart | undefined }

/** A model of the SDK. What it streams need not be more than can be read. */
export interface Model
  extends Pick<
    ProviderModel,
    'specificationVersion' | 'provider' | 'modelId' | 'supportedUrls' | 'doGenerate'
  > {
  doStream(params: ModelParams): PromiseLike<{ readonly stream: PartStream }>
}
export type Prompt = ModelParams['prompt']
export type PromptMessage = Prompt[number]
export type Tools = NonNullable<ModelParams['tools']>
export type Generated = Awaited<ReturnType<Model['doGenerate']>>
export type Content = Generated['content'][number]
export type Usage = Generated['usage']
export type FinishReason = Generated['finishReason']
type Streamed = Awaited<ReturnType<ProviderModel['doStream']>>
export type StreamPart = Streamed['stream'] extends ReadableStream<infer Part> ? Part : never
/** The last part of a stream. */
export type StreamEnd = Extract<StreamPart, { type: 'finish' }>
