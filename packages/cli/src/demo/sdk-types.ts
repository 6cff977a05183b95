import type { wrapLanguageModel } from 'ai'

// Types of the SDK's provider package, derived from a function that uses them: the package itself is
// not a dependency.
export type LanguageModelV3 = Parameters<typeof wrapLanguageModel>[0]['model']
type CallOptions = Parameters<LanguageModelV3['doStream']>[0]
export type Prompt = CallOptions['prompt']
type StreamResult = Awaited<ReturnType<LanguageModelV3['doStream']>>
export type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never
