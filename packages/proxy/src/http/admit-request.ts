import type { ProxyConfig } from '../config.js'
import type { ProxyState } from '../proxy-state.js'
import { checkClientKey } from './client-key.js'
import { HttpError } from './http-error.js'
import type { TrackedRequest } from './track-request.js'

/**
 * Lets a request in. Throws an `HttpError` for one that is refused. It has no slot yet: a client that
 * sends its body slowly must not keep others out.
 */
export async function admitRequest(
  state: ProxyState,
  headers: Headers,
  { config }: TrackedRequest,
): Promise<void> {
  await checkClientKey(headers, config.clientKeys)
  if (state.isDraining) throw refusal(503, 'The proxy is shutting down.', 'shutting_down')
  checkConcurrency(state, config)
}

/** Counts a request whose body was read as active. Throws if too many are. */
export function takeSlot(state: ProxyState, { config, activate }: TrackedRequest): void {
  checkConcurrency(state, config)
  activate()
}

function checkConcurrency({ active }: ProxyState, { limits }: ProxyConfig): void {
  const { concurrency } = limits
  if (active < concurrency) return
  throw refusal(
    429,
    `The proxy already answers ${concurrency} requests, its limit.`,
    'too_many_requests',
  )
}

function refusal(status: number, message: string, code: string): HttpError {
  return new HttpError(status, message, { code, headers: { 'retry-after': '1' } })
}
