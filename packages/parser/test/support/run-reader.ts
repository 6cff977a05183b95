import type { Cursor, Reading } from '../../src/engine/text/cursor.js'
import { startReader } from '../../src/engine/text/run.js'

/** What a reader did with a text. */
export interface ReaderRun<Result> {
  /** What the reader returned; undefined if it needs more text. */
  readonly result: Result | undefined
  /** The text after the place where the reader stopped. */
  readonly unread: string
}

/** The one way in which tests let a reader read chunks without a scanner. */
export function runReader<Result>(
  read: (cursor: Cursor) => Reading<Result>,
  chunks: readonly string[],
  isCut = false,
): ReaderRun<Result> {
  const running = startReader(read)
  for (const chunk of chunks) running.feed(chunk)
  running.end(isCut)
  return { result: running.result(), unread: running.unread() }
}
