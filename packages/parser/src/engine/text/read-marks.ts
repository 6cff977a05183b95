import { isPartOfTagAt, isTagAt } from './any-case.js'
import { isSpace } from './characters.js'
import { type Cursor, noteRepair, type Reading } from './cursor.js'
import { createMarkFinder } from './find-mark.js'
import type { EndVerdict, Verdict } from './verdict.js'

/** Tells whether a text begins with one of the marks: `<tool_c` waits for `<tool_call>`. */
export function matchMarks(text: string, marks: readonly string[]): Verdict {
  if (marks.some(mark => text.startsWith(mark) || isTagAt(mark, text))) return 'yes'
  if (text === '') return 'wait'
  return marks.some(mark => mark.startsWith(text) || isPartOfTagAt(mark, text)) ? 'wait' : 'no'
}

/**
 * Looks ahead go no further than this, so that text is looked at a bounded number of times however
 * it comes (decision 45).
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
 * Returns what `look` says about the text ahead, and takes nothing. `wait`: more text will come.
 * Undefined if it says `wait` at the end of the text, or at the look-ahead limit.
 */
export function tryPeek<Found>(
  cursor: Cursor,
  look: (ahead: string) => Found | 'wait',
  from = 0,
  maxChars = MAX_LOOKAHEAD_CHARS,
): Found | 'wait' | undefined {
  const ahead = aheadOf(cursor, from, maxChars)
  const found = look(ahead)
  if (found !== 'wait') return found
  const isTooFar = ahead.length === maxChars
  return cursor.isFinal || isTooFar ? undefined : 'wait'
}

/** The same, but waits for more text as long as `look` says `wait`. */
export function* peek<Found>(
  cursor: Cursor,
  look: (ahead: string) => Found | 'wait',
  from = 0,
  maxChars = MAX_LOOKAHEAD_CHARS,
): Reading<Found | undefined> {
  for (;;) {
    const found = tryPeek(cursor, look, from, maxChars)
    if (found !== 'wait') return found
    yield
  }
}

/** Returns the text ahead as soon as that is enough, or all of it up to the look-ahead limit. */
export function* peekText(
  cursor: Cursor,
  isEnough: (ahead: string) => boolean,
  from = 0,
): Reading<string> {
  yield* peek(cursor, ahead => (isEnough(ahead) ? 'yes' : 'wait'), from)
  return aheadOf(cursor, from)
}

/** Returns the mark at the cursor, the shortest of several, and takes nothing; '' without one. */
export function* peekMark(cursor: Cursor, marks: readonly string[]): Reading<string> {
  const isMark = yield* peek(cursor, text => matchMarks(text, marks))
  if (isMark !== 'yes') return ''
  const { text, at } = cursor
  const exact = marks.filter(mark => text.startsWith(mark, at))
  const found = exact.length > 0 ? exact : marks.filter(mark => isTagAt(mark, text, at))
  const [shortest = ''] = found.sort((left, right) => left.length - right.length)
  return shortest
}

/** Takes a mark that is at the cursor. A tag may be written in another case: `</Function>`. */
export function take(cursor: Cursor, mark: string): void {
  if (!cursor.text.startsWith(mark, cursor.at)) noteRepair(cursor, 'other-mark')
  cursor.at += mark.length
}

/** Takes the mark at the cursor and returns it; '' without one. */
export function* readMark(cursor: Cursor, marks: readonly string[]): Reading<string> {
  const mark = yield* peekMark(cursor, marks)
  take(cursor, mark)
  return mark
}

/** Skips whitespace, but nothing that may begin a mark, and returns the mark there; '' without one. */
export function* peekNextMark(
  cursor: Cursor,
  marks: readonly string[],
  isSkipped = isSpace,
  maxChars = Infinity,
): Reading<string> {
  yield* skip(cursor, char => isSkipped(char) && matchMarks(char, marks) === 'no', maxChars)
  return yield* peekMark(cursor, marks)
}

/** The same, and takes the mark. */
export function* readNextMark(
  cursor: Cursor,
  marks: readonly string[],
  isSkipped = isSpace,
  maxChars = Infinity,
): Reading<string> {
  const mark = yield* peekNextMark(cursor, marks, isSkipped, maxChars)
  take(cursor, mark)
  return mark
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
    finders.get(key) ??
    createMarkFinder(marks.toSorted(byLength).map(text => ({ text, isAnyCase: true })))
  if (finders.size === MAX_FINDERS) finders.clear()
  finders.set(key, find)
  return find
}

/**
 * Puts text as it comes, up to a mark that ends it; takes that mark and returns it. `isEnd` decides
 * by the text after the mark. A mark for which it still says `wait` beyond the look-ahead limit is
 * text. At the end of the text it is text too, with all that follows, and '' is returned. A likely
 * end is one then (see `EndVerdict`).
 */
export function* readUntil(
  cursor: Cursor,
  marks: readonly string[],
  put: (text: string) => void,
  isEnd: (mark: string, after: string) => EndVerdict = () => 'yes',
): Reading<string> {
  const find = cachedFinder(marks)
  for (;;) {
    const { at, mark } = find(cursor.text, cursor.at, cursor.isFinal)
    if (at > cursor.at) put(cursor.text.slice(cursor.at, at))
    cursor.at = at
    const text = mark?.text ?? ''
    const after = aheadOf(cursor, text.length)
    const isTooFar = mark !== undefined && after.length === MAX_LOOKAHEAD_CHARS
    const verdict = mark ? settle(isEnd(text, after), cursor, isTooFar) : 'wait'
    if (verdict === 'yes') {
      take(cursor, text)
      return text
    }
    if (verdict === 'no' || isTooFar) {
      put(text.charAt(0))
      cursor.at++
    } else if (cursor.isFinal) {
      put(cursor.text.slice(at))
      cursor.at = cursor.text.length
      return ''
    } else yield
  }
}

/** What a verdict about a mark means now: is more text to come, and can it be looked at? */
function settle(verdict: EndVerdict, cursor: Cursor, isTooFar: boolean): Verdict {
  const { isFinal, isTruncated } = cursor
  if (verdict === 'likely') return isFinal || isTooFar ? 'yes' : 'wait'
  if (verdict === 'likely-last') return isFinal && !isTruncated ? 'yes' : 'wait'
  return verdict
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
 * Takes the name here that comes before one of the marks; returns '', and takes nothing, if
 * there is none.
 */
export function* readNameBefore(cursor: Cursor, marks: readonly string[]): Reading<string> {
  const isBefore = (text: string) => matchMarks(text.replace(/^[^\s<>="'{}]+\s*/, ''), marks)
  const ahead = yield* peekText(cursor, text => isBefore(text) !== 'wait')
  if (isBefore(ahead) !== 'yes') return ''
  const [head = '', name = ''] = /^([^\s<>="'{}]+)\s*/.exec(ahead) ?? []
  cursor.at += head.length
  return name
}
