import type { CallGrammar, CallPort } from '../body.js'
import type { Cursor, Reading } from '../cursor.js'
import { malformed } from '../events.js'
import { isAtMark, lookAhead } from '../marks.js'
import { readJson } from '../read-json.js'
import type { CallEnd } from './call-envelope.js'
import { type JsonGrammar, type JsonMarks, jsonCalls } from './json-body.js'

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
const isLoop = (text: string) => isAtMark(text.trimStart(), ['for '])

const noCall: CallEnd = { isCall: false }

/**
 * Reads a call, if a tool's name and its parenthesis stand here, or those of any other where the
 * name is free to choose.
 */
function* readCall(
  cursor: Cursor,
  port: CallPort,
  grammar: JsonGrammar,
  needsProof: boolean,
): Reading<CallEnd> {
  const { tools, rewind } = port
  const { ends, isWeak, bracket } = grammar
  const isFree = !isWeak || (bracket && (!needsProof || tools.names().length === 0))
  const ahead = yield* lookAhead(cursor, text => noName.test(text))
  const name = ahead.slice(0, Math.max(0, ahead.search(noName)))
  const isTool = tools.has(name)
  if (!name || ahead.charAt(name.length) !== '(' || !(isTool || isFree)) return noCall
  cursor.at += name.length + 1
  // Between marks a tool's name is proof enough; bare it may be part of a sentence.
  if (!isTool || bracket) {
    const behind = yield* lookAhead(cursor, text => !begunArguments.test(text))
    const isCut = isTool && cursor.isOver && begunArguments.test(behind)
    if (!isCut && !argumentStart.test(behind) && !(bracket ? bareEmptyCall : /^\s*\)/).test(behind))
      return noCall
  }
  const { put, mayHaveKey } = port.open(name)
  const { propertyNames } = tools.shapeOf(name)
  const python = {
    positionalKey: propertyNames.length === 1 ? propertyNames[0] : undefined,
    isTool: tools.has,
  }
  const problem = yield* readJson(cursor, put, { ends, python, mayHaveKey, rewind })
  const behind = yield* lookAhead(cursor, text => isLoop(text) !== undefined)
  return {
    isCall: true,
    problem: problem ?? (isLoop(behind) ? malformed('a loop behind the call') : undefined),
  }
}

/**
 * A list of calls that no marks stand around. It counts only if it begins with the call of a
 * declared tool; its closing bracket ends it.
 */
export const bareList: JsonMarks = { open: '[', close: '', isWeak: true }

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
  jsonCalls(...ways.map(way => ({ ...way, readOther: readCall })))
