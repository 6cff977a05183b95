/** Bytes of this process alone, which is what `fetch` sends. */
export type Bytes = Uint8Array<ArrayBuffer>

export function concatBytes(pieces: readonly Bytes[]): Bytes {
  const [only] = pieces
  if (only && pieces.length === 1) return only
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
