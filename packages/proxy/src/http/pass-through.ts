import type { Limits, UpstreamConfig } from '../config.js'
import { upstreamError } from '../upstream/upstream-error.js'
import type { Bytes } from './bytes.js'
import type { Deadline } from './deadline.js'
import { type BodyReader, createDirectResponse, type Piece, readerOf } from './direct-body.js'
import { answerHeaders, requestHeaders } from './forward-headers.js'
import { HttpError } from './http-error.js'
import { redactBody } from './redact-body.js'
import { type Redactor, redactorFor } from './redactor.js'

/** A body as it came: whole, or as a stream of its bytes. */
export type PassedBody = Bytes | ReadableStream<Uint8Array> | undefined

export interface PassThroughOptions {
  readonly upstream: UpstreamConfig
  readonly limits: Limits
  readonly deadline: Deadline
  readonly fetchUpstream: typeof fetch
  /** `fetchUpstream` does not decode the answer to a request that has an `accept-encoding`. */
  readonly keepsEncoding: boolean
  /** Called when the answer begins. */
  readonly onAnswer: () => void
  /** Called with the size of each piece of the answer. */
  readonly onBytes: (count: number) => void
  /** Called once, when the answer has ended. */
  readonly onEnd: (status: number, error?: HttpError) => void
}

/** Passes a request to the server and its answer to the client, both byte by byte. */
export async function passThrough(
  request: Request,
  path: string,
  body: PassedBody,
  options: PassThroughOptions,
): Promise<Response> {
  const { upstream, limits, deadline, fetchUpstream, keepsEncoding } = options
  const { signal } = deadline
  const redactor = redactorFor(upstream)
  const headers = requestHeaders(request.headers, upstream)
  if (keepsEncoding) headers.set('accept-encoding', acceptedEncoding(request, redactor))
  const length = request.headers.get('content-length')
  if (body !== undefined && length !== null) headers.set('content-length', length)
  const base = upstream.baseUrl.replace(/\/+$/, '')
  deadline.within(limits.firstByteMs, 'The answer of the upstream')
  try {
    const init: RequestInit & { duplex?: 'half' } = {
      ...{ method: request.method, headers, signal, redirect: 'manual' },
      ...(body === undefined ? {} : { body, duplex: 'half' }),
    }
    const answer = await fetchUpstream(base + path, init)
    options.onAnswer()
    return handOn(answer, redactor, options)
  } catch (error) {
    throw signal.aborted ? signal.reason : upstreamError(error, upstream)
  }
}

const UNKNOWN_TYPE = 'application/octet-stream'

/** A key cannot be found in an encoded answer, so a server that has one is asked not to encode. */
function acceptedEncoding({ headers }: Request, redactor: Redactor | undefined): string {
  return redactor ? 'identity' : (headers.get('accept-encoding') ?? 'identity')
}

function handOn(
  answer: Response,
  redactor: Redactor | undefined,
  options: PassThroughOptions,
): Response {
  const { status } = answer
  const headers = answerHeaders(answer.headers, redactor)
  const watched = watchBody(answer, options)
  // Otherwise the server on Node says that it is text.
  if (watched && !headers.has('content-type')) headers.set('content-type', UNKNOWN_TYPE)
  if (!options.keepsEncoding) {
    // The platform's `fetch` has decoded the body.
    headers.delete('content-encoding')
    headers.delete('content-length')
  }
  if (!watched) return new Response(null, { status, headers })
  if (!redactor) return createDirectResponse(watched, { status, headers })
  const isError = status >= 400
  const { body, isDecoded } = redactBody(watched, redactor, { headers: answer.headers, isError })
  if (isDecoded) headers.delete('content-encoding')
  headers.delete('content-length')
  return createDirectResponse(body, { status, headers })
}

/** Applies the time limits to the body of an answer. */
function watchBody(
  answer: Response,
  { upstream, limits, deadline, onBytes, onEnd }: PassThroughOptions,
): BodyReader<Piece> | undefined {
  const { status } = answer
  const body = readerOf(answer)
  if (!body) {
    onEnd(status)
    return undefined
  }
  let isFirst = true
  return {
    read(read) {
      if (!isFirst) deadline.within(limits.idleMs, 'The next piece of the answer')
      isFirst = false
      body.read({
        take(piece) {
          deadline.rest()
          if (piece === undefined) onEnd(status)
          else onBytes(piece.length)
          read.take(piece)
        },
        fail(error) {
          const { signal } = deadline
          onEnd(status, upstreamError(signal.aborted ? signal.reason : error, upstream))
          read.fail(error)
        },
      })
    },
    cancel(reason) {
      const gone = new HttpError(499, 'The client is gone.', { code: 'client_gone' })
      onEnd(status, gone)
      deadline.abort(gone)
      body.cancel(reason)
    },
  }
}
