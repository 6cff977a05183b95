import {
  coerceBySchema,
  createToolMiddleware,
  type FunctionTool,
  getProtocol,
  isFlatObject,
  listProtocols,
  planTools,
  renderSignature,
  toolCallOptions,
} from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { chunksOf } from '../support/chunks.js'
import {
  callsOf,
  runGenerate,
  runStream,
  textAnswer,
  textStream,
  transform,
  userSays,
} from './support/direct.js'
import { documentedProtocol, streamingProtocol } from './support/documented-protocol.js'
import { collect, scriptModel } from './support/scripted-model.js'
import { type AnyPart, sdkVersions } from './support/sdk-versions.js'
import { createWeatherTools, weatherTool } from './support/weather.js'

const text = 'Let me look.\ncall get_weather: city=Paris; days=3; hourly=true; tags=rain'
const params = { prompt: [userSays('Hello')], tools: [weatherTool] }

/** What the streamed inputs of the calls add up to, by id. */
function streamedInputs(parts: readonly AnyPart[]): Map<unknown, string> {
  const inputs = new Map<unknown, string>()
  for (const part of parts) {
    if (part.type === 'tool-input-start') inputs.set(part.id, '')
    if (part.type === 'tool-input-delta') inputs.set(part.id, `${inputs.get(part.id)}${part.delta}`)
  }
  return inputs
}

describe.for(sdkVersions)(
  'a protocol written from the documented interface alone, with $name',
  version => {
    const { sdk } = version

    test.for([
      { name: 'whole calls', protocol: documentedProtocol },
      { name: 'streamed inputs with ids', protocol: streamingProtocol(count => `mine_${count}`) },
      { name: 'streamed inputs without ids', protocol: streamingProtocol(() => undefined) },
    ])('runs a loop of typed calls: $name', async ({ protocol }) => {
      for (const way of ['generateText', 'streamText'] as const) {
        const { model, requests } = scriptModel(version, [{ text }, { text: 'It is clear.' }])
        const { tools, executed } = createWeatherTools()
        const settings = {
          model: sdk.wrapLanguageModel({ model, middleware: createToolMiddleware({ protocol }) }),
          tools,
          prompt: 'How is the weather?',
          stopWhen: sdk.stepCountIs(3),
        }
        if (way === 'generateText') {
          const { steps, text: said } = await sdk.generateText(settings)
          expect(said).toBe('It is clear.')
          expect(steps[0]?.toolCalls[0]?.toolCallId).toMatch(/^(?:call_\w+|mine_0)$/)
        } else {
          const result = sdk.streamText(settings)
          const parts = await collect(result.fullStream)
          expect(parts.filter(part => part.type === 'error')).toEqual([])
          expect(await result.text).toBe('It is clear.')
        }
        expect(executed).toEqual([{ city: 'Paris', days: 3, hourly: true, tags: ['rain'] }])
        expect(requests[0]?.prompt[0]?.content).toMatch(
          /^You can call these tools:\n\nget_weather \{/,
        )
        expect(JSON.stringify(requests[1]?.prompt)).toContain(
          'call get_weather: city=Paris; days=3; hourly=true; tags=rain',
        )
      }
    })
  },
)

describe('a protocol with a parser of its own', () => {
  test.for([
    { name: 'its own ids', protocol: streamingProtocol(count => `mine_${count}`) },
    { name: 'no ids', protocol: streamingProtocol(() => undefined) },
  ])('streams typed deltas that add up to the input: $name', async ({ protocol }) => {
    const twice = `${text}\ncall get_weather: city=Oslo; days=1`
    const parts = await runStream(
      createToolMiddleware({ protocol }),
      params,
      textStream(chunksOf(twice, 4)),
    )
    const calls = parts.filter(part => part.type === 'tool-call')
    expect(calls.map(call => call.input)).toEqual([
      '{"city":"Paris","days":3,"hourly":true,"tags":["rain"]}',
      '{"city":"Oslo","days":1}',
    ])
    expect([...streamedInputs(parts)]).toEqual(calls.map(call => [call.toolCallId, call.input]))
    expect(new Set(calls.map(call => call.toolCallId)).size).toBe(2)
    expect(parts.filter(part => part.type === 'tool-input-delta').length).toBeGreaterThan(8)
  })

  test('reports with a message alone, or with metadata of its own', async () => {
    const told: unknown[] = []
    const middleware = createToolMiddleware({
      protocol: documentedProtocol,
      onError: (message, { code, line }) => told.push({ message, code, line }),
    })
    await runGenerate(
      middleware,
      params,
      textAnswer('call get_wether: x=1\ncall get_weather: none'),
    )
    expect(told).toEqual([
      { message: 'there is no tool get_wether', code: 'protocol', line: undefined },
      { message: 'no pairs', code: 'no-pairs', line: 'call get_weather: none' },
    ])
  })

  test('keeps the digits of long numbers, and input that is not JSON', async () => {
    const inputs = ['{"id": 12345678901234567890, "days": "2"}', '{"city": "Par', '', '[1]']
    const protocol = {
      ...documentedProtocol,
      parseGeneratedText: () =>
        inputs.map(input => ({ type: 'tool-call', toolName: 'get_weather', input })),
    }
    const { content } = await runGenerate(
      createToolMiddleware({ protocol }),
      params,
      textAnswer('x'),
    )
    expect(content.map(part => part.input)).toEqual([
      '{"id":12345678901234567890,"days":2}',
      '{"city": "Par',
      '{}',
      '[1]',
    ])
  })

  test('leaves the calls of the provider and of undeclared tools as they are', async () => {
    const native = {
      type: 'tool-call',
      toolCallId: 'n1',
      toolName: 'get_weather',
      input: '{"days": "3"}',
    }
    const ran = { ...native, toolCallId: 'n2', providerExecuted: true }
    const middleware = createToolMiddleware({ protocol: documentedProtocol })
    const [start, ...rest] = textStream(['call other: days=3'])
    const parts = await runStream(middleware, params, [
      ...(start ? [start] : []),
      native,
      ran,
      ...rest,
    ])
    const calls = parts.filter(part => part.type === 'tool-call')
    expect(calls.slice(0, 2)).toEqual([native, ran])
    expect(calls[2]).toMatchObject({ toolName: 'other', input: '{"days":"3"}' })
  })

  test('gets the template of the application, with the tools as data where it asks for them', async () => {
    const middleware = createToolMiddleware({
      protocol: documentedProtocol,
      toolSystemPromptTemplate: (toolsText, tools) =>
        `${tools.length} tool: ${toolsText.slice(0, 11)}`,
    })
    expect((await transform(middleware, params)).prompt[0]?.content).toBe('1 tool: get_weather')
  })
})

describe('providerOptions.toolCallMiddleware.originalToolSchemas', () => {
  const originalToolSchemas = {
    get_weather: { type: 'object', properties: { days: { type: 'string' } } },
  }
  const providerOptions = toolCallOptions({ originalToolSchemas })
  const readers = [
    {
      name: 'hermes',
      answer: '<tool_call>{"name": "get_weather", "arguments": {"days": 3}}</tool_call>',
    },
    { name: 'morph_xml', answer: '<get_weather><days>3</days></get_weather>' },
    {
      name: 'auto',
      answer: '<tool_call>{"name": "get_weather", "arguments": {"days": 3}}</tool_call>',
    },
    { name: 'a plain object', protocol: documentedProtocol, answer: 'call get_weather: days=3' },
  ]

  test.for(readers)(
    'decides the types of $name in that request',
    async ({ name, protocol = name, answer }) => {
      const middleware = createToolMiddleware({ protocol })
      const withOptions = { ...params, providerOptions }
      for (const [given, days] of [
        [params, 3],
        [withOptions, '3'],
      ] as const) {
        const whole = await runGenerate(middleware, given, textAnswer(answer))
        expect(callsOf(whole.content)).toEqual([{ toolName: 'get_weather', input: { days } }])
        const parts = await runStream(middleware, given, textStream(chunksOf(answer, 3)))
        expect(callsOf(parts)).toEqual([{ toolName: 'get_weather', input: { days } }])
      }
    },
  )

  test.for(sdkVersions)('is used with $name', async version => {
    const { sdk } = version
    const { model } = scriptModel(version, [{ text: readers[0]?.answer ?? '' }])
    const { tools } = createWeatherTools()
    const { steps } = await sdk.generateText({
      model: sdk.wrapLanguageModel({
        model,
        middleware: createToolMiddleware({ protocol: 'hermes' }),
      }),
      tools,
      providerOptions,
      prompt: 'How is the weather?',
    })
    expect(steps[0]?.toolCalls[0]?.input).toEqual({ days: '3' })
  })
})

describe("a schema in the AI SDK's wrapper", () => {
  const wrapped: FunctionTool = {
    ...weatherTool,
    inputSchema: { jsonSchema: weatherTool.inputSchema },
  }

  test.for(listProtocols())('is the same as the schema itself to %s', name => {
    const protocol = getProtocol(name)
    expect(protocol.formatTools({ tools: [wrapped] })).toBe(
      protocol.formatTools({ tools: [weatherTool] }),
    )
    const call = { toolCallId: 'x', toolName: 'get_weather', input: { city: '5', days: 3 } }
    const written = protocol.formatToolCall(call, { tools: [weatherTool] })
    expect(protocol.formatToolCall(call, { tools: [wrapped] })).toBe(written)
    const read = protocol.parseGeneratedText({ text: written, tools: [wrapped] })
    expect(callsOf(read.map(part => ({ ...part })))).toEqual([
      { toolName: 'get_weather', input: call.input },
    ])
  })

  test('is the same to the functions that take schemas', () => {
    expect(renderSignature(wrapped)).toBe(renderSignature(weatherTool))
    expect(planTools([wrapped])).toEqual(planTools([weatherTool]))
    expect(isFlatObject(wrapped.inputSchema)).toBe(isFlatObject(weatherTool.inputSchema))
    expect(coerceBySchema({ days: '3' }, wrapped.inputSchema)).toEqual({ days: 3 })
  })

  test('is unwrapped for a protocol with a parser of its own, and for a forced choice', async () => {
    const middleware = createToolMiddleware({ protocol: documentedProtocol })
    const plain = { ...params, toolChoice: { type: 'required' } }
    const made = await transform(middleware, { ...plain, tools: [wrapped] })
    expect(made).toEqual(await transform(middleware, plain))
  })
})
