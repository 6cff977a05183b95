import { isSpacedTag, noteSpacedTag, withoutTagSpaces, withSpacedTags } from '../spaced-tags.js'
import { type Cursor, noteRepair, type Reading } from '../text/cursor.js'
import { matchMarks, peek, readMark, readNextMark, readUntil, skip } from '../text/read-marks.js'
import type { EndVerdict, Verdict } from '../text/verdict.js'
import { ANY_TYPE, CONTAINER, JsonType } from '../values/shape.js'
import { Token, type ValueSink } from '../values/tokens.js'
import { type Block, createBlock, endBlock, putInBlock } from './block-layout.js'
import {
  createUnescaper,
  endUnescaper,
  putUnescaped,
  startsEscapedJson,
  type Unescaper,
} from './escaped-json.js'
import {
  createValueEdges,
  findValueRepairs,
  judgeAfterClose,
  type ValueEdges,
  watchClose,
  watchPiece,
} from './tag-repairs.js'

/**
 * The marks in and after a raw text. A text without its close mark must not swallow those of the
 * calls.
 */
export interface RawMarks {
  /** The mark that closes the text: `</path>`, `</parameter>`. */
  readonly close: string
  /** The marks that open such a text: `<path>`, `<parameter=`. */
  readonly opens: readonly string[]
  /** The marks that end the call around the text, and those that open a call. */
  readonly call: Readonly<Record<'ends' | 'opens', readonly string[]>>
  /** A tag of its own that opens the text after its key: `<arg_value>`. */
  readonly tag?: string | undefined
  /** The tags of the elements around the text, which end only a number or a constant. */
  readonly outer?: readonly string[] | undefined
}

/** What a format does to a raw text. */
export interface RawTextForm {
  /**
   * A line break right after the open tag is markup. Then so are the one before the close tag and
   * the indentation there (see block-layout.ts). Default: both are text.
   */
  readonly trimsBlockLayout?: boolean | undefined
  /**
   * The format writes each value as a block, so a line break before the close tag is layout even if
   * there is none after the open tag. Default: then it is text.
   */
  readonly writesBlocks?: boolean | undefined
  /** A line break at the end of a text that lacks its close mark is layout. Default: it is text. */
  readonly trimsUnclosed?: boolean | undefined
  /** The text may be a CDATA section. Default: `<![CDATA[` is text. */
  readonly readsCdata?: boolean | undefined
}

interface RawTextOptions {
  readonly form: RawTextForm
  readonly sink: ValueSink
  /** The JSON types that the value may have. */
  readonly types: number
  /** The format says that the value is a string. Default: the schema decides. */
  readonly isQuoted?: boolean | undefined
  readonly marks: RawMarks
  /** The tag that opened the text: `<path>`, `<parameter=path>`. */
  readonly tag: string
  /**
   * Decides whether a mark ends the text. `after` is the text after the mark, without leading
   * whitespace.
   */
  readonly isEnd: (mark: string, after: string, contained: ContainedTags) => Verdict
  /** Decides whether the text after the open mark of a call makes it one. */
  readonly isCall: (after: string) => Verdict
  /** The value has no tag of its own after its key, although the format writes one. */
  readonly lacksTag?: boolean | undefined
  /** Returns the open tags of the arguments that the call lacks: `<parameter=days>`. Default: none. */
  readonly missingTags?: (() => readonly string[]) | undefined
  /** Gets each mark that is read as text. */
  readonly watchMark?: ((mark: string) => void) | undefined
}

/** The tags that a raw value has contained so far. */
export interface ContainedTags {
  /** `<path>a<path>`: an open tag of such a value. */
  readonly hadOpen: boolean
  /** `<path>a</path>b`: its close tag, read as text. */
  readonly hadClose: boolean
}

/** A raw value that is being read, and what it has contained so far. */
export interface RawValue extends ContainedTags {
  readonly options: Pick<RawTextOptions, 'marks' | 'tag' | 'isEnd' | 'isCall'>
  /** The schema wants a number, a boolean or null. */
  readonly isScalar: boolean
  /** `<![CDATA[a]]>`: the text was in a CDATA section. */
  readonly isCdata: boolean
  /** `<path><path>a`: the text begins with the tag that opened it. */
  readonly startsWithOwnTag: boolean
  hadOpen: boolean
  hadClose: boolean
  /** `<path>a</path>b`: the close tag was read as text although no open tag came before it. */
  hadStrayClose: boolean
  /** `a|</path></path>`: how many close tags follow the one that was looked at last. */
  extraCloses: number
  /**
   * How many tags are open inside a quoted call: `<note>write <tool_call>…`. Undefined as long as
   * no call is quoted.
   */
  quotedTags: number | undefined
}

const CDATA_START = '<![CDATA['
const CDATA_END = ']]>'

/** Returns a text without the whitespace at its beginning. */
export const withoutLeadingSpace = (text: string) => text.replace(/^[ \n\t\r]+/, '')

/** Returns a text without the beginning of a mark at its end: `a</pa` becomes `a`. */
export function dropPartialMark(text: string, mark: string): string {
  const at = text.lastIndexOf(mark.charAt(0))
  return at >= 0 && mark.startsWith(text.slice(at)) ? text.slice(0, at) : text
}

/**
 * Reads raw text up to the mark that ends it, and puts it as it comes. Nothing is escaped in raw
 * text, so a mark ends it only if the text after the mark can follow (see `endsValue`).
 *
 * Returns the mark that ended the text, or '' at the end of all text. The close mark is taken, any
 * other is not. Returns the tag that opened the text if its end is in doubt (see `isEndInDoubt`).
 */
export function* readRawText(cursor: Cursor, options: RawTextOptions): Reading<string> {
  const { form, sink, marks, tag, missingTags = noTags } = options
  const { close } = marks
  const startsWithOwnTag = yield* peek(cursor, text => startsWithMark(text, tag))
  const isCdata = form.readsCdata === true && (yield* readCdataStart(cursor))
  const writer = yield* createTextWriter(cursor, options)
  sink(options.isQuoted || isCdata ? Token.beginQuoted : Token.beginUntyped, '')
  const isBlock = form.trimsBlockLayout === true && (yield* readMark(cursor, ['\n'])) !== ''
  const hasLayout = isBlock || form.writesBlocks === true
  beginLayout(writer, form, isBlock)
  if (isCdata && !(yield* readCdata(cursor, writer, close))) return ''

  const value = createRawValue(options, isCdata, startsWithOwnTag === 'yes')
  const edges = createValueEdges(
    close,
    openStartOf(marks),
    hasLayout ? { isBlock } : undefined,
    options.lacksTag,
  )
  const writtenMark = yield* readUntil(
    cursor,
    findRawMarks(marks),
    text => {
      watchPiece(edges, text)
      if (isCdata) putWithoutLayout(writer, text)
      else putPiece(cursor, writer, text, close)
    },
    (found, after) => {
      const verdict = endsValue(value, found, after)
      // `a|</path>b`: here the mark is taken as text.
      if (verdict === 'no') options.watchMark?.(found)
      if (verdict === 'no' && isStrayClose(value, found)) watchClose(edges, missingTags)
      return verdict
    },
  )
  const mark = noteSpacedTag(cursor, writtenMark)
  if (!isCdata) endLayout(writer, endsWithLayout(form, hasLayout, mark, close))
  if (writer.unescaper) endUnescaper(writer.unescaper)
  // Only the close mark belongs to the value.
  if (mark !== close) cursor.at -= mark.length
  else yield* readExtraCloses(cursor, close, value.extraCloses)
  noteValue(cursor, options, value, edges, mark)
  return isEndInDoubt(value, mark) ? tag : mark
}

/** `a</path>|</path>` */
function* readExtraCloses(cursor: Cursor, close: string, count: number): Reading {
  for (let left = count; left > 0; left--) yield* readNextMark(cursor, [close])
}

/** Returns all marks at which a raw text may end. */
const findRawMarks = ({ close, opens, call, tag = close, outer = [] }: RawMarks) => [
  ...withSpacedTags(close),
  ...opens,
  ...call.ends,
  ...call.opens,
  tag,
  ...outer,
]

/** `<parameter` for `</parameter>`: the beginning of any tag that the close mark may close. */
function openStartOf({ close, opens }: RawMarks): string {
  return close.includes('/') ? close.replace('/', '').slice(0, -1) : (opens[0] ?? close)
}

const noTags = () => []

/** True for a close mark in a value, outside of a quoted call. */
const isStrayClose = ({ options, quotedTags }: RawValue, mark: string) =>
  mark === options.marks.close && quotedTags === undefined

/** Records what was done to read a value, which has been taken (decision 75). */
function noteValue(
  cursor: Cursor,
  { marks, missingTags = noTags }: RawTextOptions,
  { extraCloses }: RawValue,
  edges: ValueEdges,
  mark: string,
): void {
  // All of the text was read: the call was cut.
  if (mark === '') return
  judgeAfterClose(edges, missingTags)
  for (const code of findValueRepairs(edges, marks.tag)) noteRepair(cursor, code)
  // `<path>a.ts|</write_file></tool_call>`
  if (mark !== marks.close) noteRepair(cursor, 'missing-close')
  // `<path>a.ts</path>|</path>`
  else if (extraCloses > 0) noteRepair(cursor, 'extra-close')
}

const startsWithMark = (text: string, mark: string): Verdict =>
  matchMarks(withoutLeadingSpace(text), [mark])

export function createRawValue(
  {
    marks,
    tag,
    isEnd,
    isCall,
    types,
  }: Omit<RawTextOptions, 'form' | 'sink' | 'missingTags' | 'watchMark'>,
  isCdata: boolean,
  startsWithOwnTag: boolean,
): RawValue {
  return {
    options: { marks, tag, isEnd, isCall },
    isScalar: isScalarType(types),
    isCdata,
    startsWithOwnTag,
    hadOpen: false,
    hadClose: false,
    hadStrayClose: false,
    extraCloses: 0,
    quotedTags: undefined,
  }
}

const isScalarType = (types: number) => (types & (JsonType.string | CONTAINER)) === 0

/** Decides whether a mark inside a raw value ends the value. `after` is the text after the mark. */
export function endsValue(value: RawValue, mark: string, after: string): EndVerdict {
  const { marks, tag, isEnd } = value.options
  if (isSpacedTag(mark)) return endsAtSpacedTag(value, mark, after)
  const isClose = mark === marks.close
  // `<days>3|</days>`: a number or a constant ends at any mark.
  if (value.isScalar) return 'yes'
  // `<![CDATA[a]]>|</path>`: the CDATA section shows where the text ends.
  if (value.isCdata && isClose) return 'yes'
  // `<note>write <tool_call>… <path>a|</path>`
  if (isInsideQuotedCall(value, isClose)) return countQuotedTag(value, mark)
  // `<note>write |<tool_call>`
  if (marks.call.opens.includes(mark)) return beginQuotedCall(value, after)
  // `<note>write |<note>` The value has opened what a later close tag may close.
  if (mark === tag || marks.opens.includes(mark)) value.hadOpen = true
  if (mark === tag) return 'no'
  // `<path>a|</path>\n<content>`
  const rest = withoutLeadingSpace(after)
  const verdict = isEnd(mark, rest, value)
  // `a|</path></path>` ends at the second tag; `a|</path>b` goes on.
  if (verdict === 'no' && isClose) return endsAtSecondClose(value, rest)
  if (verdict !== 'wait') return verdict
  // `<path>a|</path>   ` needs no proof, `<path>a|</write_file>` only at the end of the text.
  return isClose ? 'likely' : 'likely-last'
}

/** `<path>a|</path >` Ends a value if what can follow it comes next (decision 86). */
function endsAtSpacedTag(value: RawValue, mark: string, after: string): EndVerdict {
  if (value.isScalar || value.isCdata) return 'yes'
  if (value.quotedTags !== undefined) return 'no'
  const verdict = value.options.isEnd(withoutTagSpaces(mark), withoutLeadingSpace(after), value)
  return verdict === 'wait' ? 'likely' : verdict
}

/**
 * True for a mark inside a call that is quoted in the value (decision 51). The first close tag for
 * which nothing is open in the quoted call may be the value's own.
 */
function isInsideQuotedCall({ quotedTags }: RawValue, isClose: boolean): boolean {
  if (quotedTags === undefined) return false
  return !isClose || quotedTags > 0
}

/** Counts a mark of a quoted call: `<note>write <tool_call>… |<path>a|</path>`. It is text. */
function countQuotedTag(value: RawValue, mark: string): 'no' {
  const { close, opens } = value.options.marks
  const quotedTags = value.quotedTags ?? 0
  if (mark === close) value.quotedTags = quotedTags - 1
  else if (opens.includes(mark)) value.quotedTags = quotedTags + 1
  return 'no'
}

/**
 * `<note>write |<tool_call>`: from a call in the text on, tags are counted (decision 51). If the
 * close tag comes once more than the open tags, the call was quoted. If not, it may be a real call
 * after a value without its close tag, and the value never ends.
 */
function beginQuotedCall(value: RawValue, after: string): Verdict {
  const isCall = value.options.isCall(after)
  if (isCall === 'wait') return 'wait'
  if (isCall === 'yes') value.quotedTags = 0
  return 'no'
}

/**
 * `a|</path></path>`: the model wrote the close tag twice and meant it once, unless the text has
 * opened something that the first one closes (decision 52). `rest` is the text after the first.
 */
function endsAtSecondClose(value: RawValue, rest: string): Verdict {
  const { marks, isEnd } = value.options
  value.extraCloses = 0
  let after = rest
  let hasMore: Verdict = value.hadOpen ? 'no' : matchMarks(after, [marks.close])
  while (hasMore === 'yes') {
    value.extraCloses++
    after = withoutLeadingSpace(after.slice(marks.close.length))
    hasMore = matchMarks(after, [marks.close])
  }
  if (hasMore === 'wait' && (after !== '' || value.extraCloses === 0)) return 'wait'
  const verdict = value.extraCloses > 0 ? isEnd(marks.close, after, value) : 'no'
  // `<path>a|</path>b`: this close tag is text.
  if (verdict === 'no') {
    value.hadClose = true
    if (!value.hadOpen) value.hadStrayClose = true
  }
  return verdict
}

/**
 * True if we cannot tell whether the value ends at the mark that ended it (decision 52):
 *
 * - `<path><path>a|</path>`: it begins with its own tag and does not close it.
 * - `<path>a</path>b|</write_file>`: its only close tags were read as text.
 */
export function isEndInDoubt(value: RawValue, mark: string): boolean {
  if (mark === value.options.marks.close) return value.startsWithOwnTag && !value.hadClose
  return mark !== '' && value.hadStrayClose
}

/** Writes the text of a value to the sink: removes its layout, then its escapes. */
interface TextWriter {
  readonly sink: ValueSink
  /** Undefined if the text is not escaped JSON. */
  readonly unescaper: Unescaper | undefined
  /** Undefined if the text does not begin with a line break. */
  block: Block | undefined
}

function* createTextWriter(cursor: Cursor, { types, sink }: RawTextOptions): Reading<TextWriter> {
  const put = (text: string) => sink(Token.text, text)
  const isEscaped = mayBeEscapedJson(types) && (yield* peek(cursor, startsEscapedJson)) === 'yes'
  return { sink, unescaper: isEscaped ? createUnescaper(put) : undefined, block: undefined }
}

/** True where the schema asks for an object or a list and not for a string, or says nothing. */
function mayBeEscapedJson(types: number): boolean {
  if (types === ANY_TYPE) return true
  return (types & CONTAINER) !== 0 && (types & JsonType.string) === 0
}

/** Puts text that comes from the cursor. Half a close mark at the end of all text is not text. */
function putPiece(cursor: Cursor, writer: TextWriter, piece: string, close: string): void {
  const isLast = cursor.isFinal && cursor.at + piece.length === cursor.text.length
  const text = isLast ? dropPartialMark(piece, close) : piece
  if (writer.block) putInBlock(writer.block, text)
  else putWithoutLayout(writer, text)
}

function putWithoutLayout({ sink, unescaper }: TextWriter, text: string): void {
  if (unescaper) putUnescaped(unescaper, text)
  else sink(Token.text, text)
}

function beginLayout(writer: TextWriter, form: RawTextForm, isBlock: boolean): void {
  if (!isBlock && !form.writesBlocks && !form.trimsUnclosed) return
  writer.block = createBlock(text => putWithoutLayout(writer, text), isBlock)
}

/** Tells whether a line break before a mark is layout. '' is the end of all text. */
function endsWithLayout(
  { trimsUnclosed = false }: RawTextForm,
  hasLayout: boolean,
  mark: string,
  close: string,
): boolean {
  if (mark === '') return false
  // `<path>a.ts⏎|</write_file>`: the close mark is missing.
  return hasLayout || (trimsUnclosed && mark !== close)
}

function endLayout({ block }: TextWriter, isClosed: boolean): void {
  if (block) endBlock(block, isClosed)
}

/** Takes `<![CDATA[` and the whitespace before it, if it is at the cursor. */
function* readCdataStart(cursor: Cursor): Reading<boolean> {
  const isCdata = yield* peek(cursor, text => startsWithMark(text, CDATA_START))
  if (isCdata !== 'yes') return false
  cursor.at = cursor.text.indexOf(CDATA_START, cursor.at) + CDATA_START.length
  return true
}

/** Reads a CDATA section from its start on, and returns whether it was closed. */
function* readCdata(cursor: Cursor, writer: TextWriter, close: string): Reading<boolean> {
  const put = (text: string) => putPiece(cursor, writer, text, close)
  let isClosed = false
  let hasMore = true
  while (hasMore) {
    isClosed = (yield* readUntil(cursor, [CDATA_END], put)) !== ''
    // `<![CDATA[a]]]]>|<![CDATA[>b]]>`: a text that contains `]]>` needs two sections.
    hasMore = isClosed && (yield* readCdataStart(cursor))
  }
  endLayout(writer, isClosed)
  if (isClosed) yield* skip(cursor)
  return isClosed
}
