import { createToolMiddleware, toolCallOptions } from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
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
import { outlineOf } from './support/outline.js'
import { reasoningFormats } from './support/reasoning-formats.js'
import type { AnyPart, Data } from './support/sdk-versions.js'
import { weatherTool } from './support/weather.js'

const prompt = [userSays('How is the weather?')]
const params = { prompt, tools: [weatherTool] }
const finish = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: {} }

const textBlock = (id: string, delta: string): AnyPart[] => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta },
  { type: 'text-end', id },
]
const thoughtBlock = (id: string, delta: string): AnyPart[] => [
  { type: 'reasoning-start', id },
  { type: 'reasoning-delta', id, delta },
  { type: 'reasoning-end', id },
]

describe('an answer in JSON, where tools may be called', () => {
  const schema = { type: 'object', properties: { sky: { type: 'string' } } }
  const json = { type: 'json', schema, name: 'answer' }
  const systemOf = (request: Data) => JSON.stringify(request.prompt)

  test('is asked for in words, since a server that enforces JSON can write no call', async () => {
    const request = await transform(createToolMiddleware(), { ...params, responseFormat: json })
    expect(request.responseFormat).toBeUndefined()
    expect(systemOf(request)).toContain(JSON.stringify(JSON.stringify(schema)).slice(1, -1))
  })

  test('is asked for in words without a schema, too', async () => {
    const request = await transform(createToolMiddleware(), {
      ...params,
      responseFormat: { type: 'json' },
    })
    expect(request.responseFormat).toBeUndefined()
    expect(systemOf(request)).toContain('answer only with JSON')
  })

  test.for([
    ['no tool may be called', { ...params, toolChoice: { type: 'none' } }],
    ['there are no tools', { prompt }],
  ])('is left to the server where %s', async ([, given]) => {
    const request = await transform(createToolMiddleware(), {
      ...(given as Data),
      responseFormat: json,
    })
    expect(request.responseFormat).toBe(json)
    expect(systemOf(request)).not.toContain('JSON')
  })

  test('leaves a format that is not JSON unchanged', async () => {
    const responseFormat = { type: 'text' }
    expect(
      (await transform(createToolMiddleware(), { ...params, responseFormat })).responseFormat,
    ).toBe(responseFormat)
  })
})

describe.for([
  ['where no tool may be called', { ...params, toolChoice: { type: 'none' } }],
  ['where there are no tools', { prompt }],
] as const)('%s', ([, given]) => {
  test.for(reasoningFormats)(
    'the reasoning of a model of $protocol is reasoning',
    async ({ protocol, open, close, answer }) => {
      const middleware = createToolMiddleware({ protocol, reasoning: true })
      const text = `${open}I ponder.${close}${answer}Hello.`
      const expected = [{ reasoning: 'I ponder.' }, { text: 'Hello.' }]
      expect(outlineOf((await runGenerate(middleware, given, textAnswer(text))).content)).toEqual(
        expected,
      )
      expect(outlineOf(await runStream(middleware, given, textStream([...text])))).toEqual(expected)
    },
  )

  test('calls stay text, and reasoning is emitted as such', async () => {
    const text =
      '<think>hm</think><tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>'
    const parts = await runStream(
      createToolMiddleware({ reasoning: true }),
      given,
      textStream([text]),
    )
    expect(callsOf(parts)).toEqual([])
    expect(textOf(parts)).toBe(text.slice('<think>hm</think>'.length))
  })

  test('an answer is returned unchanged unless reasoning is asked for', async () => {
    const answer = textAnswer('<think>hm</think>Hello.')
    expect(await runGenerate(createToolMiddleware(), given, answer)).toBe(answer)
  })
})

test('special tokens are asked for if only reasoning is read', async () => {
  const middleware = createToolMiddleware({ protocol: 'gpt_oss_harmony', reasoning: true })
  const model = { provider: 'local.chat', modelId: 'm', specificationVersion: 'v3' }
  const request = await middleware.transformParams({ type: 'stream', params: { prompt }, model })
  expect(request.providerOptions).toMatchObject({ local: { skip_special_tokens: false } })
})

describe('a prompt that opens the reasoning', () => {
  const middleware = createToolMiddleware({ reasoning: true, startWithReasoning: true })

  test('opens none if the provider has separated the reasoning already', async () => {
    const parts = await runStream(middleware, params, [
      ...thoughtBlock('r', 'I ponder.'),
      ...textBlock('t', 'Hello.'),
      finish,
    ])
    expect(outlineOf(parts)).toEqual([{ reasoning: 'I ponder.' }, { text: 'Hello.' }])
  })

  test('opens it in the first text only', async () => {
    const source = { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' }
    const texts = [...textBlock('0', 'I ponder.</think>Well.'), source, ...textBlock('1', 'Hello.')]
    const parts = await runStream(middleware, params, [...texts, finish])
    expect(outlineOf(parts.filter(part => part.type !== 'source'))).toEqual([
      { reasoning: 'I ponder.' },
      { text: 'Well.Hello.' },
    ])
  })
})

test('gemma4 leaves no part of a mark if reasoning is text', async () => {
  const answer = textAnswer('<|channel>thought\nhm<channel|>Hello.')
  const { content } = await runGenerate(
    createToolMiddleware({ protocol: 'gemma4' }),
    params,
    answer,
  )
  expect(textOf(content)).toBe('hmHello.')
})

test('an error inside of a text ends that once', async () => {
  const parts = await runStream(createToolMiddleware(), params, [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Hello' },
    { type: 'error', error: 'oops' },
    { type: 'text-end', id: 't' },
    finish,
  ])
  expect(parts.map(part => part.type)).toEqual([
    'text-start',
    'text-delta',
    'text-end',
    'error',
    'finish',
  ])
})

test('text after an error is a new text', async () => {
  const parts = await runStream(createToolMiddleware(), params, [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Hello' },
    { type: 'error', error: 'oops' },
    { type: 'text-delta', id: 't', delta: ' world' },
    { type: 'text-end', id: 't' },
    finish,
  ])
  const ends = parts
    .filter(part => part.type === 'text-start' || part.type === 'text-end')
    .map(part => part.type)
  expect(ends).toEqual(['text-start', 'text-end', 'text-start', 'text-end'])
  expect(textOf(parts)).toBe('Hello world')
})

test('an option of a single call is checked when the request is built', async () => {
  const providerOptions = toolCallOptions({ maxHeldChars: 10 })
  await expect(transform(createToolMiddleware(), { ...params, providerOptions })).rejects.toThrow(
    'maxHeldChars is 10',
  )
})
