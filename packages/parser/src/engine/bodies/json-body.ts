import type { Body, BodyStatus, CallGrammar, CallPort } from '../body.js'
import type { Problem } from '../events.js'
import { createJsonReader, type JsonReader } from '../json-reader.js'
import { type BrokenTail, createBrokenTail } from './broken-tail.js'
import { type CallEnvelope, createCallEnvelope, type EnvelopeGrammar } from './call-envelope.js'
import { matchMarks } from './end-marks.js'

/**
 * Calls as JSON objects behind a mark:
 *
 *     <tool_call>{"name": "f", "arguments": {…}}</tool_call>
 *     <tool_call>[{…}, {…}]</tool_call>
 *     <tool_call>{…} {…}
 *
 * One object, a list of them, or several in a row; the end mark may be missing.
 */
export interface JsonGrammar extends EnvelopeGrammar {
  /** What closes the markup. The first one is what we write ourselves. */
  readonly ends: readonly string[]
  /** What opens the next markup, and so also ends one that was not closed. */
  readonly opens: readonly string[]
  /** The mark was the object's own brace. */
  readonly isBraceRead?: boolean | undefined
}

const SEPARATORS = ' \n\r\t,;[]'

// Where the body stands.
const BETWEEN = 0 //  <tool_call>|{…}|</tool_call>     before, between and behind the objects
const OBJECT = 1 //   <tool_call>{"na|me": …}
const BROKEN = 2 //   <tool_call>{"name": "f", "arguments": {"a" ?|? …      to the end mark everything is raw
const OVER = 3

export function createJsonBody(port: CallPort, grammar: JsonGrammar): Body {
  let state = BETWEEN
  let status: BodyStatus = 'open'
  let reader: JsonReader | undefined
  let envelope: CallEnvelope | undefined
  let tail: BrokenTail | undefined
  let hasCalled = false
  /** What may be the beginning of a mark. */
  let maybeMark = ''
  /** Characters behind the last call; they are the text's again if the markup turns out to have ended with that call. */
  let unclaimedChars = 0
  let givenBack = 0

  const finish = (result: BodyStatus, unreadChars = 0) => {
    state = OVER
    status = result
    givenBack = unreadChars
  }
  /** What follows is not ours. Without any call the mark was prose. */
  const leave = () => finish(hasCalled ? 'done' : 'rejected', hasCalled ? unclaimedChars : 0)
  const beginObject = () => {
    maybeMark = ''
    envelope = createCallEnvelope(port, grammar)
    reader = createJsonReader(envelope.put, port.maxHeldChars)
    reader.feed('{', 0, 1)
    state = OBJECT
  }
  const closeCall = (problem?: Problem) => {
    const other = envelope?.otherName()
    if (other !== undefined)
      port.report({ code: 'forced-name', message: `the model called ${JSON.stringify(other)} instead` })
    port.close(problem)
    hasCalled = true
    unclaimedChars = 0
    maybeMark = ''
    state = BETWEEN
  }
  const breakOff = () => closeCall({ code: 'malformed-arguments', message: reader?.error() ?? '' })

  /** Takes one character before, between or behind the objects. */
  const readBetween = (char: string) => {
    unclaimedChars++
    maybeMark += char
    const match = matchMarks(maybeMark, grammar.ends)
    if (match === 'maybe') return
    if (match !== 'none') return finish(hasCalled ? 'done' : 'rejected')
    if (maybeMark === '{') return beginObject()
    // A brace too many is a slip of the model's, not text.
    const isSeparator = maybeMark.length === 1 && (SEPARATORS.includes(char) || (hasCalled && char === '}'))
    if (!isSeparator) return leave()
    maybeMark = ''
  }
  const readObject = (chunk: string, from: number, to: number): number => {
    if (!reader || !envelope) return to
    // Before the call is certain, character by character: a rejection must not depend on where a chunk ends.
    const at = reader.feed(chunk, from, envelope.writer() ? to : from + 1)
    unclaimedChars += at - from
    if (reader.status() === 'done') envelope.finish()
    if (envelope.isRejected()) leave()
    else if (reader.status() === 'done') closeCall()
    else if (reader.status() === 'failed') {
      if (!envelope.writer()) leave()
      else {
        state = BROKEN
        tail = createBrokenTail(port, grammar.ends, grammar.opens)
        port.putRaw(reader.unread())
      }
    }
    return at
  }
  const readBroken = (chunk: string, from: number, to: number): number => {
    if (!tail) return to
    const at = tail.feed(chunk, from, to)
    const unread = tail.giveBack()
    if (unread === undefined) return at
    breakOff()
    finish('done', unread)
    return at
  }

  if (grammar.isBraceRead) beginObject()

  return {
    feed(chunk, from, to) {
      let at = from
      while (at < to && status === 'open') {
        if (state === BETWEEN) readBetween(chunk.charAt(at++))
        else if (state === BROKEN) at = readBroken(chunk, at, to)
        else {
          at = readObject(chunk, at, to)
          if (state === BETWEEN) return at
        }
      }
      return at
    },
    end(isCut) {
      if (state === BETWEEN) {
        // Separators and the beginning of an end mark are markup; a single character proves nothing.
        finish(hasCalled ? 'done' : 'rejected', maybeMark.length > 1 ? 0 : maybeMark.length)
      } else if (state === BROKEN) {
        tail?.end()
        breakOff()
        finish('done')
      } else if (state === OBJECT && reader && envelope) {
        reader.end(!isCut)
        const writer = envelope.writer()
        if (!writer || envelope.isRejected()) return leave()
        closeCall(writer.isWhole() ? undefined : { code: 'cut-call', message: 'the text ended inside the arguments' })
        finish('done')
      }
    },
    status: () => status,
    giveBack: () => givenBack,
  }
}

/** A way in which calls may be marked. */
export interface JsonMarks {
  readonly open: string
  readonly close: string
  /** The mark is also used for other things: only a declared tool's name with arguments makes a call. */
  readonly isWeak?: boolean
}

/** Calls as JSON between marks, in any of these ways. */
export function jsonCalls(...ways: readonly JsonMarks[]): CallGrammar {
  const opens = ways.map(way => way.open)
  return ({ forcedToolName }) =>
    ways.map(({ open, close, isWeak }) => ({
      text: open,
      createBody: port => createJsonBody(port, { ends: [close], opens, isWeak, forcedToolName }),
    }))
}

/** Calls as JSON without any mark: the object's own brace, or a list's bracket, is all there is. */
export const bareJsonCalls: CallGrammar = ({ forcedToolName }) =>
  ['{', '['].map(text => ({
    text,
    createBody: port =>
      createJsonBody(port, { ends: [], opens: [], isWeak: true, forcedToolName, isBraceRead: text === '{' }),
  }))
