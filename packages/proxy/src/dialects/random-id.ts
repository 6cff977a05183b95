const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** An id of 24 letters and digits behind a prefix. */
export function randomId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  return prefix + Array.from(bytes, byte => letters.charAt(byte % letters.length)).join('')
}
