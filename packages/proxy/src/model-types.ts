import type { createOpenAICompatible } from '@ai-sdk/openai-compatible'

// The types of the AI SDK's models, derived from the provider: a request and the parts of an answer.

export type Provider = ReturnType<typeof createOpenAICompatible>
type ProviderModel = ReturnType<Provider>
export type Model = Pick<
  ProviderModel,
  'specificationVersion' | 'provider' | 'modelId' | 'supportedUrls' | 'doGenerate' | 'doStream'
>
export type ModelParams = Parameters<Model['doStream']>[0]
export type Prompt = ModelParams['prompt']
export type PromptMessage = Prompt[number]
export type Tools = NonNullable<ModelParams['tools']>
export type Generated = Awaited<ReturnType<Model['doGenerate']>>
export type Content = Generated['content'][number]
export type Usage = Generated['usage']
export type FinishReason = Generated['finishReason']
type Streamed = Awaited<ReturnType<Model['doStream']>>
export type StreamPart = Streamed['stream'] extends ReadableStream<infer Part> ? Part : never
/** The last part of a stream. */
export type StreamEnd = Extract<StreamPart, { type: 'finish' }>
