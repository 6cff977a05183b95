import type { CallGrammar, CallOutput, CallReader, Mark } from '../engine/grammar.js'
import { ignoredMarks } from '../engine/ignored-marks.js'
import type { ReasoningMarks } from '../engine/reasoning-marks.js'
import type { Cursor } from '../engine/text/cursor.js'
import { readMark, readNameBefore, readNextMark, readUntil } from '../engine/text/read-marks.js'

// Reads the messages of Muse Glimmer:
//
//     <|start|>assistant to=user<|message|>Let me look.<|eom|>

/**
 * The beginnings of a header, before the recipient. The prompt may have written a part of it, and a
 * server may have stripped the special token.
 */
const opens = [
  { text: '<|start|>assistant to=', strength: 'token' },
  { text: 'assistant to=', strength: 'weak', countsInReasoning: true },
  { text: ' to=', strength: 'own' },
  { text: 'to=', strength: 'weak' },
] as const
/** The end of a header. If a server has stripped it, a call must follow. */
const headerEnd = '<|message|>'
const ends = ['<|eom|>', '<|eot|>']

/** `<|start|>assistant to=self<|message|>Let me see.<|eom|>` is reasoning. */
export const museThoughts: ReasoningMarks = {
  opens: opens.map(open => `${open.text}self${headerEnd}`),
  closes: ends,
  isMessage: true,
}

/**
 * Wraps a grammar so that calls are read only in messages to a tool:
 * - `to=get_weather`: the message must begin with a call.
 * - `to=user`: all of it is text, so a call that the model quotes does not count.
 * - `to=self`: it is dropped, unless it is emitted as reasoning.
 *
 * Headers and ends of messages are not text.
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
