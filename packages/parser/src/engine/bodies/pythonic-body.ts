import type { Body, CallGrammar, CallPort, ToolShapes } from '../body.js'
import type { Cursor, Reading } from '../cursor.js'
import { lookAhead } from '../marks.js'
import { readJson } from '../read-json.js'
import { readJsonCalls } from './json-body.js'
import { createMarkup } from './markup.js'

/**
 * Calls as Python writes them, in a list or in lines, between marks or bare:
 *
 *     <|tool_call_start|>[get_weather(city="Paris"), get_time()]<|tool_call_end|>
 *     <function_calls>get_weather(city="Paris")
 *     get_time()</function_calls>
 *     [get_weather(city='Paris'), get_time()]
 *
 * Between marks brackets, commas and line breaks only separate the calls, and JSON calls may stand there too. A bare list
 * counts only if it begins with the call of a declared tool; its closing bracket ends it.
 */
export interface PythonicMarks {
  readonly open: string
  readonly close: string
  /** The marks are also used for other things: only declared tools are called, and only as Python calls them. */
  readonly isWeak?: boolean | undefined
}

const noName = /[\s()[\]{}<>"'`,;:=|]/
/** An argument: one with its key, a dictionary of them, or a value. */
const argumentStart =
  /^\s*(?:[\p{L}_$][\p{L}\p{N}_$.-]*\s*=|\*\*\{|(?:true|false|null|none)\b|[rbuf]{1,2}["']|[^\s\p{L}_$*)])/iu
/** The end of a call without arguments in a bare list: another call must follow, or the end of the list. */
const bareEmptyCall = /^\s*\)\s*(?:,|\]?$|\][^(])/
/** What may become one of these. */
const begunArguments = /^\s*(?:[\p{L}_$][\p{L}\p{N}_$.-]*\s*|\*{1,2}|\)\s*\]?)?$/u

function* readPythonCalls(cursor: Cursor, port: CallPort, marks: PythonicMarks | undefined): Body {
  const { tools } = port
  const ends = marks ? [marks.close] : []
  const opens = marks ? [marks.open] : []
  const isStrong = marks !== undefined && !marks.isWeak
  // A bare list that cannot be read ends with its line.
  const tail = marks ? { ends, opens } : { ends: [')]'], opens: ['\n'] }
  const markup = createMarkup(cursor, port, tail)
  const { hasCalled, leave } = markup
  let hasComma = false

  const isSeparator = (char: string) => {
    hasComma ||= char === ','
    return ' \n\r\t,;'.includes(char) || (char === '[' && marks !== undefined)
  }
  for (;;) {
    const found = yield* markup.nextMark(ends, isSeparator)
    const first = cursor.text.charAt(cursor.at)
    if (!found && first === ']' && hasCalled()) {
      cursor.at++
      markup.claim()
      if (marks) continue
      return 0
    }
    // JSON calls behind our mark are read as such.
    if (!found && first === '{' && !hasCalled() && (isStrong || tools.isForced))
      return yield* readJsonCalls(cursor, port, { ends, opens, isWeak: !isStrong })
    if (found || markup.takeBegun(ends)) markup.claim()
    if (found || (!marks && hasCalled() && !hasComma)) return leave()
    const isFree = isStrong || (!marks && (hasCalled() || tools.names().length === 0))
    const name = yield* readName(cursor, tools, marks, isFree)
    if (!name) return leave()
    hasComma = false
    const { put, mayHaveKey } = markup.openCall(name)
    const { propertyNames } = tools.shapeOf(name)
    const python = { positionalKey: propertyNames.length === 1 ? propertyNames[0] : undefined, isTool: tools.has }
    yield* markup.endCall(yield* readJson(cursor, put, { ends, python, mayHaveKey, rewind: port.rewind }))
  }
}

/** Takes a tool's name, or any where that is free to choose, and its parenthesis; gives nothing where that is no call. */
function* readName(cursor: Cursor, tools: ToolShapes, marks: unknown, isFree: boolean): Reading<string> {
  const ahead = yield* lookAhead(cursor, text => noName.test(text))
  const name = ahead.slice(0, Math.max(0, ahead.search(noName)))
  const isTool = tools.has(name)
  if (ahead.charAt(name.length) !== '(' || !(isTool || isFree)) return ''
  cursor.at += name.length + 1
  // Between marks a tool's name is proof enough; bare it may be part of a sentence.
  if (isTool && marks) return name
  const behind = yield* lookAhead(cursor, text => !begunArguments.test(text))
  const isCut = cursor.isOver && begunArguments.test(behind)
  const isCall = argumentStart.test(behind) || (marks ? /^\s*\)/ : bareEmptyCall).test(behind)
  return isCall || (isTool && isCut) ? name : ''
}

/** Python calls in any of these ways: between marks, or, where there are none, as a bare list. */
export function pythonicCalls(ways: readonly (PythonicMarks | undefined)[]): CallGrammar {
  return () =>
    ways.map(marks => ({ text: marks?.open ?? '[', read: (cursor, port) => readPythonCalls(cursor, port, marks) }))
}
