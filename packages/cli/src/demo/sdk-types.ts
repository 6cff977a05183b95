import type { wrapLanguageModel } from 'ai'

// The types of the SDK's provider package, which is no dependency of ours, by way of a function
// that uses them.
export type LanguageModelV3 = Parameters<typeof wrapLanguageModel>[0]['model']
type CallOptions = Parameters<LanguageModelV3['doStream']>[0]
export type Prompt = CallOptions['prompt']
type StreamResult = Awaited<ReturnType<LanguageModelV3['doStream']>>
export type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never
