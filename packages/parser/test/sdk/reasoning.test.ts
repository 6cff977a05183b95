import { createToolMiddleware, getProtocol } from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { chunksOf, randomChunks } from '../support/chunks.js'
import {
  runGenerate,
  runStream,
  textAnswer,
  textStream,
  transform,
  userSays,
} from './support/direct.js'
import { faultsOf, type Outline, outlineOf } from './support/outline.js'
import { type ReasoningFormat, reasoningFormats } from './support/reasoning-formats.js'
import { collect, scriptModel } from './support/scripted-model.js'
import {
  type AnyModel,
  type AnyPart,
  type Data,
  type SdkVersion,
  type Step,
  sdkVersions,
} from './support/sdk-versions.js'
import { createWeatherTools, oslo, paris, weatherTool, writeCall } from './support/weather.js'

const params = { prompt: [userSays('How is the weather?')], tools: [weatherTool] }
const parisCall = { call: 'get_weather', input: JSON.stringify(paris) }

function piecesOf(text: string): string[][] {
  return [
    [text],
    ...[1, 2, 3, 7].map(chars => chunksOf(text, chars)),
    ...[1, 2, 3].map(seed => randomChunks(text, seed)),
  ]
}

/** Expects the same of a text, whole and in any pieces. */
async function expectRead(
  options: Data,
  text: string,
  expected: Outline,
  reasons: readonly [string, string],
) {
  const middleware = createToolMiddleware({ reasoning: true, ...options })
  const [given, finishReason] = reasons
  const whole = await runGenerate(middleware, params, textAnswer(text, given))
  expect(outlineOf(whole.content)).toEqual(expected)
  expect(whole.finishReason).toEqual({ unified: finishReason, raw: given })
  for (const pieces of piecesOf(text)) {
    const parts = await runStream(middleware, params, textStream(pieces, given))
    expect(outlineOf(parts)).toEqual(expected)
    expect(faultsOf(parts)).toEqual([])
    expect(parts.at(-1)).toMatchObject({
      type: 'finish',
      finishReason: { unified: finishReason, raw: given },
    })
  }
}

describe.for(reasoningFormats)('the reasoning of a model of $protocol', reasoningFormat => {
  const { protocol, open, close, answer, isCalling = false } = reasoningFormat
  const call = writeCall(getProtocol(protocol), paris)
  const expectText = (text: string, expected: Outline, reasons: readonly [string, string]) =>
    expectRead({ protocol }, text, expected, reasons)

  test('is reasoning, before text and a call', async () => {
    const expected = [{ reasoning: 'I ponder.' }, { text: 'Let me look.\n' }, parisCall]
    await expectText(`${open}I ponder.${close}${answer}Let me look.\n${call}`, expected, [
      'stop',
      'tool-calls',
    ])
  })

  test('is reasoning right before a call', async () => {
    await expectText(
      `${open}I ponder.${close}${call}`,
      [{ reasoning: 'I ponder.' }, parisCall],
      ['stop', 'tool-calls'],
    )
  })

  test('is reasoning before an answer without a call', async () => {
    const expected = [{ reasoning: 'I ponder.\n\nTwice.' }, { text: 'Hello.' }]
    await expectText(`${open}I ponder.\n\nTwice.${close}${answer}Hello.`, expected, [
      'stop',
      'stop',
    ])
  })

  test('may come again after a call', async () => {
    const expected = [{ reasoning: 'One.' }, parisCall, { reasoning: 'Two.' }, { text: 'Bye.' }]
    const text = `${open}One.${close}${call}\n${open}Two.${close}${answer}Bye.`
    await expectText(text, expected, ['stop', 'tool-calls'])
  })

  test('leaves no empty part where it is nothing', async () => {
    await expectText(`${open}${close}${answer}Hi.`, [{ text: 'Hi.' }], ['stop', 'stop'])
  })

  test('stays reasoning where it is cut', async () => {
    await expectText(
      `${open}I ponder a lot`,
      [{ reasoning: 'I ponder a lot' }],
      ['length', 'length'],
    )
  })

  test('contains calls only if the format allows it', async () => {
    const text = `${open}Perhaps ${call} or not.${close}${answer}Done.`
    const expected = isCalling
      ? [{ reasoning: 'Perhaps' }, parisCall, { reasoning: 'or not.' }, { text: 'Done.' }]
      : [{ reasoning: `Perhaps ${call} or not.` }, { text: 'Done.' }]
    await expectText(text, expected, ['stop', isCalling ? 'tool-calls' : 'stop'])
  })

  test('contains calls if the option allows it', async () => {
    const text = `${open}Perhaps ${call} or not.${close}${answer}Done.`
    const expected = [
      { reasoning: 'Perhaps' },
      parisCall,
      { reasoning: 'or not.' },
      { text: 'Done.' },
    ]
    await expectRead({ protocol, callsInReasoning: true }, text, expected, ['stop', 'tool-calls'])
  })

  test('contains no calls if the option forbids it', async () => {
    const text = `${open}Perhaps ${call} or not.${close}${answer}Done.`
    const expected = [{ reasoning: `Perhaps ${call} or not.` }, { text: 'Done.' }]
    await expectRead({ protocol, callsInReasoning: false }, text, expected, ['stop', 'stop'])
  })

  test('may have been opened by the prompt', async () => {
    const text = `I ponder.${close}${answer}Let me look.\n${call}`
    const expected = [{ reasoning: 'I ponder.' }, { text: 'Let me look.\n' }, parisCall]
    await expectRead({ protocol, startWithReasoning: true }, text, expected, ['stop', 'tool-calls'])
  })

  // Marks that are no tags are the format's own and never shown.
  if (!/^<\w/.test(open)) return

  test('is text as it was written where nobody asked for reasoning', async () => {
    const text = `${open}I ponder.${close}Let me look.`
    await expectRead({ protocol, reasoning: undefined }, text, [{ text }], ['stop', 'stop'])
  })
})

describe('the parts of reasoning in a stream', () => {
  const call = writeCall(getProtocol('hermes'), paris)
  const middleware = createToolMiddleware({ protocol: 'hermes', reasoning: true })
  const reasoningIds = (parts: readonly AnyPart[], type: string) =>
    parts.filter(part => part.type === type).map(part => part.id)

  test('share one id, which differs for each reasoning and is never one of the provider', async () => {
    const parts = await runStream(middleware, params, [
      { type: 'reasoning-start', id: 't1' },
      { type: 'reasoning-delta', id: 't1', delta: 'The provider says so.' },
      { type: 'reasoning-end', id: 't1' },
      { type: 'text-start', id: 't1' },
      ...chunksOf(`<think>One.</think>A.${call}\n<think>Two.</think>B.`, 4).map(delta => ({
        type: 'text-delta',
        id: 't1',
        delta,
      })),
      { type: 'text-end', id: 't1' },
      { type: 'text-start', id: 't2' },
      { type: 'text-delta', id: 't2', delta: '<think>Three.</think>C.' },
      { type: 'text-end', id: 't2' },
      { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: {} },
    ])
    expect(faultsOf(parts)).toEqual([])
    const starts = reasoningIds(parts, 'reasoning-start')
    expect(starts).toHaveLength(4)
    expect(starts[0]).toBe('t1')
    expect(new Set(starts).size).toBe(4)
    expect(reasoningIds(parts, 'reasoning-end')).toEqual(starts)
    expect([...new Set(reasoningIds(parts, 'reasoning-delta'))]).toEqual(starts)
    const texts = reasoningIds(parts, 'text-start')
    expect(new Set(texts).size).toBe(3)
    expect(texts.filter(id => starts.slice(1).includes(id))).toEqual([])
  })

  test('are streamed as they come', async () => {
    const parts = await runStream(
      middleware,
      params,
      textStream(chunksOf('<think>I ponder it all.</think>Hi.', 2)),
    )
    expect(parts.filter(part => part.type === 'reasoning-delta').length).toBeGreaterThan(6)
  })

  test('are ended before an error of the provider', async () => {
    const error = { type: 'error', error: new Error('overloaded') }
    const parts = await runStream(middleware, params, [
      { type: 'text-start', id: 't1' },
      { type: 'text-delta', id: 't1', delta: '<think>I ponder' },
      error,
      { type: 'finish', finishReason: { unified: 'error', raw: 'error' }, usage: {} },
    ])
    expect(parts.map(part => part.type)).toEqual([
      'reasoning-start',
      'reasoning-delta',
      'reasoning-end',
      'error',
      'finish',
    ])
    expect(parts).toContain(error)
  })

  test('are ended in a stream that just stops', async () => {
    const parts = await runStream(middleware, params, textStream(['<think>I ponder']).slice(0, -2))
    expect(faultsOf(parts)).toEqual([])
    expect(outlineOf(parts)).toEqual([{ reasoning: 'I ponder' }])
  })

  test('are separate from a call that is emitted as text', async () => {
    const bad = '<tool_call>\n{"name": "get_weather", "arguments": {"city": ]]??}}\n</tool_call>'
    const asText = createToolMiddleware({
      protocol: 'hermes',
      reasoning: true,
      emitRawToolCallTextOnError: true,
    })
    for (const pieces of piecesOf(`<think>I ponder.</think>\nLook: ${bad}`)) {
      const parts = await runStream(asText, params, textStream(pieces))
      expect(faultsOf(parts)).toEqual([])
      expect(outlineOf(parts)).toEqual([{ reasoning: 'I ponder.' }, { text: `Look: ${bad}` }])
    }
  })

  test('stay where the text around calls is dropped', async () => {
    const strict = createToolMiddleware({
      protocol: 'hermes',
      reasoning: true,
      stripPreamble: true,
    })
    for (const pieces of piecesOf(`<think>I ponder.</think>\nLet me look.\n${call}`)) {
      const parts = await runStream(strict, params, textStream(pieces))
      expect(outlineOf(parts)).toEqual([{ reasoning: 'I ponder.' }, parisCall])
      expect(faultsOf(parts)).toEqual([])
    }
  })
})

describe('reasoning in the history', () => {
  test('keeps reasoning parts as the same objects', async () => {
    const middleware = createToolMiddleware({ protocol: 'hermes', reasoning: true })
    const reasoning = {
      type: 'reasoning',
      text: 'I ponder.',
      providerOptions: { local: { signature: 's' } },
    }
    const plain = { role: 'assistant', content: [reasoning, { type: 'text', text: 'Hi.' }] }
    const toolCall = { type: 'tool-call', toolCallId: 'c1', toolName: 'get_weather', input: paris }
    const prompt = [
      userSays('Hello'),
      plain,
      userSays('And?'),
      { role: 'assistant', content: [reasoning, toolCall] },
    ]
    const request = await transform(middleware, { prompt, tools: [weatherTool] })
    expect(request.prompt[2]).toBe(plain)
    expect(request.prompt[4]?.content).toHaveLength(2)
    expect(request.prompt[4]?.content[0]).toBe(reasoning)
  })
})

const loopFormats = reasoningFormats.filter(({ protocol }) =>
  ['hermes', 'gpt_oss_harmony', 'gemma4', 'kimi_k3'].includes(protocol),
)
const matrix = sdkVersions.flatMap(version =>
  loopFormats.map(reasoningFormat => ({ version, reasoningFormat, name: version.name })),
)

/** Two calls in two steps, each with reasoning before it, and an answer. */
function answersOf({ protocol, open, close, answer }: ReasoningFormat): string[] {
  const [first, second] = [paris, oslo].map(input => writeCall(getProtocol(protocol), input))
  return [
    `${open}First Paris.${close}${answer}Let me look.\n${first}`,
    `${open}Then Oslo.${close}${second}`,
    `${open}Both clear.${close}${answer}It is clear.`,
  ]
}

function wrap({ sdk }: SdkVersion, model: AnyModel, { protocol }: ReasoningFormat): AnyModel {
  return sdk.wrapLanguageModel({
    model,
    middleware: createToolMiddleware({ protocol, reasoning: true }),
  })
}

const stepOutlines = (steps: readonly Step[]) =>
  steps.map(step =>
    outlineOf(step.content).map(each => ('text' in each ? { text: each.text.trim() } : each)),
  )

const expectedSteps = [
  [{ reasoning: 'First Paris.' }, { text: 'Let me look.' }, { call: 'get_weather', input: paris }],
  [{ reasoning: 'Then Oslo.' }, { call: 'get_weather', input: oslo }],
  [{ reasoning: 'Both clear.' }, { text: 'It is clear.' }],
]

describe.for(matrix)(
  'a loop of reasoning and calls with $name and $reasoningFormat.protocol',
  ({ version, reasoningFormat }) => {
    const { sdk } = version
    const script = () =>
      scriptModel(
        version,
        answersOf(reasoningFormat).map(text => ({ text })),
      )

    test('generateText and streamText return the same steps', async () => {
      const settings = { prompt: 'How is it?', stopWhen: sdk.stepCountIs(5) }
      const whole = script()
      const first = createWeatherTools()
      const outcome = await sdk.generateText({
        ...settings,
        tools: first.tools,
        model: wrap(version, whole.model, reasoningFormat),
      })
      expect(stepOutlines(outcome.steps)).toEqual(expectedSteps)
      expect(first.executed).toEqual([paris, oslo])

      const streamed = script()
      const second = createWeatherTools()
      const result = sdk.streamText({
        ...settings,
        tools: second.tools,
        model: wrap(version, streamed.model, reasoningFormat),
      })
      const parts = await collect(result.fullStream)
      expect(parts.filter(part => part.type === 'error')).toEqual([])
      expect(stepOutlines(await result.steps)).toEqual(expectedSteps)
      expect(second.executed).toEqual([paris, oslo])
      expect(await result.text).toBe('It is clear.')

      for (const { requests } of [whole, streamed]) {
        const { prompt } = requests[2] ?? { prompt: [] }
        const said = prompt
          .filter(message => message.role === 'assistant')
          .flatMap(({ content }) => [...content])
        const reasoned = said.filter(part => typeof part === 'object' && part.type === 'reasoning')
        expect(reasoned).toMatchObject([{ text: 'First Paris.' }, { text: 'Then Oslo.' }])
      }
    })

    test('the user interface shows all in order and nothing hangs', async () => {
      const { tools } = createWeatherTools()
      const model = wrap(version, script().model, reasoningFormat)
      const result = sdk.streamText({
        model,
        tools,
        prompt: 'How is it?',
        stopWhen: sdk.stepCountIs(5),
      })
      const messages = await collect(
        sdk.readUIMessageStream({ stream: result.toUIMessageStream() }),
      )
      const last = messages.at(-1)?.parts ?? []
      const shown = last.filter(part => part.type !== 'step-start')
      expect(shown.map(part => part.type)).toEqual([
        ...[
          'reasoning',
          'text',
          'tool-get_weather',
          'reasoning',
          'tool-get_weather',
          'reasoning',
          'text',
        ],
      ])
      const states = [
        'done',
        'done',
        'output-available',
        'done',
        'output-available',
        'done',
        'done',
      ]
      expect(shown.map(part => part.state)).toEqual(states)
      expect(shown.filter(part => part.type === 'reasoning').map(part => part.text)).toEqual([
        ...['First Paris.', 'Then Oslo.', 'Both clear.'],
      ])
    })

    test('reasoning that is cut by the length limit is the last part', async () => {
      const text = `${reasoningFormat.open}I ponder a lot`
      const { model } = scriptModel(version, [{ text, finishReason: 'length' }])
      const { tools, executed } = createWeatherTools()
      const result = sdk.streamText({
        model: wrap(version, model, reasoningFormat),
        tools,
        prompt: 'How is it?',
      })
      const messages = await collect(
        sdk.readUIMessageStream({ stream: result.toUIMessageStream() }),
      )
      expect(messages.at(-1)?.parts.at(-1)).toMatchObject({
        type: 'reasoning',
        text: 'I ponder a lot',
        state: 'done',
      })
      expect(await result.finishReason).toBe('length')
      expect(executed).toEqual([])
    })
  },
)
