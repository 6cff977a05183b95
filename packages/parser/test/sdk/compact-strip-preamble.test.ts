import { compactProtocol, compactTools } from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { syntaxes } from '../compact/support/desk.js'
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
import { type AnyPart, sdkVersions } from './support/sdk-versions.js'
import { createWeatherTools, oslo, paris, weatherTool, writeCall } from './support/weather.js'

const params = { prompt: [userSays('Hello')], tools: [weatherTool] }
const both = [
  { toolName: 'get_weather', input: paris },
  { toolName: 'get_weather', input: oslo },
]

describe.for(syntaxes)('stripPreamble with %s', syntax => {
  const middleware = compactTools({ syntax, stripPreamble: true })
  const callParis = writeCall(compactProtocol({ syntax }), paris)
  const callOslo = writeCall(compactProtocol({ syntax }), oslo)
  const text = `Let me look.\n\n${callParis}\nAnd Oslo:\n${callOslo}\nThat is all.`

  test('drops the text around the calls of a whole answer', async () => {
    const { content, finishReason } = await runGenerate(middleware, params, textAnswer(text))
    expect(content.map(part => part.type)).toEqual(['tool-call', 'tool-call'])
    expect(callsOf(content)).toEqual(both)
    expect(finishReason).toEqual({ unified: 'tool-calls', raw: 'stop' })
  })

  test.for([1, 4, 1000])(
    'drops the text around the calls of a stream, in pieces of %i',
    async chars => {
      const parts = await runStream(middleware, params, textStream(chunksOf(text, chars)))
      expect(callsOf(parts)).toEqual(both)
      const types = parts.map(part => part.type).filter(type => type !== 'tool-input-delta')
      const ofCall = ['tool-input-start', 'tool-input-end', 'tool-call']
      expect(types).toEqual(['stream-start', ...ofCall, ...ofCall, 'finish'])
      const ids = parts.flatMap(part => (part.type === 'tool-input-start' ? [part.id] : []))
      const idOf = (part: AnyPart) => part.toolCallId ?? part.id
      const inOrder = parts.filter(part => part.type.startsWith('tool-')).map(idOf)
      expect(new Set(inOrder)).toEqual(new Set(ids))
      expect(inOrder.lastIndexOf(ids[0])).toBeLessThan(inOrder.indexOf(ids[1]))
    },
  )

  test.for([
    'Just an answer.',
    'Mail ann@example.com about the <call> tag.\n\n@all: it is <b>fine</b>.\n',
    '  \n',
    `${'Long. '.repeat(3000)}`,
  ])('keeps all of the text of an answer without a call', async answer => {
    const { content } = await runGenerate(middleware, params, textAnswer(answer))
    expect(content).toEqual([{ type: 'text', text: answer }])
    for (const chars of [1, 7]) {
      const parts = await runStream(middleware, params, textStream(chunksOf(answer, chars)))
      expect(textOf(parts)).toBe(answer)
      const types = parts.map(part => part.type).filter(type => type !== 'text-delta')
      expect(types).toEqual(['stream-start', 'text-start', 'text-end', 'finish'])
      expect(
        new Set(parts.flatMap(part => (part.type.startsWith('text-') ? [part.id] : []))),
      ).toEqual(new Set(['t1']))
    }
  })

  test('streams the input of the calls as it comes', async () => {
    const parts = await runStream(middleware, params, textStream(chunksOf(text, 3)))
    expect(parts.filter(part => part.type === 'tool-input-delta').length).toBeGreaterThan(10)
  })

  test('leaves reasoning and other parts alone, in their order', async () => {
    const reasoning = [
      { type: 'reasoning-start', id: 'r1' },
      { type: 'reasoning-delta', id: 'r1', delta: `I could write ${callParis}` },
      { type: 'reasoning-end', id: 'r1' },
    ]
    const [start, ...rest] = textStream(chunksOf(text, 5))
    const parts = await runStream(middleware, params, start ? [start, ...reasoning, ...rest] : [])
    expect(parts.slice(1, 4)).toEqual(reasoning)
    expect(callsOf(parts)).toEqual(both)
    expect(textOf(parts)).toBe('')
  })

  test('drops the text before a call that is cut, too, and reports the call', async () => {
    const codes: string[] = []
    const telling = compactTools({
      syntax,
      stripPreamble: true,
      onError: (_, { code }) => codes.push(code),
    })
    const cut = `Let me look.\n${callParis.slice(0, callParis.indexOf('Paris') + 3)}`
    const parts = await runStream(telling, params, textStream(chunksOf(cut, 2), 'length'))
    expect(textOf(parts)).toBe('')
    expect(parts.filter(part => part.type === 'tool-call')).toHaveLength(1)
    expect(codes).toEqual(['cut-call'])
  })
})

test('a malformed call that is wanted as text is not a call: all of the text stays', async () => {
  const middleware = compactTools({ stripPreamble: true, emitRawToolCallTextOnError: true })
  const text = 'Let me look. <call>get_weather city="x" y</call> That is all.'
  const { content } = await runGenerate(middleware, params, textAnswer(text))
  const parts = await runStream(middleware, params, textStream(chunksOf(text, 3)))
  for (const read of [content, parts]) {
    expect(textOf(read)).toBe(text)
    expect(callsOf(read)).toEqual([])
  }
})

test('without stripPreamble the text stays where it was', async () => {
  const text = 'Let me look.\n<call>get_weather city=Paris</call>\nThat is all.'
  const { content } = await runGenerate(compactTools(), params, textAnswer(text))
  expect(content.map(part => part.type)).toEqual(['text', 'tool-call', 'text'])
  const parts = await runStream(compactTools(), params, textStream(chunksOf(text, 3)))
  expect(textOf(parts)).toBe('Let me look.\n\nThat is all.')
})

describe.for(sdkVersions)('stripPreamble with $name', version => {
  test('leaves only calls in the steps, and all of the last answer', async () => {
    const { sdk } = version
    const call = writeCall(compactProtocol(), paris)
    const answers = [{ text: `Let me look.\n${call}\nWait.` }, { text: 'It is clear.' }]
    const settings = (model: unknown) => ({
      model,
      tools: createWeatherTools().tools,
      prompt: 'How is the weather?',
      stopWhen: sdk.stepCountIs(3),
    })
    const wrap = () =>
      sdk.wrapLanguageModel({
        model: scriptModel(version, answers).model,
        middleware: compactTools({ stripPreamble: true }),
      })
    const whole = await sdk.generateText(settings(wrap()))
    expect(whole.steps.map(step => step.text)).toEqual(['', 'It is clear.'])
    const streamed = sdk.streamText(settings(wrap()))
    const parts = await collect(streamed.fullStream)
    expect((await streamed.steps).map(step => step.text)).toEqual(['', 'It is clear.'])
    expect(parts.filter(part => part.type === 'error')).toEqual([])
    const ends = parts.flatMap(part => (part.type === 'text-end' ? [part.id] : []))
    expect(parts.flatMap(part => (part.type === 'text-start' ? [part.id] : []))).toEqual(ends)
  })
})
