import { defaultStore } from '../config.js'
import type { TrackedRequest } from '../http/track-request.js'
import type { ProxyState } from '../proxy-state.js'
import { clientId } from './client-id.js'
import { type ClientResponses, createClientResponses } from './client-responses.js'

const DEFAULT_WAIT_MS = 5000

/** Returns the stored responses of a request's client; undefined if nothing is stored. */
export async function openResponses(
  { store, lateStoreOperations, options }: ProxyState,
  headers: Headers,
  { config, known }: TrackedRequest,
): Promise<ClientResponses | undefined> {
  const limits = config.store ?? defaultStore
  if (limits.responses === 0) return undefined
  return createClientResponses({
    store,
    client: await clientId(headers, config.clientKeys),
    waitMs: options.storeTimeoutMs ?? DEFAULT_WAIT_MS,
    ageMs: limits.ageMs,
    late: lateStoreOperations,
    onError(error) {
      known.storeError = error
    },
  })
}
