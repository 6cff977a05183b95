import { Readable } from 'node:stream'
import { Agent, type Dispatcher, fetch as undiciFetch } from 'undici'
import { decodeBody, encodingOf } from '../http/decode-body.js'
import { type BodyReader, createDirectResponse, streamOfReader } from '../http/direct-body.js'
import { createByteQueue } from './byte-queue.js'

/** How much of an answer is read before its reader asks for it. */
const MAX_QUEUED_BYTES = 65_536

/** Statuses of answers without a body. */
const emptyStatuses = new Set([204, 205, 304])

const redirects = new Set([301, 302, 303, 307, 308])

/**
 * Creates a `fetch` without time limits. Node's own `fetch` fails when the headers or the next bytes
 * take longer than five minutes. A model on a small machine may need longer; the limits of the
 * configuration decide.
 *
 * It reads from the connection directly: there is one stream between the connection and the reader,
 * where Node's own `fetch` has three. Every token of every answer passes through it.
 *
 * An encoded answer (gzip) is decoded, unless the request has an `accept-encoding`: then the caller
 * reads what it asked for.
 */
export function createPatientFetch(): typeof fetch {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
  return async (input, init = {}) => {
    const { method = 'GET', body, signal, redirect = 'follow' } = init
    const url = new URL(input instanceof Request ? input.url : input)
    const headers = headerPairs(init.headers)
    const decodes = !headers.some(([name]) => name === 'accept-encoding')
    const sent = sentBody(body)
    if (isMethod(method)) {
      const question = { url, method, headers: headers.flat(), body: sent, signal, decodes }
      const answer = await ask(dispatcher, question)
      if (redirect === 'manual' || !redirects.has(answer.status)) return answer
      await answer.body?.cancel()
    }
    if (sent instanceof Readable)
      throw new TypeError('A body that is a stream cannot be sent again to follow a redirect.')
    // Redirects and unusual methods are rare and have many rules: undici's `fetch` knows them.
    const answer: unknown = await undiciFetch(url, {
      ...{ method, headers, redirect, dispatcher },
      ...{ body: sent ?? null, signal: signal ?? null },
    })
    if (!isResponse(answer)) throw new TypeError('undici did not return a response.')
    return answer
  }
}

type SentBody = string | Uint8Array | Readable | undefined

/** Text, bytes, or a stream of bytes, which is sent as it comes. */
function sentBody(body: RequestInit['body']): SentBody {
  if (body == null) return undefined
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  if (body instanceof ReadableStream)
    return Readable.from(bytesOf(body.getReader()), { objectMode: false })
  throw new TypeError('The body of the request must be text, bytes or a stream of bytes.')
}

/** Yields the bytes of a stream. Cancels it when nobody reads on. */
async function* bytesOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function headerPairs(init: RequestInit['headers']): [string, string][] {
  const headers = new Headers(init)
  if (!headers.has('accept')) headers.set('accept', '*/*')
  const pairs: [string, string][] = []
  headers.forEach((value, name) => {
    pairs.push([name, value])
  })
  return pairs
}

interface Question {
  readonly url: URL
  readonly method: Dispatcher.HttpMethod
  /** Name, value, name, value, … */
  readonly headers: string[]
  readonly body: SentBody
  readonly signal: AbortSignal | null | undefined
  /** Decode an encoded answer. */
  readonly decodes: boolean
}

function ask(
  dispatcher: Dispatcher,
  { url, method, headers, body, signal, decodes }: Question,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    let abort: ((error: Error) => void) | undefined
    let resume = () => {}
    const isAborted = () => signal?.aborted === true
    const onAbort = () => abort?.(new Error('The request was aborted.'))
    const end = () => {
      signal?.removeEventListener('abort', onAbort)
      abort = undefined
    }
    const queue = createByteQueue({
      maxBytes: MAX_QUEUED_BYTES,
      onFree: () => resume(),
      onCancel: () => abort?.(new Error('The reader of the answer is gone.')),
    })
    if (isAborted()) return reject(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    dispatcher.dispatch(
      { origin: url.origin, path: url.pathname + url.search, method, headers, body: body ?? null },
      {
        onConnect(given) {
          abort = given
          if (isAborted()) onAbort()
        },
        onHeaders(status, rawHeaders, givenResume, statusText) {
          if (status < 200) return true
          resume = givenResume
          const headers = readHeaders(rawHeaders)
          resolve(
            createAnswer(queue, { status, statusText: reasonOf(statusText), headers }, decodes),
          )
          return true
        },
        onData: chunk => queue.put(chunk),
        onComplete() {
          end()
          queue.end()
        },
        onError(error) {
          end()
          // The error of the platform's `fetch`, which callers check for.
          const reason: unknown = isAborted()
            ? signal?.reason
            : new TypeError('fetch failed', { cause: error })
          reject(reason)
          queue.fail(reason)
        },
      },
    )
  })
}

function isMethod(method: string): method is Dispatcher.HttpMethod {
  return ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'].includes(method)
}

function readHeaders(raw: readonly Buffer[]): Headers {
  const headers = new Headers()
  for (let i = 0; i + 1 < raw.length; i += 2) {
    headers.append(raw[i]?.toString('latin1') ?? '', raw[i + 1]?.toString('latin1') ?? '')
  }
  return headers
}

/** Returns a reason phrase that a `Response` takes: `Déjà vu` would be refused, with the answer. */
function reasonOf(statusText: string): string {
  return /^[\t\x20-\x7e]*$/.test(statusText) ? statusText : ''
}

interface AnswerHead {
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
}

function createAnswer(body: BodyReader, head: AnswerHead, decodes: boolean): Response {
  if (emptyStatuses.has(head.status)) return new Response(null, head)
  const isEncoded = decodes && encodingOf(head.headers) !== ''
  if (!isEncoded) return createDirectResponse(body, head)
  return new Response(decode(streamOfReader(body), head.headers), head)
}

/** Decodes a body. The request does not ask for an encoding, but some servers use one anyway. */
function decode(body: ReadableStream<Uint8Array>, headers: Headers): ReadableStream<Uint8Array> {
  const decoded = decodeBody(body, encodingOf(headers))
  if (!decoded) return body
  headers.delete('content-encoding')
  headers.delete('content-length')
  return decoded
}

/** undici's `Response` is the platform's; only TypeScript has two types for it. */
function isResponse(value: unknown): value is Response {
  return typeof value === 'object' && value !== null && 'headers' in value && 'body' in value
}
