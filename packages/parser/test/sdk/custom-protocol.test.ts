import { createToolMiddleware, toolCallOptions, wrapToolModel } from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { chunksOf } from '../support/chunks.js'
import { bracketProtocol, plainProtocol } from './support/custom-protocols.js'
import {
  callsOf,
  runGenerate,
  runStream,
  textAnswer,
  textOf,
  textStream,
  transform,
  userSays,
} from './support/direct.js'
import { collect, scriptModel } from './support/scripted-model.js'
import { ai6Version, sdkVersions } from './support/sdk-versions.js'
import { createWeatherTools, oslo, paris, weatherTool, writeCall } from './support/weather.js'

const protocols = [
  { name: 'defineProtocol(jsonCalls(…))', createProtocol: bracketProtocol, isStreaming: true },
  { name: 'a plain object', createProtocol: plainProtocol, isStreaming: false },
]
const params = { prompt: [userSays('Hello')], tools: [weatherTool] }

describe.for(protocols)('a custom protocol made as $name', ({ createProtocol, isStreaming }) => {
  const protocol = createProtocol()
  const answers = [
    { text: `Let me look.\n${writeCall(protocol, paris)}\n${writeCall(protocol, oslo)}` },
    { text: 'Both are clear.' },
  ]

  test.for(sdkVersions)('runs a loop of two steps with $name', async version => {
    const { sdk } = version
    for (const way of ['generateText', 'streamText'] as const) {
      const { model, requests } = scriptModel(version, answers)
      const { tools, executed } = createWeatherTools()
      const settings = {
        model: sdk.wrapLanguageModel({
          model,
          middleware: createToolMiddleware({ protocol: createProtocol }),
        }),
        tools,
        prompt: 'How is the weather?',
        stopWhen: sdk.stepCountIs(3),
      }
      if (way === 'generateText')
        expect((await sdk.generateText(settings)).text).toBe('Both are clear.')
      else {
        const result = sdk.streamText(settings)
        const parts = await collect(result.fullStream)
        expect(await result.text).toBe('Both are clear.')
        expect(parts.some(part => part.type === 'tool-input-delta')).toBe(isStreaming)
        expect((await result.steps).map(step => step.finishReason)).toEqual(['tool-calls', 'stop'])
      }
      expect(executed).toEqual([paris, oslo])
      const [system, , said, answered] = requests[1]?.prompt ?? []
      expect(system?.content).toContain('get_weather')
      const text = textOf(typeof said?.content === 'string' ? [] : (said?.content ?? []))
      expect(
        callsOf(
          protocol
            .parseGeneratedText({ text, tools: [weatherTool], options: { onError: () => {} } })
            .map(part => ({ ...part })),
        ),
      ).toEqual([
        { toolName: 'get_weather', input: paris },
        { toolName: 'get_weather', input: oslo },
      ])
      expect(JSON.stringify(answered)).toContain('clear over Paris')
    }
  })

  test('works through wrapToolModel', async () => {
    const { sdk } = ai6Version
    const { tools, executed } = createWeatherTools()
    const model = wrapToolModel(scriptModel(ai6Version, answers).model, { protocol })
    await sdk.generateText({ model, tools, prompt: 'How?', stopWhen: sdk.stepCountIs(3) })
    expect(executed).toEqual([paris, oslo])
  })

  test('gets its tools into the prompt by its own template or that of the middleware', async () => {
    const own = await transform(createToolMiddleware({ protocol }), params)
    expect(own.prompt[0]?.content).toContain('get_weather')
    expect(own.prompt[0]?.content).toMatch(/\[\[call\]\]|!name/)
    const middleware = createToolMiddleware({ protocol, toolSystemPromptTemplate: () => 'mine' })
    expect((await transform(middleware, params)).prompt[0]?.content).toBe('mine')
  })

  test('reads the JSON that answers a forced choice', async () => {
    const middleware = createToolMiddleware({ protocol })
    const forced = { ...params, toolChoice: { type: 'tool', toolName: 'get_weather' } }
    const text = JSON.stringify({ name: 'get_weather', arguments: paris })
    const { content } = await runGenerate(middleware, forced, textAnswer(text))
    expect(callsOf(content)).toEqual([{ toolName: 'get_weather', input: paris }])
    const parts = await runStream(middleware, forced, textStream(chunksOf(text, 3)))
    expect(callsOf(parts)).toEqual([{ toolName: 'get_weather', input: paris }])
    expect(parts.filter(part => part.type === 'tool-input-delta').length).toBeGreaterThan(3)
  })

  test('also reads its own markup as the answer to a forced choice', async () => {
    const middleware = createToolMiddleware({ protocol })
    const forced = { ...params, toolChoice: { type: 'tool', toolName: 'get_weather' } }
    const { content } = await runGenerate(
      middleware,
      forced,
      textAnswer(writeCall(protocol, paris)),
    )
    expect(callsOf(content)).toEqual([{ toolName: 'get_weather', input: paris }])
  })

  test('fills the debug summary, whole and streamed', async () => {
    const text = writeCall(protocol, paris)
    for (const run of [
      (given: object) =>
        runGenerate(createToolMiddleware({ protocol }), { ...params, ...given }, textAnswer(text)),
      (given: object) =>
        runStream(createToolMiddleware({ protocol }), { ...params, ...given }, textStream([text])),
    ]) {
      const debugSummary: { originalText?: string; toolCalls?: string } = {}
      await run({ providerOptions: toolCallOptions({ debugSummary }) })
      expect(debugSummary.originalText).toBe(text)
      expect(JSON.parse(debugSummary.toolCalls ?? '[]')).toHaveLength(1)
    }
  })
})

test('options that the library does not know reach a protocol with its own parser', async () => {
  const seen: unknown[] = []
  const protocol = plainProtocol()
  const middleware = createToolMiddleware({
    protocol: {
      ...protocol,
      parseGeneratedText(options) {
        seen.push(options.options?.dialect)
        return protocol.parseGeneratedText(options)
      },
    },
  })
  const providerOptions = toolCallOptions({ dialect: 'old' })
  await runGenerate(middleware, { ...params, providerOptions }, textAnswer('Hello.'))
  expect(seen).toEqual(['old'])
})

test('reasoning is read in the text that a protocol with its own parser leaves', async () => {
  const middleware = createToolMiddleware({ protocol: plainProtocol(), reasoning: true })
  const { content } = await runGenerate(middleware, params, textAnswer('<think>Hm.</think>Hello.'))
  expect(content).toEqual([
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'Hello.' },
  ])
})
