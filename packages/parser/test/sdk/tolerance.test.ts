import {
  createToolMiddleware,
  type ErrorMetadata,
  getProtocol,
  type Repair,
  type RepairedCall,
  type Tolerance,
} from '@toolglot/parser'
import { describe, expect, test, vi } from 'vitest'
import { chunksOf } from '../support/chunks.js'
import {
  runGenerate,
  runStream,
  textAnswer,
  textStream,
  transform,
  userSays,
} from './support/direct.js'
import { faultsOf, outlineOf } from './support/outline.js'
import { collect, scriptModel } from './support/scripted-model.js'
import {
  type AnyPart,
  ai6Version,
  ai7Version,
  type Data,
  sdkVersions,
} from './support/sdk-versions.js'
import { createWeatherTools, paris, weatherTool, writeCall } from './support/weather.js'

const clean = writeCall(getProtocol('hermes'), paris)
/** `{"city": "Paris",}` has one meaning. */
const repaired = clean.replace('}}', ',}}')
/** `"a "b" c", "days"`: the quotes inside are not escaped, and the first one closes. */
const doubtful = clean.replace('"Paris"', '"Paris"s "old town""')

const params = {
  prompt: [userSays('How is it?')],
  tools: [weatherTool],
  toolChoice: { type: 'auto' },
}

/** Reads an answer in several pieces, and as a whole. */
async function readAnswer(text: string, options: Data = {}, request: Data = params) {
  const errors: ErrorMetadata[] = []
  const middleware = createToolMiddleware({
    protocol: 'hermes',
    onError: (_message: string, metadata: ErrorMetadata) => errors.push(metadata),
    ...options,
  })
  const asked = await transform(middleware, request)
  const parts = await runStream(middleware, asked, textStream(chunksOf(text, 5)))
  const whole = await runGenerate(middleware, asked, textAnswer(text))
  expect(faultsOf(parts)).toEqual([])
  return {
    /** The codes of both readings, which must be the same. */
    codes: errors.slice(0, errors.length / 2).map(error => error.code),
    parts,
    outline: outlineOf(parts),
    wholeOutline: outlineOf(whole.content),
  }
}

/** What became of a call: does it run, is it invalid, or is it text? */
async function fateOf(text: string, options: Data, request?: Data) {
  const { outline, wholeOutline, codes } = await readAnswer(text, options, request)
  const kinds = [outline, wholeOutline].map(each =>
    each.map(piece => {
      if (!('call' in piece)) return 'text'
      return isJson(String(piece.input)) ? 'runs' : 'invalid'
    }),
  )
  expect(kinds[0]).toEqual(kinds[1])
  return [kinds[0]?.join(', '), codes.join(', ')]
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('the tolerance decides what becomes of a call', () => {
  const fates: readonly (readonly [string, string, Tolerance | undefined, string, string])[] = [
    ['a clean call', clean, 'exact', 'runs', ''],
    ['a repaired call', repaired, 'exact', 'invalid', 'doubtful-call'],
    ['a doubtful call', doubtful, 'exact', 'invalid', 'doubtful-call'],
    ['a clean call', clean, undefined, 'runs', ''],
    ['a repaired call', repaired, undefined, 'runs', ''],
    ['a doubtful call', doubtful, undefined, 'invalid', 'doubtful-call'],
    ['a doubtful call', doubtful, 'safe', 'invalid', 'doubtful-call'],
    ['a clean call', clean, 'eager', 'runs', ''],
    ['a repaired call', repaired, 'eager', 'runs', ''],
    ['a doubtful call', doubtful, 'eager', 'runs', ''],
  ]

  test.for(fates)('$0 with $2', async ([, text, tolerance, fate, code]) => {
    expect(await fateOf(text, { tolerance })).toEqual([fate, code])
  })

  test.for(fates)('$0 with $2, in auto', async ([, text, tolerance, fate, code]) => {
    expect(await fateOf(text, { tolerance, protocol: 'auto' })).toEqual([fate, code])
  })

  test.for(fates)('$0 with $2, of one request', async ([, text, tolerance, fate, code]) => {
    const request = { ...params, providerOptions: { toolCallMiddleware: { tolerance } } }
    expect(await fateOf(text, {}, request)).toEqual([fate, code])
  })

  test('also of a forced choice', async () => {
    const request = { ...params, toolChoice: { type: 'tool', toolName: 'get_weather' } }
    const json = (text: string) => text.replace(/<\/?tool_call>/g, '')
    expect(await fateOf(json(repaired), {}, request)).toEqual(['runs', ''])
    expect(await fateOf(json(doubtful), {}, request)).toEqual(['invalid', 'doubtful-call'])
    expect(await fateOf(json(doubtful), { tolerance: 'eager' }, request)).toEqual(['runs', ''])
  })

  test('a doubtful call is text where calls that cannot be read are', async () => {
    const options = { emitRawToolCallTextOnError: true }
    const { outline, wholeOutline, codes } = await readAnswer(`Look: ${doubtful} Done.`, options)
    expect(outline).toEqual([{ text: `Look: ${doubtful} Done.` }])
    expect(wholeOutline).toEqual(outline)
    expect(codes).toEqual(['doubtful-call'])
  })

  test('a doubtful call is text in rescue mode', async () => {
    const { outline, wholeOutline, codes } = await readAnswer(`Look: ${doubtful}`, {
      mode: 'rescue',
    })
    expect(outline).toEqual([{ text: `Look: ${doubtful}` }])
    expect(wholeOutline).toEqual(outline)
    expect(codes).toEqual(['doubtful-call'])
    expect(await fateOf(repaired, { mode: 'rescue' })).toEqual(['runs', ''])
  })

  test('the input is what was streamed, and then the raw text', async () => {
    const { parts } = await readAnswer(doubtful)
    const call = parts.find(part => part.type === 'tool-call')
    const deltas = parts.filter(part => part.type === 'tool-input-delta').map(part => part.delta)
    expect(deltas.length).toBeGreaterThan(5)
    expect(deltas.join('')).toBe(call?.input)
    expect(String(call?.input).startsWith('{"city":"Paris\\"s \\"old town\\"","days":3')).toBe(true)
    expect(String(call?.input)).toContain(doubtful.slice(0, doubtful.indexOf('}}') + 2))
  })

  test('throws for another value', () => {
    const options: Data = { tolerance: 'strict' }
    expect(() => createToolMiddleware(options)).toThrow(
      'tolerance is "strict"; it must be "exact" or "safe" or "eager".',
    )
  })
})

describe('what was done to a call', () => {
  test('is told before the call is emitted, and is on the call', async () => {
    const told: (readonly [Repair, RepairedCall])[] = []
    const onRepair = (repair: Repair, call: RepairedCall) => told.push([repair, call])
    const middleware = createToolMiddleware({ protocol: 'hermes', onRepair })
    const parts = await runStream(middleware, params, textStream(chunksOf(repaired, 5)))
    const call = parts.find(part => part.type === 'tool-call')
    const repairs = [{ code: 'extra-comma', path: 'tags' }]
    expect(call?.providerMetadata).toEqual({ toolglot: { repairs } })
    expect(told).toEqual([
      [
        {
          code: 'extra-comma',
          message: 'There was a comma too many.',
          offset: repaired.indexOf(',}}') + 1,
          path: 'tags',
        },
        { toolCallId: call?.toolCallId, toolName: 'get_weather' },
      ],
    ])
    const whole = await runGenerate(middleware, params, textAnswer(repaired))
    expect(told).toHaveLength(2)
    expect(whole.content.at(-1)?.providerMetadata).toEqual(call?.providerMetadata)
  })

  const respelt = clean.replace('get_weather', 'functions.Get-Weather')

  test.for(['prompt', 'rescue'] as const)('is told of the name of the tool: %s', async mode => {
    const told: string[] = []
    const onRepair = ({ code }: Repair, { toolName }: RepairedCall) =>
      told.push(`${toolName}: ${code}`)
    const { parts, wholeOutline, outline } = await readAnswer(respelt, { mode, onRepair })
    expect(wholeOutline).toEqual(outline)
    expect(told).toEqual(Array(2).fill('get_weather: tool-name'))
    const named = parts.filter(part => part.toolName !== undefined)
    expect(new Set(named.map(part => part.toolName))).toEqual(new Set(['get_weather']))
    expect(parts.find(part => part.type === 'tool-call')).toMatchObject({
      input: JSON.stringify(paris),
      providerMetadata: { toolglot: { repairs: [{ code: 'tool-name' }] } },
    })
  })

  test('is told in rescue mode, only of calls that are made', async () => {
    const told: string[] = []
    const onRepair = ({ code }: Repair, { toolName }: RepairedCall) =>
      told.push(`${toolName}: ${code}`)
    const middleware = createToolMiddleware({ mode: 'rescue', onRepair })
    await runStream(middleware, params, textStream(chunksOf(repaired, 5)))
    expect(told).toEqual(['get_weather: extra-comma'])
    const native = { type: 'tool-call', toolCallId: 'n', toolName: 'get_weather' }
    const made = { ...native, input: JSON.stringify(paris) }
    const answer = textAnswer(repaired)
    await runGenerate(middleware, params, {
      ...answer,
      content: [{ type: 'text', text: repaired }, made],
    })
    expect(told).toHaveLength(1)
  })

  test('is not on a call that is written to the letter', async () => {
    const { parts } = await readAnswer(clean)
    expect(parts.find(part => part.type === 'tool-call')).not.toHaveProperty('providerMetadata')
  })

  test('a listener that throws does not break the answer', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const onRepair = () => {
      throw new Error('no')
    }
    expect(await fateOf(repaired, { onRepair })).toEqual(['runs', ''])
    expect(log).toHaveBeenCalledWith('toolglot: onRepair threw', new Error('no'))
    log.mockRestore()
  })

  const history = [
    userSays('How is it?'),
    {
      role: 'assistant',
      content: [
        {
          type: 'tool-call',
          toolCallId: 'c',
          toolName: 'get_weather',
          input: paris,
          providerOptions: {
            toolglot: { repairs: [{ code: 'extra-comma' }] },
            vendor: { cache: true },
          },
        },
      ],
    },
  ]

  test.for(['prompt', 'rescue'] as const)('is not sent to the provider: %s', async mode => {
    const middleware = createToolMiddleware({ protocol: 'hermes', mode })
    const { prompt } = await transform(middleware, { ...params, prompt: history })
    const [part] = prompt.at(-1)?.content ?? []
    expect(part).toHaveProperty('providerOptions', { vendor: { cache: true } })
  })

  test.for(sdkVersions)('the model is told what was in doubt: $name', async version => {
    const { sdk } = version
    const { tools, executed } = createWeatherTools()
    const { model, requests } = scriptModel(version, [{ text: doubtful }, { text: 'Sorry.' }])
    const wrapped = sdk.wrapLanguageModel({
      model,
      middleware: createToolMiddleware({ protocol: 'hermes' }),
    })
    const { steps } = sdk.streamText({
      model: wrapped,
      tools,
      prompt: 'How is it?',
      stopWhen: sdk.stepCountIs(3),
    })
    expect((await steps).map(step => step.text)).toEqual(['', 'Sorry.'])
    expect(executed).toEqual([])
    const result = JSON.stringify(requests[1]?.prompt.at(-1)?.content)
    expect(result).toContain('could not be read, and nothing was done: in `city`: Quotes inside')
    expect(result).toContain('Escape every quote inside a string with a backslash.')
    expect(JSON.stringify(requests[1]?.prompt.at(-2)?.content)).toContain('old town')
  })
})

describe('a person is asked before a repaired call runs', () => {
  const answers = [{ text: clean }, { text: repaired }, { text: 'Waiting.' }]
  const asksOf = (content: readonly AnyPart[]) =>
    content.filter(part => part.type === 'tool-approval-request').length

  test('ai@6: needsApproval knows the ids that onRepair told', async () => {
    const { sdk } = ai6Version
    const { tools, executed } = createWeatherTools()
    const repairedIds = new Set<string>()
    const middleware = createToolMiddleware({
      protocol: 'hermes',
      onRepair: (_repair, { toolCallId }) => repairedIds.add(toolCallId),
    })
    const asking = {
      ...(tools.get_weather as Data),
      needsApproval: (_input: unknown, { toolCallId }: { toolCallId: string }) =>
        repairedIds.has(toolCallId),
    }
    const { model } = scriptModel(ai6Version, answers)
    const { steps, fullStream } = sdk.streamText({
      model: sdk.wrapLanguageModel({ model, middleware }),
      tools: { get_weather: asking },
      prompt: 'How is it?',
      stopWhen: sdk.stepCountIs(3),
    })
    await collect(fullStream)
    expect((await steps).map(step => asksOf(step.content))).toEqual([0, 1])
    expect(executed).toEqual([paris])
  })

  test('ai@7: toolApproval reads the metadata of the call', async () => {
    const { sdk } = ai7Version
    const { tools, executed } = createWeatherTools()
    const { model } = scriptModel(ai7Version, answers)
    const middleware = createToolMiddleware({ protocol: 'hermes' })
    const { steps, fullStream } = sdk.streamText({
      model: sdk.wrapLanguageModel({ model, middleware }),
      tools,
      prompt: 'How is it?',
      stopWhen: sdk.stepCountIs(3),
      toolApproval: ({ toolCall }: { toolCall: { providerMetadata?: Data } }) =>
        toolCall.providerMetadata?.toolglot ? 'user-approval' : undefined,
    } as Data)
    await collect(fullStream)
    expect((await steps).map(step => asksOf(step.content))).toEqual([0, 1])
    expect(executed).toEqual([paris])
  })
})
