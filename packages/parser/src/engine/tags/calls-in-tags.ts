import type { ArgumentWriter } from '../argument-writer.js'
import { type CallSection, createCallSection, noteMissingClose } from '../call-section.js'
import { CUT, type Problem } from '../events.js'
import { fail, failWith, problemOf } from '../failure.js'
import type { CallGrammar, CallOutput, CallReader, Mark, ToolShapes } from '../grammar.js'
import { readJsonCalls } from '../json/json-calls.js'
import { readJson } from '../json/read-json.js'
import { noteSpacedTag, withSpacedTags } from '../spaced-tags.js'
import { isSpaceOrStrayBrace } from '../text/characters.js'
import { type Cursor, noteRepair, type Reading } from '../text/cursor.js'
import { MAX_LOOKAHEAD_CHARS, matchMarks, peek, readMark } from '../text/read-marks.js'
import type { Verdict } from '../text/verdict.js'
import type { ToolLookup } from '../tool-lookup.js'
import type { Shape } from '../values/shape.js'
import { Token } from '../values/tokens.js'
import { noteAttributes } from './element-repairs.js'
import { matchTagRest, noTag, putAttributes, splitAttributes, type Tag } from './open-tag.js'
import { dropPartialMark, type RawTextForm, withoutLeadingSpace } from './raw-text.js'

/**
 * Calls in tags, whatever the tags of their arguments look like:
 *
 *     <tool_calls>
 *     <invoke name="write_file">
 *     …
 *     </invoke>
 *     </tool_calls>
 */
export interface TagCallGrammar extends RawTextForm {
  /** The marks around one call or several: `<tool_calls>`. Default: calls are not in a section. */
  readonly section?: { readonly open: string; readonly close: string } | undefined
  /**
   * The tag of a call: `<function=` name `>`, or `<invoke name="` name `"` attributes `>`. Without
   * `nameEnd` a name ends at whitespace or a tag.
   */
  readonly call: {
    readonly open: string
    readonly nameEnd?: string
    readonly headEnd?: string
    readonly close: string
    /** `<Get_Weather>…</get_weather>` Another spelling of the close tag. */
    readonly otherClose?: string | undefined
  }
  /** Marks in a section that mean nothing. */
  readonly ignoredInSection?: readonly string[] | undefined
  /** The name of the tool, if the open mark contains it: `<write_file`. */
  readonly name?: string | undefined
  /** The open marks of all tools, if open marks contain their names: one list that they share. */
  readonly toolOpens?: readonly string[] | undefined
  /** The names of these tools. */
  readonly lookup?: ToolLookup | undefined
}

/** A call whose open tag has been read. */
export interface TagCall {
  /** The marks that end the call, its own close tag first. */
  readonly ends: readonly string[]
  /** The same, and the ways to write them with a space: `</invoke >`. */
  readonly writtenEnds: readonly string[]
  /** The marks that begin another call. */
  readonly opens: readonly string[]
  readonly shape: Shape
  /** The name is the name of a declared tool. */
  readonly isTool: boolean
  /** The rest of the open tag, if that is named like the tool: `<write_file| path="a.ts">`. */
  readonly tag: Tag
  /** `<get_time/>` */
  readonly isSelfClosing: boolean
  /** The call has no marks, so that it ends after its last argument. */
  readonly isUnmarked?: boolean
  readonly callSection: CallSection
  /** How many characters may be held back. */
  readonly maxHeldChars: number
  /** No text comes before it. */
  readonly isFirst: boolean
  /** Begins the call, if it has not begun. From here on it cannot be prose. */
  beginCall(): ArgumentWriter
}

/**
 * Returns how many characters are before the end of a name, a key or a tag: 4 for `path|>` and the
 * end `>`. `none`: other markup comes before that end. The end '' is whitespace or a tag.
 */
export function matchHead(text: string, end: string): number | 'none' | 'wait' {
  const at = end ? text.indexOf(end) : text.search(/(?<=\S)[\s<{]/)
  const head = at < 0 ? dropPartialMark(text, end) : text.slice(0, at)
  if (/[\n<>{]/.test(head.trim())) return 'none'
  return at < 0 ? 'wait' : at
}

/** Reads a name, a key or a tag, takes its end too, and returns it without that end. */
export function* readHead(cursor: Cursor, end = ''): Reading<string> {
  const length = yield* peek(cursor, text => matchHead(text, end))
  if (length === undefined) return readHeadWithoutEnd(cursor, end)
  if (length === 'none') return failAtHead(end)
  const head = cursor.text.slice(cursor.at, cursor.at + length)
  cursor.at += length + end.length
  return head
}

const failAtHead = (end: string): never =>
  fail(`expected ${end ? `\`${end}\`` : 'whitespace or a tag'} after a name or a tag`)

/** `<tool_call>get_weather|`: at the end of the text a name needs no end, if it was not truncated. */
function readHeadWithoutEnd(cursor: Cursor, end: string): string {
  const rest = cursor.text.slice(cursor.at)
  if (rest.length >= MAX_LOOKAHEAD_CHARS) return failAtHead(end)
  if (end || cursor.isTruncated) failWith(CUT)
  cursor.at += rest.length
  return rest
}

/** Decides whether a call follows an open mark: its head, and one of the marks that can follow. */
export function isCallHead(
  { nameEnd = '', headEnd }: TagCallGrammar['call'],
  text: string,
  marks: readonly string[],
): Verdict {
  let at = 0
  for (const end of headEnd === undefined ? [nameEnd] : [nameEnd, headEnd]) {
    const length = matchHead(text.slice(at), end)
    if (length === 'wait') return 'wait'
    if (length === 'none') return 'no'
    at += length + end.length
  }
  return matchMarks(withoutLeadingSpace(text.slice(at)), marks)
}

/** `{"path"`, `{'path'`, `{}` or `{path:`. A brace alone proves nothing. */
const objectStart = /^\{\s*(?:["'}]|[\w$.-]{1,64}\s*:)/
/** `{`, `{pa`: may become that. */
const partialObjectStart = /^\{\s*[\w$.-]{0,64}\s*$/

/** Decides whether a JSON object begins where the arguments should be. */
export function startsObject(text: string): Verdict {
  if (objectStart.test(text)) return 'yes'
  return partialObjectStart.test(text) ? 'wait' : 'no'
}

/**
 * Reads the end of a call. `isEmpty`: it has had no argument, so one JSON object may be there in
 * place of tags. `otherMarks` are marks that would begin something else than the end.
 */
export function* readEnd(
  cursor: Cursor,
  call: TagCall,
  isEmpty: boolean,
  otherMarks: readonly string[] = [],
): Reading {
  const { ends, writtenEnds, opens, callSection } = call
  // `write_file⏎  <path>a.ts</path>|`
  if (call.isUnmarked) return endArguments(call)
  const isObject = isEmpty && (yield* peek(cursor, startsObject)) === 'yes'
  if (isObject) yield* readArgumentsObject(cursor, call)
  const hasArguments = !isEmpty || isObject
  const marks = [...writtenEnds, ...opens, ...otherMarks]
  const written = yield* callSection.nextMark(marks, isObject ? isSpaceOrStrayBrace : undefined)
  const mark = noteSpacedTag(cursor, written)
  // Any other mark belongs to what follows.
  if (mark !== ends[0]) {
    cursor.at -= written.length
    noteRepair(cursor, 'missing-close')
  }
  if (mark === '' && isAtPartialMark(cursor, marks)) {
    if (!mayLackClose(cursor, call)) failWith(CUT)
    cursor.at = cursor.text.length
  } else if (!canEndAt(call, mark, hasArguments)) {
    fail(`expected an argument or \`${ends[0]}\`, found ${describeMark(mark)}`)
  }
  if (!hasArguments) beginArguments(call)
  endArguments(call)
}

function endArguments({ beginCall }: TagCall): void {
  const { put, isComplete } = beginCall()
  if (!isComplete()) put(Token.endObject, '')
}

const describeMark = (mark: string) => (mark ? `\`${mark}\`` : 'other text')

/** `<function=write_file>|{"path": "a.ts"}</function>` (decision 65) */
function* readArgumentsObject(cursor: Cursor, call: TagCall): Reading {
  const { put, expectsKey } = call.beginCall()
  const endMarks = call.ends.slice(0, 1)
  const problem = yield* readJson(cursor, put, { endMarks, expectsKey })
  if (problem) failWith(problem)
}

/** True if nothing but the beginning of a mark is left of the text, or nothing at all. */
function isAtPartialMark(cursor: Cursor, marks: readonly string[]): boolean {
  return cursor.isFinal && matchMarks(cursor.text.slice(cursor.at), marks) === 'wait'
}

/**
 * True if a call may end without its close tag, at the end of a text that was not truncated
 * (decision 62).
 */
function mayLackClose(cursor: Cursor, { ends, isTool, callSection }: TagCall): boolean {
  if (cursor.isTruncated) return false
  const rest = cursor.text.slice(cursor.at)
  // `<function=get_time><parameter=zone>UTC</parameter>|</func`
  if (callSection.writer()) return matchMarks(rest, ends) === 'wait'
  // `<tool_call>get_time|`
  return rest === '' && isTool
}

/** True for a mark at which a call may end. */
function canEndAt({ ends, opens }: TagCall, mark: string, hasArguments: boolean): boolean {
  if (ends.includes(mark)) return true
  // `<parameter=city>Paris</parameter>|<function=get_time>`
  return hasArguments && opens.includes(mark)
}

/** Begins the arguments with the attributes of the call's own tag. Returns their names. */
export function beginArguments({ tag, shape, beginCall }: TagCall): Set<string> {
  const { put } = beginCall()
  put(Token.beginObject, '')
  return putAttributes(tag, shape.propertyNames, put)
}

/** A grammar of calls in tags, and its marks. */
interface TagReading {
  readonly grammar: TagCallGrammar
  /**
   * Reads the arguments of a call, and its end. It fails if that is not possible; if no call has
   * begun by then, the mark was prose.
   */
  readonly readArguments: (cursor: Cursor, output: CallOutput, call: TagCall) => Reading
  /** The close marks of a call and of a section, and the marks that are ignored in a section. */
  readonly ends: readonly string[]
  readonly writtenEnds: readonly string[]
  /** The open marks of a call, of a section, and of the calls of other tools. */
  readonly opens: readonly string[]
}

/** The attributes of a tool's own tag may be arguments, and so longer than other look-aheads. */
const MAX_TAG_CHARS = 4096

// Generator functions are at the top of the module: V8 gives each function that is made a hidden
// class of its own, and throws optimized code away for it.

/**
 * Reads a call from its open mark on, and ends it: `<function=|write_file>…</function>`. Returns
 * false if the mark was prose. `lacksSection`: the format writes a section around calls, and none
 * was opened. Whatever fails inside is caught here (decision 71).
 */
function* readTagCall(
  cursor: Cursor,
  output: CallOutput,
  callSection: CallSection,
  reading: TagReading,
  lacksSection: boolean,
): Reading<boolean> {
  const start = cursor.windowOffset + cursor.at
  let problem: Problem | undefined
  try {
    const call = yield* readOpenTag(cursor, output, callSection, reading)
    noteAttributes(cursor, call.tag, call.shape.propertyNames)
    if (call.isSelfClosing) putNoArguments(call)
    else yield* reading.readArguments(cursor, output, call)
  } catch (error) {
    problem = problemOf(error)
    if (!callSection.writer()) return false
  }
  const charsSinceOpen = cursor.windowOffset + cursor.at - start
  if (lacksSection) noteRepair(cursor, 'missing-open', charsSinceOpen)
  yield* callSection.endCall(problem)
  return true
}

/** Reads the open tag of a call: `<function=|write_file>`. */
function* readOpenTag(
  cursor: Cursor,
  { tools, maxHeldChars, isTextStart, isAfterCall }: CallOutput,
  callSection: CallSection,
  { grammar, ends, writtenEnds, opens }: TagReading,
): Reading<TagCall> {
  const { nameEnd, headEnd } = grammar.call
  const head = grammar.name ?? (yield* readHead(cursor, nameEnd))
  // `<function=write_file>|>`
  const isDoubled =
    nameEnd === '>' && grammar.name === undefined && (yield* readMark(cursor, ['>']))
  if (isDoubled) noteRepair(cursor, 'other-mark')
  const name = findToolName(head, tools)
  if (name === '') failWith(CUT)
  const isTool = tools.has(name)
  if (isTool && splitAttributes(head.trim()) !== head.trim()) noteRepair(cursor, 'junk-in-tag')
  const beginCall = () => callSection.beginCall(name)
  const isProof = nameEnd !== undefined && grammar.name === undefined
  // `<function=write_file>|`, but not `<write_file>|`, which prose may mention (decision 63).
  if (isProof && isTool) beginCall()
  const attributes = headEnd === undefined ? '' : yield* readHead(cursor, headEnd)
  const tag = grammar.name === undefined ? noTag : yield* readTagRest(cursor)
  const isSelfClosing = tag.isSelfClosing || attributes.endsWith('/')
  const shape = tools.shapeOf(name)
  const isFirst = isTextStart || isAfterCall
  const own = { shape, isTool, tag, isSelfClosing, maxHeldChars, isFirst }
  return { ends, writtenEnds, opens, callSection, beginCall, ...own }
}

/** `<get_time/>|` */
function putNoArguments(call: TagCall): void {
  beginArguments(call)
  call.beginCall().put(Token.endObject, '')
}

/** Returns the name of the tool that the head of a call names. */
export function findToolName(head: string, tools: Pick<ToolShapes, 'has'>): string {
  // `get_weather\n`: some servers write the line break as a backslash and an `n`.
  const written = head.trim().replace(/(?:\\n)+$/, '')
  if (tools.has(written)) return written
  // `get_weather id="1"`: the attributes mean nothing.
  const plain = splitAttributes(written)
  if (plain !== written && tools.has(plain)) return plain
  // `get_weather.get_weather`: a tool without a namespace may be written as its own (decision 23).
  const [, half = ''] = /^(.+)\.\1$/.exec(written) ?? []
  return tools.has(half) ? half : written
}

/** Reads the rest of a tag that is named like its tool: `<write_file| path="a.ts">`. */
function* readTagRest(cursor: Cursor): Reading<Tag> {
  const tag = yield* peek(cursor, matchTagRest, 0, MAX_TAG_CHARS)
  if (!tag || tag === noTag) return failWith(CUT)
  cursor.at += tag.length
  return tag
}

/** Reads calls from the open mark of a section or of a call on. */
function* readTagCalls(
  cursor: Cursor,
  output: CallOutput,
  reading: TagReading,
  startsWithSection: boolean,
): CallReader {
  const { ends, writtenEnds, opens } = reading
  const { call, section } = reading.grammar
  const callSection = createCallSection(cursor, output, {
    endMarks: [call.close],
    openMarks: [...opens, ...ends.slice(1)],
  })
  let openSection = startsWithSection ? section : undefined
  for (let isInCall = !startsWithSection; ; ) {
    const lacksSection = openSection !== section
    const isProse =
      isInCall && !(yield* readTagCall(cursor, output, callSection, reading, lacksSection))
    if (isProse) {
      noteSectionEnd(cursor, callSection, openSection)
      return callSection.finish()
    }
    if (!section) return 0
    // A call without a section may have lost the open mark of its section.
    const mark = noteSpacedTag(cursor, yield* callSection.nextMark([...writtenEnds, ...opens]))
    if (mark === section.close) return 0
    if (mark === '') {
      const unreadChars = yield* readAfterCalls(cursor, output, callSection, reading)
      noteSectionEnd(cursor, callSection, openSection)
      return unreadChars
    }
    // `<tool_call><function=f>…</function>|<tool_call>`
    if (mark === section.open) {
      noteSectionEnd(cursor, callSection, openSection)
      openSection = section
    }
    confirmEndMark(cursor, callSection, reading, mark)
    isInCall = mark === call.open
  }
}

/** `<tool_call><function=f>…</function>|` Records a section that is not closed (decision 75). */
function noteSectionEnd(
  cursor: Cursor,
  callSection: CallSection,
  openSection: TagCallGrammar['section'],
): void {
  if (openSection && callSection.hasCalled()) noteMissingClose(cursor, [openSection.close])
}

/** `</invoke></invoke>|`: a mark too many means nothing (decision 69). */
function confirmEndMark(
  cursor: Cursor,
  callSection: CallSection,
  { ends, grammar }: TagReading,
  mark: string,
): void {
  if (ends.includes(mark) && callSection.hasCalled()) callSection.confirm()
  if (mark === grammar.call.close) noteRepair(cursor, 'extra-close')
}

/** Reads what is in a section where no mark is. */
function* readAfterCalls(
  cursor: Cursor,
  output: CallOutput,
  callSection: CallSection,
  { ends, grammar }: TagReading,
): CallReader {
  // `<tool_call>|{"name": "get_weather"`: JSON in the section of a format with tags (decision 65).
  const mayBeJson = !callSection.hasCalled() && /[{[]/.test(cursor.text.charAt(cursor.at))
  if (mayBeJson && grammar.section) {
    const marks = { endMarks: ends.slice(1), openMarks: [grammar.section.open] }
    noteRepair(cursor, 'other-notation')
    return yield* readJsonCalls(cursor, output, marks)
  }
  if (callSection.takePartialMark(ends)) callSection.confirm()
  return callSection.finish()
}

/** Makes the grammar of calls in tags, with or without a section around them. */
export function tagCalls(
  grammar: TagCallGrammar,
  readArguments: TagReading['readArguments'],
): CallGrammar {
  const { section, call } = grammar
  const reading = createReading(grammar, readArguments)
  const opens = section ? [call.open, section.open] : [call.open]
  return () => opens.map(open => createMark(open, reading))
}

/** Makes the mark of calls in a tag that contains the name of a tool: `<write_file`. */
export function toolTagMark(
  grammar: TagCallGrammar,
  readArguments: TagReading['readArguments'],
): Mark {
  return createMark(grammar.call.open, createReading(grammar, readArguments))
}

function createReading(
  grammar: TagCallGrammar,
  readArguments: TagReading['readArguments'],
): TagReading {
  const { section, call, ignoredInSection = [], toolOpens } = grammar
  const tags = section ? [call, section] : [call]
  const otherCloses = call.otherClose === undefined ? [] : [call.otherClose]
  const ends = [...tags.map(tag => tag.close), ...otherCloses, ...ignoredInSection]
  return {
    grammar,
    readArguments,
    ends,
    writtenEnds: ends.flatMap(withSpacedTags),
    opens: toolOpens ?? tags.map(tag => tag.open),
  }
}

function createMark(text: string, reading: TagReading): Mark {
  const { section, call, name } = reading.grammar
  const startsWithSection = text === section?.open
  return {
    text,
    toolName: name,
    ends: section ? [call.close, section.close] : [call.close],
    read: (cursor, output) => readTagCalls(cursor, output, reading, startsWithSection),
  }
}
