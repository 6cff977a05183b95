import { isSpace } from './characters.js'
import type { Cursor, Reading } from './cursor.js'
import { createMarkFinder } from './mark-finder.js'

/** Whether a text begins with one of the marks; undefined as long as it may still become one. */
export function isAtMark(text: string, marks: readonly string[]): boolean | undefined {
  if (marks.some(mark => text.startsWith(mark))) return true
  return text === '' || marks.some(mark => mark.startsWith(text)) ? undefined : false
}

/** No mark that ends a text of limited length is longer. */
const MAX_MARK_CHARS = 256
const MAX_FINDERS = 256

/** Passes over space, or whatever else means nothing here; over no more than so many characters. */
export function* skip(cursor: Cursor, isSkipped: (char: string) => boolean = isSpace, maxChars = Infinity): Reading {
  for (let left = maxChars; ; ) {
    const { text } = cursor
    for (; left > 0 && cursor.at < text.length && isSkipped(text.charAt(cursor.at)); left--) cursor.at++
    if (left === 0 || cursor.at < text.length || cursor.isOver) return
    yield
  }
}

/** Gives what stands so many characters ahead, as soon as that is enough, or as much of it as is looked at. It is not taken. */
export function* lookAhead(
  cursor: Cursor,
  maxChars: number,
  isEnough: (ahead: string) => boolean,
  from = 0,
): Reading<string> {
  for (;;) {
    const start = cursor.at + from
    const ahead = cursor.text.slice(start, start + maxChars)
    if (cursor.isOver || ahead.length === maxChars || isEnough(ahead)) return ahead
    yield
  }
}

/**
 * Waits until `look` can tell by the text behind the cursor what stands there, and gives that; nothing where the text is over before.
 * It takes nothing, and `look` must not want more than so much text that it can be looked at anew whenever some comes.
 */
export function* peek<Found>(cursor: Cursor, look: (text: string) => Found | undefined): Reading<Found | undefined> {
  for (;;) {
    const found = look(cursor.text.slice(cursor.at))
    if (found !== undefined || cursor.isOver) return found
    yield
  }
}

/** Takes the mark that stands here, the shortest of several; gives nothing, and takes nothing, where there is none. */
export function* readMark(cursor: Cursor, marks: readonly string[]): Reading<string> {
  const isMark = yield* peek(cursor, text => isAtMark(text, marks))
  const found = isMark ? marks.filter(mark => cursor.text.startsWith(mark, cursor.at)) : []
  const [shortest = ''] = found.sort((left, right) => left.length - right.length)
  cursor.at += shortest.length
  return shortest
}

/** Takes the mark that stands here, behind what is passed over; what begins a mark is not. */
export function* readNextMark(cursor: Cursor, marks: readonly string[], isSkipped = isSpace, maxChars = Infinity) {
  yield* skip(cursor, char => isSkipped(char) && isAtMark(char, marks) === false, maxChars)
  return yield* readMark(cursor, marks)
}

const finders = new Map<string, ReturnType<typeof createMarkFinder>>()

/** Kept for the next text with the same marks; the marks of elements are the model's, and there is no end to them. */
function finderOf(marks: readonly string[]) {
  const key = marks.join('\0')
  // The first mark that is whole counts: a longer one that begins with it need not be waited for.
  const byLength = (left: string, right: string) => left.length - right.length
  const find = finders.get(key) ?? createMarkFinder(marks.toSorted(byLength).map(text => ({ text })))
  if (finders.size === MAX_FINDERS) finders.clear()
  finders.set(key, find)
  return find
}

/** Finds the first of some marks, or the beginning of one at the end of the text. It is made ready when it is used first. */
export function createMarkSearch(marks: readonly string[]) {
  let find: ReturnType<typeof createMarkFinder> | undefined
  return ({ text, isOver }: Pick<Cursor, 'text' | 'isOver'>, from: number) => {
    find ??= finderOf(marks)
    const { at, mark } = find(text, from, isOver)
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
  for (;;) {
    const { at, mark } = search(cursor, cursor.at)
    if (at > cursor.at) put(cursor.text.slice(cursor.at, at))
    cursor.at = at
    const isEnd = mark !== undefined && counts(mark, cursor.text.slice(at + mark.length))
    if (mark !== undefined && isEnd) {
      cursor.at += mark.length
      return mark
    }
    if (mark !== undefined && isEnd === false) {
      put(mark.charAt(0))
      cursor.at++
    } else if (cursor.isOver) {
      put(cursor.text.slice(at))
      cursor.at = cursor.text.length
      return ''
    } else yield
  }
}

/** Takes text up to the mark that ends it, which is not taken; or so many characters of it. */
export function* readUpTo(cursor: Cursor, search: MarkSearch, maxChars: number): Reading<string> {
  let taken = ''
  for (let left = maxChars; ; ) {
    const { text, at } = cursor
    // Not all of a long text is searched, for this may happen again and again.
    const near = text.slice(0, at + left + MAX_MARK_CHARS)
    const found = search({ text: near, isOver: cursor.isOver || near.length < text.length }, at)
    cursor.at = Math.min(found.at, at + left)
    left -= cursor.at - at
    taken += text.slice(at, cursor.at)
    if (found.mark !== undefined || cursor.at < found.at || cursor.isOver) return taken
    yield
  }
}
