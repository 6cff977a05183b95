import { createToolMiddleware, type ErrorMetadata, getProtocol } from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { chunksOf } from '../support/chunks.js'
import {
  callsOf,
  countedSource,
  openStream,
  runGenerate,
  runStream,
  textAnswer,
  textOf,
  textStream,
  userSays,
} from './support/direct.js'
import { collect, scriptModel } from './support/scripted-model.js'
import { sdkVersions } from './support/sdk-versions.js'
import { createWeatherTools, oslo, paris, weatherTool, writeCall } from './support/weather.js'

const protocolNames = ['hermes', 'fenced_json', 'morph_xml']
const tool = { type: 'tool', toolName: 'get_weather' }
const required = { type: 'required' }
const envelope = JSON.stringify({ name: 'get_weather', arguments: paris })
const otherTool = { ...weatherTool, name: 'get_time' }

/** Reads an answer in every way: whole, by character and in pieces. All must agree. */
async function readAnswer(
  protocol: string,
  toolChoice: object,
  text: string,
  tools: readonly object[] = [weatherTool],
) {
  const told: ErrorMetadata[] = []
  const middleware = createToolMiddleware({
    protocol,
    onError: (_, metadata) => told.push(metadata),
  })
  const params = { prompt: [userSays('Hello')], tools, toolChoice }
  const whole = await runGenerate(middleware, params, textAnswer(text))
  const codes = told.map(metadata => metadata.code)
  const read = {
    calls: callsOf(whole.content),
    text: textOf(whole.content),
    finishReason: whole.finishReason,
    codes,
  }
  for (const chars of [1, 4, text.length]) {
    told.length = 0
    const parts = await runStream(middleware, params, textStream(chunksOf(text, chars)))
    const streamed = {
      calls: callsOf(parts),
      text: textOf(parts),
      finishReason: parts.at(-1)?.finishReason,
      codes: told.map(metadata => metadata.code),
    }
    expect(streamed).toEqual(read)
  }
  return read
}

const called = (input: unknown, toolName = 'get_weather') => ({
  calls: [{ toolName, input }],
  text: '',
  finishReason: { unified: 'tool-calls', raw: 'stop' },
  codes: [] as string[],
})

describe.for(protocolNames)('an answer to a forced choice with %s', protocol => {
  const markup = writeCall(getProtocol(protocol), paris)
  const forms = {
    'plain JSON': envelope,
    'JSON on several lines': JSON.stringify({ name: 'get_weather', arguments: paris }, null, 2),
    'a json fence': `\`\`\`json\n${envelope}\n\`\`\``,
    'a bare fence': `\`\`\`\n${envelope}\n\`\`\``,
    'a JSON fence in capitals': `\`\`\`JSON\n${envelope}\n\`\`\`\n`,
    'the markup of the protocol': markup,
    'a list of one': `[${envelope}]`,
    'parameters for arguments': JSON.stringify({ name: 'get_weather', parameters: paris }),
    'the form of OpenAI': JSON.stringify({
      type: 'function',
      function: { name: 'get_weather', arguments: paris },
    }),
    'arguments as JSON text': JSON.stringify({
      name: 'get_weather',
      arguments: JSON.stringify(paris),
    }),
  }

  for (const [form, text] of Object.entries(forms)) {
    test(`may be ${form}`, async () => {
      expect(await readAnswer(protocol, tool, text)).toEqual(called(paris))
      expect(await readAnswer(protocol, required, text, [otherTool, weatherTool])).toEqual(
        called(paris),
      )
    })
  }

  test.for([
    { form: 'bare', text: JSON.stringify(paris) },
    { form: 'fenced', text: `\`\`\`json\n${JSON.stringify(paris, null, 2)}\n\`\`\`` },
  ])('may be the arguments of the forced tool alone, $form', async ({ text }) => {
    expect(await readAnswer(protocol, tool, text)).toEqual(called(paris))
  })

  test('may contain arguments of other types than the schema wants', async () => {
    const text = JSON.stringify({
      name: 'get_weather',
      arguments: { ...paris, days: '3', hourly: 'true' },
    })
    expect(await readAnswer(protocol, tool, text)).toEqual(called(paris))
  })

  test('with the name of another tool becomes a call of the forced one, and is reported to onError', async () => {
    const text = JSON.stringify({ name: 'get_wether', arguments: paris })
    expect(await readAnswer(protocol, tool, text)).toEqual({
      ...called(paris),
      codes: ['forced-name'],
    })
    const declared = JSON.stringify({ name: 'get_time', arguments: paris })
    expect(await readAnswer(protocol, tool, declared, [weatherTool, otherTool])).toEqual({
      ...called(paris),
      codes: ['forced-name'],
    })
  })

  test('with the markup of another declared tool becomes a call of the forced one too', async () => {
    const text = getProtocol(protocol).formatToolCall(
      { toolCallId: 'x', toolName: 'get_time', input: paris },
      { tools: [otherTool] },
    )
    expect(await readAnswer(protocol, tool, text, [weatherTool, otherTool])).toEqual({
      ...called(paris),
      codes: ['forced-name'],
    })
  })

  test.for([
    'I am sorry, I cannot do that.',
    'Use {braces} and [brackets] for that.',
    'See `get_weather` in the docs.',
    '```\nno JSON here\n```',
    '{}',
    'null',
    '{"name": "Bob"}',
    '[]',
    '',
  ])('in prose stays prose, makes up no call, and is reported: %j', async text => {
    const prose = {
      calls: [],
      text,
      finishReason: { unified: 'stop', raw: 'stop' },
      codes: ['forced-missing'],
    }
    expect(await readAnswer(protocol, tool, text)).toEqual(prose)
    expect(await readAnswer(protocol, required, text)).toEqual(prose)
  })

  test('of a tool that does not exist is a call of that name, and is reported', async () => {
    const text = JSON.stringify({ name: 'unknown', arguments: { a: 1 } })
    expect(await readAnswer(protocol, required, text)).toEqual({
      ...called({ a: 1 }, 'unknown'),
      codes: ['unknown-tool'],
    })
  })

  test('may be several calls where any was required', async () => {
    const text = JSON.stringify([
      { name: 'get_weather', arguments: paris },
      { name: 'get_weather', arguments: oslo },
    ])
    const { calls } = await readAnswer(protocol, required, text)
    expect(calls.map(call => call.input)).toEqual([paris, oslo])
  })

  test('that is cut is not executed', async () => {
    const middleware = createToolMiddleware({ protocol })
    const params = { prompt: [userSays('Hello')], tools: [weatherTool], toolChoice: tool }
    const parts = await runStream(
      middleware,
      params,
      textStream(chunksOf(envelope.slice(0, -8), 3), 'length'),
    )
    expect(parts.at(-1)?.finishReason).toEqual({ unified: 'length', raw: 'length' })
    const [call] = parts.filter(part => part.type === 'tool-call')
    expect(() => JSON.parse(String(call?.input))).toThrow()
  })

  test.for([tool, required])('streams its input before the end: $type', async toolChoice => {
    const deltas = chunksOf(envelope, 2)
    const sent = textStream(deltas)
    const { source, pulled } = countedSource(sent)
    const params = { prompt: [userSays('Hello')], tools: [weatherTool], toolChoice }
    const pulledAt: number[] = []
    for await (const part of await openStream(createToolMiddleware({ protocol }), params, source)) {
      if (part.type === 'tool-input-delta') pulledAt.push(pulled())
    }
    expect(pulledAt[0]).toBeLessThan(deltas.length * 0.7)
    expect(new Set(pulledAt).size).toBeGreaterThan(5)
  })
})

describe("an answer to a forced choice in the protocol's own format alone", () => {
  const told: ErrorMetadata[] = []
  const onError = (_: string, metadata: ErrorMetadata) => told.push(metadata)
  const middleware = createToolMiddleware({
    protocol: 'morph_xml',
    forcedChoice: 'prompt',
    onError,
  })
  const params = { prompt: [userSays('Hello')], tools: [weatherTool, otherTool], toolChoice: tool }

  test('is not read as the bare arguments, and the missing call is reported', async () => {
    told.length = 0
    const answer = '{"city": "Paris"}'
    const whole = await runGenerate(middleware, params, textAnswer(answer))
    expect({ calls: callsOf(whole.content), text: textOf(whole.content) }).toEqual({
      calls: [],
      text: answer,
    })
    expect(told.map(({ code }) => code)).toEqual(['forced-missing'])
  })

  test('still gets the name that is forced', async () => {
    told.length = 0
    const text = '<get_time><city>Paris</city></get_time>'
    const parts = await runStream(middleware, params, textStream(chunksOf(text, 3)))
    expect(callsOf(parts)).toEqual([{ toolName: 'get_weather', input: { city: 'Paris' } }])
    expect(told).toMatchObject([{ code: 'forced-name', toolName: 'get_weather' }])
  })
})

describe.for(sdkVersions)('with $name', version => {
  const { sdk } = version
  const choices = { required: 'required', tool }

  for (const [name, toolChoice] of Object.entries(choices)) {
    for (const text of [
      envelope,
      `\`\`\`json\n${envelope}\n\`\`\``,
      writeCall(getProtocol('hermes'), paris),
    ]) {
      test(`toolChoice ${name} is met, and not refused, when the model writes ${text.slice(0, 12)}`, async () => {
        const middleware = createToolMiddleware({ protocol: 'hermes' })
        const { model } = scriptModel(version, [{ text }, { text }])
        const { tools, executed } = createWeatherTools()
        const settings = {
          model: sdk.wrapLanguageModel({ model, middleware }),
          tools,
          toolChoice,
          prompt: 'How is the weather?',
        }
        const { steps } = await sdk.generateText(settings)
        expect(steps[0]?.toolCalls).toMatchObject([{ toolName: 'get_weather', input: paris }])
        const parts = await collect(sdk.streamText(settings).fullStream)
        expect(parts.filter(part => part.type === 'error')).toEqual([])
        expect(parts.filter(part => part.type === 'tool-input-delta').length).toBeGreaterThan(3)
        expect(executed).toEqual([paris, paris])
      })
    }
  }

  test.for(['I cannot do that.', '{}', 'null', ''])(
    'onError gets a report of the missing call in %j',
    async text => {
      for (const toolChoice of Object.values(choices)) {
        const told: { message: string; metadata: ErrorMetadata }[] = []
        const onError = (message: string, metadata: ErrorMetadata) =>
          told.push({ message, metadata })
        const { model } = scriptModel(version, [{ text }, { text }])
        const { tools, executed } = createWeatherTools()
        const settings = {
          model: sdk.wrapLanguageModel({
            model,
            middleware: createToolMiddleware({ protocol: 'hermes', onError }),
          }),
          tools,
          toolChoice,
          prompt: 'How is the weather?',
        }
        // AI SDK 6 and 7 refuse such an answer themselves.
        await sdk.generateText(settings).catch(() => undefined)
        await collect(sdk.streamText({ ...settings, onError: () => {} }).fullStream)
        expect(told.map(({ metadata }) => metadata.code)).toEqual([
          'forced-missing',
          'forced-missing',
        ])
        const what = toolChoice === tool ? '"get_weather"' : 'one of the tools'
        expect(told[0]?.message).toBe(
          `the model had to call ${what}, and its answer contains no call`,
        )
        expect(executed).toEqual([])
      }
    },
  )

  test('a required call of a tool that does not exist reaches the SDK, and is reported with its id', async () => {
    const text = JSON.stringify({ name: 'get_wether', arguments: paris })
    const told: ErrorMetadata[] = []
    const middleware = createToolMiddleware({
      protocol: 'hermes',
      onError: (_, metadata) => told.push(metadata),
    })
    const { model } = scriptModel(version, [{ text }, { text }])
    const { tools, executed } = createWeatherTools()
    const settings = {
      model: sdk.wrapLanguageModel({ model, middleware }),
      tools,
      toolChoice: 'required',
      prompt: 'How is the weather?',
    }
    const { steps } = await sdk.generateText(settings)
    const [call] = steps[0]?.toolCalls ?? []
    expect(call).toMatchObject({ toolName: 'get_wether', invalid: true })
    expect(told).toMatchObject([
      { code: 'unknown-tool', toolName: 'get_wether', toolCallId: call?.toolCallId },
    ])
    const parts = await collect(sdk.streamText(settings).fullStream)
    expect(parts.find(part => part.type === 'tool-call')).toMatchObject({
      toolName: 'get_wether',
      invalid: true,
    })
    expect(told).toHaveLength(2)
    expect(executed).toEqual([])
  })

  test("with forcedChoice 'prompt' the answer is read in the protocol's own format", async () => {
    for (const toolChoice of Object.values(choices)) {
      const text = writeCall(getProtocol('qwen3_coder'), paris)
      const { model, requests } = scriptModel(version, [{ text }, { text }])
      const middleware = createToolMiddleware({ protocol: 'qwen3_coder', forcedChoice: 'prompt' })
      const { tools, executed } = createWeatherTools()
      const settings = {
        model: sdk.wrapLanguageModel({ model, middleware }),
        tools,
        toolChoice,
        prompt: 'How is the weather?',
      }
      await sdk.generateText(settings)
      const parts = await collect(sdk.streamText(settings).fullStream)
      expect(parts.filter(part => part.type === 'error')).toEqual([])
      expect(executed).toEqual([paris, paris])
      for (const request of requests) expect(request.responseFormat).toBeUndefined()
    }
  })

  test('a required call of no tool at all is a clear error where the request still carries it', async () => {
    const { model, requests } = scriptModel(version, [{ text: 'Hi.' }, { text: 'Hi.' }])
    const settings = {
      model: sdk.wrapLanguageModel({ model, middleware: createToolMiddleware() }),
      toolChoice: 'required',
      prompt: 'Hello',
    }
    const errors: unknown[] = []
    const onError = ({ error }: { error: unknown }) => errors.push(error)
    await sdk.generateText(settings).catch(error => errors.push(error))
    await collect(sdk.streamText({ ...settings, onError }).fullStream)
    // AI SDK 5 and 6 drop the choice where there are no tools.
    const isCarried = version.name === 'ai@7'
    expect(requests).toHaveLength(isCarried ? 0 : 2)
    expect(errors.map(String)).toEqual(
      Array(isCarried ? 2 : 0).fill(
        expect.stringContaining('toolChoice is "required", but the request has no function'),
      ),
    )
  })
})
