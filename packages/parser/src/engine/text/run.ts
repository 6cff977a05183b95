import { appendChunk, type Cursor, createCursor, type Reading } from './cursor.js'

export type RunningReader<Result> = ReturnType<typeof startReader<Result>>

/** Lets a reader read text that comes in pieces from somewhere else than the scanner. */
export function startReader<Result>(read: (cursor: Cursor) => Reading<Result>) {
  const cursor = createCursor()
  const reading = read(cursor)
  let step: IteratorResult<undefined, Result> | undefined
  const resume = () => {
    if (!step?.done) step = reading.next()
  }
  return {
    feed(text: string) {
      appendChunk(cursor, text)
      resume()
    },
    end(isCut: boolean) {
      cursor.isFinal = true
      cursor.isTruncated = isCut
      resume()
    },
    isDone: () => step?.done === true,
    /** What it has read, once it is done. */
    result: () => (step?.done ? step.value : undefined),
    /** What it has not read so far. */
    unread: () => cursor.text.slice(cursor.at),
  }
}
