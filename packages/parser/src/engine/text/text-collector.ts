export type TextCollector = ReturnType<typeof createTextCollector>

const BATCH_PIECES = 256

/**
 * Collects a long text from short pieces. Pieces are joined in batches: many small strings that
 * live long are what costs a garbage collector most.
 */
export function createTextCollector() {
  let batches: string[] = []
  let pieces: string[] = []
  return {
    push(piece: string) {
      if (pieces.push(piece) < BATCH_PIECES) return
      batches.push(pieces.join(''))
      pieces = []
    },
    /** The first piece of what was collected; '' if nothing was. */
    start: () => batches[0] ?? pieces[0] ?? '',
    /** Removes so many characters from the end, and returns them. */
    takeLast(chars: number): string {
      const taken: string[] = []
      let left = chars
      while (left > 0) {
        const piece = pieces.pop() ?? batches.pop()
        if (piece === undefined) break
        if (piece.length > left) pieces.push(piece.slice(0, -left))
        taken.push(piece.slice(-left))
        left -= piece.length
      }
      return taken.reverse().join('')
    },
    /** Returns what was collected, and starts with an empty text. */
    take(): string {
      const text = [...batches, ...pieces].join('')
      batches = []
      pieces = []
      return text
    },
  }
}
