import { jsonEscapes, rawEscapes, unescaped } from '../json/string-escape.js'
import type { Cursor, Reading } from '../text/cursor.js'
import {
  MAX_LOOKAHEAD_CHARS,
  matchMarks,
  peek,
  peekText,
  readMark,
  readNextMark,
  readUntil,
  skip,
} from '../text/read-marks.js'
import type { Verdict } from '../text/verdict.js'
import { ANY_TYPE, JsonType } from '../values/shape.js'
import { Token, type ValueSink } from '../values/tokens.js'

/**
 * The mark that closes a text, such as `</path>`, those that open one, what ends the call around
 * it, such as `</write_file>`, and what opens a call: a text without a close mark must not swallow
 * them. A tag of its own may open a text too.
 */
export interface RawMarks {
  readonly close: string
  readonly opens: readonly string[]
  readonly call: Readonly<Record<'ends' | 'opens', readonly string[]>>
  readonly tag?: string | undefined
}

/** What a format does to a raw text. */
export interface RawTextForm {
  /**
   * A line break right at the beginning belongs to the markup, and then so does the one before the
   * end, with the indentation there.
   */
  readonly trimsBlockLayout?: boolean | undefined
  /** The text may be a CDATA section. */
  readonly readsCdata?: boolean | undefined
}

interface RawTextOptions {
  readonly form: RawTextForm
  readonly sink: ValueSink
  /** The types that the value may have. A number or a constant ends at the first mark. */
  readonly types: number
  /** The source says that it is a string. */
  readonly isQuoted?: boolean | undefined
  readonly marks: RawMarks
  /** The tag that opened it. */
  readonly tag: string
  /**
   * Whether a mark ends the text, by what stands behind it and the space there, and by whether the
   * text has held open and close marks; undefined as long as that cannot be told.
   */
  readonly isEnd: (mark: string, after: string, hasOpened: boolean, hasClosed: boolean) => Verdict
  /** Whether what stands behind the open mark of a call makes it one. */
  readonly isCall: (after: string) => Verdict
}

const SECTION_START = '<![CDATA['
const SECTION_END = ']]>'

/**
 * JSON as it stands in a string, `[{\"id\": 1}]`. The first quote tells: no JSON has a backslash
 * before it.
 */
const escapedJson = /^\s*[[{][\s[{]*\\"/
const begunEscapedJson = /^\s*(?:[[{][\s[{]*\\?)?$/
const onceEscaped = { ...jsonEscapes, whole: rawEscapes.whole }

/** A text without the space at its beginning. */
export const withoutLeadingSpace = (text: string) => text.replace(/^[ \n\t\r]+/, '')

/** A text without the beginning of a mark at its end. */
export function dropPartialMark(text: string, mark: string): string {
  const at = text.lastIndexOf(mark.charAt(0))
  return at >= 0 && mark.startsWith(text.slice(at)) ? text.slice(0, at) : text
}

/**
 * Reads raw text up to the mark that closes it, giving it out as it comes. Nothing is escaped in
 * raw text, so a mark counts only if what stands behind it can follow it; the close mark of a
 * section needs no such proof, nor one at the end of the text. From a call in the text on, marks
 * are counted: if the text is closed once more than others are opened, the call was quoted; if not,
 * it may be a real one that stands behind a text without an end, and nothing tells where that was.
 * A close mark that stands there twice was meant once, unless the text has opened something. Gives
 * the mark that ended the text, or nothing where there is none; the cursor stands behind a close
 * mark, but before any other. A text that begins with its own tag, and does not close it, ends with
 * that: nobody can tell whether it was meant.
 */
export function* readRawText(cursor: Cursor, options: RawTextOptions): Reading<string> {
  const { sink, marks, types } = options
  const { close, opens, call, tag = close } = marks
  const allMarks = [close, ...opens, ...call.ends, ...call.opens, tag]
  const isScalar = !(types & (JsonType.string | JsonType.object | JsonType.array))
  const startsWithTag = yield* peek(cursor, text =>
    matchMarks(withoutLeadingSpace(text), [options.tag]),
  )
  const isSection = options.form.readsCdata && (yield* readSectionStart(cursor))
  const mayBeEscaped = types === ANY_TYPE || !(isScalar || types & JsonType.string)
  const isClear = (text: string) => !begunEscapedJson.test(text)
  const isEscaped = mayBeEscaped && escapedJson.test(yield* peekText(cursor, isClear))
  let torn = ''
  const write = (piece: string) => {
    const text = torn + piece
    torn = (isEscaped && /(?<!\\)(?:\\\\)*(\\)$/.exec(text)?.[1]) || ''
    sink(
      Token.text,
      isEscaped ? unescaped(text.slice(0, text.length - torn.length), onceEscaped) : text,
    )
  }
  sink(options.isQuoted || isSection ? Token.beginQuoted : Token.beginUntyped, '')
  const isBlock = options.form.trimsBlockLayout && (yield* readMark(cursor, ['\n'])) !== ''
  const lines = isBlock ? createBlock(write) : { put: write, end() {} }
  const put = (piece: string) => {
    // Half a close mark at the end is no text.
    const isLast = cursor.isFinal && cursor.at + piece.length === cursor.text.length
    lines.put(isLast ? dropPartialMark(piece, close) : piece)
  }
  if (isSection) {
    let end = ''
    // What cannot stand in one section is written as two.
    do end = yield* readUntil(cursor, [SECTION_END], put)
    while (end && (yield* readSectionStart(cursor)))
    lines.end(end !== '')
    if (end) yield* skip(cursor)
    else return end
  }
  /** How many texts stand open in what is quoted. */
  let openTexts: number | undefined
  let hasOpened = false
  let hasClosed = false
  /** A close mark was taken for text, though nothing was open that it could close. */
  let hadStrayClose = false
  let closedTwice = 'no' as Verdict
  const mark = yield* readUntil(cursor, allMarks, isSection ? write : put, (end, after) => {
    const isClose = end === close
    if (isScalar || (isClose && isSection)) return 'yes'
    if (openTexts !== undefined && !(isClose && openTexts === 0)) {
      openTexts += isClose ? -1 : Number(opens.includes(end))
      return 'no'
    }
    if (call.opens.includes(end)) {
      const isCall = options.isCall(after)
      if (isCall === 'yes') openTexts = 0
      return isCall === 'wait' ? 'wait' : 'no'
    }
    hasOpened ||= end === options.tag || opens.includes(end)
    if (end === options.tag) return 'no'
    const rest = withoutLeadingSpace(after)
    const isEnd = options.isEnd(end, rest, hasOpened, hasClosed)
    if (isEnd === 'no' && isClose) {
      closedTwice = hasOpened ? 'no' : matchMarks(rest, [close])
      const isLast =
        closedTwice === 'yes'
          ? options.isEnd(end, withoutLeadingSpace(rest.slice(close.length)), false, hasClosed)
          : closedTwice
      hasClosed ||= isLast === 'no'
      hadStrayClose ||= isLast === 'no' && !hasOpened
      return isLast
    }
    // At its end a text that was not cut needs no more proof, nor does a close mark with nothing
    // but space behind it.
    const isSure = isClose
      ? cursor.isFinal || after.length === MAX_LOOKAHEAD_CHARS
      : cursor.isFinal && !cursor.isTruncated
    return isEnd === 'wait' && isSure ? 'yes' : isEnd
  })
  if (!isSection) lines.end(mark !== '')
  if (torn) sink(Token.text, torn)
  if (mark !== close) cursor.at -= mark.length
  else if (closedTwice === 'yes') yield* readNextMark(cursor, [close])
  const isInDoubt =
    mark === close ? startsWithTag === 'yes' && !hasClosed : mark !== '' && hadStrayClose
  return isInDoubt ? options.tag : mark
}

/** A line of a block that is longer than this is no layout. */
const MAX_LINE_CHARS = 1024

/**
 * Takes the text of a block, and gives it out without its layout: the line break and the
 * indentation before its end. A single line that is indented by more than that end loses its own
 * indentation too; that of several lines is the text's.
 */
function createBlock(put: (text: string) => void) {
  let held = ''
  let isSingle = true
  return {
    put(piece: string) {
      held += piece
      const last = held.lastIndexOf('\n')
      const isEnd =
        last >= 0 && held.length - last <= MAX_LINE_CHARS && /^\n[ \t]*$/.test(held.slice(last))
      const text = isEnd ? held.slice(0, last) : held
      isSingle &&= text.length <= MAX_LINE_CHARS && /^[ \t][^\n]*$/.test(text)
      if (isSingle) return
      put(text)
      held = held.slice(text.length)
    },
    end(isClosed: boolean) {
      const [line = '', end] = isClosed ? held.split('\n') : [held]
      const indent = line.length - line.replace(/^[ \t]+/, '').length
      const isLaidOut =
        end === undefined ? indent === line.length : end !== '' && indent > end.length
      put(isClosed && isLaidOut ? line.slice(indent) : line)
    },
  }
}

/** Takes the beginning of a section, and the space before it, if that is what stands here. */
function* readSectionStart(cursor: Cursor): Reading<boolean> {
  const isSection = yield* peek(cursor, text =>
    matchMarks(withoutLeadingSpace(text), [SECTION_START]),
  )
  if (isSection !== 'yes') return false
  cursor.at = cursor.text.indexOf(SECTION_START, cursor.at) + SECTION_START.length
  return true
}
