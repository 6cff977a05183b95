import { createToolMiddleware, getProtocol } from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { chunksOf } from '../support/chunks.js'
import { plainProtocol } from './support/custom-protocols.js'
import { callsOf, openStream, runGenerate, textOf, textStream, userSays } from './support/direct.js'
import { collect, streamOf } from './support/scripted-model.js'
import type { AnyPart } from './support/sdk-versions.js'
import { paris, weatherTool, writeCall } from './support/weather.js'

const params = { prompt: [userSays('Hello')], tools: [weatherTool] }
const protocols = [
  { name: 'hermes', protocol: getProtocol('hermes') },
  { name: 'a protocol with its own parser', protocol: plainProtocol() },
]

/** A source that counts how often it is asked, and remembers why it was cancelled. */
function watchedSource(parts: readonly AnyPart[]) {
  const watched = { pulled: 0, reason: undefined as unknown, isCancelled: false }
  const stream = new ReadableStream<AnyPart>(
    {
      pull(controller) {
        const part = parts[watched.pulled++]
        if (part) controller.enqueue(part)
        else controller.close()
      },
      cancel(reason) {
        watched.isCancelled = true
        watched.reason = reason
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, watched }
}

/** Lets everything run that is waiting to. */
async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise(resolve => setTimeout(resolve, 0))
}

describe.for(protocols)('a stream read with $name', ({ protocol }) => {
  const middleware = createToolMiddleware({ protocol })
  const call = writeCall(protocol, paris)

  test('cancels its source with the reason of the reader', async () => {
    const { stream, watched } = watchedSource(textStream(chunksOf(`Hello. ${call}`, 2)))
    const reader = (await openStream(middleware, params, stream)).getReader()
    await reader.read()
    await reader.read()
    const reason = new Error('the user left')
    await reader.cancel(reason)
    expect(watched.isCancelled).toBe(true)
    expect(watched.reason).toBe(reason)
  })

  test('cancels its source also in the middle of a call', async () => {
    const { stream, watched } = watchedSource(
      textStream([call.slice(0, 50), call.slice(50, 60), call.slice(60)]),
    )
    const reader = (await openStream(middleware, params, stream)).getReader()
    await reader.read()
    await reader.cancel('enough')
    expect(watched.reason).toBe('enough')
  })

  test('may be cancelled while it waits for its source', async () => {
    let reason: unknown
    const silent = new ReadableStream<AnyPart>({
      start: controller => {
        for (const part of textStream([call.slice(0, 60)]).slice(0, 3)) controller.enqueue(part)
      },
      cancel: given => {
        reason = given
      },
    })
    const reader = (await openStream(middleware, params, silent)).getReader()
    const reads = Array.from({ length: 40 }, () => reader.read())
    await settle()
    await reader.cancel('enough')
    const last = (await Promise.all(reads)).at(-1)
    await settle()
    expect(last?.done).toBe(true)
    expect(reason).toBe('enough')
  })

  test('shares nothing with another stream of the same middleware', async () => {
    const text = `Look. ${call}`
    const open = () => openStream(middleware, params, streamOf(textStream(chunksOf(text, 5))))
    const readers = [(await open()).getReader(), (await open()).getReader()]
    const all: AnyPart[][] = [[], []]
    for (let isOpen = true; isOpen; ) {
      isOpen = false
      for (const [i, reader] of readers.entries()) {
        const { done, value } = await reader.read()
        if (done) continue
        isOpen = true
        all[i]?.push(value)
      }
    }
    for (const parts of all)
      expect(callsOf(parts)).toEqual([{ toolName: 'get_weather', input: paris }])
    const ids = all.map(parts => parts.find(part => part.type === 'tool-call')?.toolCallId)
    expect(ids[0]).not.toBe(ids[1])
  })

  test('does not ask its source before it is asked', async () => {
    const { stream, watched } = watchedSource(textStream(chunksOf('Hello you.', 1)))
    await openStream(middleware, params, stream)
    await settle()
    expect(watched.pulled).toBeLessThanOrEqual(2)
  })

  test('does not run ahead of a slow reader', async () => {
    const { stream, watched } = watchedSource(textStream(chunksOf('x'.repeat(500), 1)))
    const reader = (await openStream(middleware, params, stream)).getReader()
    for (let read = 1; read <= 50; read++) {
      await reader.read()
      await settle()
      expect(watched.pulled - read).toBeLessThanOrEqual(4)
    }
    await reader.cancel()
  })

  test('fails as its source fails, after all that came before', async () => {
    const failure = new Error('connection lost')
    const stream = streamOf(textStream(['Hello ', 'you.']).slice(0, -2), failure)
    const reader = (await openStream(middleware, params, stream)).getReader()
    const parts: AnyPart[] = []
    const readAll = async () => {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        parts.push(value)
      }
    }
    await expect(readAll()).rejects.toBe(failure)
    expect(textOf(parts)).toBe('Hello you.')
  })

  test('ends when its source ends', async () => {
    const { stream } = watchedSource(textStream([`Look. ${call}`]))
    const parts = await collect(await openStream(middleware, params, stream))
    expect(callsOf(parts)).toEqual([{ toolName: 'get_weather', input: paris }])
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'tool-calls' } })
  })

  test('keeps what else the provider returned with the stream', async () => {
    const request = { body: 'b' }
    const response = { headers: { a: 'b' } }
    const transformed = await middleware.transformParams({
      type: 'stream',
      params,
      model: undefined,
    })
    const doStream = async () => ({ stream: streamOf([]), request, response })
    const result = await middleware.wrapStream({
      doStream,
      doGenerate: doStream,
      params: transformed,
      model: undefined,
    })
    expect(result.request).toBe(request)
    expect(result.response).toBe(response)
  })
})

describe('a call that lacks only its closing brackets', () => {
  const middleware = createToolMiddleware({ protocol: 'hermes' })
  const unclosed = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"'
  const read = async (parts: readonly AnyPart[]) => {
    const made = await collect(await openStream(middleware, params, streamOf(parts)))
    return callsOf(made)
  }

  test('is whole where the model stopped by itself', async () => {
    expect(await read(textStream(chunksOf(unclosed, 4), 'stop'))).toEqual([
      { toolName: 'get_weather', input: { city: 'Paris' } },
    ])
  })

  test.for([
    { how: 'by the length limit', parts: textStream(chunksOf(unclosed, 4), 'length') },
    { how: 'by the filter', parts: textStream(chunksOf(unclosed, 4), 'content-filter') },
    { how: 'without a finish', parts: textStream(chunksOf(unclosed, 4)).slice(0, -1) },
    { how: 'in the middle of its text', parts: textStream(chunksOf(unclosed, 4)).slice(0, -2) },
  ])('is invalid where the stream ended $how', async ({ parts }) => {
    const [call, ...others] = await read(parts)
    expect(others).toEqual([])
    expect(call?.toolName).toBe('get_weather')
    // Not JSON: it is the text that came.
    expect(typeof call?.input).toBe('string')
  })
})

describe('errors of the model', () => {
  const middleware = createToolMiddleware({ protocol: 'hermes' })
  const failure = new Error('no such model')

  test('before a stream begins reach the caller', async () => {
    const transformed = await middleware.transformParams({
      type: 'stream',
      params,
      model: undefined,
    })
    const doStream = async () => {
      throw failure
    }
    const result = middleware.wrapStream({
      doStream,
      doGenerate: doStream,
      params: transformed,
      model: undefined,
    })
    await expect(result).rejects.toBe(failure)
  })

  test('of a whole answer reach the caller', async () => {
    const answer = Promise.reject(failure)
    await expect(runGenerate(middleware, params, answer as never)).rejects.toBe(failure)
  })

  test('as a part of the stream are passed on as the same object, after the end of an open call', async () => {
    const error = { type: 'error', error: failure }
    const open = writeCall(getProtocol('hermes'), paris).slice(0, 70)
    const sent = [
      ...textStream([open]).slice(0, -2),
      error,
      { type: 'finish', finishReason: { unified: 'error' } },
    ]
    const parts = await collect(await openStream(middleware, params, streamOf(sent)))
    expect(parts).toContain(error)
    const types = parts.map(part => part.type).filter(type => type !== 'tool-input-delta')
    expect(types).toEqual([
      'stream-start',
      'tool-input-start',
      'tool-input-end',
      'tool-call',
      'error',
      'finish',
    ])
    expect(parts.at(-1)?.finishReason).toEqual({ unified: 'error' })
  })
})
