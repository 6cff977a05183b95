import { malformed } from '../events.js'
import type { CallGrammar, CallOutput } from '../grammar.js'
import type { Cursor, Reading } from '../text/cursor.js'
import { matchMarks, peekText } from '../text/read-marks.js'
import type { EnvelopeResult } from './call-envelope.js'
import { type JsonGrammar, type JsonMarks, jsonCalls } from './json-calls.js'
import { readJson } from './read-json.js'

const noName = /[\s()[\]{}<>"'`,;:=|]/
/** An argument: one with its key, a dictionary of them, or a value. */
const argumentStart =
  /^\s*(?:[\p{L}_$][\p{L}\p{N}_$.-]*\s*=|\*\*\{|(?:true|false|null|none)\b|[rbuf]{1,2}["']|[^\s\p{L}_$*)])/iu
/**
 * The end of a call without arguments in a bare list: another call must follow, or the end of the
 * list.
 */
const bareEmptyCall = /^\s*\)\s*(?:,|\]?$|\][^(])/
/** What may become one of these. */
const begunArguments = /^\s*(?:[\p{L}_$][\p{L}\p{N}_$.-]*\s*|\*{1,2}|\)\s*\]?)?$/u

/** `[f(x=y)| for y in z]` means other values than those that are written. */
const isLoop = (text: string) => matchMarks(text.trimStart(), ['for '])

const noCall: EnvelopeResult = { isCall: false }

/**
 * Reads a call, if a tool's name and its parenthesis stand here, or those of any other where the
 * name is free to choose.
 */
function* readPythonCall(
  cursor: Cursor,
  output: CallOutput,
  grammar: JsonGrammar,
  needsProof: boolean,
): Reading<EnvelopeResult> {
  const { tools, rewind } = output
  const { endMarks, isWeakMark, bracket } = grammar
  const isFree = !isWeakMark || (bracket && (!needsProof || tools.names().length === 0))
  const ahead = yield* peekText(cursor, text => noName.test(text))
  const name = ahead.slice(0, Math.max(0, ahead.search(noName)))
  const isTool = tools.has(name)
  if (!name || ahead.charAt(name.length) !== '(' || !(isTool || isFree)) return noCall
  cursor.at += name.length + 1
  // Between marks a tool's name is proof enough; bare it may be part of a sentence.
  if (!isTool || bracket) {
    const after = yield* peekText(cursor, text => !begunArguments.test(text))
    const isCut = isTool && cursor.isFinal && begunArguments.test(after)
    if (!isCut && !argumentStart.test(after) && !(bracket ? bareEmptyCall : /^\s*\)/).test(after))
      return noCall
  }
  const { put, expectsKey } = output.beginCall(name)
  const { propertyNames } = tools.shapeOf(name)
  const python = {
    positionalKey: propertyNames.length === 1 ? propertyNames[0] : undefined,
    isTool: tools.has,
  }
  const problem = yield* readJson(cursor, put, {
    endMarks,
    python,
    expectsKey,
    rewind,
  })
  const after = yield* peekText(cursor, text => isLoop(text) !== 'wait')
  return {
    isCall: true,
    problem: problem ?? (isLoop(after) === 'yes' ? malformed('a loop behind the call') : undefined),
  }
}

/**
 * A list of calls that no marks stand around. It counts only if it begins with the call of a
 * declared tool; its closing bracket ends it.
 */
export const bareList: JsonMarks = { open: '[', close: '', isWeakMark: true }

/**
 * Calls as Python writes them, in a list or in lines, in any of these ways:
 *
 *     <|tool_call_start|>[get_weather(city="Paris"), get_time()]<|tool_call_end|>
 *     <function_calls>get_weather(city="Paris")
 *     get_time()</function_calls>
 *     [get_weather(city='Paris'), get_time()]
 *
 * Between marks brackets, commas and line breaks only separate the calls, and JSON calls may stand
 * there too. Where the marks are weak, only declared tools are called, and only as Python calls
 * them.
 */
export const pythonicCalls = (ways: readonly JsonMarks[]): CallGrammar =>
  jsonCalls(...ways.map(way => ({ ...way, readNonJsonCall: readPythonCall })))
