import { createToolMiddleware, getProtocol, type OnError } from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { allSplits, describeChunks } from '../support/chunks.js'
import { plainProtocol } from './support/custom-protocols.js'
import {
  callsOf,
  runGenerate,
  runStream,
  textAnswer,
  textStream,
  userSays,
} from './support/direct.js'
import { faultsOf, outlineOf } from './support/outline.js'
import { collect, scriptModel } from './support/scripted-model.js'
import { type Data, type SdkVersion, sdkVersions } from './support/sdk-versions.js'
import { createWeatherTools, paris, weatherTool, writeCall } from './support/weather.js'

/** `Output.object` together with tools: the last answer is read as JSON by the SDK. */

const report = { name: 'Paris', sky: 'clear', degrees: [21, 23] }
const reportSchema = z.object({ name: z.string(), sky: z.string(), degrees: z.array(z.number()) })
const json = JSON.stringify(report)
const fenced = `Here is the report:\n\n\`\`\`json\n${JSON.stringify(report, null, 2)}\n\`\`\`\n`

const answers = {
  'JSON alone': json,
  'a fence': `\`\`\`json\n${json}\n\`\`\``,
  'a sentence and a fence': fenced,
  'a fence without a label': `Done.\n\`\`\`\n${json}\n\`\`\``,
  'a fence and a remark': `${fenced}\nTell me if you need more.`,
}

interface Run {
  readonly output: unknown
  readonly partials: readonly unknown[]
  readonly executed: readonly Data[]
}

async function run(
  version: SdkVersion,
  way: 'generateText' | 'streamText',
  protocolName: string,
  texts: readonly string[],
  chunkChars = 3,
): Promise<Run> {
  const { sdk, name } = version
  const { model } = scriptModel(
    version,
    texts.map(text => ({ text, chunkChars })),
  )
  const { tools, executed } = createWeatherTools()
  const middleware = createToolMiddleware({ protocol: protocolName })
  const output = sdk.Output.object({ schema: reportSchema })
  const isFive = name === 'ai@5'
  const settings = {
    model: sdk.wrapLanguageModel({ model, middleware }),
    tools,
    stopWhen: sdk.stepCountIs(5),
    prompt: 'How is the weather?',
    ...(isFive ? { experimental_output: output } : { output }),
  }
  if (way === 'generateText') {
    const outcome = await sdk.generateText(settings)
    const object = isFive ? outcome.experimental_output : outcome.output
    return { output: object, partials: [], executed }
  }
  const outcome = sdk.streamText(settings)
  const stream = isFive ? outcome.experimental_partialOutputStream : outcome.partialOutputStream
  const partials = stream ? await collect(stream) : []
  const object = isFive ? JSON.parse(await outcome.text) : await outcome.output
  return { output: object, partials, executed }
}

describe.each(sdkVersions)('Output.object with tools in $name', version => {
  describe.each(['hermes', 'auto', 'morph_xml', 'yaml_xml', 'wire', 'llama3_json'])('%s', name => {
    const call = writeCall(getProtocol(name === 'auto' ? 'hermes' : name), paris)

    test.each(Object.entries(answers))('is the object of %s', async (_, text) => {
      const whole = await run(version, 'generateText', name, [call, text])
      expect(whole).toEqual({ output: report, partials: [], executed: [paris] })
      const streamed = await run(version, 'streamText', name, [call, text])
      expect(streamed.output).toEqual(report)
      expect(streamed.executed).toEqual([paris])
      expect(streamed.partials.at(-1)).toEqual(report)
    })
  })

  test('the object grows while the answer arrives', async () => {
    const { partials } = await run(version, 'streamText', 'hermes', [fenced], 1)
    expect(partials.slice(0, 4)).toEqual([{}, { name: '' }, { name: 'P' }, { name: 'Pa' }])
    expect(partials).toContainEqual({ name: 'Paris', sky: 'cle' })
    expect(partials).toContainEqual({ name: 'Paris', sky: 'clear', degrees: [21] })
  })

  test('an object that quotes a call runs nothing', async () => {
    const sky = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>'
    const text = JSON.stringify({ ...report, sky })
    for (const way of ['generateText', 'streamText'] as const) {
      const { output, executed } = await run(version, way, 'hermes', [text])
      expect(output).toEqual({ ...report, sky })
      expect(executed).toEqual([])
    }
  })

  test('an answer with two fences is no object, and the SDK says so', async () => {
    const text = `\`\`\`json\n${json}\n\`\`\`\nOr:\n\`\`\`json\n${json}\n\`\`\``
    await expect(run(version, 'generateText', 'hermes', [text])).rejects.toThrow()
    await expect(run(version, 'streamText', 'hermes', [text])).rejects.toThrow()
  })
})

describe('the answer to a request for JSON', () => {
  const params = {
    prompt: [userSays('How is the weather?')],
    tools: [weatherTool],
    responseFormat: { type: 'json' },
  }
  const call = writeCall(getProtocol('hermes'), paris)
  const called = { call: 'get_weather', input: JSON.stringify(paris) }
  const reported: { code: string; raw: string | undefined }[] = []
  const onError: OnError = (_message, { code, raw }) => reported.push({ code, raw })

  /** Reads an answer whole, and streamed in every way to cut it in two and by character. */
  async function expectOutline(options: Data, text: string, outline: unknown, request = params) {
    const middleware = createToolMiddleware({ protocol: 'hermes', onError, ...options })
    const { content } = await runGenerate(middleware, request, textAnswer(text))
    expect(outlineOf(content)).toEqual(outline)
    for (const chunks of allSplits(text)) {
      const parts = await runStream(middleware, request, textStream(chunks))
      expect(faultsOf(parts), describeChunks(chunks)).toEqual([])
      expect(outlineOf(parts), describeChunks(chunks)).toEqual(outline)
    }
    return reported.splice(0)
  }

  test('is the JSON in the fence', async () => {
    expect(
      await expectOutline({}, `Here:\n\`\`\`json\n${json}\n\`\`\`\n`, [{ text: json }]),
    ).toEqual([])
  })

  test('is the JSON in the fence with a schema, too', async () => {
    const responseFormat = { type: 'json', schema: { type: 'object' } }
    const text = `\`\`\`\n${json}\n\`\`\``
    await expectOutline({}, text, [{ text: json }], { ...params, responseFormat })
  })

  test('is unchanged if the request wants no JSON, or may call no tool', async () => {
    const text = `Here:\n\`\`\`json\n${json}\n\`\`\`\n`
    const { responseFormat: _, ...others } = params
    const requests = [
      others,
      { ...params, responseFormat: { type: 'text' } },
      { ...params, toolChoice: { type: 'none' } },
      { ...params, tools: [] },
    ]
    for (const request of requests)
      await expectOutline({}, text, [{ text }], request as typeof params)
    await expectOutline({ mode: 'rescue' }, text, [{ text }])
  })

  test('may be a call with text around it', async () => {
    const text = `I will look.\n${call}\nOne moment.`
    const outline = [{ text: 'I will look.\n' }, called, { text: '\nOne moment.' }]
    expect(await expectOutline({}, text, outline)).toEqual([])
  })

  test('may follow a call', async () => {
    const text = `${call}\nHere:\n\`\`\`json\n${json}\n\`\`\``
    await expectOutline({}, text, [called, { text: json }])
  })

  test('reports a remark that was left out', async () => {
    const problems = await expectOutline(
      {},
      `\`\`\`json\n${json}\n\`\`\`\nNote: "clear" is a guess.`,
      [{ text: json }],
    )
    expect(problems.length).toBeGreaterThan(2)
    for (const problem of problems)
      expect(problem).toEqual({ code: 'text-after-json', raw: '\nNote: "clear" is a guess.' })
  })

  test('comes after the reasoning', async () => {
    const text = `<think>hm\n\`\`\`json\n{"draft": 1}\n\`\`\`</think>\nHere:\n\`\`\`json\n${json}\n\`\`\``
    const reasoning = 'hm\n```json\n{"draft": 1}\n```'
    await expectOutline({ reasoning: true }, text, [{ reasoning }, { text: json }])
    await expectOutline({}, text, [{ text: `<think>${reasoning}</think>${json}` }])
  })

  test('comes after reasoning inside the text before it', async () => {
    const text = `Well. <think>hm</think> Here:\n\`\`\`json\n${json}\n\`\`\``
    await expectOutline({ reasoning: true }, text, [{ reasoning: 'hm' }, { text: json }])
  })

  test('has no preamble that is dropped only because of a call', async () => {
    const text = `Here:\n\`\`\`json\n${json}\n\`\`\``
    await expectOutline({ stripPreamble: true }, text, [{ text: json }])
    await expectOutline({ stripPreamble: true }, `Well.\n${call}`, [called])
  })

  test('is read from the text that a protocol with its own parser leaves', async () => {
    const text = `Here:\n\`\`\`json\n${json}\n\`\`\``
    const middleware = createToolMiddleware({ protocol: plainProtocol() })
    const { content } = await runGenerate(
      middleware,
      params,
      textAnswer(`!get_weather {}\n${text}`),
    )
    expect(callsOf(content)).toHaveLength(1)
    const parts = await runStream(middleware, params, textStream([...text]))
    expect(outlineOf(parts)).toEqual([{ text: json }])
  })
})
