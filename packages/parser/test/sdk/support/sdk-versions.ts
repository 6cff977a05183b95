/**
 * What differs between AI SDK 5, 6 and 7, and nothing else. The three type the same data in ways
 * that do not fit each other, so they are looked at through one loose interface here; test/types
 * holds them to their real types.
 */
import * as ai5 from 'ai-v5'
import { MockLanguageModelV2 } from 'ai-v5/test'
import * as ai6 from 'ai-v6'
import { MockLanguageModelV3 } from 'ai-v6/test'
import * as ai7 from 'ai-v7'
import { MockLanguageModelV4 } from 'ai-v7/test'
import { createOpenAICompatible as createOpenAICompatible1 } from 'openai-compatible-v1'
import { createOpenAICompatible as createOpenAICompatible2 } from 'openai-compatible-v2'
import { createOpenAICompatible as createOpenAICompatible3 } from 'openai-compatible-v3'

export type Data = Record<string, unknown>

/** A part of anything: of a stream, a message, a result. */
export interface AnyPart extends Data {
  readonly type: string
}

interface CallOfStep extends Data {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
  readonly invalid?: boolean
}

export interface Step {
  readonly text: string
  readonly finishReason: string
  readonly content: readonly AnyPart[]
  readonly toolCalls: readonly CallOfStep[]
  readonly toolResults: readonly (CallOfStep & { readonly output: unknown })[]
  readonly warnings?: readonly AnyPart[] | undefined
}

export interface Outcome {
  readonly text: string
  readonly finishReason: string
  readonly steps: readonly Step[]
  /** The object that the answer was read as. AI SDK 5 calls it experimental. */
  readonly output?: unknown
  readonly experimental_output?: unknown
}

export interface StreamOutcome {
  readonly fullStream: AsyncIterable<AnyPart>
  readonly text: PromiseLike<string>
  readonly finishReason: PromiseLike<string>
  readonly steps: PromiseLike<readonly Step[]>
  /** The objects as they grow. AI SDK 5 calls that experimental, and has no object at the end. */
  readonly partialOutputStream?: AsyncIterable<unknown>
  readonly experimental_partialOutputStream?: AsyncIterable<unknown>
  readonly output?: PromiseLike<unknown>
  toUIMessageStream(options?: Data): ReadableStream<AnyPart>
}

export interface UiMessage {
  readonly parts: readonly AnyPart[]
}

interface Agent {
  generate(options: Data): Promise<Outcome>
  stream(options: Data): StreamOutcome | Promise<StreamOutcome>
}

/** A model of any version; only its SDK looks inside. */
export interface AnyModel {
  readonly specificationVersion: 'v2' | 'v3' | 'v4'
  readonly provider: string
  readonly modelId: string
  doGenerate(options: Data): PromiseLike<Data>
  doStream(options: Data): PromiseLike<{ readonly stream: ReadableStream<AnyPart> }>
}

interface SdkModule {
  generateText(options: Data): Promise<Outcome>
  streamText(options: Data): StreamOutcome
  wrapLanguageModel(options: { model: AnyModel; middleware: object }): AnyModel
  readUIMessageStream(options: {
    stream: ReadableStream<AnyPart>
    onError?: (error: unknown) => void
  }): AsyncIterable<UiMessage>
  stepCountIs(count: number): unknown
  Output: { object(options: { schema: unknown }): unknown }
  ToolLoopAgent: new (settings: Data) => Agent
}

type DoGenerate = (options: Data) => Promise<Data>
type DoStream = (options: Data) => Promise<{ stream: ReadableStream<AnyPart> }>

export interface SdkVersion {
  readonly name: 'ai@5' | 'ai@6' | 'ai@7'
  readonly spec: 'v2' | 'v3' | 'v4'
  readonly sdk: SdkModule
  finishReason(reason: string): unknown
  readonly usage: Data
  createMock(answers: { doGenerate: DoGenerate; doStream: DoStream }): AnyModel
  createOpenAICompatible(
    settings: { name: string; baseURL: string } & Data,
  ): (modelId: string) => AnyModel
}

const objectReason = (reason: string) => ({ unified: reason, raw: `raw-${reason}` })
const nestedUsage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 10, text: 10, reasoning: 0 },
}

export const ai5Version: SdkVersion = {
  name: 'ai@5',
  spec: 'v2',
  sdk: { ...ai5, ToolLoopAgent: ai5.Experimental_Agent } as unknown as SdkModule,
  finishReason: reason => reason,
  usage: { inputTokens: 3, outputTokens: 10, totalTokens: 13 },
  createMock: answers => new MockLanguageModelV2(answers as never) as unknown as AnyModel,
  createOpenAICompatible: settings =>
    createOpenAICompatible1(settings) as unknown as (modelId: string) => AnyModel,
}

export const ai6Version: SdkVersion = {
  name: 'ai@6',
  spec: 'v3',
  sdk: ai6 as unknown as SdkModule,
  finishReason: objectReason,
  usage: nestedUsage,
  createMock: answers => new MockLanguageModelV3(answers as never) as unknown as AnyModel,
  createOpenAICompatible: settings =>
    createOpenAICompatible2(settings) as unknown as (modelId: string) => AnyModel,
}

export const ai7Version: SdkVersion = {
  name: 'ai@7',
  spec: 'v4',
  sdk: ai7 as unknown as SdkModule,
  finishReason: objectReason,
  usage: nestedUsage,
  createMock: answers => new MockLanguageModelV4(answers as never) as unknown as AnyModel,
  createOpenAICompatible: settings =>
    createOpenAICompatible3(settings) as unknown as (modelId: string) => AnyModel,
}

export const sdkVersions: readonly SdkVersion[] = [ai5Version, ai6Version, ai7Version]

// The SDKs tell of warnings on the console; the tests look at the warnings themselves.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
