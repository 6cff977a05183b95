import type { UpstreamConfig } from '../config.js'
import type { Redactor } from './redactor.js'

/** Headers that are about one connection. */
const connectionHeaders = [
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
]
/** Keys of the client for the proxy, or for another service; and what a server may set as one. */
const keyHeaders = [
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'cookie',
  'set-cookie',
]

/** Request headers that are not for the server. */
const notForServer = new Set([
  ...connectionHeaders,
  ...keyHeaders,
  // `content-length` is set again where it is known; `expect` is answered by the proxy.
  ...['host', 'content-length', 'expect', 'accept-encoding'],
  // They are about the page that asks. Whether it may is decided by the proxy.
  ...['origin', 'referer'],
])

/** Answer headers that are not for the client. */
const notForClient = new Set([...connectionHeaders, ...keyHeaders])

/** Headers that say what a body is. Their words are not the server's: a key may be `json`, too. */
const bodyHeaders = new Set([
  ...['accept-ranges', 'content-encoding', 'content-length', 'content-range', 'content-type'],
  ...['date', 'last-modified'],
])

/** Returns the headers of a request as the server gets them. */
export function requestHeaders(given: Headers, upstream: UpstreamConfig): Headers {
  const named = namedByConnection(given)
  const headers = new Headers()
  given.forEach((value, name) => {
    const isPageHeader = name.startsWith('sec-fetch-') || name.startsWith('access-control-')
    if (!notForServer.has(name) && !named.has(name) && !isPageHeader) headers.set(name, value)
  })
  for (const [name, value] of Object.entries(upstream.headers ?? {})) headers.set(name, value)
  if (upstream.apiKey !== undefined) headers.set('authorization', `Bearer ${upstream.apiKey}`)
  return headers
}

/** Returns the headers of an answer as the client gets them. */
export function answerHeaders(given: Headers, redactor: Redactor | undefined): Headers {
  const named = namedByConnection(given)
  const headers = new Headers()
  given.forEach((value, name) => {
    if (notForClient.has(name) || named.has(name) || name.startsWith('access-control-')) return
    headers.append(name, redactor ? hideIn(name, value, redactor) : value)
  })
  return headers
}

function hideIn(name: string, value: string, { text, strict }: Redactor): string {
  return bodyHeaders.has(name) ? text(value) : strict(value)
}

/** `Connection: close, x-secret`: the headers that it names are about the connection, too. */
function namedByConnection(headers: Headers): ReadonlySet<string> {
  const names = headers.get('connection')?.split(',') ?? []
  return new Set(names.map(name => name.trim().toLowerCase()))
}
