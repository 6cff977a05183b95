import { givenKey } from '../http/client-key.js'

/**
 * Returns whose responses a request may use: the hash of its key, so that no key reaches the store.
 * Without keys in the configuration everybody is one client, whatever key they send.
 */
export async function clientId(headers: Headers, keys: readonly string[]): Promise<string> {
  const key = keys.length > 0 ? givenKey(headers) : undefined
  if (key === undefined) return 'anyone'
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))
  return Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join('')
}
