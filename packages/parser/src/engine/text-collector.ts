/**
 * Collects a long text from short pieces. Pieces are joined in batches: many small strings that live long are what costs a
 * garbage collector most.
 */
export interface TextCollector {
  push(piece: string): void
  /** Gives out what was collected, and begins anew. */
  take(): string
}

const BATCH_PIECES = 256

export function createTextCollector(): TextCollector {
  let batches: string[] = []
  let pieces: string[] = []
  return {
    push(piece) {
      if (pieces.push(piece) < BATCH_PIECES) return
      batches.push(pieces.join(''))
      pieces = []
    },
    take() {
      const text = batches.join('') + pieces.join('')
      batches = []
      pieces = []
      return text
    },
  }
}
