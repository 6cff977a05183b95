import {
  type CompactSyntax,
  compactTools,
  type ErrorMetadata,
  type FunctionTool,
} from '@toolglot/parser'
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
import { collect, scriptModel, streamOf } from './support/scripted-model.js'
import { type AnyPart, sdkVersions } from './support/sdk-versions.js'
import { createWeatherTools } from './support/weather.js'

const text = { type: 'string' }
const noteTool: FunctionTool = {
  type: 'function',
  name: 'save_note',
  inputSchema: {
    type: 'object',
    properties: {
      title: text,
      body: text,
      rows: {
        type: 'array',
        items: { type: 'object', properties: { key: text, value: { type: 'number' } } },
      },
      meta: { type: 'object', properties: { by: text, words: { type: 'array', items: text } } },
      done: { type: 'boolean' },
    },
  },
}
const params = { prompt: [userSays('Hello')], tools: [noteTool] }

const words = Array.from({ length: 40 }, (_, i) => `word${i}`)
const sentence = words.join(' ')
const lines = words.join('\n')
const rows = words.map((key, value) => ({ key, value }))
const meta = { by: 'Ann', words }

interface Writing {
  readonly form: string
  readonly syntax: CompactSyntax
  readonly call: string
  readonly input: object
}

/** All ways to write a value of some length. */
const writings: readonly Writing[] = [
  {
    form: 'text in quotes',
    syntax: 'wire',
    call: `<call>save_note title=x body="${sentence}" done=true</call>`,
    input: { title: 'x', body: sentence, done: true },
  },
  {
    form: 'lines in quotes',
    syntax: 'wire',
    call: `<call>save_note body="${lines}"</call>`,
    input: { body: lines },
  },
  {
    form: 'text without quotes',
    syntax: 'wire',
    call: `<call>save_note title=x body=${sentence} done=true</call>`,
    input: { title: 'x', body: sentence, done: true },
  },
  {
    form: 'a JSON value',
    syntax: 'wire',
    call: `<call>save_note meta=${JSON.stringify(meta)} rows=${JSON.stringify(rows)} done=true</call>`,
    input: { meta, rows, done: true },
  },
  {
    form: 'JSON',
    syntax: 'json',
    call: `<call>save_note ${JSON.stringify({ body: sentence, rows, meta })}</call>`,
    input: { body: sentence, rows, meta },
  },
  {
    form: 'text as it is',
    syntax: 'line',
    call: `@save_note title=x y body=${sentence} done=true`,
    input: { title: 'x y', body: sentence, done: true },
  },
  {
    form: 'a heredoc',
    syntax: 'line',
    call: `@save_note title=x y body=<<END\n${lines}\nEND done=true`,
    input: { title: 'x y', body: lines, done: true },
  },
  {
    form: 'a table',
    syntax: 'line',
    call: `@save_note rows=<<END\nkey|value\n${rows.map(({ key, value }) => `${key}|${value}`).join('\n')}\nEND done=true`,
    input: { rows, done: true },
  },
  {
    form: 'a JSON value',
    syntax: 'line',
    call: `@save_note meta=${JSON.stringify(meta)} title=x`,
    input: { meta, title: 'x' },
  },
  {
    form: 'JSON in place of the pairs',
    syntax: 'line',
    call: `@save_note ${JSON.stringify({ body: sentence, rows })}`,
    input: { body: sentence, rows },
  },
]

/** The parts that come out, each with how much of the text had been asked for by then. */
async function watch(syntax: CompactSyntax, call: string, chars: number) {
  const sent = textStream(chunksOf(call, chars))
  const { source, pulled } = countedSource(sent)
  const seen: { part: AnyPart; share: number }[] = []
  for await (const part of await openStream(compactTools({ syntax }), params, source)) {
    seen.push({ part, share: pulled() / sent.length })
  }
  return seen
}

describe.for(writings)('$syntax, $form', ({ syntax, call, input }) => {
  test.for([1, 5, 17])('is one call whose parts share an id, in pieces of %i', async chars => {
    const parts = await runStream(
      compactTools({ syntax }),
      params,
      textStream(chunksOf(call, chars)),
    )
    const types = parts.map(part => part.type).filter(type => type !== 'tool-input-delta')
    expect(types).toEqual([
      'stream-start',
      'tool-input-start',
      'tool-input-end',
      'tool-call',
      'finish',
    ])
    const start = parts.find(part => part.type === 'tool-input-start')
    const made = parts.find(part => part.type === 'tool-call')
    expect(start).toMatchObject({ toolName: 'save_note', id: expect.stringMatching(/\w/) })
    expect(made).toMatchObject({ toolName: 'save_note', toolCallId: start?.id })
    const ids = parts.filter(part => part.type.startsWith('tool-input-')).map(part => part.id)
    expect(new Set(ids)).toEqual(new Set([start?.id]))
    const deltas = parts.filter(part => part.type === 'tool-input-delta').map(part => part.delta)
    expect(deltas.join('')).toBe(made?.input)
    expect(JSON.parse(String(made?.input))).toEqual(input)
    expect(parts.at(-1)?.finishReason).toEqual({ unified: 'tool-calls', raw: 'stop' })
  })

  test('arrives while the model writes, evenly from its beginning to its end', async () => {
    const seen = await watch(syntax, call, 4)
    const start = seen.find(({ part }) => part.type === 'tool-input-start')
    expect(start?.share).toBeLessThan(0.2)
    const deltas = seen.filter(({ part }) => part.type === 'tool-input-delta')
    const chars = deltas.reduce((sum, { part }) => sum + String(part.delta).length, 0)
    /** How much of the input is out when so much of the text was read. */
    const outAt = (share: number) =>
      deltas.reduce(
        (sum, delta) => sum + (delta.share <= share ? String(delta.part.delta).length : 0),
        0,
      ) / chars
    expect(outAt(0.3)).toBeGreaterThan(0.1)
    expect(outAt(0.5)).toBeGreaterThan(0.3)
    expect(outAt(0.8)).toBeGreaterThan(0.6)
    expect(outAt(0.5)).toBeLessThan(0.7)
  })

  test('is never executed where it was cut by the length limit', async () => {
    for (const share of [0.25, 0.5, 0.75]) {
      const cut = call.slice(0, Math.floor(call.length * share))
      const codes: string[] = []
      const onError = (_: string, { code }: ErrorMetadata) => codes.push(code)
      const middleware = compactTools({ syntax, onError })
      const parts = await runStream(middleware, params, textStream(chunksOf(cut, 3), 'length'))
      const whole = await runGenerate(middleware, params, textAnswer(cut, 'length'))
      for (const read of [parts, whole.content]) {
        const calls = read.filter(part => part.type === 'tool-call')
        expect(calls).toHaveLength(1)
        expect(() => JSON.parse(String(calls[0]?.input))).toThrow()
        expect(textOf(read)).toBe('')
      }
      expect(codes).toEqual(['cut-call', 'cut-call'])
      const deltas = parts.filter(part => part.type === 'tool-input-delta').map(part => part.delta)
      expect(deltas.join('')).toBe(parts.find(part => part.type === 'tool-call')?.input)
      expect(parts.at(-1)?.finishReason).toEqual({ unified: 'length', raw: 'length' })
      expect(whole.finishReason).toEqual({ unified: 'length', raw: 'length' })
    }
  })

  test('is not executed where the connection ended without a finish', async () => {
    const cut = call.slice(0, Math.floor(call.length / 2))
    const sent = textStream(chunksOf(cut, 3)).slice(0, -2)
    const parts = await collect(await openStream(compactTools({ syntax }), params, streamOf(sent)))
    const calls = parts.filter(part => part.type === 'tool-call')
    expect(calls).toHaveLength(1)
    expect(() => JSON.parse(String(calls[0]?.input))).toThrow()
  })
})

test.for<{ syntax: CompactSyntax; cut: string }>([
  { syntax: 'wire', cut: '<call>save_note title=Hello' },
  { syntax: 'wire', cut: '<call>save_note title="Hello"' },
  { syntax: 'wire', cut: '<call>save_note title=Hello bod' },
  { syntax: 'line', cut: '@save_note title=Hello' },
  { syntax: 'line', cut: '@save_note title=Hello bod' },
  { syntax: 'line', cut: '@save_note done=true title=Hello\nbod' },
])(
  '$cut, cut by the length limit, might have gone on and is not executed',
  async ({ syntax, cut }) => {
    const middleware = compactTools({ syntax })
    const whole = await runGenerate(middleware, params, textAnswer(cut, 'length'))
    const parts = await runStream(middleware, params, textStream(chunksOf(cut, 3), 'length'))
    for (const read of [whole.content, parts]) {
      const calls = read.filter(part => part.type === 'tool-call')
      expect(calls).toHaveLength(1)
      expect(() => JSON.parse(String(calls[0]?.input))).toThrow()
    }
  },
)

test('a line that has ended was not cut, even if the text after it was', async () => {
  const cut = '@save_note title=Hello\n\nThen I will go on and'
  const parts = await runStream(
    compactTools({ syntax: 'line' }),
    params,
    textStream(chunksOf(cut, 3), 'length'),
  )
  expect(callsOf(parts)).toEqual([{ toolName: 'save_note', input: { title: 'Hello' } }])
  expect(textOf(parts)).toContain('Then I will go on and')
})

describe.for(sdkVersions)('with $name', version => {
  test.for<{ syntax: CompactSyntax; cut: string }>([
    { syntax: 'wire', cut: '<call>get_weather days=3 hourly=true tags=rain city="Par' },
    { syntax: 'wire', cut: '<call>get_weather days=3 hourly=true tags=rain city=Par' },
    { syntax: 'json', cut: '<call>get_weather {"days":3,"hourly":true,"tags":[],"city":"Par' },
    { syntax: 'line', cut: '@get_weather days=3 hourly=true tags=rain city=Par' },
    { syntax: 'line', cut: '@get_weather days=3 hourly=true tags=rain city=<<END\nPar' },
  ])('a call that is cut by the length limit runs no tool: $cut', async ({ syntax, cut }) => {
    const { sdk } = version
    const codes: string[] = []
    const middleware = compactTools({ syntax, onError: (_, { code }) => codes.push(code) })
    const answer = { text: cut, finishReason: 'length' }
    const { model } = scriptModel(version, [answer, answer])
    const { tools, executed } = createWeatherTools()
    const settings = { model: sdk.wrapLanguageModel({ model, middleware }), tools, prompt: 'Hello' }
    const whole = await sdk.generateText(settings)
    const streamed = sdk.streamText({ ...settings, onError: () => {} })
    await collect(streamed.fullStream)
    expect(executed).toEqual([])
    expect(whole.finishReason).toBe('length')
    expect(await streamed.finishReason).toBe('length')
    expect(codes).toEqual(['cut-call', 'cut-call'])
  })
})
