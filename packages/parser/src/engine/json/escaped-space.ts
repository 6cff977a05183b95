import { type Cursor, noteRepair, type Reading } from '../text/cursor.js'
import { readMark } from '../text/read-marks.js'

// Some models write the line breaks between values as in a string, as a backslash and an `n`
// (decision 85): `{\n  "city": "Paris",\n  "days": 3\n}`. A letter after it makes it a word: `\new`.

/** One such sign at the beginning of a text. */
export const ESCAPED_SPACE = '\\\\[nrt](?=[^\\p{L}])'
const escapedSpaces = new RegExp(ESCAPED_SPACE, 'gu')
/** The beginning of such a sign at the end of a text. */
const partialAtEnd = /\\[nrt]?$/

/** `|\`, `|\n`: what comes next shows whether it is whitespace. */
export const isPartialEscapedSpace = (text: string) => /^\\[nrt]?$/.test(text)

const escapedSpaceAtStart = new RegExp(`^${ESCAPED_SPACE}`, 'u')
export const startsWithEscapedSpace = (text: string) => escapedSpaceAtStart.test(text)

/** Returns a text with spaces in place of such signs, as far as they are complete. */
export const withoutEscapedSpace = (text: string) =>
  text.replace(escapedSpaces, ' ').replace(partialAtEnd, '')

/** `<tool_call>|\n{"name":` Skips such signs. Returns whether there was one. */
export function* skipEscapedSpace(cursor: Cursor): Reading<boolean> {
  let hasSkipped = false
  while (yield* readMark(cursor, ['\\n', '\\r', '\\t'])) {
    if (!hasSkipped) noteRepair(cursor, 'escaped-space', 2)
    hasSkipped = true
  }
  return hasSkipped
}
