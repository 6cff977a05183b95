const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const ID_CHARS = 24

/** Random bytes for several ids: asking for them is a system call, and costs more than all the rest of an id. */
const pool = new Uint8Array(ID_CHARS * 32)
let used = pool.length

/** A random id: calls of different steps, requests and processes must never share one. */
export function createToolCallId(): string {
  if (used === pool.length) {
    globalThis.crypto.getRandomValues(pool)
    used = 0
  }
  let id = 'call_'
  for (const byte of pool.subarray(used, used + ID_CHARS)) id += ALPHABET.charAt(byte % ALPHABET.length)
  used += ID_CHARS
  return id
}
