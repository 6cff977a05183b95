import {
  createToolMiddleware,
  type DebugSummary,
  type ErrorMetadata,
  getProtocol,
  type OnError,
  toolCallOptions,
} from '@toolglot/parser'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { chunksOf } from '../support/chunks.js'
import {
  callsOf,
  runGenerate,
  runStream,
  textAnswer,
  textOf,
  textStream,
  userSays,
} from './support/direct.js'
import { collect, scriptModel } from './support/scripted-model.js'
import { type AnyPart, type Data, sdkVersions } from './support/sdk-versions.js'
import { createWeatherTools, oslo, paris, weatherTool, writeCall } from './support/weather.js'

const broken =
  '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris", ]]: ??}}\n</tool_call>'
const hermesCall = writeCall(getProtocol('hermes'), paris)
const params = { prompt: [userSays('Hello')], tools: [weatherTool] }

afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** The answer to a text, streamed in small pieces or whole. */
const ways: Record<
  string,
  (options: Data, text: string, more?: Data) => Promise<readonly AnyPart[]>
> = {
  streamed: (options, text, more) =>
    runStream(
      createToolMiddleware({ protocol: 'hermes', ...options }),
      { ...params, ...more },
      textStream(chunksOf(text, 3)),
    ),
  whole: async (options, text, more) => {
    const middleware = createToolMiddleware({ protocol: 'hermes', ...options })
    return (await runGenerate(middleware, { ...params, ...more }, textAnswer(text))).content
  },
}

describe.for(Object.entries(ways))('an answer that is %s', ([, run]) => {
  test('reports a malformed call to onError of the middleware and of the call', async () => {
    const told: [string, string, ErrorMetadata][] = []
    const listen =
      (who: string): OnError =>
      (message, metadata) =>
        told.push([who, message, metadata])
    const providerOptions = toolCallOptions({ onError: listen('call') })
    const parts = await run({ onError: listen('middleware') }, `Well: ${broken}`, {
      providerOptions,
    })
    expect(told.map(([who]) => who)).toEqual(['middleware', 'call'])
    for (const [, message, metadata] of told) {
      expect(message).not.toBe('')
      expect(metadata).toMatchObject({
        code: 'malformed-arguments',
        toolName: 'get_weather',
        raw: broken,
        offset: 6,
      })
      expect(parts.find(part => part.type === 'tool-call')?.toolCallId).toBe(metadata.toolCallId)
    }
  })

  test('survives an onError that throws', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const onError = () => {
      throw new Error('listener')
    }
    const parts = await run({ onError }, broken)
    expect(parts.filter(part => part.type === 'tool-call')).toHaveLength(1)
    expect(printed).toHaveBeenCalled()
  })

  test('is not reported to onError when all is well', async () => {
    const onError = vi.fn()
    await run({ onError }, `Look.\n${hermesCall}\n${writeCall(getProtocol('hermes'), oslo)}`)
    expect(onError).not.toHaveBeenCalled()
  })

  test('emits a malformed call with invalid input by default', async () => {
    const [call] = (await run({}, broken)).filter(part => part.type === 'tool-call')
    expect(call?.toolName).toBe('get_weather')
    expect(() => JSON.parse(String(call?.input))).toThrow()
  })

  test.for(['middleware', 'call'])(
    'emits a malformed call as text if the %s asks for that',
    async where => {
      const onError = vi.fn()
      const wish = { emitRawToolCallTextOnError: true }
      const text = `Before ${broken} behind`
      const parts =
        where === 'call'
          ? await run({ onError }, text, { providerOptions: toolCallOptions(wish) })
          : await run({ onError, ...wish }, text)
      expect(textOf(parts)).toBe(text)
      expect(parts.filter(part => part.type.startsWith('tool-'))).toEqual([])
      expect(onError).toHaveBeenCalledTimes(1)
    },
  )

  test('still emits valid calls as calls if malformed ones are wanted as text', async () => {
    const parts = await run({ emitRawToolCallTextOnError: true }, `${broken}\nSo: ${hermesCall}`)
    expect(callsOf(parts)).toEqual([{ toolName: 'get_weather', input: paris }])
    expect(textOf(parts)).toContain(broken)
    expect(textOf(parts)).not.toContain(hermesCall)
    const order = parts
      .map(part => part.type)
      .filter(type => type === 'tool-call' || type.startsWith('text'))
    expect(order.at(-1)).toMatch(/tool-call|text-end/)
    expect(order.indexOf('tool-call')).toBeGreaterThan(0)
  })

  test('fills the debug summary of the call', async () => {
    const debugSummary: DebugSummary = {}
    const osloCall = writeCall(getProtocol('hermes'), oslo)
    const text = `Look.\n${hermesCall}\nAnd:${osloCall}\nDone.`
    const parts = await run({}, text, { providerOptions: toolCallOptions({ debugSummary }) })
    expect(debugSummary.originalText).toBe(`${hermesCall}\n\n${osloCall}`)
    const calls = parts
      .filter(part => part.type === 'tool-call')
      .map(({ toolName, input }) => ({ toolName, input }))
    expect(JSON.parse(debugSummary.toolCalls ?? 'null')).toEqual(calls)
    expect(calls).toHaveLength(2)
  })

  test('fills the debug summary also where there is no call', async () => {
    const debugSummary: DebugSummary = {}
    await run({}, 'Hello.', { providerOptions: toolCallOptions({ debugSummary }) })
    expect(debugSummary).toEqual({ originalText: '', toolCalls: '[]' })
  })

  test('is read where there is no process', async () => {
    vi.stubGlobal('process', undefined)
    const parts = await run({}, `Look.\n${hermesCall}`)
    vi.unstubAllGlobals()
    expect(callsOf(parts)).toEqual([{ toolName: 'get_weather', input: paris }])
  })

  test('prints nothing by default', async () => {
    vi.stubEnv('DEBUG_PARSER_MW', '')
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    await run({}, `Look.\n${hermesCall}`)
    expect(log).not.toHaveBeenCalled()
  })

  test('is printed with its calls marked for DEBUG_PARSER_MW=parse', async () => {
    vi.stubEnv('DEBUG_PARSER_MW', 'parse')
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    await run({}, `Look.\n${hermesCall}`)
    const printed = log.mock.calls.flat().join('\n')
    const [firstLine = '', ...otherLines] = hermesCall.split('\n')
    expect(printed).toContain(`Look.\n\u001b[30;42m${firstLine}\u001b[0m`)
    for (const line of otherLines) expect(printed).toContain(`\u001b[30;42m${line}\u001b[0m`)
    expect(printed).toContain('get_weather')
    expect(printed).toContain('1 tool call')
  })

  test.for(['DEBUG_PARSER_MW', 'TOOLGLOT_DEBUG'])(
    'prints nothing for %s=parse if a summary is given',
    async name => {
      vi.stubEnv(name, 'parse')
      const log = vi.spyOn(console, 'error').mockImplementation(() => {})
      const debugSummary: DebugSummary = {}
      await run({}, `Look.\n${hermesCall}`, { providerOptions: toolCallOptions({ debugSummary }) })
      expect(log).not.toHaveBeenCalled()
      expect(debugSummary.originalText).toBe(hermesCall)
    },
  )

  test.for([
    { name: 'TOOLGLOT_DEBUG', value: 'parse', printed: /the model wrote:/ },
    { name: 'TOOLGLOT_DEBUG', value: '1', printed: /the model wrote:/ },
    { name: 'TOOLGLOT_DEBUG', value: 'stream', printed: /\] raw \{/ },
    { name: 'DEBUG_PARSER_MW', value: '2', printed: /the model wrote:/ },
    { name: 'DEBUG_PARSER_MW', value: 'yes', printed: /\] raw \{/ },
  ])('is printed for $name=$value, to standard error', async ({ name, value, printed }) => {
    vi.stubEnv(name, value)
    const out = vi.spyOn(console, 'log').mockImplementation(() => {})
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    await run({}, `Look.\n${hermesCall}`)
    expect(log.mock.calls.flat().join('\n')).toMatch(printed)
    expect(out).not.toHaveBeenCalled()
  })

  test('is printed by TOOLGLOT_DEBUG, and not by the older variable, if both are set', async () => {
    vi.stubEnv('TOOLGLOT_DEBUG', 'off')
    vi.stubEnv('DEBUG_PARSER_MW', 'parse')
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    await run({}, hermesCall)
    expect(log).not.toHaveBeenCalled()
  })

  test.for([
    { style: 'inverse', on: '\u001b[7m' },
    { style: 'underline', on: '\u001b[4m' },
    { style: 'bold', on: '\u001b[1m' },
    { style: 'bg', on: '\u001b[30;42m' },
    { style: 'no such style', on: '\u001b[30;42m' },
  ])('is marked in the style $style', async ({ style, on }) => {
    vi.stubEnv('DEBUG_PARSER_MW', 'parse')
    vi.stubEnv('DEBUG_PARSER_MW_STYLE', style)
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    await run({}, hermesCall)
    expect(log.mock.calls.flat().join('\n')).toContain(`${on}<tool_call>`)
  })
})

test('DEBUG_PARSER_MW=stream prints every part as it comes and as it goes', async () => {
  vi.stubEnv('DEBUG_PARSER_MW', 'stream')
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const sent = textStream(chunksOf(hermesCall, 8))
  const parts = await runStream(createToolMiddleware({ protocol: 'hermes' }), params, sent)
  const lines = log.mock.calls.map(call => call.join(' '))
  expect(lines.filter(line => /^\S+ raw /.test(line))).toHaveLength(sent.length)
  expect(lines.filter(line => /^\S+ out /.test(line))).toHaveLength(parts.length)
  expect(lines.some(line => /^\S+ out .*"tool-call"/.test(line))).toBe(true)
})

test('a malformed call that is wanted as text leaves the finish reason as it is', async () => {
  const middleware = createToolMiddleware({ protocol: 'hermes', emitRawToolCallTextOnError: true })
  const parts = await runStream(middleware, params, textStream([broken]))
  expect(parts.at(-1)?.finishReason).toEqual({ unified: 'stop', raw: 'stop' })
})

test('a text that is held back longer than allowed is emitted, and reported to onError', async () => {
  const onError = vi.fn()
  const middleware = createToolMiddleware({ protocol: 'hermes', maxHeldChars: 1024, onError })
  const text = `<tool_call>${' '.repeat(5000)}end`
  const parts = await runStream(middleware, params, textStream(chunksOf(text, 100)))
  expect(textOf(parts)).toBe(text)
  expect(onError.mock.calls.map(([, metadata]) => metadata.code)).toEqual(['held-limit'])
})

describe.for(sdkVersions)('the options of a call through $name', version => {
  test('reach the middleware: onError, the wish for raw text and the debug summary', async () => {
    const { sdk } = version
    const onError = vi.fn()
    const debugSummary: DebugSummary = {}
    const { model } = scriptModel(version, [{ text: broken }, { text: broken }])
    const settings = {
      model: sdk.wrapLanguageModel({
        model,
        middleware: createToolMiddleware({ protocol: 'hermes' }),
      }),
      tools: createWeatherTools().tools,
      prompt: 'How is the weather?',
      providerOptions: toolCallOptions({ onError, debugSummary, emitRawToolCallTextOnError: true }),
    }
    const { text } = await sdk.generateText(settings)
    expect(text).toBe(broken)
    expect(onError).toHaveBeenCalledTimes(1)
    expect(debugSummary.originalText).toBe(broken)
    const streamed = sdk.streamText(settings)
    await collect(streamed.fullStream)
    expect(await streamed.text).toBe(broken)
    expect(onError).toHaveBeenCalledTimes(2)
  })
})
