/** Cuts a text into pieces of 1 to 9 characters; the same seed cuts in the same way. */
export function randomPieces(text: string, seed: number): string[] {
  let state = seed >>> 0
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    const length = 1 + Math.floor((state / 2 ** 32) * 9)
    pieces.push(text.slice(at, at + length))
    at += length
  }
  return pieces
}
