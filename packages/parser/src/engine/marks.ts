import { isSpace } from './characters.js'
import type { Cursor, Reading } from './cursor.js'
import { createMarkFinder } from './mark-finder.js'
import { startsMark } from './match-marks.js'

/** Passes over space, or whatever else means nothing here; over no more than so many characters. */
export function* skip(cursor: Cursor, isSkipped: (char: string) => boolean = isSpace, maxChars = Infinity): Reading {
  for (let left = maxChars; ; ) {
    const { text } = cursor
    for (; left > 0 && cursor.at < text.length && isSkipped(text.charAt(cursor.at)); left--) cursor.at++
    if (left === 0 || cursor.at < text.length || cursor.isOver) return
    yield
  }
}

/** Takes the mark that stands here, the shortest of several; gives nothing, and takes nothing, where there is none. */
export function* readMark(cursor: Cursor, marks: readonly string[]): Reading<string> {
  for (;;) {
    const { text, at } = cursor
    let found = ''
    let isMaybe = false
    for (const mark of marks) {
      if (text.startsWith(mark, at)) found = found && found.length < mark.length ? found : mark
      else isMaybe ||= startsAt(text, at, mark)
    }
    if (found) cursor.at += found.length
    if (found || !isMaybe || cursor.isOver) return found
    yield
  }
}

/** True if the text ends with the beginning of the mark, from there on. */
const startsAt = (text: string, at: number, mark: string) =>
  text.length - at < mark.length && mark.startsWith(text.slice(at))

/** Takes the mark that stands here, behind what is passed over; what begins a mark is not. */
export function* readNextMark(
  cursor: Cursor,
  marks: readonly string[],
  isSkipped: (char: string) => boolean = isSpace,
  maxChars = Infinity,
): Reading<string> {
  yield* skip(cursor, char => !startsMark(char, marks) && isSkipped(char), maxChars)
  return yield* readMark(cursor, marks)
}

const anywhere = { isLineBlank: false, isBlank: false, isTicked: false }

/** Finds the first of some marks, or the beginning of one at the end of the text. */
export function createMarkSearch(marks: readonly string[]) {
  // The first mark that is whole counts: a longer one that begins with it need not be waited for.
  const isShortest = (mark: string) => marks.every(other => other === mark || !mark.startsWith(other))
  const find = createMarkFinder([...new Set(marks)].filter(isShortest).map(text => ({ text })))
  return ({ text, isOver }: Cursor, from: number) => {
    const { at, mark } = find(text, from, isOver, anywhere)
    return { at, mark: mark?.text }
  }
}

export type MarkSearch = ReturnType<typeof createMarkSearch>

/**
 * Gives out text as it comes, up to a mark that counts; gives that mark and stands behind it. Nothing is given, and all of the text
 * was, where the text is over. `counts` tells by what stands behind a mark; it gives undefined as long as that cannot be told.
 */
export function* readUntil(
  cursor: Cursor,
  search: MarkSearch,
  put: (text: string) => void,
  counts: (mark: string, behind: string) => boolean | undefined = () => true,
): Reading<string> {
  for (let from = 0; ; ) {
    // What was looked at and does not count is text.
    const { at, mark } = search(cursor, cursor.at + from)
    from = 0
    if (at > cursor.at) put(cursor.text.slice(cursor.at, at))
    cursor.at = at
    const isEnd = mark !== undefined && counts(mark, cursor.text.slice(at + mark.length))
    if (mark !== undefined && isEnd) {
      cursor.at += mark.length
      return mark
    }
    if (mark !== undefined && isEnd === false) from = 1
    else if (cursor.isOver) {
      put(cursor.text.slice(at))
      cursor.at = cursor.text.length
      return ''
    } else yield
  }
}

/** Looks at ever more of what follows, until that tells something; nothing is told where the text is over, or so many characters tell nothing. */
export function* lookAhead<Result>(
  cursor: Cursor,
  maxChars: number,
  judge: (text: string) => Result | undefined,
): Reading<Result | undefined> {
  for (let chars = 1; chars <= maxChars; chars++) {
    while (cursor.text.length - cursor.at < chars && !cursor.isOver) yield
    if (cursor.text.length - cursor.at < chars) return undefined
    const result = judge(cursor.text.slice(cursor.at, cursor.at + chars))
    if (result !== undefined) return result
  }
  return undefined
}
