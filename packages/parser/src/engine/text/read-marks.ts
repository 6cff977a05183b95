import { isSpace } from './characters.js'
import type { Cursor, Reading } from './cursor.js'
import { createMarkFinder } from './find-mark.js'

/** Whether a text begins with one of the marks; undefined as long as it may still become one. */
export function matchMarks(text: string, marks: readonly string[]): boolean | undefined {
  if (marks.some(mark => text.startsWith(mark))) return true
  return text === '' || marks.some(mark => mark.startsWith(text)) ? undefined : false
}

/**
 * Looks ahead go no further than this, so that text is looked at a bounded number of times however
 * it comes.
 */
export const MAX_LOOKAHEAD_CHARS = 1024
const MAX_FINDERS = 256

/** Passes over space, or whatever else means nothing here; over no more than so many characters. */
export function* skip(
  cursor: Cursor,
  isSkipped: (char: string) => boolean = isSpace,
  maxChars = Infinity,
): Reading {
  for (let left = maxChars; ; ) {
    const { text } = cursor
    for (; left > 0 && cursor.at < text.length && isSkipped(text.charAt(cursor.at)); left--)
      cursor.at++
    if (left === 0 || cursor.at < text.length || cursor.isFinal) return
    yield
  }
}

const aheadOf = ({ text, at }: Cursor, from: number, chars = MAX_LOOKAHEAD_CHARS) =>
  text.slice(at + from, at + from + chars)

/**
 * Waits until `look` can tell by the text that stands ahead, or so many characters further on, what
 * that is. Gives nothing where the text is over before, or does not tell as far as it is looked at.
 * It takes nothing.
 */
export function* peek<Found>(
  cursor: Cursor,
  look: (ahead: string) => Found | undefined,
  from = 0,
  maxChars = MAX_LOOKAHEAD_CHARS,
): Reading<Found | undefined> {
  for (;;) {
    const ahead = aheadOf(cursor, from, maxChars)
    const found = look(ahead)
    if (found !== undefined || cursor.isFinal || ahead.length === maxChars) return found
    yield
  }
}

/** Gives what stands ahead as soon as that is enough, or all of it that is looked at. */
export function* peekText(
  cursor: Cursor,
  isEnough: (ahead: string) => boolean,
  from = 0,
): Reading<string> {
  yield* peek(cursor, ahead => isEnough(ahead) || undefined, from)
  return aheadOf(cursor, from)
}

/**
 * Takes the mark that stands here, the shortest of several; gives nothing, and takes nothing, where
 * there is none.
 */
export function* readMark(cursor: Cursor, marks: readonly string[]): Reading<string> {
  const isMark = yield* peek(cursor, text => matchMarks(text, marks))
  const found = isMark ? marks.filter(mark => cursor.text.startsWith(mark, cursor.at)) : []
  const [shortest = ''] = found.sort((left, right) => left.length - right.length)
  cursor.at += shortest.length
  return shortest
}

/** Takes the mark that stands here, behind what is passed over; what begins a mark is not. */
export function* readNextMark(
  cursor: Cursor,
  marks: readonly string[],
  isSkipped = isSpace,
  maxChars = Infinity,
) {
  yield* skip(cursor, char => isSkipped(char) && matchMarks(char, marks) === false, maxChars)
  return yield* readMark(cursor, marks)
}

const finders = new Map<string, ReturnType<typeof createMarkFinder>>()

/**
 * Finds the first of some marks. Kept for the next text with the same; those of elements are the
 * model's, and there is no end to them.
 */
function cachedFinder(marks: readonly string[]) {
  const key = marks.join('\0')
  // The first mark that is whole counts: a longer one that begins with it need not be waited for.
  const byLength = (left: string, right: string) => left.length - right.length
  const find =
    finders.get(key) ?? createMarkFinder(marks.toSorted(byLength).map(text => ({ text })))
  if (finders.size === MAX_FINDERS) finders.clear()
  finders.set(key, find)
  return find
}

/**
 * Gives out text as it comes, up to a mark that counts; gives that mark and stands behind it.
 * Nothing is given, and all of the text was, where the text is over. `counts` tells by what stands
 * behind a mark; it gives undefined as long as that cannot be told.
 */
export function* readUntil(
  cursor: Cursor,
  marks: readonly string[],
  put: (text: string) => void,
  isEnd: (mark: string, after: string) => boolean | undefined = () => true,
): Reading<string> {
  const find = cachedFinder(marks)
  for (;;) {
    const { at, mark } = find(cursor.text, cursor.at, cursor.isFinal)
    if (at > cursor.at) put(cursor.text.slice(cursor.at, at))
    cursor.at = at
    const text = mark?.text ?? ''
    const after = aheadOf(cursor, text.length)
    const isOver =
      mark && (isEnd(text, after) ?? (after.length === MAX_LOOKAHEAD_CHARS ? false : undefined))
    if (isOver) {
      cursor.at += text.length
      return text
    }
    if (isOver === false) {
      put(text.charAt(0))
      cursor.at++
    } else if (cursor.isFinal) {
      put(cursor.text.slice(at))
      cursor.at = cursor.text.length
      return ''
    } else yield
  }
}

/** Takes text up to the mark that ends it, which is not taken; or so many characters of it. */
export function* readUpTo(
  cursor: Cursor,
  marks: readonly string[],
  maxChars: number,
): Reading<string> {
  const find = cachedFinder(marks)
  let taken = ''
  for (let left = maxChars; ; ) {
    const { text, at } = cursor
    // Not all of a long text is searched, for this may happen again and again.
    const near = text.slice(0, at + left + MAX_LOOKAHEAD_CHARS)
    const found = find(near, at, cursor.isFinal || near.length < text.length)
    cursor.at = Math.min(found.at, at + left)
    left -= cursor.at - at
    taken += text.slice(at, cursor.at)
    if (found.mark || cursor.at < found.at || cursor.isFinal) return taken
    yield
  }
}

/**
 * Takes the name that stands here before one of the marks; gives nothing, and takes nothing, where
 * there is none.
 */
export function* readNameBefore(cursor: Cursor, marks: readonly string[]): Reading<string> {
  const isBefore = (text: string) => matchMarks(text.replace(/^[^\s<>="'{}]+\s*/, ''), marks)
  const ahead = yield* peekText(cursor, text => isBefore(text) !== undefined)
  const [head = '', name = ''] = (isBefore(ahead) && /^([^\s<>="'{}]+)\s*/.exec(ahead)) || []
  cursor.at += head.length
  return name
}
