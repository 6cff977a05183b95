import type { Limits, UpstreamConfig } from '../config.js'
import { upstreamError } from '../upstream/call-upstream.js'
import type { Deadline } from './deadline.js'
import { HttpError } from './http-error.js'

/** Request headers that are meant for one connection or for the proxy, not for the server. */
const ownHeaders = new Set([
  ...[
    'host',
    'connection',
    'keep-alive',
    'proxy-authenticate',
    'proxy-authorization',
    'te',
    'trailer',
    'upgrade',
  ],
  ...['transfer-encoding', 'content-length', 'authorization', 'x-api-key', 'accept-encoding'],
])
/** Answer headers that are no longer true, because the body was decoded. */
const decodedHeaders = [
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
]

export interface PassThroughOptions {
  readonly upstream: UpstreamConfig
  readonly limits: Limits
  readonly deadline: Deadline
  readonly fetchUpstream: typeof fetch
  /** Called once, when the answer has ended. */
  readonly onEnd: (status: number, error?: HttpError) => void
}

/** Passes a request to the server and its answer to the client, both unchanged. */
export async function passThrough(
  request: Request,
  path: string,
  body: string | undefined,
  options: PassThroughOptions,
): Promise<Response> {
  const { upstream, limits, deadline, fetchUpstream } = options
  const { signal } = deadline
  const headers = new Headers()
  request.headers.forEach((value, name) => {
    if (!ownHeaders.has(name)) headers.set(name, value)
  })
  for (const [name, value] of Object.entries(upstream.headers ?? {})) headers.set(name, value)
  if (upstream.apiKey !== undefined) headers.set('authorization', `Bearer ${upstream.apiKey}`)
  const base = upstream.baseUrl.replace(/\/+$/, '')
  deadline.within(limits.firstByteMs, 'The answer of the upstream')
  try {
    const answer = await fetchUpstream(base + path, {
      method: request.method,
      headers,
      signal,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    })
    const back = new Headers(answer.headers)
    for (const name of decodedHeaders) back.delete(name)
    return new Response(watchBody(answer, options), { status: answer.status, headers: back })
  } catch (error) {
    throw signal.aborted ? signal.reason : upstreamError(error, upstream)
  }
}

/** Applies the time limits to the body of an answer. Reads only what the client asks for. */
function watchBody(
  { body, status }: Response,
  options: PassThroughOptions,
): ReadableStream<Uint8Array> | null {
  const { upstream, limits, deadline, onEnd } = options
  if (!body) {
    onEnd(status)
    return null
  }
  const reader = body.getReader()
  let isFirst = true
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!isFirst) deadline.within(limits.idleMs, 'The next piece of the answer')
        try {
          const { done, value } = await reader.read()
          isFirst = false
          deadline.rest()
          if (!done) return controller.enqueue(value)
          onEnd(status)
          controller.close()
        } catch (error) {
          onEnd(
            status,
            upstreamError(deadline.signal.aborted ? deadline.signal.reason : error, upstream),
          )
          controller.error(error)
        }
      },
      cancel(reason) {
        const gone = new HttpError(499, 'The client is gone.', { code: 'client_gone' })
        onEnd(status, gone)
        deadline.abort(gone)
        return reader.cancel(reason).catch(() => {})
      },
    },
    { highWaterMark: 0 },
  )
}
