import type { ProxyConfig } from '../config.js'
import { matchesGlob } from '../glob.js'
import { clip } from './clip.js'
import { HttpError } from './http-error.js'
import { isLoopbackHost } from './loopback.js'

// A proxy without client keys serves whoever reaches it. On a desktop that includes every web page
// that the user opens, because the browser runs on the same machine. This file decides which
// requests may come from such a page. All of it is about headers that a page cannot change.

/** Who may use a proxy. */
export interface AccessPolicy {
  /** Clients must send a key. No web page has one, so only answers to `Origin` are decided here. */
  readonly hasClientKeys: boolean
  /** Host names besides those of the machine itself. `*` matches any text. */
  readonly hosts: readonly string[]
  /** Origins of web pages besides those of the machine itself. `*` matches any text. */
  readonly origins: readonly string[]
}

/** `json`: the path is one of the APIs that the proxy answers itself. */
export type RouteKind = 'json' | 'other'

/** What is known of a request before it is routed. */
export interface AccessQuestion {
  readonly method: string
  readonly headers: Headers
  readonly route: RouteKind
  /** The host of the request's URL, for platforms that have no `Host` header. */
  readonly urlHost: string
}

export function accessPolicyOf({ clientKeys, hosts = [], cors }: ProxyConfig): AccessPolicy {
  return { hasClientKeys: clientKeys.length > 0, hosts, origins: cors?.origins ?? [] }
}

/** Returns the error for a request that may come from a foreign web page; undefined if it may not. */
export function refuseAccess(
  question: AccessQuestion,
  policy: AccessPolicy,
): HttpError | undefined {
  if (policy.hasClientKeys) return undefined
  return (
    refuseHost(question, policy) ?? refuseOrigin(question, policy) ?? refuseContentType(question)
  )
}

/** True if pages of this origin may use the proxy: `http://localhost:3000`. */
export function isAllowedOrigin(origin: string, { origins }: AccessPolicy): boolean {
  const [, host] = /^https?:\/\/(\[[^\]]*\]|[^:/]*)(?::\d+)?$/i.exec(origin) ?? []
  if (host !== undefined && isLoopbackHost(host)) return true
  return origins.some(each => matchesGlob(each, origin))
}

/**
 * DNS rebinding: `evil.test` resolves to its own server first and to 127.0.0.1 later. The browser
 * still sends `Host: evil.test`.
 */
function refuseHost(
  { headers, urlHost }: AccessQuestion,
  { hosts }: AccessPolicy,
): HttpError | undefined {
  const name = withoutPort(headers.get('host') ?? urlHost)
  if (isLoopbackHost(name) || hosts.some(each => matchesGlob(each, name))) return undefined
  return forbidden(
    'host_not_allowed',
    `The request names the host ${show(name)}, which is not a name of this machine. ` +
      'To allow this name, add it to "hosts" in the configuration, or require client keys.',
  )
}

/** A page of another site: browsers name its origin, or at least say that it is another site. */
function refuseOrigin({ headers }: AccessQuestion, policy: AccessPolicy): HttpError | undefined {
  const origin = headers.get('origin')
  if (origin === null) {
    // An image, a script or a link: `<img src="http://127.0.0.1:4141/v1/models">`
    if (headers.get('sec-fetch-site') !== 'cross-site') return undefined
    return forbidden(
      'origin_not_allowed',
      'A web page of another site made this request. To let its scripts use the proxy, add ' +
        'its origin to "cors.origins" in the configuration.',
    )
  }
  if (isAllowedOrigin(origin, policy)) return undefined
  return forbidden(
    'origin_not_allowed',
    `The web pages of ${show(origin)} may not use this proxy. To let them, add this origin to ` +
      '"cors.origins" in the configuration.',
  )
}

/**
 * A form, or `fetch` with `no-cors`, can send any text to any server, but never as
 * `application/json`. So this type alone shows that the sender is not a page, or may send it.
 */
function refuseContentType({ method, headers, route }: AccessQuestion): HttpError | undefined {
  if (route !== 'json' || method !== 'POST') return undefined
  const type = headers.get('content-type') ?? ''
  if (/^application\/json\s*(;|$)/i.test(type.trim())) return undefined
  return forbidden(
    'content_type_not_allowed',
    `The content type is ${show(type)}. Send "content-type: application/json"; other types ` +
      'are read only if the configuration has client keys ("clients.keys").',
  )
}

/** `127.0.0.1:4141`, `[::1]:4141`, `Localhost.` */
function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase()
}

function show(text: string): string {
  return JSON.stringify(clip(text))
}

function forbidden(code: string, message: string): HttpError {
  return new HttpError(403, message, { code })
}
