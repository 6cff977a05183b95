import { malformed } from '../events.js'
import type { CallGrammar, CallOutput, ToolShapes } from '../grammar.js'
import { withoutMarkdown } from '../text/characters.js'
import { type Cursor, noteRepair, type Reading } from '../text/cursor.js'
import { matchMarks, peek, peekText } from '../text/read-marks.js'
import type { Verdict } from '../text/verdict.js'
import { type EnvelopeResult, isWeak } from './call-envelope.js'
import { type JsonGrammar, type JsonMarks, jsonCalls } from './json-calls.js'
import { readJson } from './read-json.js'
import { isWholeAnswer } from './whole-answer.js'

/** A character that the name of a tool cannot contain. */
const notInName = /[\s()[\]{}<>"'`,;:=|]/

/** `city=` `**{` `true` `r'` `5`: the beginning of an argument, with its key or without. */
const argumentStart =
  /^\s*(?:[\p{L}_$][\p{L}\p{N}_$.-]*\s*=|\*\*\{|(?:true|false|null|none)\b|[rbuf]{1,2}["']|[^\s\p{L}_$*)])/iu
/** `get_time(|)` */
const emptyCall = /^\s*\)/
/** `[get_time(|), …` `[get_time(|)]`: in a bare list another call must follow, or its end. */
const emptyCallInBareList = /^\s*\)\s*(?:,|\]?$|\][^(])/
/** `get_weather(|ci` `get_time(|)`: what may become one of these. */
const begunArguments = /^\s*(?:[\p{L}_$][\p{L}\p{N}_$.-]*\s*|\*{1,2}|\)\s*\]?)?$/u

const noCall: EnvelopeResult = { isCall: false }

/** `|get_weather(city="Paris")` Reads a call. A name that is not declared needs more proof. */
export function* readPythonCall(
  cursor: Cursor,
  output: CallOutput,
  grammar: JsonGrammar,
  needsProof: boolean,
): Reading<EnvelopeResult> {
  const { tools, rewind } = output
  const written = (yield* peek(cursor, findCallName))?.name
  if (!written) return noCall
  const name = tools.has(written) ? written : withoutMarkdown(written)
  const isList = grammar.bracket === '[' && isWeak(grammar)
  const isProven =
    mayCall(name, tools, grammar, needsProof) ||
    // `[|timer(minutes=2)]`
    (isList && (yield* isWholeAnswer(cursor, output, 'list')))
  if (!isProven) return noCall
  if (name !== written) noteRepair(cursor, 'markdown-escape')
  cursor.at += written.length + 1
  // Between marks the name of a tool proves the call; without them it may be part of a sentence:
  // `[get_weather(|as described above)]` (decision 63).
  const isTool = tools.has(name)
  const isBareList = Boolean(grammar.bracket)
  if (!isTool || isBareList) {
    const after = yield* peekText(cursor, text => !begunArguments.test(text))
    const mayBeCut = isTool && cursor.isFinal
    if (!beginsArguments(after, isBareList, mayBeCut)) return noCall
  }
  const { put, expectsKey } = output.beginCall(name)
  const python = { parameters: tools.shapeOf(name).propertyNames, isTool: tools.has }
  const { endMarks } = grammar
  const problem = yield* readJson(cursor, put, { endMarks, python, expectsKey, rewind })
  const isLoop = (yield* peek(cursor, startsLoop)) === 'yes'
  if (problem || !isLoop) return { isCall: true, problem }
  return { isCall: true, problem: malformed('expected the end of the call, found a loop: `for`') }
}

/** `|get_weather(` The name before a parenthesis; '' if there is none. */
export function findCallName(ahead: string): { readonly name: string } | 'wait' {
  const end = ahead.search(notInName)
  if (end < 0) return 'wait'
  return { name: ahead.charAt(end) === '(' ? ahead.slice(0, end) : '' }
}

/** Whether a call of that name may be read. */
function mayCall(name: string, tools: ToolShapes, grammar: JsonGrammar, needsProof: boolean) {
  if (tools.has(name) || !isWeak(grammar)) return true
  // `[get_weather(city="Paris"), |undeclared(`: the first call has shown that this is a list of
  // calls. If no tools are declared, any name is one.
  const isProven = !needsProof || tools.names().length === 0
  return Boolean(grammar.bracket) && isProven
}

/**
 * Decides whether the text after `get_weather(|` can be arguments. `mayBeCut`: the text may have
 * ended inside the first of them.
 */
export function beginsArguments(after: string, isBareList: boolean, mayBeCut: boolean): boolean {
  // `get_weather(ci|`
  if (mayBeCut && begunArguments.test(after)) return true
  const isEmpty = isBareList ? emptyCallInBareList : emptyCall
  return argumentStart.test(after) || isEmpty.test(after)
}

/** `[f(x=y)| for y in z]` means other values than those that are written (decision 57). */
export const startsLoop = (after: string): Verdict => matchMarks(after.trimStart(), ['for '])

/**
 * `[get_weather(city='Paris')]`: a list of calls without marks around it. It counts only if it
 * begins with the call of a declared tool; its closing bracket ends it.
 */
export const bareList: JsonMarks = { open: '[', close: '', strength: 'weak' }

/**
 * Calls as Python writes them, in a list or in lines, between any of these pairs of marks:
 *
 *     <|tool_call_start|>[get_weather(city="Paris"), get_time()]<|tool_call_end|>
 *     <function_calls>get_weather(city="Paris")
 *     get_time()</function_calls>
 *     [get_weather(city='Paris'), get_time()]
 *
 * Between marks brackets, commas and line breaks only separate the calls, and JSON calls may be
 * there too. If the marks are weak, only declared tools are called, and only as Python calls them.
 */
export const pythonicCalls = (markPairs: readonly JsonMarks[]): CallGrammar =>
  jsonCalls(...markPairs.map(pair => ({ ...pair, readNonJsonCall: readPythonCall })))
