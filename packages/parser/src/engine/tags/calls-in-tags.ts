import type { ArgumentWriter } from '../argument-writer.js'
import { type CallSection, createCallSection } from '../call-section.js'
import { CUT, malformed, type Problem } from '../events.js'
import type { CallGrammar, CallOutput, CallReader } from '../grammar.js'
import { readJsonCalls } from '../json/json-calls.js'
import { readJson } from '../json/read-json.js'
import { isSpaceOrStrayBrace } from '../text/characters.js'
import type { Cursor, Reading } from '../text/cursor.js'
import { MAX_LOOKAHEAD_CHARS, matchMarks, peek } from '../text/read-marks.js'
import type { Verdict } from '../text/verdict.js'
import type { Shape } from '../values/shape.js'
import { Token } from '../values/tokens.js'
import { matchTagRest, noTag, putAttributes, type Tag } from './open-tag.js'
import { dropPartialMark, type RawTextForm, withoutLeadingSpace } from './raw-text.js'

/** How calls stand in tags, whatever the tags of their arguments look like. */
export interface TagCallGrammar extends RawTextForm {
  /** What stands around one call or several. */
  readonly section?: { readonly open: string; readonly close: string } | undefined
  /**
   * `<function=` name `>`, or `<invoke name="` name `"` attributes `>`. Without `nameEnd` a name
   * ends at a space or a tag.
   */
  readonly call: {
    readonly open: string
    readonly nameEnd?: string
    readonly headEnd?: string
    readonly close: string
  }
  /** Marks in a section that mean nothing. */
  readonly ignoredInSection?: readonly string[] | undefined
  /** The tool's name, where the mark says it; and the marks of the other tools. */
  readonly name?: string | undefined
  readonly otherOpens?: readonly string[] | undefined
}

/**
 * Reads a part of a call, and gives the reason if that cannot be done; without a call yet it was
 * prose then.
 */
export type FallibleReading = Reading<Problem | undefined>

/** A call behind its name. */
export interface TagCall {
  /** What ends it, its own close tag first; and what begins another, its own open tag first. */
  readonly ends: readonly string[]
  readonly opens: readonly string[]
  readonly shape: Shape
  readonly isTool: boolean
  /** Its own tag, where that is named like the tool. */
  readonly tag: Tag
  readonly callSection: CallSection
  /** From here on it is a call. */
  commit(): ArgumentWriter
}

/** How much stands before the end of a name, a key or a tag; -1 where it has none. */
function matchHead(text: string, end: string): number | undefined {
  const at = end ? text.indexOf(end) : text.search(/(?<=\S)[\s<{]/)
  if (/[\n<>{]/.test((at < 0 ? dropPartialMark(text, end) : text.slice(0, at)).trim())) return -1
  return at < 0 ? undefined : at
}

/**
 * The attributes of a tool's own tag may be arguments, and so longer than what is looked at
 * elsewhere.
 */
const MAX_TAG_CHARS = 4096

/**
 * Takes what stands before the end of a name, a key or a tag, and that end. Without one a name ends
 * at a space, a tag, or with the text.
 */
export function* readHead(cursor: Cursor, end = ''): Reading<string | Problem> {
  const found = yield* peek(cursor, text => matchHead(text, end) ?? 'wait')
  const left = cursor.text.length - cursor.at
  const length = found ?? (left < MAX_LOOKAHEAD_CHARS ? left : -1)
  if (length < 0) return malformed('a tag without an end')
  if (found === undefined && (end || cursor.isTruncated)) return CUT
  const head = cursor.text.slice(cursor.at, cursor.at + length)
  cursor.at += length + end.length
  return head
}

/** Tells whether a call follows an open mark: its head, and then one of the marks that can follow. */
export function isCallHead(
  { nameEnd = '', headEnd }: TagCallGrammar['call'],
  text: string,
  marks: readonly string[],
): Verdict {
  let at = 0
  for (const end of headEnd === undefined ? [nameEnd] : [nameEnd, headEnd]) {
    const length = matchHead(text.slice(at), end)
    if (length === undefined) return 'wait'
    if (length < 0) return 'no'
    at += length + end.length
  }
  return matchMarks(withoutLeadingSpace(text.slice(at)), marks)
}

/** JSON in place of the arguments, and what may become that. A brace alone proves nothing. */
const objectStart = /^\{\s*(?:["'}]|[\w$.-]{1,64}\s*:)/
const objectBegun = /^\{\s*[\w$.-]{0,64}\s*$/
function startsObject(text: string): Verdict {
  if (objectStart.test(text)) return 'yes'
  return objectBegun.test(text) ? 'wait' : 'no'
}

/**
 * Reads the end of the call, where some other mark might stand too. At the end of the text its
 * close tag may be missing. Where no argument stands one JSON object may.
 */
export function* readEnd(
  cursor: Cursor,
  call: TagCall,
  isEmpty: boolean,
  otherMarks: readonly string[] = [],
): FallibleReading {
  const { ends, opens, callSection } = call
  const isObject = isEmpty && (yield* peek(cursor, startsObject)) === 'yes'
  if (isObject) {
    const { put, expectsKey } = call.commit()
    const problem = yield* readJson(cursor, put, {
      endMarks: ends.slice(0, 1),
      expectsKey,
    })
    if (problem) return problem
  }
  const hasArguments = !isEmpty || isObject
  const marks = [...ends, ...opens, ...otherMarks]
  const mark = yield* callSection.nextMark(marks, isObject ? isSpaceOrStrayBrace : undefined)
  if (mark !== ends[0]) cursor.at -= mark.length
  const rest = cursor.text.slice(cursor.at)
  if (mark === '' && cursor.isFinal && matchMarks(rest, marks) === 'wait') {
    const isOver = callSection.writer()
      ? matchMarks(rest, ends) === 'wait'
      : rest === '' && call.isTool
    if (cursor.isTruncated || !isOver) return CUT
    cursor.at += rest.length
  } else if (!ends.includes(mark) && !(hasArguments && opens.includes(mark))) {
    return malformed('text between the arguments')
  }
  if (!hasArguments) beginArguments(call)
  const { put, isComplete } = call.commit()
  if (!isComplete()) put(Token.endObject, '')
  return undefined
}

/** Begins the arguments with those that stand in the call's own tag; gives their names. */
export function beginArguments({ tag, shape, commit }: TagCall): Set<string> {
  const { put } = commit()
  put(Token.beginObject, '')
  return putAttributes(tag, shape.propertyNames, put)
}

/** How calls in tags are read, and the marks of that. */
interface TagReading {
  readonly grammar: TagCallGrammar
  /** Reads the arguments of a call, and its end. */
  readonly readArguments: (cursor: Cursor, output: CallOutput, call: TagCall) => FallibleReading
  readonly ends: readonly string[]
  readonly opens: readonly string[]
}

// Generators stand at the top of a module: V8 makes a hidden class for each that is made, and
// optimized code must be thrown away for it.
function* readTagCall(
  cursor: Cursor,
  output: CallOutput,
  callSection: CallSection,
  reading: TagReading,
): FallibleReading {
  const { grammar, ends, opens } = reading
  const { nameEnd, headEnd } = grammar.call
  const { tools } = output
  const head = grammar.name ?? (yield* readHead(cursor, nameEnd))
  if (typeof head !== 'string') return head
  // Some servers write line breaks as two characters. A tool without a namespace may be its own:
  // `get_weather.get_weather`.
  const written = head.trim().replace(/(?:\\n)+$/, '')
  const [, half = ''] = /^(.+)\.\1$/.exec(written) ?? []
  const name = !tools.has(written) && tools.has(half) ? half : written
  if (name === '') return CUT
  const isTool = tools.has(name)
  const commit = () => callSection.openCall(name)
  if (nameEnd !== undefined && isTool && grammar.name === undefined) commit()
  const attributes = headEnd === undefined ? '' : yield* readHead(cursor, headEnd)
  if (typeof attributes !== 'string') return attributes
  const tag =
    grammar.name === undefined ? noTag : yield* peek(cursor, matchTagRest, 0, MAX_TAG_CHARS)
  if (!tag || (tag === noTag && grammar.name !== undefined)) return CUT
  cursor.at += tag.length
  const call = { ends, opens, shape: tools.shapeOf(name), isTool, tag, callSection, commit }
  if (!tag.isSelfClosing && !attributes.endsWith('/'))
    return yield* reading.readArguments(cursor, output, call)
  beginArguments(call)
  commit().put(Token.endObject, '')
  return undefined
}

function* readTagCalls(
  cursor: Cursor,
  output: CallOutput,
  reading: TagReading,
  isInSection: boolean,
): CallReader {
  const { ends, opens } = reading
  const sectionEnds = ends.slice(1)
  const { call, section } = reading.grammar
  const callSection = createCallSection(cursor, output, {
    endMarks: [call.close],
    openMarks: [...opens, ...sectionEnds],
  })
  for (let isInCall = !isInSection; ; ) {
    const problem = isInCall ? yield* readTagCall(cursor, output, callSection, reading) : undefined
    if (problem && !callSection.writer()) return callSection.finish()
    if (isInCall) yield* callSection.endCall(problem)
    if (!section) return 0
    // Between the calls of a section; one that stands alone may have lost its section's open mark.
    const mark = yield* callSection.nextMark([...ends, ...opens])
    isInCall = mark === call.open
    if (mark === section.close) return 0
    if (ends.includes(mark) && callSection.hasCalled()) callSection.confirm()
    // A mark too many means nothing.
    if (mark) continue
    if (!callSection.hasCalled() && /[{[]/.test(cursor.text.charAt(cursor.at))) {
      return yield* readJsonCalls(cursor, output, {
        endMarks: sectionEnds,
        openMarks: [section.open],
      })
    }
    if (callSection.takePartialMark(ends)) callSection.confirm()
    return callSection.finish()
  }
}

/** Calls in tags, in sections or alone. */
export function tagCalls(
  grammar: TagCallGrammar,
  readArguments: TagReading['readArguments'],
): CallGrammar {
  const { section, call, ignoredInSection = [], otherOpens = [] } = grammar
  const tags = section ? [call, section] : [call]
  const opens = [...tags.map(tag => tag.open), ...otherOpens]
  const reading = {
    grammar,
    readArguments,
    ends: [...tags.map(tag => tag.close), ...ignoredInSection],
    opens,
  }
  return () =>
    tags.map(({ open }) => ({
      text: open,
      read: (cursor, output) => readTagCalls(cursor, output, reading, open === section?.open),
    }))
}
