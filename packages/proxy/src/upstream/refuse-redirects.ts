import { clip } from '../http/clip.js'
import { HttpError } from '../http/http-error.js'

const redirects = new Set([301, 302, 303, 307, 308])

/**
 * Returns a `fetch` that follows no redirect. The request has the server's key, which is not for the
 * server that the redirect names.
 */
export function refuseRedirects(fetchUpstream: typeof fetch): typeof fetch {
  return async (input, init) => {
    const answer = await fetchUpstream(input, { ...init, redirect: 'manual' })
    // A browser's `fetch` does not show the status of a redirect.
    if (!redirects.has(answer.status) && answer.type !== 'opaqueredirect') return answer
    const location = answer.headers.get('location') ?? 'an address that is not known'
    await answer.body?.cancel()
    throw new HttpError(
      502,
      'The upstream redirects to another address. Set its baseUrl to that address.',
      // Only the log shows it: it is the operator's address.
      { code: 'upstream_redirect', cause: new Error(`Redirect to ${clip(location)}`) },
    )
  }
}
