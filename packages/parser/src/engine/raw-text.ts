import type { Cursor, Reading } from './cursor.js'
import { createMarkSearch, lookAhead, readUntil, skip } from './marks.js'
import { isAtMark, withoutPrefix } from './match-marks.js'

export interface RawTextOptions {
  /** The text begins. `isSection`: it is a CDATA section. */
  readonly begin: (isSection: boolean) => void
  readonly put: (piece: string) => void
  /** The mark that closes the text, such as `</path>`. */
  readonly close: string
  /** The mark that opens it, without its end, such as `<path`: where the text holds it, a close mark may be the inner one's. */
  readonly open?: string | undefined
  /** What ends the call, such as `</write_file>`, or begins the next text: one without a close mark must not swallow it. */
  readonly stops: readonly string[]
  /** Whether a mark ends the text, by what stands behind it and the space there; undefined as long as that cannot be told. */
  readonly isEnd: (mark: string, behind: string, inner: InnerMarks) => boolean | undefined
  /** The text may be a CDATA section. */
  readonly maySection: boolean
  /** A line break right at the beginning belongs to the markup, and then so does one right before the close mark. */
  readonly mayBlock: boolean
}

/** Marks of its own that the text holds as text. */
export interface InnerMarks {
  hasOpen: boolean
  hasClose: boolean
}

/** More space than this, in front of what is looked for, is looked at as if it were that. */
const MAX_SPACE_CHARS = 4096
const SECTION_START = '<![CDATA['
const sectionEnd = createMarkSearch([']]>'])

/** A text without the space at its beginning. */
export const behindSpace = (text: string) =>
  text.slice(/^[ \n\t\r]*/.exec(text.slice(0, MAX_SPACE_CHARS))?.[0].length ?? 0)

/**
 * Reads raw text up to the mark that closes it, giving it out as it comes. Nothing is escaped in raw text, so a mark counts only if what
 * stands behind it can follow it. Gives the mark that ended the text: its close mark, or a stop mark before which that is missing. At the end
 * of the text a close mark needs no proof; nothing is given where there is none.
 */
export function* readRawText(cursor: Cursor, options: RawTextOptions): Reading<string> {
  const { begin, put, close, open, stops, isEnd } = options
  const isSection = options.maySection && (yield* readSectionStart(cursor))
  begin(isSection)
  if (isSection) {
    // What cannot stand in one section is written as two.
    do if (!(yield* readUntil(cursor, sectionEnd, put))) return ''
    while (yield* readSectionStart(cursor))
    yield* skip(cursor)
    if (cursor.isOver && cursor.at === cursor.text.length) return close
  }
  const opens = open === undefined ? [] : ['>', ' ', '\n', '\t', '\r'].map(char => open + char)
  const inner: InnerMarks = { hasOpen: false, hasClose: false }
  const counts = (mark: string, text: string): boolean | undefined => {
    const isClose = mark === close
    if (opens.includes(mark)) inner.hasOpen = true
    else if (isSection && isClose) return true
    const verdict = opens.includes(mark) ? false : isEnd(mark, behindSpace(text), inner)
    if (verdict === false && isClose) inner.hasClose = true
    return verdict ?? ((isClose && cursor.isOver) || undefined)
  }
  const search = createMarkSearch([close, ...stops, ...opens])
  const putText = options.mayBlock && !isSection ? withoutBreaks(put) : put
  const putPiece = (piece: string) => {
    // Half a close mark at the end is no text.
    const isLast = cursor.isOver && cursor.at + piece.length === cursor.text.length
    putText(isLast ? withoutPrefix(piece, close) : piece)
  }
  return yield* readUntil(cursor, search, putPiece, counts)
}

/** Takes the beginning of a section, and the space before it, if that is what stands here. */
function* readSectionStart(cursor: Cursor): Reading<boolean> {
  const isSection = yield* lookAhead(cursor, text => isAtMark(behindSpace(text), [SECTION_START]))
  if (isSection) cursor.at = cursor.text.indexOf(SECTION_START, cursor.at) + SECTION_START.length
  return isSection === true
}

/** Leaves out a line break at the beginning of a text, and then also one at its end. */
function withoutBreaks(put: (piece: string) => void): (piece: string) => void {
  let isAtStart = true
  let isBlock = false
  /** A line break that may be the last character. */
  let held = ''
  return piece => {
    if (isAtStart) isBlock = piece.startsWith('\n')
    const text = held + (isAtStart && isBlock ? piece.slice(1) : piece)
    isAtStart = false
    held = isBlock && text.endsWith('\n') ? '\n' : ''
    const whole = held ? text.slice(0, -1) : text
    if (whole) put(whole)
  }
}
