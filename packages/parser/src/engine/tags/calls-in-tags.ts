import type { ArgumentWriter } from '../argument-writer.js'
import { type CallSection, createCallSection } from '../call-section.js'
import { CUT, malformed, type Problem } from '../events.js'
import type { CallGrammar, CallOutput, CallReader, ToolShapes } from '../grammar.js'
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
  }
  /** Marks in a section that mean nothing. */
  readonly ignoredInSection?: readonly string[] | undefined
  /** The name of the tool, if the open mark contains it: `<write_file`. */
  readonly name?: string | undefined
  /** The open marks of the other tools, if open marks contain their names. */
  readonly otherOpens?: readonly string[] | undefined
}

/**
 * Reads a part of a call. Returns the problem if that is not possible; if no call has begun by
 * then, the mark was prose.
 */
export type FallibleReading = Reading<Problem | undefined>

/** A call whose open tag has been read. */
export interface TagCall {
  /** The marks that end the call, its own close tag first. */
  readonly ends: readonly string[]
  /** The marks that begin another call, its own open tag first. */
  readonly opens: readonly string[]
  readonly shape: Shape
  /** The name is the name of a declared tool. */
  readonly isTool: boolean
  /** The rest of the open tag, if that is named like the tool: `<write_file| path="a.ts">`. */
  readonly tag: Tag
  readonly callSection: CallSection
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
export function* readHead(cursor: Cursor, end = ''): Reading<string | Problem> {
  const length = yield* peek(cursor, text => matchHead(text, end))
  if (length === undefined) return readHeadWithoutEnd(cursor, end)
  if (length === 'none') return headProblem(end)
  const head = cursor.text.slice(cursor.at, cursor.at + length)
  cursor.at += length + end.length
  return head
}

const headProblem = (end: string): Problem =>
  malformed(`expected ${end ? `\`${end}\`` : 'whitespace or a tag'} after a name or a tag`)

/** `<tool_call>get_weather|`: at the end of the text a name needs no end, if it was not truncated. */
function readHeadWithoutEnd(cursor: Cursor, end: string): string | Problem {
  const rest = cursor.text.slice(cursor.at)
  if (rest.length >= MAX_LOOKAHEAD_CHARS) return headProblem(end)
  if (end || cursor.isTruncated) return CUT
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
): FallibleReading {
  const { ends, opens, callSection } = call
  const isObject = isEmpty && (yield* peek(cursor, startsObject)) === 'yes'
  if (isObject) {
    const problem = yield* readArgumentsObject(cursor, call)
    if (problem) return problem
  }
  const hasArguments = !isEmpty || isObject
  const marks = [...ends, ...opens, ...otherMarks]
  const mark = yield* callSection.nextMark(marks, isObject ? isSpaceOrStrayBrace : undefined)
  // Any other mark belongs to what follows.
  if (mark !== ends[0]) cursor.at -= mark.length
  if (mark === '' && isAtPartialMark(cursor, marks)) {
    if (!mayLackClose(cursor, call)) return CUT
    cursor.at = cursor.text.length
  } else if (!canEndAt(call, mark, hasArguments)) {
    const found = mark ? `\`${mark}\`` : 'other text'
    return malformed(`expected an argument or \`${ends[0]}\`, found ${found}`)
  }
  if (!hasArguments) beginArguments(call)
  const { put, isComplete } = call.beginCall()
  if (!isComplete()) put(Token.endObject, '')
  return undefined
}

/** `<function=write_file>|{"path": "a.ts"}</function>` (decision 65) */
function* readArgumentsObject(cursor: Cursor, call: TagCall): FallibleReading {
  const { put, expectsKey } = call.beginCall()
  return yield* readJson(cursor, put, { endMarks: call.ends.slice(0, 1), expectsKey })
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
  /** Reads the arguments of a call, and its end. */
  readonly readArguments: (cursor: Cursor, output: CallOutput, call: TagCall) => FallibleReading
  /** The close marks of a call and of a section, and the marks that are ignored in a section. */
  readonly ends: readonly string[]
  /** The open marks of a call, of a section, and of the calls of other tools. */
  readonly opens: readonly string[]
}

/** The attributes of a tool's own tag may be arguments, and so longer than other look-aheads. */
const MAX_TAG_CHARS = 4096

// Generator functions are at the top of the module: V8 gives each function that is made a hidden
// class of its own, and throws optimized code away for it.

/** Reads a call from its open mark on: `<function=|write_file>…</function>`. */
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
  const name = findToolName(head, tools)
  if (name === '') return CUT
  const isTool = tools.has(name)
  const beginCall = () => callSection.beginCall(name)
  const isProof = nameEnd !== undefined && grammar.name === undefined
  // `<function=write_file>|`, but not `<write_file>|`, which prose may mention (decision 63).
  if (isProof && isTool) beginCall()
  const attributes = headEnd === undefined ? '' : yield* readHead(cursor, headEnd)
  if (typeof attributes !== 'string') return attributes
  const tag = grammar.name === undefined ? noTag : yield* readTagRest(cursor)
  if (!tag) return CUT
  const call = { ends, opens, shape: tools.shapeOf(name), isTool, tag, callSection, beginCall }
  const isSelfClosing = tag.isSelfClosing || attributes.endsWith('/')
  if (!isSelfClosing) return yield* reading.readArguments(cursor, output, call)
  beginArguments(call)
  beginCall().put(Token.endObject, '')
  return undefined
}

/** Returns the name of the tool that the head of a call names. */
export function findToolName(head: string, tools: Pick<ToolShapes, 'has'>): string {
  // `get_weather\n`: some servers write the line break as a backslash and an `n`.
  const written = head.trim().replace(/(?:\\n)+$/, '')
  if (tools.has(written)) return written
  // `get_weather.get_weather`: a tool without a namespace may be written as its own (decision 23).
  const [, half = ''] = /^(.+)\.\1$/.exec(written) ?? []
  return tools.has(half) ? half : written
}

/** Reads the rest of a tag that is named like its tool: `<write_file| path="a.ts">`. */
function* readTagRest(cursor: Cursor): Reading<Tag | undefined> {
  const tag = yield* peek(cursor, matchTagRest, 0, MAX_TAG_CHARS)
  if (!tag || tag === noTag) return undefined
  cursor.at += tag.length
  return tag
}

/** Reads calls from the open mark of a section or of a call on. */
function* readTagCalls(
  cursor: Cursor,
  output: CallOutput,
  reading: TagReading,
  isInSection: boolean,
): CallReader {
  const { ends, opens } = reading
  const { call, section } = reading.grammar
  const callSection = createCallSection(cursor, output, {
    endMarks: [call.close],
    openMarks: [...opens, ...ends.slice(1)],
  })
  for (let isInCall = !isInSection; ; ) {
    if (isInCall) {
      const problem = yield* readTagCall(cursor, output, callSection, reading)
      if (problem && !callSection.writer()) return callSection.finish()
      yield* callSection.endCall(problem)
    }
    if (!section) return 0
    // A call without a section may have lost the open mark of its section.
    const mark = yield* callSection.nextMark([...ends, ...opens])
    if (mark === section.close) return 0
    if (mark === '') return yield* readAfterCalls(cursor, output, callSection, reading)
    // `</invoke></invoke>|`: a mark too many means nothing (decision 69).
    if (ends.includes(mark) && callSection.hasCalled()) callSection.confirm()
    isInCall = mark === call.open
  }
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
