import { type AccessPolicy, isAllowedOrigin } from './access-policy.js'

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'

/** How long a browser need not ask again. */
const MAX_AGE_SECONDS = 600

/**
 * Answers `OPTIONS`, which a browser sends before a page's request. The server is not asked: what it
 * would allow is for its own clients. Without the header that `withCors` adds, nothing is allowed.
 */
export function answerOptions({ headers }: Request): Response {
  const asked = headers.get('access-control-request-headers')
  const isPreflight = headers.has('access-control-request-method')
  const isPrivate = headers.get('access-control-request-private-network') === 'true'
  return new Response(null, {
    status: 204,
    headers: {
      allow: `${METHODS}, OPTIONS`,
      ...(isPreflight
        ? {
            'access-control-allow-methods': METHODS,
            'access-control-max-age': String(MAX_AGE_SECONDS),
          }
        : {}),
      ...(isPreflight && asked !== null ? { 'access-control-allow-headers': asked } : {}),
      ...(isPreflight && isPrivate ? { 'access-control-allow-private-network': 'true' } : {}),
    },
  })
}

/** Lets a page read an answer, if its origin is an allowed one. Other answers are not changed. */
export function withCors(answer: Response, request: Request, policy: AccessPolicy): Response {
  const origin = request.headers.get('origin')
  if (origin === null) return answer
  answer.headers.append('vary', 'origin')
  if (!isAllowedOrigin(origin, policy)) return answer
  answer.headers.set('access-control-allow-origin', origin)
  answer.headers.set('access-control-expose-headers', '*')
  return answer
}
