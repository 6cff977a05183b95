import type { ProxyConfig } from '../config.js'
import type { DialectRequest } from '../dialects/dialect.js'
import type { StreamPart } from '../model-types.js'
import { type CallUpstream, upstreamError } from '../upstream/call-upstream.js'
import type { Deadline } from './deadline.js'
import { createEventStream } from './event-stream.js'
import { HttpError } from './http-error.js'
import type { Metrics } from './metrics.js'

export interface AnswerOptions {
  readonly config: ProxyConfig
  readonly deadline: Deadline
  readonly metrics: Metrics
  readonly callUpstream: CallUpstream
  /** Told what the client is told. */
  readonly onText: (text: string) => void
  /** Called once, when the answer is over: well, or with an error. */
  readonly onEnd: (error?: HttpError) => void
}

/** Answers a request through the server behind, whole or as a stream of events. */
export async function answer(request: DialectRequest, options: AnswerOptions): Promise<Response> {
  const { config, deadline } = options
  const { model, params, upstream } = options.callUpstream(config, request)
  const { signal } = deadline
  const failure = (error: unknown) =>
    signal.aborted ? asHttpError(signal.reason) : upstreamError(error, upstream)
  deadline.within(config.limits.firstByteMs, 'The answer of the upstream')
  const own = { ...params, abortSignal: signal }
  try {
    if (!request.isStream) {
      const result = await model.doGenerate(own)
      for (const part of result.content)
        if (part.type === 'tool-call') options.metrics.call(isJson(part.input))
      const json = JSON.stringify(request.writer.whole(result))
      options.onText(json)
      options.onEnd()
      return new Response(json, { headers: { 'content-type': 'application/json' } })
    }
    const { stream } = await model.doStream(own)
    return new Response(writeStream(stream, request, { ...options, failure }), {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
        // Nginx would collect the events otherwise.
        'x-accel-buffering': 'no',
      },
    })
  } catch (error) {
    throw failure(error)
  }
}

function writeStream(
  stream: ReadableStream<StreamPart>,
  { writer }: DialectRequest,
  options: AnswerOptions & { readonly failure: (error: unknown) => HttpError },
): ReadableStream<Uint8Array> {
  const { config, deadline, metrics } = options
  const reader = stream.getReader()
  const began = performance.now()
  let isFirst = true
  let isOver = false
  const finish = (error?: HttpError) => {
    if (!isOver) options.onEnd(error)
    isOver = true
  }
  const fail = (error: unknown): string => {
    const failure = options.failure(error)
    const text = writer.fail(failure)
    options.onText(text)
    finish(failure)
    reader.cancel(failure).catch(() => {})
    return text
  }
  /** Reads until there is something to write. */
  const next = async (): Promise<string | undefined> => {
    if (isOver) return undefined
    for (;;) {
      // Until the first piece the time for that runs on: many servers send their headers before
      // they have read the prompt.
      if (!isFirst) deadline.within(config.limits.idleMs, 'The next piece of the answer')
      let result: Awaited<ReturnType<typeof reader.read>>
      try {
        result = await reader.read()
      } catch (error) {
        return fail(error)
      }
      const { done, value } = result
      if (done) {
        const text = writer.end()
        if (text !== undefined) options.onText(text)
        finish()
        return text
      }
      if (value.type === 'error') return fail(value.error)
      if (value.type === 'finish' && value.finishReason.unified === 'error') return fail(undefined)
      if (value.type === 'tool-call') metrics.call(isJson(value.input))
      const text = writer.part(value)
      if (text === undefined) continue
      if (isFirst) metrics.firstByte((performance.now() - began) / 1000)
      isFirst = false
      deadline.rest()
      options.onText(text)
      return text
    }
  }
  const cancel = (reason: unknown) => {
    const gone = new HttpError(499, 'The client is gone.', { code: 'client_gone' })
    finish(gone)
    deadline.abort(gone)
    reader.cancel(reason).catch(() => {})
  }
  return createEventStream(
    { next, cancel, sent: bytes => metrics.bytes('out', bytes) },
    config.heartbeatMs,
  )
}

function asHttpError(reason: unknown): HttpError {
  return reason instanceof HttpError
    ? reason
    : new HttpError(500, 'The request was ended.', { cause: reason })
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text === '' ? '{}' : text)
    return true
  } catch {
    return false
  }
}
