import type { Body, Mark } from '../body.js'
import type { Cursor } from '../cursor.js'
import { readNextMark } from '../marks.js'

/** Behind a mark that is no text and opens nothing. */
// biome-ignore lint/correctness/useYield: there is nothing to wait for
export function* silence(): Body {
  return 0
}

/** Behind a mark that is only text. */
// biome-ignore lint/correctness/useYield: there is nothing to wait for
export function* prose(): Body {
  return undefined
}

/** Marks that stand for nothing wherever they are. */
export function silentMarks(texts: readonly string[]): Mark[] {
  return texts.map(text => ({ text, isSilent: true, read: silence }))
}

/** Marks that stand for nothing at the end of a text, where they are all that follows; elsewhere they are text. */
export function endMarks(texts: readonly string[]): Mark[] {
  function* read(cursor: Cursor): Body {
    while (yield* readNextMark(cursor, texts));
    return cursor.at === cursor.text.length ? 0 : undefined
  }
  return texts.map(text => ({ text, isSilent: true, read }))
}
