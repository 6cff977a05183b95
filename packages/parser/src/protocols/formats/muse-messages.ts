import { prose, readNameBefore, silence } from '../../engine/bodies/silent-body.js'
import type { Body, CallGrammar, CallPort, Mark } from '../../engine/body.js'
import type { Cursor } from '../../engine/cursor.js'
import { createMarkSearch, readMark, readUntil } from '../../engine/marks.js'
import type { ReasoningMarks } from '../../engine/thinking.js'

/** What a header may begin with, whether a part of it was the prompt's or was stripped; the recipient follows. */
const opens = ['<|start|>assistant to=', 'assistant to=', ' to=', 'to=']
/** What ends a header. Servers may strip it; then a call must follow. */
const headerEnd = '<|message|>'
const ends = ['<|eom|>', '<|eot|>']
const messageEnd = createMarkSearch(ends)

export const museThoughts: ReasoningMarks = {
  opens: opens.map(open => `${open}self${headerEnd}`),
  closes: ends,
  isMessage: true,
}

/**
 * Calls in messages that say whom they are for. Headers and ends are no text. A call counts only in a message to a tool; in one to the
 * user all is text, so that nothing which the model quotes is called. What it says to itself is left out, where it is not told apart as thoughts.
 */
export function museMessages(calls: CallGrammar): CallGrammar {
  return tools => {
    const callMarks = calls(tools)
    const marksBehind = [headerEnd, ...callMarks.map(mark => mark.text)]
    /** Whom the message is for; undefined outside of messages. */
    let recipient: string | undefined
    function* readHeader(cursor: Cursor, port: CallPort): Body {
      const name = recipient === 'user' ? '' : yield* readNameBefore(cursor, marksBehind)
      if (!name) return undefined
      const found = yield* readMark(cursor, marksBehind)
      if (name === 'self') {
        yield* readUntil(cursor, messageEnd, () => {})
        return 0
      }
      recipient = name
      const call = callMarks.find(mark => mark.text === found)
      return call ? yield* call.read(cursor, port) : 0
    }
    const readEnd = () => {
      recipient = undefined
      return silence()
    }
    const onlyToTools = (mark: Mark): Mark => ({
      ...mark,
      read: (cursor, port) => (recipient === undefined || recipient === 'user' ? prose() : mark.read(cursor, port)),
    })
    return [
      ...opens.map(text => ({ text, read: readHeader })),
      ...ends.map(text => ({ text, isSilent: true, read: readEnd })),
      ...callMarks.map(onlyToTools),
    ]
  }
}
