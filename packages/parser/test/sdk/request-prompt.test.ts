import {
  createToolMiddleware,
  type FunctionTool,
  getProtocol,
  toolCallOptions,
} from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { transform, userSays } from './support/direct.js'
import { scriptModel } from './support/scripted-model.js'
import { ai5Version, sdkVersions } from './support/sdk-versions.js'
import { createWeatherTools, oslo, paris, weatherTool } from './support/weather.js'

const hermes = createToolMiddleware({ protocol: 'hermes' })
const protocolNames = ['hermes', 'fenced_json', 'morph_xml']

describe.for(protocolNames)('the tools of a request with %s', protocolName => {
  const middleware = createToolMiddleware({ protocol: protocolName })
  const manual = getProtocol(protocolName).formatTools({ tools: [weatherTool] })

  test('are in a system message before a conversation that has none', async () => {
    const prompt = [
      userSays('Hello'),
      { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] },
      userSays('So?'),
    ]
    const { prompt: made } = await transform(middleware, { prompt, tools: [weatherTool] })
    expect(made).toEqual([{ role: 'system', content: manual }, ...prompt])
    expect(made.slice(1).every((message, i) => message === prompt[i])).toBe(true)
  })

  test('name every tool with its description and its parameters', () => {
    expect(manual).toContain('get_weather')
    expect(manual).toContain('The weather of the next days.')
    for (const name of ['city', 'days', 'hourly', 'tags']) expect(manual).toContain(name)
  })

  test('come with the examples of a tool in the form that the protocol reads', async () => {
    const tool: FunctionTool = {
      ...weatherTool,
      inputExamples: [{ input: paris }, { input: oslo }],
    }
    const { prompt } = await transform(middleware, { prompt: [userSays('Hello')], tools: [tool] })
    const parsed = getProtocol(protocolName).parseGeneratedText({
      text: String(prompt[0]?.content),
      tools: [weatherTool],
    })
    const inputs = parsed.flatMap(part =>
      part.type === 'tool-call' && part.toolName === 'get_weather' ? [JSON.parse(part.input)] : [],
    )
    expect(inputs).toEqual([paris, oslo])
  })
})

describe('an existing system message', () => {
  const manual = getProtocol('hermes').formatTools({ tools: [weatherTool] })
  const prompt = [{ role: 'system', content: 'Be brief.' }, userSays('Hello')]

  test.for([
    { placement: undefined, content: `${manual}\n\nBe brief.` },
    { placement: 'first' as const, content: `${manual}\n\nBe brief.` },
    { placement: 'last' as const, content: `Be brief.\n\n${manual}` },
  ])('gets the tools at its $placement place', async ({ placement, content }) => {
    const middleware = createToolMiddleware({ protocol: 'hermes', placement })
    const { prompt: made } = await transform(middleware, { prompt, tools: [weatherTool] })
    expect(made).toEqual([{ role: 'system', content }, prompt[1]])
  })

  test('keeps its provider options, and only the first of several is changed', async () => {
    const cache = { anthropic: { cacheControl: { type: 'ephemeral' } } }
    const second = { role: 'system', content: 'Second.' }
    const { prompt: made } = await transform(hermes, {
      prompt: [
        { role: 'system', content: 'Be brief.', providerOptions: cache },
        second,
        userSays('Hello'),
      ],
      tools: [weatherTool],
    })
    expect(made[0]).toEqual({
      role: 'system',
      content: `${manual}\n\nBe brief.`,
      providerOptions: cache,
    })
    expect(made[1]).toBe(second)
  })

  test('that is empty becomes the tools alone', async () => {
    const { prompt: made } = await transform(hermes, {
      prompt: [{ role: 'system', content: '' }, userSays('Hello')],
      tools: [weatherTool],
    })
    expect(made[0]).toEqual({ role: 'system', content: manual })
  })
})

describe('a request', () => {
  test('loses its tools and its tool choice, and nothing else', async () => {
    const signal = new AbortController().signal
    const made = await transform(hermes, {
      prompt: [userSays('Hello')],
      tools: [weatherTool],
      toolChoice: { type: 'auto' },
      temperature: 0.5,
      stopSequences: ['X'],
      abortSignal: signal,
      providerOptions: { local: { grammar: 'g' } },
    })
    expect(made.tools).toBeUndefined()
    expect(made.toolChoice).toBeUndefined()
    expect(made).toMatchObject({
      temperature: 0.5,
      stopSequences: ['X'],
      providerOptions: { local: { grammar: 'g' } },
    })
    expect(made.abortSignal).toBe(signal)
    expect(made.responseFormat).toBeUndefined()
  })

  test('carries the tools and their names in its provider options, next to the options of the call', async () => {
    const made = await transform(hermes, {
      prompt: [userSays('Hello')],
      tools: [weatherTool],
      providerOptions: toolCallOptions({ emitRawToolCallTextOnError: true }),
    })
    expect(made.providerOptions?.toolCallMiddleware).toMatchObject({
      toolNames: ['get_weather'],
      originalTools: [
        { type: 'function', name: 'get_weather', inputSchema: weatherTool.inputSchema },
      ],
      emitRawToolCallTextOnError: true,
    })
  })

  test.for([{ tools: undefined }, { tools: [] }])(
    'without tools ($tools) is handed on as the same object',
    async ({ tools }) => {
      const params = {
        prompt: [{ role: 'system', content: 'Be brief.' }, userSays('Hello')],
        tools,
      }
      expect(await transform(hermes, params)).toBe(params)
      const withAuto = { ...params, toolChoice: { type: 'auto' } }
      expect(await transform(hermes, withAuto)).toBe(withAuto)
    },
  )

  test('is not changed in place', async () => {
    const prompt = [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'get_weather', input: paris }],
      },
    ]
    const params = { prompt, tools: [weatherTool], providerOptions: { toolCallMiddleware: {} } }
    const before = structuredClone(params)
    await transform(hermes, params)
    expect(params).toEqual(before)
  })

  test('gets the prompt of a template of its own', async () => {
    const middleware = createToolMiddleware({
      protocol: 'hermes',
      toolSystemPromptTemplate: (text, tools) =>
        `${tools.length} tool: ${text.includes('get_weather')}`,
    })
    const { prompt } = await transform(middleware, {
      prompt: [userSays('Hello')],
      tools: [weatherTool],
    })
    expect(prompt[0]).toEqual({ role: 'system', content: '1 tool: true' })
  })
})

describe.for(sdkVersions)('a call of $name', version => {
  test('without tools reaches the model as it would without the middleware', async () => {
    const wrapped = scriptModel(version, [{ text: 'Hi' }])
    const bare = scriptModel(version, [{ text: 'Hi' }])
    const model = version.sdk.wrapLanguageModel({ model: wrapped.model, middleware: hermes })
    await version.sdk.generateText({ model, system: 'Be brief.', prompt: 'Hello' })
    await version.sdk.generateText({ model: bare.model, system: 'Be brief.', prompt: 'Hello' })
    expect(wrapped.requests[0]?.prompt).toEqual(bare.requests[0]?.prompt)
    expect(wrapped.requests[0]?.providerOptions).toEqual(bare.requests[0]?.providerOptions)
  })
})

// AI SDK 5 has no input examples.
describe.for(sdkVersions.filter(version => version !== ai5Version))('a call of $name', version => {
  test('shows the input examples of a tool', async () => {
    const { model, requests } = scriptModel(version, [{ text: 'Hi' }])
    const { tools } = createWeatherTools()
    const withExamples = {
      get_weather: { ...(tools.get_weather as object), inputExamples: [{ input: paris }] },
    }
    await version.sdk.generateText({
      model: version.sdk.wrapLanguageModel({ model, middleware: hermes }),
      tools: withExamples,
      prompt: 'Hello',
    })
    const system = String(requests[0]?.prompt[0]?.content)
    const parsed = getProtocol('hermes').parseGeneratedText({ text: system, tools: [weatherTool] })
    const inputs = parsed.flatMap(part =>
      part.type === 'tool-call' ? [JSON.parse(part.input)] : [],
    )
    expect(inputs).toContainEqual(paris)
  })
})

describe('createToolMiddleware', () => {
  test.for([
    {
      options: { protocol: 'klingon' },
      message: /^There is no protocol named "klingon"\. listProtocols\(\)/,
    },
    { options: { protocol: 'qwen3_codr' }, message: /"qwen3_codr"\. Did you mean qwen3_coder\?$/ },
    { options: { protocol: 'herms' }, message: /"herms"\. Did you mean hermes\?$/ },
    {
      options: { protocol: {} as never },
      message: /The protocol has no method formatTools, formatToolCall, parse/,
    },
    {
      options: { protocol: 'hermes', placement: 'middle' as never },
      message: /placement.*"first" or "last"/,
    },
    {
      options: { protocol: 'hermes', mediaStrategy: 'all' as never },
      message: /mediaStrategy.*"auto"/,
    },
    { options: { protocol: 'hermes', maxHeldChars: 0 }, message: /maxHeldChars/ },
  ])('reports at once what is wrong with $options', ({ options, message }) => {
    expect(() => createToolMiddleware(options)).toThrow(message)
    expect(() => createToolMiddleware(options)).toThrow(TypeError)
  })
})
