const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A random id: calls of different steps, requests and processes must never share one. */
export function createToolCallId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(24))
  let id = 'call_'
  for (const byte of bytes) id += ALPHABET.charAt(byte % ALPHABET.length)
  return id
}
