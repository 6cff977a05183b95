import type { CallPort } from '../body.js'
import { createJsonReader, type JsonReader } from '../json-reader.js'
import type { OldBody as Body } from '../old-body.js'
import { type CallEnvelope, createCallEnvelope, type EnvelopeGrammar } from './old-call-envelope.js'
import { CUT, createMarkup, reportName } from './old-markup.js'

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

export function createJsonBody(port: CallPort, grammar: JsonGrammar): Body {
  const { forcedToolName, ends, opens } = grammar
  const { closeCall, closeLast, hasCalled, leave, claim, unclaimedChars, readAgain, goTo, ...markup } = createMarkup(
    port,
    {
      forcedToolName,
      ends,
      opens,
      onClose() {
        reportName(port, envelope?.otherName(), forcedToolName)
        goTo(readBetween)
      },
    },
  )
  let reader: JsonReader | undefined
  let envelope: CallEnvelope | undefined
  /** Lists that hold the objects, and those that were opened since the last one. */
  let openLists = 0
  let newLists = grammar.isListRead ? 1 : 0
  /** The arguments of the object being read are whole. What stands behind them is not claimed. */
  let hasArguments = false

  const beginObject = () => {
    hasArguments = false
    openLists += newLists
    newLists = 0
    envelope = createCallEnvelope(port, grammar, () => {
      hasArguments = true
      reader?.pause()
    })
    const mayHaveKey = (key: string) => hasArguments || (envelope?.writer()?.mayHaveKey(key) ?? true)
    reader = createJsonReader(envelope.put, { maxHeldChars: port.maxHeldChars, ends, otherEnds: opens, mayHaveKey })
    reader.feed('{', 0, 1)
    goTo(object, afterObject)
  }
  const isSeparator = (char: string) => {
    if (char === '[') newLists++
    // Where no mark ends the markup, the list's bracket does.
    if (char === ']' && openLists > 0) {
      openLists--
      claim()
    }
    // A brace too many is a slip of the model's, not text.
    return SEPARATORS.includes(char) || (char === '}' && hasCalled())
  }
  /** Takes one character before, between or behind the objects. */
  const readBetween = (char: string) => {
    const found = markup.readMark(char, ends, isSeparator)
    if (found === undefined) return
    if (found === '{') return beginObject()
    if (ends.includes(found)) claim()
    leave()
  }
  /** `<tool_call>{"na|me": …}` */
  const object = {
    // Where the call is not certain yet, or no longer in doubt, character by character: what is rejected, or given back,
    // must not depend on where a chunk ends.
    feed: (chunk: string, from: number, to: number) =>
      reader?.feed(chunk, from, envelope?.writer() && !hasArguments ? to : from + 1) ?? to,
  }
  const afterObject = () => {
    if (!reader || !envelope) return
    const aheadChars = reader.pausedBefore()
    if (aheadChars !== undefined) {
      claim(aheadChars)
      reader.feed('', 0, 0)
    }
    const maxChars = envelope.writer() ? Math.min(MAX_BEHIND_CHARS, port.maxHeldChars) : port.maxHeldChars
    // The call is whole; what does not end behind it is text.
    if (hasArguments && unclaimedChars() > maxChars) return closeLast(unclaimedChars())
    if (reader.status() === 'done') envelope.finish()
    if (envelope.isRejected() || (reader.status() === 'failed' && !envelope.writer())) leave()
    else if (reader.status() === 'done') {
      readAgain(reader.unread())
      closeCall()
    } else if (reader.status() === 'failed') breakObject(reader)
  }
  const breakObject = ({ error, unread }: JsonReader) => {
    if (!hasArguments) return markup.breakOff(error(), unread())
    readAgain(unread())
    const behindChars = unclaimedChars()
    closeCall()
    claim(behindChars)
  }

  const body = markup.bodyOf(readBetween, isCut => {
    if (markup.isAt(readBetween)) return markup.leaveAtEnd(ends)
    if (!reader || !envelope) return
    const wasWhole = hasArguments
    const isClosed = reader.end(!isCut || hasArguments)
    const writer = envelope.writer()
    if (writer && !envelope.isRejected())
      return closeLast(wasWhole && !isClosed ? unclaimedChars() : 0, writer.isWhole() ? undefined : CUT)
    // A list of calls that was cut before the next one's arguments.
    if (!envelope.isRejected() && hasCalled() && openLists > 0) markup.finish('done')
    else leave()
  })
  if (grammar.isBraceRead) beginObject()
  return body
}
