import { HttpError } from '../http/http-error.js'
import { responseKey } from './response-key.js'
import type { ResponseStore } from './response-store.js'
import { readStoredResponse, type StoredResponse, writeStoredResponse } from './stored-response.js'

/** The stored responses of one client, for one request. */
export interface ClientResponses {
  /** Reads a response by the stem of its id or of an item's id. Throws a 503 if the store fails. */
  find(stem: string): Promise<StoredResponse | undefined>
  /** Stores a response. Never throws: returns false if the store failed, and reports the reason. */
  keep(stem: string, stored: StoredResponse): Promise<boolean>
  /** Throws a 503 if the store fails. */
  remove(stem: string): Promise<void>
}

export interface ClientResponsesOptions {
  readonly store: ResponseStore
  /** From `clientId`. */
  readonly client: string
  /** How long to wait for the store: for all reads of the request together, and for a write. */
  readonly waitMs: number
  /** How long a store may keep a response. */
  readonly ageMs: number
  /** Operations that were given up and have not ended. All requests of a proxy share them. */
  readonly late: Set<symbol>
  /** Called if a response could not be stored. */
  readonly onError: (error: HttpError) => void
}

/**
 * Operations of a store that hangs are given up, but each still has its text. So many at a time are
 * allowed; then the store is not asked until some of them end.
 */
const MAX_LATE = 100

export function createClientResponses(options: ClientResponsesOptions): ClientResponses {
  const { store, client, waitMs, ageMs, onError } = options
  const readsEndAt = performance.now() + waitMs
  const keyOf = (stem: string) => responseKey(client, stem)
  return {
    async find(stem) {
      const leftMs = readsEndAt - performance.now()
      return readStoredResponse(await ask(options, leftMs, () => store.getItem(keyOf(stem))))
    },
    async keep(stem, stored) {
      const ttl = Math.ceil(ageMs / 1000)
      const write = () => store.setItem(keyOf(stem), writeStoredResponse(stored), { ttl })
      try {
        await ask(options, waitMs, write)
        return true
      } catch (error) {
        onError(error instanceof HttpError ? error : storeError('failed', error))
        return false
      }
    },
    async remove(stem) {
      await ask(options, waitMs, () => store.removeItem(keyOf(stem)))
    },
  }
}

/** Runs an operation of the store, and gives it up after a while. */
async function ask(
  { late, waitMs }: ClientResponsesOptions,
  leftMs: number,
  operation: () => unknown,
): Promise<unknown> {
  if (late.size >= MAX_LATE) throw storeError(`has not answered ${MAX_LATE} earlier operations`)
  const asked = Promise.resolve().then(operation)
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const id = Symbol('late')
      late.add(id)
      const end = () => late.delete(id)
      asked.then(end, end)
      reject(storeError(`did not answer within ${waitMs} ms`))
    }, leftMs)
  })
  try {
    return await Promise.race([asked, timeout])
  } catch (error) {
    throw error instanceof HttpError ? error : storeError('failed', error)
  } finally {
    clearTimeout(timer)
  }
}

function storeError(what: string, cause?: unknown): HttpError {
  return new HttpError(503, `The store of responses ${what}.`, { code: 'store_unavailable', cause })
}
