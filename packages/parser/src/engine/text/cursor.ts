import type { RepairCode } from '../repairs.js'

/**
 * The text that is being read: a window that moves along with whoever reads. What is before
 * `at` was read and is gone as soon as more text comes; so a place in the text is only ever kept
 * relative to `at`.
 */
export interface Cursor {
  text: string
  at: number
  /** How many characters came before the window. */
  windowOffset: number
  /** No more text comes. */
  isFinal: boolean
  /** The model was stopped by a limit, so a call that looks finished may not be. */
  isTruncated: boolean
  /** Records a repair. Undefined where nobody asks: a format is only tried, or written. */
  onRepair?: ((code: RepairCode, offset: number, path?: string) => void) | undefined
}

/**
 * Records what the reader does beyond the letter of the format, at the cursor or so many characters
 * before it. Never from a look: chunks decide how often a look is repeated.
 */
export function noteRepair(cursor: Cursor, code: RepairCode, charsBefore = 0): void {
  cursor.onRepair?.(code, cursor.windowOffset + cursor.at - charsBefore)
}

/** The same, for an argument that is not written: `<arg_key>city</arg_key>|</tool_call>`. */
export function noteAtKey(cursor: Cursor, code: RepairCode, key: string): void {
  cursor.onRepair?.(code, cursor.windowOffset + cursor.at, key)
}

/**
 * A reader: reads as far as the text goes, and yields where more of it is needed (decision 45). Once
 * the text is over it does not yield any more.
 */
export type Reading<Result = void> = Generator<undefined, Result, undefined>

export const createCursor = (): Cursor => ({
  text: '',
  at: 0,
  windowOffset: 0,
  isFinal: false,
  isTruncated: false,
})

/** Moves the window on. */
export function appendChunk(cursor: Cursor, chunk: string): void {
  cursor.windowOffset += cursor.at
  cursor.text = cursor.at === cursor.text.length ? chunk : cursor.text.slice(cursor.at) + chunk
  cursor.at = 0
}
