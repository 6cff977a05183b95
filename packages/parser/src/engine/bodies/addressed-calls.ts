import type { CallGrammar, Mark } from '../body.js'
import type { ReasoningMarks } from '../thinking.js'
import { readMessageHeader } from './message-header.js'
import { prose, silence, silenceUpTo } from './silent-body.js'

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
  readonly readers: readonly string[]
  /** Whose messages are for nobody else. They are left out, where they are not told apart as thoughts. */
  readonly self: string
}

/** How the model addresses itself. */
export function thoughtsOf({ opens, headerEnd, ends, self }: AddressGrammar): ReasoningMarks {
  return { opens: opens.map(open => open + self + headerEnd), closes: ends, isMessage: true }
}

export function addressedCalls(grammar: AddressGrammar, calls: CallGrammar): CallGrammar {
  const { opens, headerEnd, ends, readers } = grammar
  return tools => {
    const callMarks = calls(tools)
    /** Whom the message is for; undefined outside of messages. */
    let recipient: string | undefined
    const isReader = () => recipient !== undefined && readers.includes(recipient)
    const marksOf = (texts: readonly string[], read: Mark['read']): Mark[] =>
      texts.map(text => ({ text, read: (cursor, port) => (isReader() ? prose() : read(cursor, port)) }))
    const onRead = (name: string) => {
      recipient = name
    }
    return [
      ...marksOf(opens, (cursor, port) =>
        readMessageHeader(cursor, port, { ends: [headerEnd], calls: callMarks, onRead }),
      ),
      ...marksOf(thoughtsOf(grammar).opens, cursor => silenceUpTo(cursor, ends)),
      ...ends.map(text => ({
        text,
        isSilent: true,
        read() {
          recipient = undefined
          return silence()
        },
      })),
      ...callMarks.map(
        (mark): Mark => ({
          ...mark,
          read: (cursor, port) => (recipient === undefined || isReader() ? prose() : mark.read(cursor, port)),
        }),
      ),
    ]
  }
}
