import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from './json.js'
import { readWireAnswer, type WireAnswer } from './wire-answer.js'

export type Fetch = typeof globalThis.fetch

/** One request and what came back for it, tries included. */
export interface Exchange {
  readonly requestBytes: number
  /** 1 if it went well at once. */
  readonly tries: number
  /** Absent if no answer came. */
  readonly status?: number | undefined
  /** Of the last try, to the end of the answer. */
  readonly latencyMs: number
  /** Why the connection ended before the answer did. */
  readonly brokeOff?: string | undefined
  readonly answer: WireAnswer
}

export interface RetryingFetch {
  readonly fetch: Fetch
  /** All exchanges so far; that of an answer that is still streaming is as far as it is there. */
  exchanges(): Exchange[]
}

export interface RetryOptions {
  readonly retries: number
  readonly fetch?: Fetch | undefined
  /** In [0, 1); for the jitter. */
  readonly random?: (() => number) | undefined
  readonly firstDelayMs?: number | undefined
}

const maxDelayMs = 60_000

export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500
}

/**
 * A `fetch` that tries again and remembers what it has seen. It is the lowest layer: what it keeps
 * is what the endpoint has written, whatever is made of it above.
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
    // A body that comes in one piece is read here, so that a connection that breaks in it is tried
    // again, too.
    if (response.body === null || contentType.includes('text/event-stream')) return response
    const body = await response.text()
    return new Response(body, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    })
  }

  const fetch: Fetch = async (input, init) => {
    const requestBytes = typeof init?.body === 'string' ? Buffer.byteLength(init.body) : 0
    for (let tries = 1; ; tries++) {
      const isLast = tries > retries
      const startedAt = performance.now()
      let delayMs = backOff(firstDelayMs, tries, random)
      try {
        const response = await fetchOnce(input, init)
        if (!isRetryableStatus(response.status) || isLast)
          return remember(response, { requestBytes, tries, startedAt }, record)
        delayMs = Math.max(delayMs, readRetryAfter(response.headers.get('retry-after')) ?? 0)
        await response.body?.cancel()
      } catch (error) {
        const isStopped = init?.signal?.aborted ?? false
        if (isStopped || isLast) {
          const latencyMs = performance.now() - startedAt
          const brokeOff = describeConnection(error)
          record(() => ({
            requestBytes,
            tries,
            latencyMs,
            brokeOff,
            answer: { text: '', toolCalls: [] },
          }))
          throw error
        }
      }
      await sleep(
        Math.min(delayMs, maxDelayMs),
        undefined,
        init?.signal ? { signal: init.signal } : {},
      )
    }
  }
  return { fetch, exchanges: () => exchanges.map(read => read()) }
}

/**
 * Half of it is fixed, half is chance: many clients that were refused together do not come back
 * together.
 */
function backOff(firstDelayMs: number, tries: number, random: () => number): number {
  const full = Math.min(firstDelayMs * 2 ** (tries - 1), maxDelayMs)
  return full / 2 + (full / 2) * random()
}

/**
 * Node hides why a connection failed in the cause, and behind an error without a message if it
 * tried two addresses.
 */
export function describeConnection(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  if (inner instanceof Error) return describeConnection(inner)
  return error.message || ('code' in error ? String(error.code) : error.name)
}

/** Seconds, or a date. */
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
 * Hands the answer on and keeps a copy of it. Not a pipe: that could not tell whether the endpoint
 * or the reader broke off.
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
