import type { CallGrammar, CallPort } from '../body.js'
import { isSpace } from '../characters.js'
import { createJsonReader, type JsonReader } from '../json-reader.js'
import { type OldBody as Body, readOld } from '../old-body.js'
import { pythonNumberAsJson } from '../scalar.js'
import { ANY_KIND, Kind } from '../shape.js'
import { Token, type ValueSink } from '../value-token.js'
import { createJsonBody } from './json-body.js'
import { CUT, createMarkup } from './old-markup.js'

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

export function createPythonicBody(port: CallPort, grammar: PythonicGrammar): Body {
  const { marks, isForced, forcedToolName } = grammar
  const ends = marks ? [marks.close] : []
  const isStrong = marks !== undefined && !marks.isWeak
  let name = ''
  let reader: JsonReader | undefined
  let hasComma = false
  /** The arguments of a bare call have begun, but it is not certain yet. */
  let hasBegun = false
  let isListClosed = false

  const { writer, closeCall, closeLast, hasCalled, leave, claim, readAgain, goTo, isAt, ...markup } = createMarkup(
    port,
    {
      forcedToolName,
      // A bare list that cannot be read ends with its line.
      ends: marks ? ends : [')]'],
      opens: marks ? [marks.open] : ['\n'],
      onClose() {
        commit()
        hasComma = false
        goTo(readBetween)
      },
    },
  )
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
    goTo(args, afterArgs)
  }
  const breakOff = (message: string, unread: string) => {
    // Between marks a tool's name is proof enough; bare it may be part of a sentence.
    if (!writer() && !hasBegun && !(marks && port.tools.has(name))) return leave()
    commit()
    markup.breakOff(message, unread)
  }
  const args = {
    // As long as the call is not certain, character by character: what is given back must not depend on chunks.
    feed: (chunk: string, from: number, to: number) => reader?.feed(chunk, from, writer() ? to : from + 1) ?? to,
  }
  const afterArgs = () => {
    if (reader?.status() === 'done') {
      readAgain(reader.unread())
      if (writer()) closeCall()
      else goTo(readEmpty)
    } else if (reader?.status() === 'failed') breakOff(reader.error(), reader.unread())
    else if (!writer() && markup.unclaimedChars() > port.maxHeldChars) leave()
  }
  const putEmpty = () => commit().put(Token.endObject, '')
  /** Behind a bare call without arguments. */
  const readEmpty = (char: string) => {
    if (isListClosed && char !== '(') {
      putEmpty()
      closeLast(1)
    } else if (char === ']' && !isListClosed) isListClosed = true
    else if (char === ',') {
      putEmpty()
      readAgain(char)
      closeCall()
    } else if (!isSpace(char) || markup.unclaimedChars() > port.maxHeldChars) leave()
  }
  const readName = (char: string) => {
    const isFree = isStrong || (!marks && (hasCalled() || port.tools.names().length === 0))
    const isCallable = isFree || port.tools.has(name)
    if (char === '(' && isCallable) beginArguments()
    else if (!nameChar.test(char) || name.length >= MAX_NAME_CHARS) leave()
    else name += char
  }
  const isSeparator = (char: string) => {
    hasComma ||= char === ','
    return SEPARATORS.includes(char) && (marks !== undefined || char !== '[')
  }
  /** Takes one character before, between or behind the calls. */
  const readBetween = (char: string) => {
    const found = markup.readMark(char, ends, isSeparator)
    if (found === undefined) return
    if (ends.includes(found) || (found === ']' && hasCalled())) {
      claim()
      if (found !== ']') leave()
      else if (!marks) markup.finish('done')
    } else if (found === '{' && !hasCalled() && (isStrong || isForced)) {
      const opens = marks ? [marks.open] : []
      // JSON calls behind our mark are read as such.
      markup.handOver(createJsonBody(port, { ends, opens, isWeak: !isStrong, isForced, forcedToolName }), char)
    } else if (found.length > 1 || !nameChar.test(found) || (!marks && hasCalled() && !hasComma)) leave()
    else {
      name = found
      goTo(readName)
    }
  }

  return markup.bodyOf(readBetween, isCut => {
    if (isAt(readName)) leave()
    else if (isAt(args) && reader && !reader.end(!isCut)) {
      if (reader.status() === 'failed') breakOff(reader.error(), reader.unread())
      else if (writer() || port.tools.has(name)) closeLast(0, CUT)
      else leave()
    } else if (isAt(args)) closeLast()
    else if (isAt(readEmpty)) {
      putEmpty()
      closeLast()
    } else markup.leaveAtEnd(ends)
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
      read: (cursor, port) =>
        readOld(cursor, port, port => createPythonicBody(port, { marks, isForced, forcedToolName })),
    }))
}
