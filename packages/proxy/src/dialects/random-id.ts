const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Returns a prefix followed by 24 random letters and digits. */
export function randomId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  return prefix + Array.from(bytes, byte => letters.charAt(byte % letters.length)).join('')
}
