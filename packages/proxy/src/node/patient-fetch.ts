import { Agent, type Dispatcher, fetch as undiciFetch } from 'undici'

/** How much of an answer is read ahead of who reads it. */
const MAX_QUEUED_BYTES = 65_536

/** Answers that have no body, by their status. */
const emptyStatuses = new Set([204, 205, 304])

const redirects = new Set([301, 302, 303, 307, 308])

/**
 * A fetch that waits as long as it is let. Node's own gives up when the headers, or the next bytes,
 * have not come for five minutes: a model on a small machine may think for longer, and how long it
 * may is for the limits of the configuration to say.
 *
 * It stands right on the connection: between that and the reader of an answer is one stream, where
 * Node's own has three. Each token of each answer takes this way.
 */
export function createPatientFetch(): typeof fetch {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
  return async (input, { method = 'GET', headers, body, signal, redirect = 'follow' } = {}) => {
    if (typeof body !== 'string' && body != null) throw new TypeError('Only a text can be sent.')
    const url = new URL(input instanceof Request ? input.url : input)
    const sent = new Headers(headers)
    if (!sent.has('accept')) sent.set('accept', '*/*')
    const pairs: [string, string][] = []
    sent.forEach((value, name) => {
      pairs.push([name, value])
    })
    if (isMethod(method)) {
      const answer = await ask(dispatcher, { url, method, headers: pairs.flat(), body, signal })
      if (redirect === 'manual' || !redirects.has(answer.status)) return answer
      await answer.body?.cancel()
    }
    // Rare, and full of rules.
    const answer: unknown = await undiciFetch(url, {
      ...{
        method,
        headers: pairs,
        body: body ?? null,
        signal: signal ?? null,
        redirect,
        dispatcher,
      },
    })
    if (!isResponse(answer)) throw new TypeError('The answer is none.')
    return answer
  }
}

interface Question {
  readonly url: URL
  readonly method: Dispatcher.HttpMethod
  /** Names and values, in turn. */
  readonly headers: string[]
  readonly body: string | null | undefined
  readonly signal: AbortSignal | null | undefined
}

function ask(
  dispatcher: Dispatcher,
  { url, method, headers, body, signal }: Question,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    let abort: ((error: Error) => void) | undefined
    let resume = () => {}
    let isPaused = false
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined
    const isAborted = () => signal?.aborted === true
    const onAbort = () => abort?.(new Error('The request was aborted.'))
    const end = () => {
      signal?.removeEventListener('abort', onAbort)
      abort = undefined
    }
    const createBody = () =>
      new ReadableStream<Uint8Array>(
        {
          start(given) {
            controller = given
          },
          pull() {
            if (!isPaused) return
            isPaused = false
            resume()
          },
          cancel() {
            controller = undefined
            abort?.(new Error('Nobody reads the answer any more.'))
          },
        },
        new ByteLengthQueuingStrategy({ highWaterMark: MAX_QUEUED_BYTES }),
      )
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
          const hasBody = !emptyStatuses.has(status)
          const answered = readHeaders(rawHeaders)
          const encoding = answered.get('content-encoding')
          const stream = hasBody ? decoded(createBody(), encoding) : null
          resolve(new Response(stream, { status, statusText, headers: answered }))
          return true
        },
        onData(chunk) {
          controller?.enqueue(chunk)
          isPaused = (controller?.desiredSize ?? 1) <= 0
          return !isPaused
        },
        onComplete() {
          end()
          controller?.close()
        },
        onError(error) {
          end()
          // As the platform's fetch says it, which is what its users look for.
          const reason: unknown = isAborted()
            ? signal?.reason
            : new TypeError('fetch failed', { cause: error })
          reject(reason)
          controller?.error(reason)
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

/** Without its encoding. None is asked for, but a server may not care. */
function decoded(
  body: ReadableStream<Uint8Array>,
  encoding: string | null,
): ReadableStream<Uint8Array> {
  if (encoding !== 'gzip' && encoding !== 'deflate') return body
  const { readable, writable } = new DecompressionStream(encoding)
  const writer = writable.getWriter()
  const sink = new WritableStream<Uint8Array>({
    write: chunk => writer.write(new Uint8Array(chunk)),
    close: () => writer.close(),
    abort: reason => writer.abort(reason),
  })
  body.pipeTo(sink).catch(() => {})
  return readable
}

/** It is of the same kind, and only its type has another origin. */
function isResponse(value: unknown): value is Response {
  return typeof value === 'object' && value !== null && 'headers' in value && 'body' in value
}
