/** A position in a text. Line and column start at 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** Finds line and column in a text that arrives in pieces. */
export function createLineIndex() {
  const starts = [0]
  let length = 0
  return {
    add(chunk: string) {
      for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', at + 1))
        starts.push(length + at + 1)
      length += chunk.length
    },
    placeOf(offset: number): Place {
      let low = 0
      let high = starts.length - 1
      while (low < high) {
        const middle = Math.ceil((low + high) / 2)
        if ((starts[middle] ?? 0) <= offset) low = middle
        else high = middle - 1
      }
      return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
    },
  }
}

export type LineIndex = ReturnType<typeof createLineIndex>
