import type { Body, CallGrammar, CallPort } from '../body.js'
import { isSpace } from '../characters.js'
import { createJsonReader, type JsonReader } from '../json-reader.js'
import { matchMarks } from '../match-marks.js'
import { pythonNumberAsJson } from '../scalar.js'
import { ANY_KIND, Kind } from '../shape.js'
import { Token, type ValueSink } from '../value-token.js'
import { createJsonBody } from './json-body.js'
import { CUT, createMarkup } from './markup.js'

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

export function createPythonicBody(port: CallPort, grammar: PythonicGrammar): Body {
  const { marks, isForced, forcedToolName } = grammar
  const ends = marks ? [marks.close] : []
  const isStrong = marks !== undefined && !marks.isWeak
  let state = BETWEEN
  let name = ''
  let reader: JsonReader | undefined
  let hasComma = false
  /** The arguments of a bare call have begun, but it is not certain yet. */
  let hasBegun = false
  let isListClosed = false
  let maybeMark = ''
  /** Characters behind the last call; they are the text's again if no other call follows. */
  let unclaimedChars = 0

  const { writer, closeCall, closeLast, hasCalled, isOpen, ...markup } = createMarkup(port, {
    forcedToolName,
    // A bare list that cannot be read ends with its line.
    ends: marks ? ends : [')]'],
    opens: marks ? [marks.open] : ['\n'],
    onClose() {
      commit()
      hasComma = false
      unclaimedChars = 0
      state = BETWEEN
    },
  })
  const leave = () => markup.leave(unclaimedChars)
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
  const beginArguments = () => {
    hasBegun = false
    const { propertyNames } = port.tools.shapeOf(forcedToolName ?? name)
    reader = createJsonReader(put, {
      maxHeldChars: port.maxHeldChars,
      ends,
      python: { positionalKey: propertyNames.length === 1 ? propertyNames[0] : undefined },
      mayHaveKey: key => writer()?.mayHaveKey(key) ?? true,
    })
    state = ARGS
  }
  const breakOff = (message: string, unread: string) => {
    // Between marks a tool's name is proof enough; bare it may be part of a sentence.
    if (!writer() && !hasBegun && !(marks && port.tools.has(name))) return leave()
    commit()
    markup.breakOff(message, unread)
  }
  const readArguments = (chunk: string, from: number, to: number): number => {
    if (!reader) return to
    // As long as the call is not certain, character by character: what is given back must not depend on chunks.
    const at = reader.feed(chunk, from, writer() ? to : from + 1)
    unclaimedChars += at - from
    if (reader.status() === 'done') {
      if (writer()) leaveArguments(reader.unread())
      else state = EMPTY
    } else if (reader.status() === 'failed') breakOff(reader.error(), reader.unread())
    else if (!writer() && unclaimedChars > port.maxHeldChars) leave()
    return at
  }
  /** The call is whole; the reader may have looked at what stands behind it. */
  const leaveArguments = (behind: string) => {
    closeCall()
    for (let i = 0; i < behind.length && isOpen() && state === BETWEEN; i++) readBetween(behind.charAt(i))
  }
  /** Behind a bare call without arguments. */
  const readEmpty = (char: string) => {
    unclaimedChars++
    if (isListClosed) {
      if (char === '(') return leave()
      commit().put(Token.endObject, '')
      return closeLast(1)
    }
    if (char === ']') isListClosed = true
    else if (char === ',') {
      commit().put(Token.endObject, '')
      closeCall()
      readBetween(char)
    } else if (!isSpace(char) || unclaimedChars > port.maxHeldChars) leave()
  }
  const readName = (char: string) => {
    unclaimedChars++
    const isFree = isStrong || (!marks && (hasCalled() || port.tools.names().length === 0))
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
    if (match !== 'none') return markup.leave()
    if (maybeMark.length > 1) return leave()
    maybeMark = ''
    if (char === ']' && hasCalled()) {
      unclaimedChars = 0
      if (!marks) markup.finish('done')
      return
    }
    if (char === '{' && !hasCalled() && (isStrong || isForced)) {
      const opens = marks ? [marks.open] : []
      // JSON calls behind our mark are read as such.
      return markup.handOver(createJsonBody(port, { ends, opens, isWeak: !isStrong, isForced, forcedToolName }), char)
    }
    if (char === ',') hasComma = true
    const isSeparator = SEPARATORS.includes(char) && (marks !== undefined || char !== '[')
    if (isSeparator && unclaimedChars <= port.maxHeldChars) return
    if (isSeparator || !nameChar.test(char) || (!marks && hasCalled() && !hasComma)) return leave()
    name = char
    state = NAME
  }

  return markup.createBody({
    state: () => state,
    chars: { [BETWEEN]: readBetween, [NAME]: readName, [EMPTY]: readEmpty },
    chunks: { [ARGS]: readArguments },
    end(isCut) {
      if (state === NAME) return leave()
      if (state === ARGS && reader) {
        if (reader.end(!isCut)) leaveArguments(reader.unread())
        else if (reader.status() === 'failed') return breakOff(reader.error(), reader.unread())
        else if (!writer() && !port.tools.has(name)) return leave()
        else return closeLast(0, CUT)
      }
      if (state === EMPTY) {
        commit().put(Token.endObject, '')
        closeLast()
        // The beginning of an end mark is markup; a single character proves nothing.
      } else if (isOpen()) markup.leave(maybeMark.length > 1 ? 0 : maybeMark.length)
    },
  })
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
