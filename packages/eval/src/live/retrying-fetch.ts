import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from './json.js'
import { readWireAnswer, type WireAnswer } from './wire-answer.js'

export type Fetch = typeof globalThis.fetch

/** One request and its answer, after all tries. */
export interface Exchange {
  readonly requestBytes: number
  /** 1 if the first try succeeded. */
  readonly tries: number
  /** Absent if there was no answer. */
  readonly status?: number | undefined
  /** Time of the last try, to the end of the answer. */
  readonly latencyMs: number
  /** Why the connection ended before the answer did. */
  readonly brokeOff?: string | undefined
  readonly answer: WireAnswer
}

export interface RetryingFetch {
  readonly fetch: Fetch
  /** Returns all exchanges so far, including what has arrived of answers that still stream. */
  exchanges(): Exchange[]
}

export interface RetryOptions {
  readonly retries: number
  readonly fetch?: Fetch | undefined
  /** Returns a number in [0, 1), for the jitter. */
  readonly random?: (() => number) | undefined
  readonly firstDelayMs?: number | undefined
}

const maxDelayMs = 60_000

export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500
}

/**
 * Creates a `fetch` that retries and records the exchanges. It is the lowest layer, so it records
 * what the endpoint sent, before anything changes it.
 */
export function createRetryingFetch({
  retries,
  fetch: send = globalThis.fetch,
  random = Math.random,
  firstDelayMs = 500,
}: RetryOptions): RetryingFetch {
  const exchanges: (() => Exchange)[] = []
  const record = (exchange: () => Exchange) => exchanges.push(exchange)

  const fetchOnce: Fetch = async (input, init) => {
    const response = await send(input, init)
    const contentType = response.headers.get('content-type') ?? ''
    // A body that is not a stream is read here, so that a connection that breaks inside it is retried
    // too.
    if (response.body === null || contentType.includes('text/event-stream')) return response
    const body = await response.text()
    return new Response(body, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    })
  }

  const recordFailure = (error: unknown, { requestBytes, tries, startedAt }: Sending) => {
    const latencyMs = performance.now() - startedAt
    const brokeOff = describeConnection(error)
    const answer = { text: '', toolCalls: [] }
    record(() => ({ requestBytes, tries, latencyMs, brokeOff, answer }))
  }

  /** Sends a request once. Without an answer it must be sent again. Throws on the last try. */
  const sendOnce = async (
    [input, init]: Parameters<Fetch>,
    sending: Sending,
  ): Promise<{ readonly answer?: Response; readonly retryAfterMs?: number | undefined }> => {
    const isLast = sending.tries > retries
    try {
      const response = await fetchOnce(input, init)
      if (!isRetryableStatus(response.status) || isLast)
        return { answer: remember(response, sending, record) }
      const retryAfterMs = readRetryAfter(response.headers.get('retry-after'))
      await response.body?.cancel()
      return { retryAfterMs }
    } catch (error) {
      const isStopped = init?.signal?.aborted ?? false
      if (!isStopped && !isLast) return {}
      recordFailure(error, sending)
      throw error
    }
  }

  const fetch: Fetch = async (input, init) => {
    const requestBytes = typeof init?.body === 'string' ? Buffer.byteLength(init.body) : 0
    const sleepOptions = init?.signal ? { signal: init.signal } : {}
    for (let tries = 1; ; tries++) {
      const delayMs = backOff(firstDelayMs, tries, random)
      const sending = { requestBytes, tries, startedAt: performance.now() }
      const { answer, retryAfterMs = 0 } = await sendOnce([input, init], sending)
      if (answer) return answer
      await sleep(Math.min(Math.max(delayMs, retryAfterMs), maxDelayMs), undefined, sleepOptions)
    }
  }
  return { fetch, exchanges: () => exchanges.map(read => read()) }
}

/**
 * Returns the delay before the next try. Half of it is random, so that clients that were refused
 * together do not retry together.
 */
function backOff(firstDelayMs: number, tries: number, random: () => number): number {
  const full = Math.min(firstDelayMs * 2 ** (tries - 1), maxDelayMs)
  return full / 2 + (full / 2) * random()
}

/**
 * Finds the reason of a failed connection. Node puts it into `cause`, or into an `AggregateError`
 * without a message if it tried two addresses.
 */
export function describeConnection(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  if (inner instanceof Error) return describeConnection(inner)
  return error.message || ('code' in error ? String(error.code) : error.name)
}

/** Returns the milliseconds of a `retry-after` header, which has seconds or a date. */
export function readRetryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

interface Sending {
  readonly requestBytes: number
  readonly tries: number
  readonly startedAt: number
}

/**
 * Passes the answer on and records a copy. A pipe could not tell whether the endpoint or the reader
 * ended the stream early.
 */
function remember(
  response: Response,
  sending: Sending,
  record: (exchange: () => Exchange) => void,
): Response {
  const { status, headers } = response
  const { requestBytes, tries, startedAt } = sending
  const contentType = headers.get('content-type') ?? ''
  const pieces: string[] = []
  const decoder = new TextDecoder()
  let endedAt: number | undefined
  let brokeOff: string | undefined
  record(() => ({
    requestBytes,
    tries,
    status,
    latencyMs: (endedAt ?? performance.now()) - startedAt,
    ...(brokeOff === undefined ? {} : { brokeOff }),
    answer: readWireAnswer(pieces.join(''), contentType),
  }))
  const reader = response.body?.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
        if (value) {
          pieces.push(decoder.decode(value, { stream: true }))
          controller.enqueue(value)
        }
        if (!done) return
        endedAt = performance.now()
        controller.close()
      } catch (error) {
        endedAt = performance.now()
        brokeOff = messageOf(error)
        controller.error(error)
      }
    },
    async cancel(reason) {
      endedAt ??= performance.now()
      await reader?.cancel(reason)
    },
  })
  return new Response(response.body ? body : null, {
    status,
    statusText: response.statusText,
    headers,
  })
}
