/**
 * What must compile, without a cast, against the real types of AI SDK 5, 6 and 7. `tsc -p
 * tsconfig.test.json` is the test; that it also runs is a bonus.
 */
import {
  createToolMiddleware,
  gemmaToolMiddleware,
  getProtocol,
  hermesToolMiddleware,
  type OnError,
  type ToolCallProtocol,
  toolCallOptions,
  wrapToolModel,
  xmlToolMiddleware,
} from '@toolglot/parser'
import { defineProtocol, elementCalls, jsonCalls } from '@toolglot/parser/protocol'
import * as ai5 from 'ai-v5'
import { MockLanguageModelV2 } from 'ai-v5/test'
import * as ai6 from 'ai-v6'
import { MockLanguageModelV3 } from 'ai-v6/test'
import * as ai7 from 'ai-v7'
import { MockLanguageModelV4 } from 'ai-v7/test'
import { createOpenAICompatible as createOpenAICompatible1 } from 'openai-compatible-v1'
import { createOpenAICompatible as createOpenAICompatible2 } from 'openai-compatible-v2'
import { createOpenAICompatible as createOpenAICompatible3 } from 'openai-compatible-v3'
import { describe, expect, expectTypeOf, test } from 'vitest'

/** Types of the SDK's own models. */
type ContentOf<Model extends MockLanguageModelV3 | MockLanguageModelV4> = Awaited<
  ReturnType<Model['doGenerate']>
>['content'][number]
type PartOf<Model extends MockLanguageModelV3 | MockLanguageModelV4> =
  Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer StreamPart>
    ? StreamPart
    : never
const own = createToolMiddleware({
  protocol: 'hermes',
  placement: 'last',
  mediaStrategy: 'model',
  onError: () => {},
})
const settings = { name: 'local', baseURL: 'http://127.0.0.1:1/v1' }
const v2 = createOpenAICompatible1(settings)('m')
const v3 = createOpenAICompatible2(settings)('m')
const v4 = createOpenAICompatible3(settings)('m')

describe('wrapLanguageModel takes our middlewares without a cast', () => {
  test('of ai@5', () => {
    for (const middleware of [hermesToolMiddleware, gemmaToolMiddleware, xmlToolMiddleware, own]) {
      const model = ai5.wrapLanguageModel({ model: new MockLanguageModelV2(), middleware })
      expect(model.specificationVersion).toBe('v2')
      ai5.wrapLanguageModel({
        model: v2,
        middleware: [middleware, ai5.simulateStreamingMiddleware()],
      })
    }
    expectTypeOf(own).toExtend<ai5.LanguageModelMiddleware>()
  })

  test('of ai@6', () => {
    for (const middleware of [hermesToolMiddleware, gemmaToolMiddleware, xmlToolMiddleware, own]) {
      const model = ai6.wrapLanguageModel({ model: new MockLanguageModelV3(), middleware })
      expect(model.specificationVersion).toBe('v3')
      ai6.wrapLanguageModel({
        model: v3,
        middleware: [middleware, ai6.simulateStreamingMiddleware()],
      })
    }
    expectTypeOf(own).toExtend<ai6.LanguageModelMiddleware>()
  })

  test('of ai@7', () => {
    for (const middleware of [hermesToolMiddleware, gemmaToolMiddleware, xmlToolMiddleware, own]) {
      const model = ai7.wrapLanguageModel({ model: new MockLanguageModelV4(), middleware })
      expect(model.specificationVersion).toBe('v4')
      ai7.wrapLanguageModel({
        model: v4,
        middleware: [middleware, ai7.simulateStreamingMiddleware()],
      })
    }
    expectTypeOf(own).toExtend<ai7.LanguageModelMiddleware>()
  })
})

describe('what wrapToolModel returns is a model', () => {
  test('of the type that it got', () => {
    expectTypeOf(wrapToolModel(v2, { protocol: 'hermes' })).toEqualTypeOf(v2)
    expectTypeOf(wrapToolModel(v3, { protocol: 'hermes' })).toEqualTypeOf(v3)
    expectTypeOf(wrapToolModel(v4, { protocol: 'hermes' })).toEqualTypeOf(v4)
  })

  test('for every SDK that takes its version', () => {
    expectTypeOf(wrapToolModel(v2, { protocol: 'hermes' })).toExtend<ai5.LanguageModel>()
    expectTypeOf(wrapToolModel(v3, { protocol: 'hermes' })).toExtend<ai6.LanguageModel>()
    expectTypeOf(wrapToolModel(v4, { protocol: 'hermes' })).toExtend<ai7.LanguageModel>()
    const model = wrapToolModel(new MockLanguageModelV3(), { protocol: 'hermes' })
    expect(new ai6.ToolLoopAgent({ model }).version).toBe('agent-v1')
  })
})

describe('toolCallOptions fits providerOptions', () => {
  const onError: OnError = (message, metadata) => `${metadata.code}: ${message}`
  const providerOptions = toolCallOptions({
    onError,
    emitRawToolCallTextOnError: true,
    debugSummary: {},
  })

  test('of all three', async () => {
    const none = { prompt: 'Hello', maxRetries: 0, providerOptions }
    await expect(ai5.generateText({ ...none, model: new MockLanguageModelV2() })).rejects.toThrow()
    await expect(ai6.generateText({ ...none, model: new MockLanguageModelV3() })).rejects.toThrow()
    await expect(ai7.generateText({ ...none, model: new MockLanguageModelV4() })).rejects.toThrow()
    expectTypeOf(providerOptions).toExtend<
      NonNullable<Parameters<typeof ai5.streamText>[0]['providerOptions']>
    >()
    expectTypeOf(providerOptions).toExtend<
      NonNullable<Parameters<typeof ai6.streamText>[0]['providerOptions']>
    >()
    expectTypeOf(providerOptions).toExtend<
      NonNullable<Parameters<typeof ai7.streamText>[0]['providerOptions']>
    >()
  })

  test('next to the options of a provider', () => {
    const both = { ...providerOptions, local: { grammar: 'g' } }
    expectTypeOf(both).toExtend<
      NonNullable<Parameters<typeof ai6.streamText>[0]['providerOptions']>
    >()
  })

  test('and refuses what is not an option', () => {
    // @ts-expect-error a listener is a function
    toolCallOptions({ onError: 'loud' })
    // @ts-expect-error a wish is yes or no
    toolCallOptions({ emitRawToolCallTextOnError: 'yes' })
  })
})

describe('protocols of one’s own', () => {
  test('may be made with defineProtocol', () => {
    const protocol = defineProtocol({
      grammar: jsonCalls(
        { open: '<<', close: '>>' },
        { open: '```json', close: '```', strength: 'weak' },
      ),
      renderTools: tools => tools.map(tool => tool.name).join(),
      toolSystemPromptTemplate: (text, tools) => `${text} ${tools.length}`,
      formatToolCall: ({ toolName, input }, { tools = [] }) =>
        `<<${toolName}${JSON.stringify(input)}>>${tools.length}`,
      formatToolResponse: ({ toolName, output }) => `${toolName}: ${JSON.stringify(output)}`,
    })
    expectTypeOf(protocol).toExtend<ToolCallProtocol>()
    expect(protocol.formatTools({ tools: [] })).toBe(' 0')
    expectTypeOf(elementCalls).toExtend<Parameters<typeof defineProtocol>[0]['grammar']>()
  })

  test('may be plain objects', () => {
    const protocol: ToolCallProtocol = {
      formatTools: ({ tools }) =>
        tools.map(({ name, description = '' }) => name + description).join(),
      formatToolCall: call => JSON.stringify(call.input),
      formatToolResponse: result => JSON.stringify(result.output),
      parseGeneratedText: ({ text }) => [{ type: 'text', text }],
      createStreamParser: () => new TransformStream(),
    }
    for (const each of [protocol, () => protocol, 'hermes'])
      createToolMiddleware({ protocol: each })
    const options = { onError: () => {} }
    expect(protocol.parseGeneratedText({ text: 'a', tools: [], options })).toEqual([
      { type: 'text', text: 'a' },
    ])
  })

  test('may be written in the types of the AI SDK', () => {
    const parseV3 = (text: string): ContentOf<MockLanguageModelV3>[] => [{ type: 'text', text }]
    const parseV4 = (text: string): ContentOf<MockLanguageModelV4>[] => [{ type: 'text', text }]
    const methods = {
      formatTools: () => '',
      formatToolCall: () => '',
      formatToolResponse: () => '',
    }
    const v3Protocol: ToolCallProtocol = {
      ...methods,
      parseGeneratedText: ({ text }) => parseV3(text),
      createStreamParser: () =>
        new TransformStream<PartOf<MockLanguageModelV3>, PartOf<MockLanguageModelV3>>(),
    }
    const v4Protocol: ToolCallProtocol = {
      ...methods,
      parseGeneratedText: ({ text }) => parseV4(text),
      createStreamParser: () =>
        new TransformStream<PartOf<MockLanguageModelV4>, PartOf<MockLanguageModelV4>>(),
    }
    for (const protocol of [v3Protocol, v4Protocol]) createToolMiddleware({ protocol })
  })

  test('may call what they receive with the least, and built-in ones need no options', () => {
    const protocol: ToolCallProtocol = {
      formatTools({ toolSystemPromptTemplate }) {
        expectTypeOf(toolSystemPromptTemplate).parameters.toExtend<[string, unknown?]>()
        return toolSystemPromptTemplate('tools')
      },
      formatToolCall: () => '',
      formatToolResponse: () => '',
      parseGeneratedText({ options }) {
        options.onError('a')
        options?.onError?.('a', { mine: 1, other: ['b'] })
        return [{ type: 'tool-call', toolName: 'a', input: { b: 1 } }]
      },
      createStreamParser({ options: { onError } }) {
        onError('a')
        return new TransformStream()
      },
    }
    createToolMiddleware({
      protocol,
      toolSystemPromptTemplate: (text, tools) => text + tools.length,
    })
    const hermes = getProtocol('hermes')
    expect(hermes.parseGeneratedText({ text: 'a', tools: [] })).toEqual([
      { type: 'text', text: 'a' },
    ])
    expect(hermes.createStreamParser({ tools: [] })).toBeDefined()
    expect(hermes.formatTools({ tools: [] })).toBeTypeOf('string')
  })

  test('may not lack a part', () => {
    // @ts-expect-error there is no parser
    const protocol: ToolCallProtocol = {
      formatTools: () => '',
      formatToolCall: () => '',
      formatToolResponse: () => '',
    }
    expect(protocol).toBeDefined()
    // @ts-expect-error there is no such place
    expect(() => createToolMiddleware({ protocol: 'hermes', placement: 'middle' })).toThrow(
      TypeError,
    )
  })
})
