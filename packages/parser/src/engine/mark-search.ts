import { matchMarks } from './match-marks.js'
import type { ChunkReader } from './reader.js'

/** Gives out text as it comes, up to the first of some marks. Never holds back more than the beginning of a mark. */
export interface MarkSearch extends ChunkReader {
  /** The mark, once it was read. */
  found(): string | undefined
  /** No more text comes: what is held was text. */
  end(): void
}

export function createMarkSearch(marks: readonly string[], put: (piece: string) => void): MarkSearch {
  const firstChars = new Set(marks.map(mark => mark.charAt(0)))
  /** What may be the beginning of a mark. */
  let held = ''
  let isFound = false

  /** Takes one more character of what may be a mark; what turns out to be text goes out. */
  const readMark = (char: string) => {
    held += char
    let textChars = 0
    let match = matchMarks(held, marks)
    while (match === 'none' && textChars < held.length) match = matchMarks(held.slice(++textChars), marks)
    if (textChars) put(held.slice(0, textChars))
    held = held.slice(textChars)
    isFound = held !== '' && match !== 'maybe'
  }
  return {
    feed(chunk, from, to) {
      let at = from
      while (at < to && !isFound) {
        let end = at
        if (held === '') while (end < to && !firstChars.has(chunk.charAt(end))) end++
        if (end > at) put(chunk.slice(at, end))
        at = end
        if (at < to) readMark(chunk.charAt(at++))
      }
      return at
    },
    found: () => (isFound ? held : undefined),
    end() {
      if (held) put(held)
      held = ''
    },
  }
}
