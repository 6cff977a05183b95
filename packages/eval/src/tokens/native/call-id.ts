import { createHash } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Returns an id that looks random like a provider's, but is the same in every run. */
export function createCallId(prefix: string, chars: number, seed: string): string {
  const digest = createHash('sha256').update(seed).digest()
  return (
    prefix + Array.from(digest.subarray(0, chars), byte => letters[byte % letters.length]).join('')
  )
}
