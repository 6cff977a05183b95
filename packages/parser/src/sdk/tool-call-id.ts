const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const ID_CHARS = 24

/** A random id: calls of different steps, requests and processes must never share one. It is no secret. */
export function createToolCallId(): string {
  let id = 'call_'
  for (let i = 0; i < ID_CHARS; i++) id += ALPHABET.charAt(Math.random() * ALPHABET.length)
  return id
}
