import { createMarkFinder } from './mark-finder.js'
import type { ChunkReader } from './reader.js'

/** Gives out text as it comes, up to the first of some marks. Never holds back more than the beginning of a mark. */
export interface MarkSearch extends ChunkReader {
  /** The mark at which the last `feed` stopped. The next one looks for another. */
  found(): string | undefined
  /** No more text comes: what is held was text. */
  end(): void
}

const anywhere = { isLineBlank: false, isBlank: false, isTicked: false }

export function createMarkSearch(marks: readonly string[], put: (piece: string) => void): MarkSearch {
  // The first mark that is whole counts: a longer one that begins with it need not be waited for.
  const isShortest = (mark: string) => marks.every(other => other === mark || !mark.startsWith(other))
  const find = createMarkFinder(marks.filter(isShortest).map(text => ({ text })))
  /** The beginning of a mark. */
  let held = ''
  let found: string | undefined
  const maxMarkChars = Math.max(0, ...marks.map(mark => mark.length))
  const readOn = (chunk: string, from: number, to: number): number => {
    const heldChars = held.length
    const text = heldChars > 0 || from > 0 || to < chunk.length ? held + chunk.slice(from, to) : chunk
    const { at, mark } = find(text, 0, false, anywhere)
    found = mark?.text
    held = mark ? '' : text.slice(at)
    if (at > 0) put(at < text.length ? text.slice(0, at) : text)
    return mark ? from + at + mark.text.length - heldChars : to
  }
  return {
    feed(chunk, from, to) {
      found = undefined
      let at = from
      // What is held is joined with no more than a mark takes: all that follows would be copied each time.
      while (at < to && found === undefined) at = readOn(chunk, at, held ? Math.min(to, at + maxMarkChars) : to)
      return at
    },
    found: () => found,
    end() {
      if (held) put(held)
      held = ''
    },
  }
}
