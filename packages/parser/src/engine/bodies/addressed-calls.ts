import type { Body, CallGrammar, Mark } from '../body.js'
import type { Cursor, Reading } from '../cursor.js'
import { createMarkSearch, lookAhead, readMark, readUntil } from '../marks.js'
import { isAtMark } from '../match-marks.js'
import type { ReasoningMarks } from '../thinking.js'
import { prose, silence } from './silent-body.js'

/**
 * Calls in messages that say whom they are for:
 *
 *     <|start|>assistant to=user<|message|>Let me look.<|eom|><|start|>assistant to=get_weather<|message|><calls>…</calls><|eot|>
 *
 * Headers and ends are no text. A call counts only in a message to a tool; in one to a reader all is text, so that nothing which the
 * model quotes is called.
 */
export interface AddressGrammar {
  /** What a header may begin with; the recipient follows. */
  readonly opens: readonly string[]
  /** What ends a header. Servers may strip it; then a call must follow. */
  readonly headerEnd: string
  /** What ends a message. */
  readonly ends: readonly string[]
  /** Who is sent nothing but text. */
  readonly reader: string
  /** Whose messages are for nobody else. They are left out, where they are not told apart as thoughts. */
  readonly self: string
}

/** A header that is longer than this is none. */
const MAX_HEADER_CHARS = 256

/** Takes the name that stands here before one of the marks; gives nothing, and takes nothing, where there is none. */
export function* readNameBefore(cursor: Cursor, marks: readonly string[]): Reading<string> {
  const isBefore = (text: string) => isAtMark(text.replace(/^[^\s<>="'{}]+\s*/, ''), marks)
  const ahead = yield* lookAhead(cursor, MAX_HEADER_CHARS, text => isBefore(text) !== undefined)
  const [head = '', name = ''] = (isBefore(ahead) && /^([^\s<>="'{}]+)\s*/.exec(ahead)) || []
  cursor.at += head.length
  return name
}

/** How the model addresses itself. */
export function thoughtsOf({ opens, headerEnd, ends, self }: AddressGrammar): ReasoningMarks {
  return { opens: opens.map(open => open + self + headerEnd), closes: ends, isMessage: true }
}

export function addressedCalls(
  { opens, headerEnd, ends, reader, self }: AddressGrammar,
  calls: CallGrammar,
): CallGrammar {
  const endSearch = createMarkSearch(ends)
  return tools => {
    const callMarks = calls(tools)
    const marksBehind = [headerEnd, ...callMarks.map(mark => mark.text)]
    /** Whom the message is for; undefined outside of messages. */
    let recipient: string | undefined
    function* readHeader(cursor: Cursor): Body {
      const name = recipient === reader ? '' : yield* readNameBefore(cursor, marksBehind)
      if (!name) return undefined
      yield* readMark(cursor, [headerEnd])
      if (name === self) yield* readUntil(cursor, endSearch, () => {})
      else recipient = name
      return 0
    }
    const readEnd = () => {
      recipient = undefined
      return silence()
    }
    return [
      ...opens.map(text => ({ text, read: readHeader })),
      ...ends.map(text => ({ text, isSilent: true, read: readEnd })),
      ...callMarks.map(
        (mark): Mark => ({
          ...mark,
          read: (cursor, port) => (recipient === undefined || recipient === reader ? prose() : mark.read(cursor, port)),
        }),
      ),
    ]
  }
}
