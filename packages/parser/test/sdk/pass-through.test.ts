import { createToolMiddleware, getProtocol } from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import {
  callsOf,
  runGenerate,
  runStream,
  textAnswer,
  textOf,
  textStream,
  userSays,
} from './support/direct.js'
import { faultsOf } from './support/outline.js'
import { scriptModel } from './support/scripted-model.js'
import { type AnyPart, sdkVersions } from './support/sdk-versions.js'
import { paris, weatherTool, writeCall } from './support/weather.js'

const hermes = createToolMiddleware({ protocol: 'hermes' })
const params = { prompt: [userSays('Hello')], tools: [weatherTool] }
const call = writeCall(getProtocol('hermes'), paris)
const stop = { unified: 'stop', raw: 'end_turn' }
const metadata = { openai: { itemId: 'i1' } }

describe('the parts of the inner model in a stream', () => {
  const others: AnyPart[] = [
    { type: 'stream-start', warnings: [{ type: 'other', message: 'w' }] },
    { type: 'response-metadata', id: 'r', modelId: 'm' },
    { type: 'raw', rawValue: { a: 1 } },
    { type: 'ping' },
    { type: 'reasoning-start', id: 'r1', providerMetadata: metadata },
    {
      type: 'reasoning-delta',
      id: 'r1',
      delta: '<tool_call>{"name": "get_weather", "arguments": {}}</tool_call>',
    },
    { type: 'reasoning-end', id: 'r1' },
    { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' },
    { type: 'file', mediaType: 'image/png', data: 'AAAA' },
    { type: 'tool-input-start', id: 'n1', toolName: 'get_weather' },
    { type: 'tool-input-delta', id: 'n1', delta: '{}' },
    { type: 'tool-input-end', id: 'n1' },
    { type: 'tool-call', toolCallId: 'n1', toolName: 'get_weather', input: '{}' },
    {
      type: 'tool-call',
      toolCallId: 'p1',
      toolName: 'web_search',
      input: '{}',
      providerExecuted: true,
    },
    { type: 'tool-result', toolCallId: 'p1', toolName: 'web_search', result: 'found' },
    { type: 'hologram', beam: 7 },
    { type: 'finish', finishReason: stop, usage: {}, providerMetadata: metadata },
  ]

  test('are handed on as the same objects in the same order', async () => {
    const parts = await runStream(hermes, params, others)
    expect(parts.map(part => part.type)).toEqual(others.map(part => part.type))
    for (const [i, part] of parts.slice(0, -1).entries()) expect(part).toBe(others[i])
  })

  test('keep their order among texts and calls', async () => {
    const source = { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' }
    const parts = await runStream(hermes, params, [
      { type: 'text-start', id: 't1' },
      { type: 'text-delta', id: 't1', delta: 'Before. ' },
      source,
      { type: 'text-delta', id: 't1', delta: call },
      { type: 'text-end', id: 't1' },
      { type: 'hologram', beam: 7 },
      { type: 'finish', finishReason: stop, usage: {} },
    ])
    const types = parts.map(part => part.type).filter(type => type !== 'tool-input-delta')
    expect(types).toEqual([
      'text-start',
      'text-delta',
      'source',
      'text-end',
      'tool-input-start',
      'tool-input-end',
      'tool-call',
      'hologram',
      'finish',
    ])
    expect(parts).toContain(source)
  })

  test('that are text without a call are handed on as the same objects', async () => {
    const sent: AnyPart[] = [
      { type: 'stream-start', warnings: [] },
      { type: 'text-start', id: 't1', providerMetadata: metadata },
      { type: 'text-delta', id: 't1', delta: 'Hello ', providerMetadata: metadata },
      { type: 'text-delta', id: 't1', delta: 'you.' },
      { type: 'text-end', id: 't1', citations: [] },
      { type: 'text-start', id: 't2' },
      { type: 'text-end', id: 't2' },
      { type: 'finish', finishReason: stop, usage: {}, providerMetadata: metadata },
    ]
    const parts = await runStream(hermes, params, sent)
    expect(parts).toHaveLength(sent.length)
    for (const [i, part] of parts.entries()) expect(part).toBe(sent[i])
  })

  test('keep their metadata around a call', async () => {
    const start = { type: 'text-start', id: 't1', providerMetadata: metadata }
    const finish = {
      type: 'finish',
      finishReason: stop,
      usage: { x: 1 },
      providerMetadata: metadata,
    }
    const parts = await runStream(hermes, params, [
      start,
      { type: 'text-delta', id: 't1', delta: `Look. ${call} Done.` },
      { type: 'text-end', id: 't1', providerMetadata: { openai: { end: true } } },
      finish,
    ])
    expect(textOf(parts)).toBe('Look.  Done.')
    expect(parts[0]).toBe(start)
    expect(
      parts.filter(part => part.type === 'text-start').map(part => part.providerMetadata),
    ).toEqual([metadata, metadata])
    expect(parts.findLast(part => part.type === 'text-end')?.providerMetadata).toEqual({
      openai: { end: true },
    })
    expect(parts.at(-1)).toEqual({
      ...finish,
      finishReason: { unified: 'tool-calls', raw: 'end_turn' },
    })
  })

  test('keep the metadata of a delta that is partly a call, or comes after one', async () => {
    const parts = await runStream(hermes, params, [
      { type: 'text-start', id: 't1' },
      { type: 'text-delta', id: 't1', delta: `Look. ${call} Do`, providerMetadata: metadata },
      {
        type: 'text-delta',
        id: 't1',
        delta: 'ne.',
        providerMetadata: { openai: { itemId: 'i2' } },
      },
      { type: 'text-end', id: 't1' },
      { type: 'finish', finishReason: stop, usage: {} },
    ])
    expect(textOf(parts)).toBe('Look.  Done.')
    const deltas = parts.filter(part => part.type === 'text-delta')
    expect(deltas.map(part => part.providerMetadata)).toEqual([
      metadata,
      metadata,
      { openai: { itemId: 'i2' } },
    ])
  })

  test('may be a delta without text, which carries the signature of the text', async () => {
    const signed = {
      type: 'text-delta',
      id: 't1',
      delta: '',
      providerMetadata: { google: { thoughtSignature: 's' } },
    }
    const sent: AnyPart[] = [
      { type: 'text-start', id: 't1' },
      { type: 'text-delta', id: 't1', delta: 'Hello.' },
      signed,
      { type: 'text-end', id: 't1' },
      { type: 'finish', finishReason: stop, usage: {} },
    ]
    const parts = await runStream(hermes, params, sent)
    expect(parts).toHaveLength(sent.length)
    for (const [i, part] of parts.entries()) expect(part).toBe(sent[i])
    const behind = await runStream(hermes, params, [
      { type: 'text-start', id: 't1' },
      { type: 'text-delta', id: 't1', delta: '' },
      { type: 'text-delta', id: 't1', delta: `${call} Done.` },
      signed,
      { type: 'text-end', id: 't1' },
      { type: 'finish', finishReason: stop, usage: {} },
    ])
    expect(faultsOf(behind)).toEqual([])
    expect(behind.filter(part => part.type === 'text-start')).toHaveLength(1)
    expect(behind.find(part => part.delta === '')?.providerMetadata).toEqual(
      signed.providerMetadata,
    )
  })

  test('may be the end of a text that an error has ended', async () => {
    const parts = await runStream(hermes, params, [
      { type: 'text-start', id: 't1' },
      { type: 'text-delta', id: 't1', delta: 'Hel' },
      { type: 'error', error: 'overloaded' },
      { type: 'text-end', id: 't1' },
      { type: 'finish', finishReason: stop, usage: {} },
    ])
    expect(parts.map(part => part.type)).toEqual([
      'text-start',
      'text-delta',
      'text-end',
      'error',
      'finish',
    ])
  })

  test('may be two texts that come in turns', async () => {
    const half = call.length / 2
    const parts = await runStream(hermes, params, [
      { type: 'text-start', id: 'a' },
      { type: 'text-start', id: 'b' },
      { type: 'text-delta', id: 'a', delta: call.slice(0, half) },
      { type: 'text-delta', id: 'b', delta: 'Meanwhile.' },
      { type: 'text-delta', id: 'a', delta: call.slice(half) },
      { type: 'text-end', id: 'b' },
      { type: 'text-end', id: 'a' },
      { type: 'finish', finishReason: stop, usage: {} },
    ])
    expect(callsOf(parts)).toEqual([{ toolName: 'get_weather', input: paris }])
    expect(textOf(parts)).toBe('Meanwhile.')
    expect(
      new Set(parts.flatMap(part => (part.type.startsWith('tool-input') ? [part.id] : []))).size,
    ).toBe(1)
  })

  test('may be two calls in two texts that come in turns, each with its own id', async () => {
    const half = Math.floor(call.length * 0.7)
    const parts = await runStream(hermes, params, [
      { type: 'text-start', id: 'a' },
      { type: 'text-start', id: 'b' },
      { type: 'text-delta', id: 'a', delta: call.slice(0, half) },
      { type: 'text-delta', id: 'b', delta: call.slice(0, half) },
      { type: 'text-delta', id: 'a', delta: call.slice(half) },
      { type: 'text-delta', id: 'b', delta: call.slice(half) },
      { type: 'text-end', id: 'a' },
      { type: 'text-end', id: 'b' },
      { type: 'finish', finishReason: stop, usage: {} },
    ])
    for (const made of parts.filter(part => part.type === 'tool-call')) {
      const deltas = parts.filter(
        part => part.type === 'tool-input-delta' && part.id === made.toolCallId,
      )
      expect(deltas.map(part => part.delta).join('')).toBe(made.input)
    }
    expect(callsOf(parts)).toHaveLength(2)
  })
})

describe('the parts of the inner model in a whole answer', () => {
  test('are handed on as the same objects in the same order', async () => {
    const content: AnyPart[] = [
      { type: 'reasoning', text: call, providerMetadata: metadata },
      { type: 'text', text: 'Hello.', providerMetadata: metadata },
      { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' },
      { type: 'file', mediaType: 'image/png', data: 'AAAA' },
      {
        type: 'tool-call',
        toolCallId: 'p1',
        toolName: 'web_search',
        input: '{}',
        providerExecuted: true,
      },
      { type: 'tool-result', toolCallId: 'p1', toolName: 'web_search', result: 'found' },
      { type: 'tool-call', toolCallId: 'n1', toolName: 'get_weather', input: '{}' },
      { type: 'hologram', beam: 7 },
      { type: 'text', text: '' },
    ]
    const answer = {
      content,
      finishReason: stop,
      usage: { x: 1 },
      warnings: [],
      providerMetadata: metadata,
      response: {},
    }
    const result = await runGenerate(hermes, params, answer)
    expect(result.content).toHaveLength(content.length)
    for (const [i, part] of result.content.entries()) expect(part).toBe(content[i])
    expect(result).toMatchObject({ usage: { x: 1 }, providerMetadata: metadata, response: {} })
  })

  test('keep the metadata of a text around a call', async () => {
    const answer = {
      ...textAnswer(''),
      content: [{ type: 'text', text: `Look.\n${call}`, providerMetadata: metadata }],
    }
    const { content, finishReason } = await runGenerate(hermes, params, answer)
    expect(content.map(part => part.type)).toEqual(['text', 'tool-call'])
    expect(content[0]).toMatchObject({
      text: expect.stringContaining('Look.'),
      providerMetadata: metadata,
    })
    expect(finishReason).toEqual({ unified: 'tool-calls', raw: 'stop' })
  })
})

describe.for(['stop', 'length', 'content-filter', 'error', 'other', 'tool-calls'])(
  'the finish reason %s',
  reason => {
    const kept = reason === 'stop' ? 'tool-calls' : reason

    test('becomes tool-calls after a complete call only if it was an ordinary stop', async () => {
      const parts = await runStream(hermes, params, textStream([call], reason))
      expect(parts.at(-1)?.finishReason).toEqual({ unified: kept, raw: reason })
      const { finishReason } = await runGenerate(hermes, params, textAnswer(call, reason))
      expect(finishReason).toEqual({ unified: kept, raw: reason })
    })

    test('stays as it is without a call', async () => {
      const parts = await runStream(hermes, params, textStream(['Hello.'], reason))
      expect(parts.at(-1)?.finishReason).toEqual({ unified: reason, raw: reason })
    })
  },
)

describe('toolChoice none', () => {
  const none = { ...params, toolChoice: { type: 'none' } }

  test('leaves a stream as it is, calls in the text included', async () => {
    const sent = textStream([call])
    const parts = await runStream(hermes, none, sent)
    for (const [i, part] of parts.entries()) expect(part).toBe(sent[i])
    expect(parts).toHaveLength(sent.length)
  })

  test('leaves a whole answer as it is', async () => {
    const answer = textAnswer(call)
    expect((await runGenerate(hermes, none, answer)).content).toEqual(answer.content)
  })

  test.for(sdkVersions)('is kept by $name: the text of the model is the answer', async version => {
    const { model } = scriptModel(version, [{ text: call }])
    const { text, steps } = await version.sdk.generateText({
      model: version.sdk.wrapLanguageModel({ model, middleware: hermes }),
      tools: { get_weather: { inputSchema: (await import('zod')).z.object({}) } },
      toolChoice: 'none',
      prompt: 'Hello',
    })
    expect(text).toBe(call)
    expect(steps[0]?.toolCalls).toEqual([])
  })
})

describe.for(['provider-defined', 'provider'])('a tool of type %s next to function tools', type => {
  const search = { type, id: 'openai.web_search', name: 'web_search', args: {} }
  const mixed = { ...params, tools: [weatherTool, search] }
  const warning = { type: 'other', message: expect.stringContaining('web_search') }

  test('is left out with a warning in a stream, after the warnings of the provider', async () => {
    const first = { type: 'other', message: 'first' }
    const [, ...rest] = textStream(['Hi'])
    const parts = await runStream(hermes, mixed, [
      { type: 'stream-start', warnings: [first] },
      ...rest,
    ])
    expect(parts[0]).toEqual({ type: 'stream-start', warnings: [first, warning] })
    expect(parts.filter(part => part.type === 'stream-start')).toHaveLength(1)
  })

  test('is left out with a warning in a stream that has no start of its own', async () => {
    const [, ...rest] = textStream(['Hi'])
    const parts = await runStream(hermes, mixed, rest)
    expect(parts[0]).toEqual({ type: 'stream-start', warnings: [warning] })
    expect(parts[1]).toBe(rest[0])
  })

  test('is left out with a warning in a whole answer', async () => {
    const first = { type: 'other', message: 'first' }
    const { warnings } = await runGenerate(hermes, mixed, {
      ...textAnswer('Hi'),
      warnings: [first],
    })
    expect(warnings).toEqual([first, warning])
  })

  test('alone is not changed', async () => {
    const alone = { ...params, tools: [search] }
    expect(await hermes.transformParams({ type: 'stream', params: alone, model: undefined })).toBe(
      alone,
    )
  })
})
