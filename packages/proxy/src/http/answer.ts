import type { ProxyConfig } from '../config.js'
import { withOwnCallIds } from '../dialects/answer-parts.js'
import type { DialectRequest } from '../dialects/dialect.js'
import type {
  Generated,
  PartReader,
  PartResult,
  PartStream,
  StreamEnd,
  StreamPart,
} from '../model-types.js'
import type { CallUpstream } from '../upstream/call-upstream.js'
import { upstreamError } from '../upstream/upstream-error.js'
import type { Deadline } from './deadline.js'
import { type BodyReader, createDirectResponse, type Piece } from './direct-body.js'
import { createEventStream } from './event-stream.js'
import { asHttpError, HttpError } from './http-error.js'
import type { Metrics } from './metrics.js'
import type { Redactor } from './redactor.js'

export interface AnswerOptions {
  readonly config: ProxyConfig
  readonly deadline: Deadline
  readonly metrics: Metrics
  readonly callUpstream: CallUpstream
  /** Called with a sentence for the log about what the configuration should say. */
  readonly onWarning: (text: string) => void
  /** Hides the server's keys; undefined if it has none. */
  readonly redactor?: Redactor | undefined
  /** Called with each text that is sent to the client. */
  readonly onText: (text: string) => void
  /** Called once, when the answer has ended. `error`: why it ended early. */
  readonly onEnd: (error?: HttpError) => void
}

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  // Otherwise nginx collects the events before it sends them.
  'x-accel-buffering': 'no',
}

/** Answers a request with the server's answer, whole or as a stream of events. */
export async function answer(request: DialectRequest, options: AnswerOptions): Promise<Response> {
  const { config, deadline } = options
  const { model, params, upstream } = options.callUpstream(config, request, options.onWarning)
  const { signal } = deadline
  const failure = (error: unknown) =>
    signal.aborted
      ? asHttpError(signal.reason, 'The request was aborted.')
      : upstreamError(error, upstream)
  deadline.within(config.limits.firstByteMs, 'The answer of the upstream')
  const own = { ...params, abortSignal: signal }
  try {
    if (!request.isStream) return await wholeAnswer(await model.doGenerate(own), request, options)
    const { stream } = await model.doStream(own)
    return createDirectResponse(writeStream(stream, request, { ...options, failure }), {
      headers: { ...streamHeaders, ...warningHeader(request) },
    })
  } catch (error) {
    throw failure(error)
  }
}

/** The header that says what of the request was left out. */
function warningHeader({ warnings = [] }: DialectRequest): Record<string, string> {
  return warnings.length ? { 'x-toolglot-warning': warnings.join('; ') } : {}
}

async function wholeAnswer(
  result: Generated,
  request: DialectRequest,
  { metrics, redactor, onText, onEnd }: AnswerOptions,
): Promise<Response> {
  for (const part of result.content) if (part.type === 'tool-call') metrics.call(isJson(part.input))
  const own = { ...result, content: withOwnCallIds(result.content) }
  // The writer may store the answer, so keys are hidden before.
  const clean = redactor ? redactContent(own, redactor) : own
  const json = hideKeys(JSON.stringify(await request.writer.whole(clean)), redactor)
  onText(json)
  onEnd()
  return new Response(json, {
    headers: { 'content-type': 'application/json', ...warningHeader(request) },
  })
}

function writeStream(
  stream: PartStream,
  { writer }: DialectRequest,
  options: AnswerOptions & { readonly failure: (error: unknown) => HttpError },
): BodyReader<Piece> {
  const { config, deadline, metrics, redactor } = options
  const reader = redactor ? redactParts(stream.getReader(), redactor) : stream.getReader()
  const beganAt = performance.now()
  let isFirst = true
  let hasEnded = false
  const finish = (error?: HttpError) => {
    if (!hasEnded) options.onEnd(error)
    hasEnded = true
  }
  /** Text for the client, without keys. */
  const say = (text: string): string => {
    const clean = hideKeys(text, redactor)
    options.onText(clean)
    return clean
  }
  const end = (): string | undefined => {
    const text = writer.end()
    const said = text === undefined ? undefined : say(text)
    finish()
    return said
  }
  const fail = (error: unknown): string => {
    const failure = options.failure(error)
    const text = say(writer.fail(failure))
    finish(failure)
    reader.cancel(failure).catch(() => {})
    return text
  }
  const write = (part: StreamPart): string | undefined => {
    if (part.type === 'error') return fail(part.error)
    if (isFailedEnd(part)) return fail(undefined)
    if (part.type === 'tool-call') metrics.call(isJson(part.input))
    const text = writer.part(part)
    if (text === undefined) return undefined
    if (isFirst) metrics.firstByte((performance.now() - beganAt) / 1000)
    isFirst = false
    deadline.rest()
    return say(text)
  }
  /** Reads until there is text for the client. */
  const next = async (): Promise<string | undefined> => {
    let text: string | undefined
    while (text === undefined && !hasEnded) {
      // Before the first text the limit of the first byte still runs: many servers send their
      // headers before they have read the prompt.
      if (!isFirst) deadline.within(config.limits.idleMs, 'The next piece of the answer')
      let part: StreamPart | undefined
      // Not in a function of its own, which would cost a promise for each token.
      try {
        part = (await reader.read()).value
      } catch (error) {
        return fail(error)
      }
      // A client may use the id of a response as soon as it gets the end.
      if (isWholeEnd(part)) await writer.store?.(part)
      text = part ? write(part) : end()
    }
    return text
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

function isWholeEnd(part: StreamPart | undefined): part is StreamEnd {
  return part?.type === 'finish' && part.finishReason.unified !== 'error'
}

function isFailedEnd(part: StreamPart): boolean {
  return part.type === 'finish' && !isWholeEnd(part)
}

function redactContent(result: Generated, { text: hide }: Redactor): Generated {
  const content = result.content.map(part => {
    if (part.type === 'text' || part.type === 'reasoning') return { ...part, text: hide(part.text) }
    return part.type === 'tool-call' ? { ...part, input: hide(part.input) } : part
  })
  return { ...result, content }
}

function hideKeys(text: string, redactor: Redactor | undefined): string {
  return redactor ? redactor.text(text) : text
}

/** Hides keys in parts. A part that may begin with a key is kept until the next one has come. */
function redactParts(source: PartReader, redactor: Redactor): PartReader {
  const hide = redactor.parts()
  const ready: StreamPart[] = []
  return {
    async read() {
      while (ready.length === 0) {
        // What was kept is sent before the error.
        const failed = (error: unknown): PartResult => ({
          done: false,
          value: { type: 'error', error },
        })
        const { done, value } = await source.read().catch(failed)
        if (done) return { done }
        ready.push(...hide(value))
      }
      const value = ready.shift()
      return value ? { done: false, value } : { done: true }
    },
    cancel: reason => source.cancel(reason),
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text === '' ? '{}' : text)
    return true
  } catch {
    return false
  }
}
