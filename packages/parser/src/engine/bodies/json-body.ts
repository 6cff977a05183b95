import type { Body, CallGrammar, CallPort, Mark } from '../body.js'
import { createJsonReader, type JsonReader } from '../json-reader.js'
import { matchMarks } from '../match-marks.js'
import { type CallEnvelope, createCallEnvelope, type EnvelopeGrammar } from './call-envelope.js'
import { CUT, createMarkup, reportName } from './markup.js'
import { prose } from './silent-body.js'

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
  /** The mark was, or ended with, the bracket of a list. */
  readonly isListRead?: boolean | undefined
}

const SEPARATORS = ' \n\r\t,;[]'

/** So much may stand behind the arguments of a call that is certain, in the same object. */
const MAX_BEHIND_CHARS = 4096

// Where the body stands.
const BETWEEN = 0 //  <tool_call>|{…}|</tool_call>     before, between and behind the objects
const OBJECT = 1 //   <tool_call>{"na|me": …}
const ENDING = 2 //   <tool_call>{"name": "f", "arguments": {}</tool|_call>     the object lacks a brace, or cannot be read

export function createJsonBody(port: CallPort, grammar: JsonGrammar): Body {
  const { forcedToolName, ends, opens } = grammar
  const { closeCall, closeLast, hasCalled, ...markup } = createMarkup(port, {
    forcedToolName,
    ends,
    opens,
    onClose() {
      reportName(port, envelope?.otherName(), forcedToolName)
      unclaimedChars = 0
      maybeMark = ''
      state = BETWEEN
    },
  })
  let state = BETWEEN
  let reader: JsonReader | undefined
  let envelope: CallEnvelope | undefined
  /** Lists that hold the objects, and those that were opened since the last one. */
  let openLists = 0
  let newLists = grammar.isListRead ? 1 : 0
  /** The arguments of the object being read are whole. */
  let hasArguments = false
  /** What may be the beginning of a mark. */
  let maybeMark = ''
  /** Characters behind the last call, or behind its arguments; they are the text's again if the markup turns out to have ended with that call. */
  let unclaimedChars = 0

  const leave = () => markup.leave(unclaimedChars)
  const beginObject = () => {
    maybeMark = ''
    hasArguments = false
    openLists += newLists
    newLists = 0
    envelope = createCallEnvelope(port, grammar, () => {
      hasArguments = true
      reader?.pause()
    })
    const mayHaveKey = (key: string) => hasArguments || (envelope?.writer()?.mayHaveKey(key) ?? true)
    reader = createJsonReader(envelope.put, { maxHeldChars: port.maxHeldChars, ends, mayHaveKey })
    reader.feed('{', 0, 1)
    state = OBJECT
  }
  /** Takes one character before, between or behind the objects. */
  const readBetween = (char: string) => {
    unclaimedChars++
    maybeMark += char
    const match = matchMarks(maybeMark, ends)
    if (match === 'maybe') return
    if (match !== 'none') return markup.leave()
    if (maybeMark === '{') return beginObject()
    // A brace too many is a slip of the model's, not text.
    const isSeparator = maybeMark.length === 1 && (SEPARATORS.includes(char) || (hasCalled() && char === '}'))
    if (!isSeparator || unclaimedChars > port.maxHeldChars) return leave()
    maybeMark = ''
    if (char === '[') newLists++
    if (char === ']' && openLists > 0) {
      // Where no mark ends the markup, the list's bracket does.
      openLists--
      unclaimedChars = 0
    }
  }
  const readObject = (chunk: string, from: number, to: number): number => {
    if (!reader || !envelope) return to
    const wasWhole = hasArguments
    // Where the call is not certain yet, or no longer in doubt, character by character: what is rejected, or given back,
    // must not depend on where a chunk ends.
    const at = reader.feed(chunk, from, envelope.writer() && !hasArguments ? to : from + 1)
    unclaimedChars = hasArguments && !wasWhole ? reader.readSincePause() : unclaimedChars + at - from
    const maxChars = envelope.writer() ? Math.min(MAX_BEHIND_CHARS, port.maxHeldChars) : port.maxHeldChars
    if (hasArguments && unclaimedChars > maxChars) {
      // The call is whole; what does not end behind it is text.
      closeLast(unclaimedChars)
      return at
    }
    if (reader.status() === 'done') envelope.finish()
    if (envelope.isRejected()) leave()
    else if (reader.status() === 'done') closeCall()
    else if (reader.status() === 'failed') {
      if (!envelope.writer()) leave()
      else {
        state = ENDING
        readEnding(reader.unread())
      }
    }
    return at
  }
  /** The object broke off. If a mark stands here it was only not closed; otherwise it cannot be read. */
  const readEnding = (text: string) => {
    maybeMark += text
    const match = matchMarks(maybeMark, [...ends, ...opens])
    if (match === 'maybe') return
    if (match !== 'none' && (reader?.repair() || hasArguments)) {
      envelope?.finish()
      closeLast(matchMarks(maybeMark, ends) === 'none' ? maybeMark.length : 0)
    } else if (hasArguments) closeLast(unclaimedChars)
    else markup.breakOff(reader?.error() ?? '', maybeMark)
  }

  if (grammar.isBraceRead) beginObject()

  return markup.createBody({
    state: () => state,
    chars: {
      [BETWEEN]: readBetween,
      [ENDING](char) {
        unclaimedChars++
        readEnding(char)
      },
    },
    chunks: { [OBJECT]: readObject },
    end(isCut) {
      if (state === BETWEEN) {
        // Separators and the beginning of an end mark are markup; a single character proves nothing.
        markup.leave(maybeMark.length > 1 ? 0 : maybeMark.length)
      } else if (state === ENDING && !hasArguments) markup.breakOff(reader?.error() ?? '', maybeMark)
      else if (state === ENDING) closeLast(maybeMark.length < 2 ? unclaimedChars : 0)
      else if (reader && envelope) {
        const wasWhole = hasArguments
        const isClosed = reader.end(!isCut || hasArguments)
        const writer = envelope.writer()
        // A list of calls that was cut before the next one's arguments.
        if (!writer && !envelope.isRejected() && hasCalled() && openLists > 0) return markup.finish('done')
        if (!writer || envelope.isRejected()) return leave()
        closeLast(wasWhole && !isClosed ? unclaimedChars : 0, writer.isWhole() ? undefined : CUT)
      }
    },
  })
}

/** A way in which calls may be marked. */
export interface JsonMarks extends Pick<EnvelopeGrammar, 'isKeyedByName' | 'noCallNames'> {
  readonly open: string
  readonly close: string
  /** What may stand in place of `close`. */
  readonly otherCloses?: readonly string[] | undefined
  /** The mark is also used for other things: only a declared tool's name with arguments makes a call. */
  readonly isWeak?: boolean
}

/** Calls as JSON between marks, in any of these ways. */
export function jsonCalls(...ways: readonly JsonMarks[]): CallGrammar {
  const opens = ways.map(way => way.open)
  return ({ isForced, forcedToolName }) =>
    ways.map(({ open, close, otherCloses = [], ...way }) => {
      const ends = [close, ...otherCloses].filter(Boolean)
      const isListRead = open.endsWith('[')
      return {
        text: open,
        createBody: port => createJsonBody(port, { ...way, ends, opens, isListRead, isForced, forcedToolName }),
      }
    })
}

/** Calls as JSON without any mark: the object's own brace, or a list's bracket, is all there is. */
export const bareJsonCalls: CallGrammar = ({ isForced, forcedToolName }) =>
  ['{', '['].map(text => ({
    text,
    createBody: port =>
      createJsonBody(port, {
        ends: [],
        opens: [],
        isWeak: true,
        isForced,
        forcedToolName,
        isBraceRead: text === '{',
        isListRead: text === '[',
      }),
  }))

/**
 * The same in free text, where JSON may also be an answer: what stands inside other brackets is a part of that answer,
 * however much it looks like a call. A blank line ends what was never closed.
 */
export const outerJsonCalls: CallGrammar = context => {
  const marks = bareJsonCalls(context)
  if (context.isForced) return marks
  let depth = 0
  const watch = (text: string, move: () => void): Mark => ({
    text,
    createBody: () => {
      move()
      return prose
    },
  })
  return [
    ...marks.map(({ text, createBody }) => ({
      text,
      createBody(port: CallPort) {
        if (depth > 0) {
          depth++
          return prose
        }
        const body = createBody(port)
        let isCounted = false
        const status = () => {
          const now = body.status()
          if (now === 'rejected' && !isCounted) depth++
          isCounted ||= now === 'rejected'
          return now
        }
        return { ...body, status }
      },
    })),
    ...['}', ']'].map(text =>
      watch(text, () => {
        depth = Math.max(0, depth - 1)
      }),
    ),
    watch('\n\n', () => {
      depth = 0
    }),
  ]
}
