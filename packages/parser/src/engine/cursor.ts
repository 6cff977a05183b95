/**
 * The text that is being read: a window that moves along with whoever reads. What stands before
 * `at` was read and is gone as soon as more text comes; so a place in the text is only ever kept
 * relative to `at`.
 */
export interface Cursor {
  text: string
  at: number
  /** How many characters stood before the window. */
  base: number
  /** No more text comes. `isCut`: the model was stopped, so that what looks finished may not be. */
  isOver: boolean
  isCut: boolean
}

/**
 * Reads as far as the text goes, and yields where more of it is needed. Once the text is over it
 * does not yield any more.
 */
export type Reading<Result = void> = Generator<undefined, Result, undefined>

export const createCursor = (): Cursor => ({
  text: '',
  at: 0,
  base: 0,
  isOver: false,
  isCut: false,
})

/** Moves the window on. */
export function extend(cursor: Cursor, chunk: string): void {
  cursor.base += cursor.at
  cursor.text = cursor.at === cursor.text.length ? chunk : cursor.text.slice(cursor.at) + chunk
  cursor.at = 0
}

export type Run<Result> = ReturnType<typeof createRun<Result>>

/** Lets a reader read text that comes in pieces from somewhere else than the scanner. */
export function createRun<Result>(read: (cursor: Cursor) => Reading<Result>) {
  const cursor = createCursor()
  const reading = read(cursor)
  let step: IteratorResult<undefined, Result> | undefined
  const resume = () => {
    if (!step?.done) step = reading.next()
  }
  return {
    feed(text: string) {
      extend(cursor, text)
      resume()
    },
    end(isCut: boolean) {
      cursor.isOver = true
      cursor.isCut = isCut
      resume()
    },
    isDone: () => step?.done === true,
    /** What it has read, once it is done. */
    result: () => (step?.done ? step.value : undefined),
    /** What it has not read so far. */
    unread: () => cursor.text.slice(cursor.at),
  }
}
