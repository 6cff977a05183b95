import type { Body, CallGrammar, CallPort } from '../body.js'
import { isSpace } from '../characters.js'
import type { Cursor, Reading } from '../cursor.js'
import { lookAhead, skip } from '../marks.js'
import { readJson } from '../read-json.js'
import { pythonNumberAsJson } from '../scalar.js'
import { ANY_KIND, Kind } from '../shape.js'
import { Token, type ValueSink } from '../value-token.js'
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

const MAX_NAME_CHARS = 256
const noName = /[\s()[\]{}<>"'`,;:=|]/

function* readPythonCalls(cursor: Cursor, port: CallPort, marks: PythonicMarks | undefined): Body {
  const { tools, maxHeldChars } = port
  const ends = marks ? [marks.close] : []
  const opens = marks ? [marks.open] : []
  const isStrong = marks !== undefined && !marks.isWeak
  // A bare list that cannot be read ends with its line.
  const tail = marks ? { ends, opens } : { ends: [')]'], opens: ['\n'] }
  const markup = createMarkup(cursor, port, tail)
  const { writer, hasCalled, leave } = markup
  let hasComma = false
  let name = ''
  /** The arguments of a bare call have begun, but it is not certain yet. */
  let hasBegun = false

  const commit = () => {
    const call = markup.openCall(name)
    if (hasBegun) call.put(Token.beginObject, '')
    hasBegun = false
    return call
  }
  const put: ValueSink = (token, text) => {
    if (!writer() && !marks && (token === Token.beginObject || token === Token.endObject)) {
      hasBegun = true
      return
    }
    const { put: write, expected } = commit()
    const { kinds } = expected()
    // Where only a string will do, `007` is one.
    const isText = (kinds & Kind.string) !== 0 && kinds !== ANY_KIND
    write(token, token === Token.literal && !isText ? pythonNumberAsJson(text) : text)
  }
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
    if (found || !first || noName.test(first) || (!marks && hasCalled() && !hasComma)) return leave()
    const isFree = isStrong || (!marks && (hasCalled() || tools.names().length === 0))
    name = yield* readName(cursor, written => isFree || tools.has(written))
    if (!name) return leave()
    hasComma = false
    hasBegun = false
    const { propertyNames } = tools.shapeOf(name)
    const problem = yield* readJson(cursor, put, {
      ends,
      python: { positionalKey: propertyNames.length === 1 ? propertyNames[0] : undefined },
      mayHaveKey: key => writer()?.mayHaveKey(key) ?? true,
    })
    // Between marks a tool's name is proof enough; bare it may be part of a sentence.
    const isCut = problem?.code === 'cut-call'
    if (problem && !writer() && !(tools.has(name) && (marks || isCut)) && (isCut || !hasBegun)) return leave()
    if (!problem && !writer()) {
      if (!(yield* isEmptyCall(cursor, maxHeldChars))) return leave()
      commit().put(Token.endObject, '')
    }
    commit()
    yield* markup.endCall(problem)
  }
}

/** Takes a name that may be called and the parenthesis behind it; gives nothing where they do not stand there. */
function* readName(cursor: Cursor, mayCall: (name: string) => boolean): Reading<string> {
  const ahead = yield* lookAhead(cursor, MAX_NAME_CHARS, text => noName.test(text))
  const name = ahead.slice(0, Math.max(0, ahead.search(noName)))
  if (cursor.text.charAt(cursor.at + name.length) !== '(' || !mayCall(name)) return ''
  cursor.at += name.length + 1
  return name
}

/** Whether a bare call without arguments is one: another follows it, or the end of its list. */
function* isEmptyCall(cursor: Cursor, maxHeldChars: number): Reading<boolean> {
  yield* skip(cursor, isSpace, maxHeldChars)
  if (cursor.isOver && cursor.at === cursor.text.length) return true
  if (cursor.text.charAt(cursor.at) !== ']') return cursor.text.charAt(cursor.at) === ','
  return (yield* lookAhead(cursor, 2, () => false)) !== ']('
}

/** Python calls between marks, in any of these ways; with `isBare` a list without marks is read too. */
export function pythonicCalls({
  ways,
  isBare,
}: {
  readonly ways: readonly PythonicMarks[]
  readonly isBare: boolean
}): CallGrammar {
  return () =>
    [...ways, ...(isBare ? [undefined] : [])].map(marks => ({
      text: marks?.open ?? '[',
      read: (cursor, port) => readPythonCalls(cursor, port, marks),
    }))
}
