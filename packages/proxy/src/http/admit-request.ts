import type { ProxyState } from '../proxy-state.js'
import { checkClientKey } from './client-key.js'
import { HttpError } from './http-error.js'
import type { TrackedRequest } from './track-request.js'

/** Lets a request in and counts it as active. Throws an `HttpError` for one that is refused. */
export async function admitRequest(
  state: ProxyState,
  headers: Headers,
  tracked: TrackedRequest,
): Promise<void> {
  await checkClientKey(headers, tracked.config.clientKeys)
  if (state.isDraining) throw refusal(503, 'The proxy is shutting down.', 'shutting_down')
  const { concurrency } = tracked.config.limits
  if (state.active >= concurrency)
    throw refusal(
      429,
      `The proxy already answers ${concurrency} requests, its limit.`,
      'too_many_requests',
    )
  tracked.activate()
}

function refusal(status: number, message: string, code: string): HttpError {
  return new HttpError(status, message, { code, headers: { 'retry-after': '1' } })
}
