import type { CallGrammar, CallOutput, CallReader, Mark } from '../engine/grammar.js'
import { ignoredMarks } from '../engine/ignored-marks.js'
import type { ReasoningMarks } from '../engine/reasoning-marks.js'
import type { Cursor } from '../engine/text/cursor.js'
import { readMark, readNameBefore, readNextMark, readUntil } from '../engine/text/read-marks.js'

/**
 * What a header may begin with, whether a part of it was the prompt's or was stripped; the
 * recipient follows.
 */
const opens = [
  { text: '<|start|>assistant to=', strength: 'token' },
  { text: 'assistant to=', strength: 'weak', countsInReasoning: true },
  { text: ' to=', strength: 'own' },
  { text: 'to=', strength: 'weak' },
] as const
/** What ends a header. Servers may strip it; then a call must follow. */
const headerEnd = '<|message|>'
const ends = ['<|eom|>', '<|eot|>']

export const museThoughts: ReasoningMarks = {
  opens: opens.map(open => `${open.text}self${headerEnd}`),
  closes: ends,
  isMessage: true,
}

/**
 * Calls in messages that say whom they are for. Headers and ends are no text. A call counts only
 * where a message to a tool begins with it; in one to the user all is text, so that nothing which
 * the model quotes is called. What it says to itself is left out, where it is not told apart as
 * thoughts.
 */
export function museMessages(calls: CallGrammar): CallGrammar {
  return tools => {
    const callMarks = calls(tools)
    const read: Mark['read'] = (cursor, port) => readMessage(cursor, port, callMarks)
    return [...opens.map(open => ({ ...open, read })), ...ignoredMarks(ends)]
  }
}

function* readMessage(cursor: Cursor, port: CallOutput, callMarks: readonly Mark[]): CallReader {
  const texts = callMarks.map(mark => mark.text)
  const recipient = yield* readNameBefore(cursor, [headerEnd, ...texts])
  if (!recipient) return undefined
  yield* readMark(cursor, [headerEnd])
  if (recipient === 'user' || recipient === 'self') {
    port.emitMarkup()
    const end = yield* readUntil(cursor, ends, recipient === 'user' ? port.emitText : () => {})
    return end.length
  }
  const found = yield* readNextMark(cursor, texts)
  const call = callMarks.find(mark => mark.text === found)
  return call ? yield* call.read(cursor, port) : 0
}
