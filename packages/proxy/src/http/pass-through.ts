import type { UpstreamConfig } from '../config.js'
import { upstreamError } from '../upstream/call-upstream.js'

/** Headers that belong to one connection only, or to the client's dealings with the proxy. */
const ownHeaders = new Set([
  ...['host', 'connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer', 'upgrade'],
  ...['transfer-encoding', 'content-length', 'authorization', 'x-api-key', 'accept-encoding'],
])
/** Of an answer: the body has been decoded by now. */
const decodedHeaders = ['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'keep-alive']

/** Hands a request on as it is, and the answer back as it is. */
export async function passThrough(
  request: Request,
  path: string,
  body: string | undefined,
  upstream: UpstreamConfig,
  { signal, fetchUpstream }: { readonly signal: AbortSignal; readonly fetchUpstream: typeof fetch },
): Promise<Response> {
  const headers = new Headers()
  request.headers.forEach((value, name) => {
    if (!ownHeaders.has(name)) headers.set(name, value)
  })
  for (const [name, value] of Object.entries(upstream.headers ?? {})) headers.set(name, value)
  if (upstream.apiKey !== undefined) headers.set('authorization', `Bearer ${upstream.apiKey}`)
  const base = upstream.baseUrl.replace(/\/+$/, '')
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
    return new Response(answer.body, { status: answer.status, headers: back })
  } catch (error) {
    throw signal.aborted ? signal.reason : upstreamError(error, upstream)
  }
}
