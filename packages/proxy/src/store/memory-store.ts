import type { StoreLimits } from '../config.js'
import { clientOfKey } from './response-key.js'
import type { ResponseStore } from './response-store.js'

interface Entry {
  /** The text in UTF-8: a string may take two bytes a character, and retain the one it was cut from. */
  readonly bytes: Uint8Array
  readonly usedAt: number
}

/** What a client has stored. */
interface Client {
  /** The keys of its responses, in the order of their last use. */
  readonly keys: Set<string>
  bytes: number
}

export interface MemoryStore extends ResponseStore {
  /** Removes what the limits do not allow any more. */
  applyLimits(): void
}

/** The responses in memory, and whose they are. */
interface Memory {
  /** In the order of their last use. */
  readonly entries: Map<string, Entry>
  /** In the order of their last use. A client without responses is not among them. */
  readonly clients: Map<string, Client>
  totalBytes: number
}

/**
 * Creates a store in memory. Beyond a limit the client that has most loses the response that it has
 * not used for the longest time, so that no client can push out what another one has stored.
 * `limits` is asked at each use, because a reload may change them.
 */
export function createMemoryStore(
  limits: () => StoreLimits,
  now: () => number = () => performance.now(),
): MemoryStore {
  const encoder = new TextEncoder()
  const decoder = new TextDecoder()
  const memory: Memory = { entries: new Map(), clients: new Map(), totalBytes: 0 }

  const removeExpired = () => {
    const expiredAt = now() - limits().ageMs
    for (const [key, { usedAt }] of memory.entries) {
      if (usedAt > expiredAt) return
      remove(memory, key)
    }
  }
  const applyLimits = () => {
    removeExpired()
    removeExcess(memory, limits())
  }
  return {
    getItem(key) {
      applyLimits()
      const entry = memory.entries.get(key)
      if (!entry) return undefined
      put(memory, key, { bytes: entry.bytes, usedAt: now() })
      return decoder.decode(entry.bytes)
    },
    setItem(key, text) {
      const bytes = encoder.encode(text)
      removeExpired()
      refuseTooLarge(memory, key, bytes.length, limits().bytes)
      put(memory, key, { bytes, usedAt: now() })
      removeExcess(memory, limits())
    },
    removeItem: key => remove(memory, key),
    applyLimits,
  }
}

function remove(memory: Memory, key: string): void {
  const bytes = memory.entries.get(key)?.bytes.length ?? 0
  if (!memory.entries.delete(key)) return
  memory.totalBytes -= bytes
  const client = memory.clients.get(clientOfKey(key))
  if (!client) return
  client.keys.delete(key)
  client.bytes -= bytes
  if (client.keys.size === 0) memory.clients.delete(clientOfKey(key))
}

/** Puts an entry, as the one that was used last. */
function put(memory: Memory, key: string, entry: Entry): void {
  remove(memory, key)
  const { entries, clients } = memory
  const id = clientOfKey(key)
  const client = clients.get(id) ?? { keys: new Set(), bytes: 0 }
  clients.delete(id)
  clients.set(id, client)
  client.keys.add(key)
  client.bytes += entry.bytes.length
  entries.set(key, entry)
  memory.totalBytes += entry.bytes.length
}

/** Removes one response after the other, until no limit is exceeded. */
function removeExcess(memory: Memory, { responses, bytes }: StoreLimits): void {
  while (memory.totalBytes > bytes) removeOldestOf(memory, findLargest(memory, byBytes))
  while (memory.entries.size > responses) removeOldestOf(memory, findLargest(memory, byCount))
}

const byBytes = ({ bytes }: Client) => bytes
const byCount = ({ keys }: Client) => keys.size

/** Of several that are equally large, the one that was not used for the longest time. */
function findLargest({ clients }: Memory, sizeOf: (client: Client) => number): Client | undefined {
  let largest: Client | undefined
  for (const client of clients.values())
    if (!largest || sizeOf(client) > sizeOf(largest)) largest = client
  return largest
}

function removeOldestOf(memory: Memory, client: Client | undefined): void {
  for (const key of client?.keys ?? []) {
    remove(memory, key)
    return
  }
}

/**
 * Throws if a response would have to go again at once: it alone is larger than the limit, or it
 * would take from clients that have less than it.
 */
function refuseTooLarge({ clients }: Memory, key: string, size: number, maxBytes: number): void {
  let left = maxBytes
  for (const [id, { bytes }] of clients) if (id !== clientOfKey(key)) left -= Math.min(bytes, size)
  if (size <= left) return
  const what = `The response has ${size} bytes with its input, more than`
  throw new RangeError(
    size > maxBytes
      ? `${what} store.bytes, which is ${maxBytes}.`
      : `${what} other clients leave of store.bytes, which is ${maxBytes}.`,
  )
}
