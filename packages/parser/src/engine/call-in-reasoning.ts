import type { Mark } from './grammar.js'
import { passCall, type ReasoningEndSearch, readToReasoningEnd } from './reasoning-end.js'
import type { Reading } from './text/cursor.js'
import type { LineContext } from './text/line-context.js'
import { readUntil } from './text/read-marks.js'

/**
 * `<think>maybe |<tool_call>` The mark of a call in reasoning is held until its meaning is known
 * (decision 32):
 *
 *     reasoning   <think>maybe <tool_call>{…}</tool_call></think>   the reasoning has an end
 *     reasoning   <think>maybe <tool_call>{…                        the text was cut
 *     call        <think>maybe <tool_call>{…}</tool_call>           the text ends in the reasoning
 *     no-call     Use <think>. A <tool_call> opens a call.          the mark is mentioned, too
 */
export interface HeldMark {
  readonly meaning: 'reasoning' | 'call' | 'no-call'
  /** How many characters of the close mark were read, which are read again. */
  readonly unreadChars: number
}

/** Where the mark of a call is held. */
export interface HeldPlace {
  /** `Use <think> to reason. |<tool_call>` There may be no reasoning at all (decision 80). */
  readonly isUnclosed: boolean
  /** What comes before the mark. */
  readonly context: LineContext
  /** The marks that end reasoning. */
  readonly reasoningEnds: readonly string[]
}

/** Reads the text after the mark of a call in reasoning, and decides what the mark means. */
export function* readHeldMark(
  mark: Mark,
  place: HeldPlace,
  search: ReasoningEndSearch,
): Reading<HeldMark> {
  const { cursor } = search
  const { isUnclosed, reasoningEnds } = place
  if (isUnclosed) return yield* readAfterMention(mark, place, search)
  // `<think>maybe <tool_call>|…</think>`: whatever comes before the close mark.
  const end = yield* readUntil(cursor, reasoningEnds, () => {})
  if (end !== '') return { meaning: 'reasoning', unreadChars: end.length }
  return atEndOfText(search)
}

/** `Use <think>. <tool_call>|{"text": "</think>"}</tool_call>` */
function* readAfterMention(
  mark: Mark,
  place: HeldPlace,
  search: ReasoningEndSearch,
): Reading<HeldMark> {
  const context = { ...place.context }
  // `Use <think>. A <tool_call>| opens a call.`
  if (!(yield* passCall(search, mark, context))) return { meaning: 'no-call', unreadChars: 0 }
  if (yield* readToReasoningEnd(search, context)) return { meaning: 'reasoning', unreadChars: 0 }
  return atEndOfText(search)
}

/** `<think>maybe <tool_call>…|` A text that was cut would have gone on. */
const atEndOfText = ({ cursor }: ReasoningEndSearch): HeldMark => ({
  meaning: cursor.isTruncated ? 'reasoning' : 'call',
  unreadChars: 0,
})
