import type { StoreLimits } from '../config.js'
import type { ResponseStore } from './response-store.js'

interface Entry {
  /** The text in UTF-8: a string may take two bytes a character, and retain the one it was cut from. */
  readonly bytes: Uint8Array
  readonly usedAt: number
}

export interface MemoryStore extends ResponseStore {
  /** Removes what the limits do not allow any more. */
  applyLimits(): void
}

/**
 * Creates a store in memory. Beyond a limit the responses go first that were not used for the
 * longest time. `limits` is asked at each use, because a reload may change them.
 */
export function createMemoryStore(
  limits: () => StoreLimits,
  now: () => number = () => performance.now(),
): MemoryStore {
  const encoder = new TextEncoder()
  const decoder = new TextDecoder()
  /** In the order of their last use. */
  const entries = new Map<string, Entry>()
  let totalBytes = 0

  const remove = (key: string) => {
    totalBytes -= entries.get(key)?.bytes.length ?? 0
    entries.delete(key)
  }
  const use = (key: string, bytes: Uint8Array) => {
    remove(key)
    entries.set(key, { bytes, usedAt: now() })
    totalBytes += bytes.length
  }
  const removeExcess = () => {
    const { responses, bytes, ageMs } = limits()
    const expiredAt = now() - ageMs
    for (const [key, { usedAt }] of entries) {
      if (entries.size <= responses && totalBytes <= bytes && usedAt > expiredAt) return
      remove(key)
    }
  }
  return {
    getItem(key) {
      removeExcess()
      const entry = entries.get(key)
      if (!entry) return undefined
      use(key, entry.bytes)
      return decoder.decode(entry.bytes)
    },
    setItem(key, text) {
      const bytes = encoder.encode(text)
      const maxBytes = limits().bytes
      // It would push out all others, and then itself.
      if (bytes.length > maxBytes)
        throw new RangeError(
          `The response has ${bytes.length} bytes with its input, more than store.bytes, which is ${maxBytes}.`,
        )
      use(key, bytes)
      removeExcess()
    },
    removeItem: remove,
    applyLimits: removeExcess,
  }
}
