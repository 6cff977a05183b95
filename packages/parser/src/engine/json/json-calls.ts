import {
  type CallSection,
  createCallSection,
  noteMissingClose,
  noteOpenList,
  noteStrayBrace,
} from '../call-section.js'
import type { CallGrammar, CallOutput, CallReader, Mark, MarkProof, ToolNames } from '../grammar.js'
import { noteSpacedTag, withSpacedTags } from '../spaced-tags.js'
import { type Cursor, noteRepair, type Reading } from '../text/cursor.js'
import { peek, readMark } from '../text/read-marks.js'
import { type Verdict, verdictOf } from '../text/verdict.js'
import { type EnvelopeGrammar, type EnvelopeResult, isWeak, readEnvelope } from './call-envelope.js'
import { skipEscapedSpace } from './escaped-space.js'

/**
 * Calls as JSON objects after a mark:
 *
 *     <tool_call>{"name": "f", "arguments": {…}}</tool_call>
 *     <tool_call>[{…}, {…}]</tool_call>
 *     <tool_call>{…} {…}
 *
 * One object, a list of them, or several in a row; the end mark may be missing.
 */
export interface JsonGrammar extends EnvelopeGrammar {
  /** `{` or `[`, if the mark ends with the bracket of the object or the list. */
  readonly bracket?: string | undefined
  /**
   * Reads a call that is not JSON: `get_weather(city="Paris")`. Among such calls an object is a call
   * only after a mark that is not weak, or if the model must call a tool.
   */
  readonly readNonJsonCall?: ReadCall | undefined
  /** The format writes a mark before its calls, so that calls without one lack theirs. */
  readonly lacksMark?: boolean | undefined
  /** The calls are in a shape that the format does not write. */
  readonly isOtherShape?: boolean | undefined
}

/** Reads a call. `needsProof`: only a declared tool is called. */
type ReadCall = (
  cursor: Cursor,
  output: CallOutput,
  grammar: JsonGrammar,
  needsProof: boolean,
) => Reading<EnvelopeResult>

export const FENCE = '```'

/** Calls that are being read. */
interface JsonCalls {
  readonly cursor: Cursor
  readonly output: CallOutput
  readonly grammar: JsonGrammar
  readonly section: CallSection
  /** The fence between the marks, if there is one: `<tool_call>` and then "```json". */
  readonly fence: string
  /** `[f(x=1), g()]`: the list of calls has no marks around it, so its bracket ends it. */
  readonly isBareList: boolean
  /** `[{…}, |`: how many lists are open around the next call. */
  openLists: number
  /** `{"tool_calls": [|`: how many objects are open around the lists. */
  openWrappers: number
  /** A call that cannot be read was copied up to its end mark. */
  hasEndMark: boolean
  /** There was a comma after the last call. Without one only a declared tool is called. */
  hadComma: boolean
}

export function* readJsonCalls(
  cursor: Cursor,
  output: CallOutput,
  grammar: JsonGrammar,
): CallReader {
  const { bracket = '', readNonJsonCall } = grammar
  const isBareList = readNonJsonCall !== undefined && bracket !== ''
  // A bare list that cannot be read ends with its line.
  const marks = isBareList ? { endMarks: [')]'], openMarks: ['\n'] } : grammar
  const section = createCallSection(cursor, output, marks)
  // `<tool_call>|```json`
  const fence = isWeak(grammar) || bracket ? '' : yield* section.nextMark([FENCE])
  if (fence) {
    noteRepair(cursor, 'fenced')
    yield* section.nextMark(['json'])
  }
  const state = { openLists: 0, openWrappers: 0, hasEndMark: false, hadComma: true }
  const calls: JsonCalls = { cursor, output, grammar, section, fence, isBareList, ...state }
  let part = bracket || (yield* nextPart(calls))
  while (part !== 'end') {
    const { hadComma } = calls
    const hasMore =
      part === '[' || part === ']'
        ? yield* takeListBracket(calls, part)
        : (part === '{' && (yield* takeWrapper(calls))) || (yield* readCall(calls, part === '{'))
    if (!hasMore) return finish(calls, hadComma)
    part = yield* nextPart(calls)
  }
  noteLists(calls)
  section.confirm()
  return section.finish()
}

/** `[{…}|</tool_call>` The list is not closed (decision 75). */
function noteLists({ cursor, section, openLists }: JsonCalls): void {
  if (section.hasCalled() && openLists > 0) noteOpenList(cursor)
}

/** `{…}|` The calls have no end mark, or a call that cannot be read was copied up to it. */
function finish(calls: JsonCalls, hadComma: boolean): number | undefined {
  const { cursor, section, grammar, hasEndMark } = calls
  if (grammar.isOtherShape && showsMore(calls)) return undefined
  // `[f(x=1)|, 5]` `[{"name": …}|, 5]` is streamed, so its call has begun.
  const isBracketed = calls.isBareList || isWeak(grammar)
  const isOpenList = isBracketed && section.hasCalled() && calls.openLists > 0
  if (isOpenList && hadComma) noteRepair(cursor, 'text-after-call')
  noteLists(calls)
  if (section.hasCalled() && !hasEndMark) noteMissingClose(cursor, grammar.endMarks)
  return section.finish()
}

/** `[f(x=1)|, 5]` "```⏎f(x=1)|⏎print(1)": a list or a fence that contains more than calls. */
function showsMore({ cursor, grammar, openLists, openWrappers }: JsonCalls): boolean {
  const isOpen = openLists + openWrappers + grammar.endMarks.length > 0
  return isOpen && !(cursor.isFinal && cursor.text.slice(cursor.at).trim() === '')
}

/**
 * `{…}|, {…}]</tool_call>` Takes the next bracket, or the end mark, after whitespace and commas.
 * Returns '' if neither is there.
 */
function* nextPart(calls: JsonCalls): Reading<'{' | '[' | ']' | 'end' | ''> {
  const { cursor, output, section } = calls
  const { endMarks } = calls.grammar
  yield* takeWrapperEnd(calls)
  if (section.hasCalled()) yield* noteStrayBrace(cursor)
  let end = yield* nextEndMark(calls)
  // `{…}|, {…}`
  if (!end && cursor.text.charAt(cursor.at) === ',') {
    calls.hadComma = true
    end = yield* section.nextMark(endMarks, char => char === ',' || isSeparator(calls, char))
  }
  if (end) return 'end'
  // `{…} |{…}]`
  const isNext = calls.openLists > 0 && !calls.hadComma
  const mayHold = section.unconfirmedChars() < output.maxHeldChars
  const bracket = mayHold ? yield* readMark(cursor, ['{', '[', ']']) : ''
  if (isNext && (bracket === '{' || bracket === '[')) noteRepair(cursor, 'missing-comma')
  if (bracket === '{' || bracket === '[' || bracket === ']') return bracket
  const endsHere = section.takePartialMark(endMarks)
  if (endsHere && section.hasCalled()) noteMissingClose(cursor, endMarks)
  return endsHere ? 'end' : ''
}

/** Takes the end mark, after whitespace. Returns '' if it is not there. */
function* nextEndMark(calls: JsonCalls): Reading<string> {
  const { cursor, section, grammar } = calls
  const isSkipped = (char: string) => isSeparator(calls, char)
  let end = yield* section.nextMark(grammar.endMarks, isSkipped)
  // `<tool_call>|\n{`
  const hasSkipped = end === '' && (yield* skipEscapedSpace(cursor))
  if (hasSkipped) end = yield* section.nextMark(grammar.endMarks, isSkipped)
  // `{…}</tool_call >|` (decision 86)
  return noteSpacedTag(cursor, end)
}

/** True for a character that may be between two calls, besides a comma. */
function isSeparator(calls: JsonCalls, char: string): boolean {
  if (' \n\r\t;'.includes(char)) return true
  // `{…}}|}`: a brace too many is a mistake of the model, not text (decision 69).
  if (char === '}') return calls.section.hasCalled()
  return char === '`' && calls.fence !== ''
}

/** `[|{…}, {…}]` `[{…}, {…}]|` Returns whether more calls may follow. */
function* takeListBracket(calls: JsonCalls, bracket: '[' | ']'): Reading<boolean> {
  const { cursor, output, section, isBareList } = calls
  if (bracket === '[') {
    calls.openLists++
    return true
  }
  // `{…}]|`: a bracket too many (decision 69).
  if (calls.openLists === 0) {
    noteRepair(cursor, 'extra-bracket', 1)
    return true
  }
  calls.openLists--
  // If no mark ends the calls, the bracket of the list does.
  section.confirm()
  if (!isBareList || calls.openLists > 0) return true
  // `[f(x=1)]|, [g()]`
  const isCallNext = (yield* peek(cursor, text => startsNextCall(text, output))) === 'yes'
  if (isCallNext || !section.hasCalled()) return isCallNext
  if ((yield* peek(cursor, startsProse)) === 'yes') noteRepair(cursor, 'text-after-call')
  return false
}

/** `[f(x=1)]|, [g()]` `[f(x=1)]|; g()` Another list or call of a declared tool follows. */
function startsNextCall(after: string, { tools }: CallOutput): Verdict {
  if (/^[ \t]*(?:[,;]\s*\[?\s*)?$/.test(after)) return 'wait'
  const [, name, next] = /^\s*[,;]\s*\[?\s*([^\s()[\]{}<>"'`,;:=|]+)(.?)/.exec(after) ?? []
  if (name === undefined) return 'no'
  if (next === '') return 'wait'
  return verdictOf(next === '(' && tools.has(name))
}

/**
 * `[f(x=1)]| is a call.` A sentence goes on after the list, so that is only a part of it (decision 81).
 * In `[f(x=1)]| Here it is.` another one begins.
 */
function startsProse(after: string): Verdict {
  const text = after.replace(/^[ \t]+/, '')
  return text === '' ? 'wait' : verdictOf(!/^[\r\n,;<`[\p{Lu}]/u.test(text))
}

const wrapperStart = /^\s*"(?:tool_calls?|function_calls?)"\s*:\s*\[/
const begunWrapper = /^\s*(?:"(?:\w*|\w*"\s*(?::\s*)?))?$/

/** `{|"tool_calls": [{…}]}` Takes the beginning of an object around the list of calls. */
function* takeWrapper(calls: JsonCalls): Reading<boolean> {
  const { cursor, openLists, section } = calls
  if (openLists > 0 || section.hasCalled()) return false
  const starts = yield* peek(cursor, text => {
    if (wrapperStart.test(text)) return 'yes'
    return begunWrapper.test(text) ? 'wait' : 'no'
  })
  if (starts !== 'yes') return false
  const [head = ''] = wrapperStart.exec(cursor.text.slice(cursor.at)) ?? []
  cursor.at += head.length
  calls.openWrappers++
  calls.openLists++
  return true
}

/** `{"tool_calls": [{…}]|}` */
function* takeWrapperEnd(calls: JsonCalls): Reading {
  const { cursor, section } = calls
  if (calls.openWrappers === 0 || calls.openLists > 0 || !section.hasCalled()) return
  yield* section.nextMark([])
  if ((yield* readMark(cursor, ['}'])) === '') return
  calls.openWrappers--
  section.confirm()
}

/** `{|"name": …}` or `|get_weather(…)` Returns whether more calls may follow. */
function* readCall(calls: JsonCalls, isObject: boolean): Reading<boolean> {
  const { cursor, output, grammar, section } = calls
  const read = isObject ? objectReader(calls) : grammar.readNonJsonCall
  if (!read) return false
  // `{…}⏎|{"name": "nope", "arguments": {…}}`: the same form is a call, too (decision 63).
  const isNext = isObject || calls.hadComma
  const needsProof = !section.hasCalled() || !isNext
  const { isCall, problem } = yield* read(cursor, output, grammar, needsProof)
  calls.hadComma = false
  // A forced choice is answered with JSON.
  const lacksMark = grammar.lacksMark && !output.tools.isForced
  if (isCall && lacksMark) noteRepair(cursor, 'missing-open')
  if (isCall && (grammar.isOtherShape || calls.openWrappers > 0)) noteRepair(cursor, 'other-shape')
  // `{"city" Paris}}</tool_call>| more`: a call that cannot be read ends with its end mark
  // (decision 58).
  if (isCall) {
    calls.hasEndMark = yield* section.endCall(problem)
    return !calls.hasEndMark
  }
  // `[{…}, {"name": "f|`: a list that was cut before the arguments of a call is markup to its end.
  const isCutInList = problem?.code === 'cut-call' && calls.openLists > 0
  if (isCutInList) cursor.at = cursor.text.length
  return isCutInList
}

/** Undefined if an object is not a call, but data: `[{"a": 1}]` where calls are written as Python. */
function objectReader({ grammar, output }: JsonCalls): ReadCall | undefined {
  if (grammar.isOtherShape) return readEnvelope
  const isData = grammar.readNonJsonCall && isWeak(grammar) && !output.tools.isForced
  return isData ? undefined : readEnvelope
}

/** The marks around calls, or around a list of them. */
export interface JsonMarks
  extends Omit<JsonGrammar, 'endMarks' | 'openMarks' | 'bracket'>,
    MarkProof {
  readonly open: string
  readonly close: string
}

/** Calls as JSON between any of these pairs of marks. */
export function jsonCalls(...markPairs: readonly JsonMarks[]): CallGrammar {
  // A bracket alone does not show that another call follows.
  const openMarks = markPairs.map(pair => pair.open).filter(open => open.length > 1)
  return () => markPairs.map(pair => jsonCallMark(pair, openMarks))
}

/** Makes the mark of calls as JSON. `openMarks`: what begins other calls. */
export function jsonCallMark(marks: JsonMarks, openMarks: readonly string[]): Mark {
  const { open, close, countsInReasoning, ...pair } = marks
  const grammar = {
    ...pair,
    endMarks: close ? withSpacedTags(close) : [],
    openMarks,
    bracket: /[{[]$/.exec(open)?.[0],
  }
  return {
    text: open,
    strength: pair.strength,
    countsInReasoning,
    lacksMark: pair.lacksMark,
    ends: grammar.endMarks,
    read: (cursor, output) => readJsonCalls(cursor, output, grammar),
  }
}

const withoutMarks = (lacksMark: boolean) =>
  jsonCalls(...['{', '['].map(open => ({ open, close: '', strength: 'weak' as const, lacksMark })))

/** Calls as JSON without any mark but the brace of an object, or the bracket of a list. */
export const bareJsonCalls = withoutMarks(false)

/** The same in formats that write a mark before their calls: it is missing. */
export const unmarkedJsonCalls = withoutMarks(true)

/**
 * The same in free text, where JSON may also be an answer: an object inside of that is not a call,
 * even if it looks like one.
 */
export const outerJsonCalls: CallGrammar = tools => asOuter(bareJsonCalls, tools)
export const outerUnmarkedJsonCalls: CallGrammar = tools => asOuter(unmarkedJsonCalls, tools)

const asOuter = (calls: CallGrammar, tools: ToolNames) =>
  calls(tools).map(mark => ({ ...mark, notInBrackets: !tools.isForced }))
