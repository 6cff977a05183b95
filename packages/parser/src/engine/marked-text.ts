import type { ChunkReader } from './reader.js'

/**
 * Reads text between two marks of its own, such as `<escape>`, giving it out as it comes. Nothing is escaped in it, so the
 * first mark ends it. Resumable at any character; never holds back more than the beginning of a mark.
 */
export interface MarkedText extends ChunkReader {
  isDone(): boolean
}

export function createMarkedText(mark: string, put: (piece: string) => void): MarkedText {
  const firstCode = mark.charCodeAt(0)
  /** What may be the beginning of the mark. */
  let held = ''

  /** Takes one more character of what may be the mark; what turns out to be text goes out. */
  const readMark = (char: string) => {
    held += char
    let textChars = 0
    while (!mark.startsWith(held.slice(textChars))) textChars++
    if (textChars) put(held.slice(0, textChars))
    held = held.slice(textChars)
  }
  return {
    feed(chunk, from, to) {
      let at = from
      while (at < to && held !== mark) {
        let end = at
        if (held === '') while (end < to && chunk.charCodeAt(end) !== firstCode) end++
        if (end > at) put(chunk.slice(at, end))
        at = end
        if (at < to) readMark(chunk.charAt(at++))
      }
      return at
    },
    isDone: () => held === mark,
  }
}
