import type { ArgumentWriter } from '../argument-writer.js'
import type { Body, BodyStatus, CallGrammar, CallPort } from '../body.js'
import { isSpace } from '../characters.js'
import type { Problem } from '../events.js'
import { matchMarks } from '../match-marks.js'
import { createPythonReader, type PythonReader, pythonNumberAsJson } from '../python-reader.js'
import { ANY_KIND, Kind } from '../shape.js'
import { Token, type ValueSink } from '../value-token.js'
import { type BrokenTail, createBrokenTail } from './broken-tail.js'
import { createJsonBody } from './json-body.js'
import { openCall } from './open-call.js'

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
export interface PythonicGrammar {
  readonly marks: PythonicMarks | undefined
  readonly isForced: boolean | undefined
  readonly forcedToolName: string | undefined
}

export interface PythonicMarks {
  readonly open: string
  readonly close: string
  /** The marks are also used for other things: only declared tools are called, and only as Python calls them. */
  readonly isWeak?: boolean | undefined
}

const MAX_NAME_CHARS = 256
const SEPARATORS = ' \n\r\t,;['
const nameChar = /[^\s()[\]{}<>"'`,;:=|]/

// Where the body stands.
const BETWEEN = 0 //  [|f(a=1)|, |g()|]
const NAME = 1 //     [get_w|eather(
const ARGS = 2 //     [get_weather(ci|ty='Paris')
const EMPTY = 3 //    [get_time()|]              a call, or a link: [get_time()](docs.md)
const BROKEN = 4 //   [get_weather(city=?|?       to the end everything is raw
const OVER = 5

export function createPythonicBody(port: CallPort, grammar: PythonicGrammar): Body {
  const { marks, isForced, forcedToolName } = grammar
  const ends = marks ? [marks.close] : []
  const isStrong = marks !== undefined && !marks.isWeak
  let state = BETWEEN
  let status: BodyStatus = 'open'
  let givenBack = 0
  let name = ''
  let reader: PythonReader | undefined
  let writer: ArgumentWriter | undefined
  let tail: BrokenTail | undefined
  let trouble = ''
  /** JSON calls behind our mark are read as such. */
  let envelope: Body | undefined
  let hasCalled = false
  /** A call was closed, so that `feed` must return. */
  let hasClosed = false
  let hasComma = false
  /** The arguments of a bare call have begun, but it is not certain yet. */
  let hasBegun = false
  let isListClosed = false
  let maybeMark = ''
  /** Characters behind the last call; they are the text's again if no other call follows. */
  let unclaimedChars = 0

  const finish = (result: BodyStatus, unreadChars = 0) => {
    state = OVER
    status = result
    givenBack = unreadChars
  }
  /** What follows is not ours. Without any call the mark was prose. */
  const leave = () => finish(hasCalled ? 'done' : 'rejected', hasCalled ? unclaimedChars : 0)
  const commit = () => {
    if (writer) return writer
    writer = openCall(port, name, forcedToolName)
    if (hasBegun) writer.put(Token.beginObject, '')
    hasBegun = false
    return writer
  }
  const closeCall = (problem?: Problem) => {
    commit()
    port.close(problem)
    writer = undefined
    hasCalled = true
    hasClosed = true
    hasComma = false
    unclaimedChars = 0
    state = BETWEEN
  }
  const put: ValueSink = (token, text) => {
    if (!writer && !marks && (token === Token.beginObject || token === Token.endObject)) {
      hasBegun = true
      return
    }
    const { put: write, expected } = commit()
    const { kinds } = expected()
    // Where only a string will do, `007` is one.
    const isText = (kinds & Kind.string) !== 0 && kinds !== ANY_KIND
    write(token, token === Token.literal && !isText ? pythonNumberAsJson(text) : text)
  }
  const beginArguments = () => {
    hasBegun = false
    const { propertyNames } = port.tools.shapeOf(forcedToolName ?? name)
    reader = createPythonReader({
      sink: put,
      maxHeldChars: port.maxHeldChars,
      ends,
      positionalKey: propertyNames.length === 1 ? propertyNames[0] : undefined,
      mayHaveKey: key => writer?.mayHaveKey(key) ?? true,
    })
    state = ARGS
  }
  const breakOff = (message: string, unread: string) => {
    // Between marks a tool's name is proof enough; bare it may be part of a sentence.
    if (!writer && !hasBegun && !(marks && port.tools.has(name))) return leave()
    commit()
    trouble = message
    state = BROKEN
    // A bare list that cannot be read ends with its line.
    tail = createBrokenTail(port, marks ? ends : [')]'], marks ? [marks.open] : ['\n'])
    readBroken(unread, 0, unread.length)
  }
  const readBroken = (chunk: string, from: number, to: number): number => {
    const at = tail?.feed(chunk, from, to) ?? to
    const unread = tail?.giveBack()
    if (unread === undefined) return at
    closeCall({ code: 'malformed-arguments', message: trouble })
    finish('done', unread)
    return at
  }
  const readArguments = (chunk: string, from: number, to: number): number => {
    if (!reader) return to
    // As long as the call is not certain, character by character: what is given back must not depend on chunks.
    const at = reader.feed(chunk, from, writer ? to : from + 1)
    unclaimedChars += at - from
    if (reader.status() === 'done') {
      if (writer) leaveArguments(reader.unread())
      else state = EMPTY
    } else if (reader.status() === 'failed') breakOff(reader.error(), reader.unread())
    else if (!writer && unclaimedChars > port.maxHeldChars) leave()
    return at
  }
  /** The call is whole; the reader may have looked at what stands behind it. */
  const leaveArguments = (behind: string) => {
    closeCall()
    for (let i = 0; i < behind.length && state === BETWEEN; i++) readBetween(behind.charAt(i))
  }
  const closeEmpty = () => {
    commit().put(Token.endObject, '')
    closeCall()
  }
  /** Behind a bare call without arguments. */
  const readEmpty = (char: string) => {
    unclaimedChars++
    if (isListClosed) {
      if (char === '(') return leave()
      closeEmpty()
      return finish('done', 1)
    }
    if (char === ']') isListClosed = true
    else if (char === ',') {
      closeEmpty()
      readBetween(char)
    } else if (!isSpace(char) || unclaimedChars > port.maxHeldChars) leave()
  }
  const readName = (char: string) => {
    unclaimedChars++
    const isFree = isStrong || (!marks && (hasCalled || port.tools.names().length === 0))
    const isCallable = isFree || port.tools.has(name)
    if (char === '(' && isCallable) beginArguments()
    else if (!nameChar.test(char) || name.length >= MAX_NAME_CHARS) leave()
    else name += char
  }
  /** Takes one character before, between or behind the calls. */
  const readBetween = (char: string) => {
    unclaimedChars++
    maybeMark += char
    const match = matchMarks(maybeMark, ends)
    if (match === 'maybe') return
    if (match !== 'none') return finish(hasCalled ? 'done' : 'rejected')
    if (maybeMark.length > 1) return leave()
    maybeMark = ''
    if (char === ']' && hasCalled) {
      unclaimedChars = 0
      if (!marks) finish('done')
      return
    }
    if (char === '{' && !hasCalled && (isStrong || isForced)) {
      const opens = marks ? [marks.open] : []
      envelope = createJsonBody(port, { ends, opens, isWeak: !isStrong, isForced, forcedToolName })
      envelope.feed(char, 0, 1)
      return
    }
    if (char === ',') hasComma = true
    const isSeparator = SEPARATORS.includes(char) && (marks !== undefined || char !== '[')
    if (isSeparator && unclaimedChars <= port.maxHeldChars) return
    if (isSeparator || !nameChar.test(char) || (!marks && hasCalled && !hasComma)) return leave()
    name = char
    state = NAME
  }

  return {
    feed(chunk, from, to) {
      let at = from
      hasClosed = false
      while (at < to && status === 'open' && !hasClosed) {
        if (envelope) return envelope.feed(chunk, at, to)
        if (state === BETWEEN) readBetween(chunk.charAt(at++))
        else if (state === NAME) readName(chunk.charAt(at++))
        else if (state === ARGS) at = readArguments(chunk, at, to)
        else if (state === EMPTY) readEmpty(chunk.charAt(at++))
        else at = readBroken(chunk, at, to)
      }
      return at
    },
    end(isCut) {
      if (envelope) return envelope.end(isCut)
      if (state === ARGS && reader) {
        const isWhole = reader.end(!isCut)
        if (isWhole) leaveArguments(reader.unread())
        else if (reader.status() === 'failed') breakOff(reader.error(), reader.unread())
        else if (!writer && !port.tools.has(name)) leave()
        else {
          closeCall({ code: 'cut-call', message: 'the text ended inside the arguments' })
          finish('done')
        }
      }
      // The beginning of an end mark is markup; a single character proves nothing.
      if (state === BETWEEN) finish(hasCalled ? 'done' : 'rejected', maybeMark.length > 1 ? 0 : maybeMark.length)
      else if (state === NAME) leave()
      else if (state === EMPTY) {
        closeEmpty()
        finish('done')
      } else if (state === BROKEN) {
        tail?.end()
        closeCall({ code: 'malformed-arguments', message: trouble })
        finish('done')
      }
    },
    status: () => envelope?.status() ?? status,
    giveBack: () => envelope?.giveBack() ?? givenBack,
  }
}

/** Python calls between marks, in any of these ways; with `isBare` a list without marks is read too. */
export function pythonicCalls({
  ways,
  isBare,
}: {
  readonly ways: readonly PythonicMarks[]
  readonly isBare: boolean
}): CallGrammar {
  return ({ isForced, forcedToolName }) =>
    [...ways, ...(isBare ? [undefined] : [])].map(marks => ({
      text: marks?.open ?? '[',
      createBody: port => createPythonicBody(port, { marks, isForced, forcedToolName }),
    }))
}
