import type { CallOutput } from '../grammar.js'
import type { Cursor, Reading } from '../text/cursor.js'
import { peek } from '../text/read-marks.js'
import { type Verdict, verdictOf } from '../text/verdict.js'

// A whole answer that has the form of a call is one, even of a tool that does not exist, so that the
// model is told (decision 76). In other text the brackets are not:
//
//     [timer(minutes=2)]
//     {"name": "timer", "parameters": {"minutes": 2}}

/** How long such an answer may be. */
const MAX_WHOLE_CHARS = 4096

/** `[|timer(minutes=2)]` Decides as far as the text goes. At its end the brackets must be closed. */
export function isWholeList(after: string): Verdict {
  if (!/^[\p{L}_][\p{L}\p{N}_.-]*(?:\(|$)/u.test(after)) return 'no'
  // `[timer(minutes=2)]|, he said`
  return /\)\s*\]\s*\S/.test(after) ? 'no' : 'wait'
}

/** `{"name": "timer"|, "parameters": {"minutes": 2}}` Decides whether the arguments come next. */
export function startsArguments(after: string): Verdict {
  const isBegun = /^\s*(?:,\s*(?:"(?:\w*"?|(?:arguments|parameters)"\s*(?::\s*)?))?)?$/.test(after)
  if (isBegun) return 'wait'
  return verdictOf(/^\s*,\s*"(?:arguments|parameters)"\s*:\s*\{/.test(after))
}

/** The same for an answer, which is not over before its last bracket. */
export const isWholeEnvelope = (after: string): Verdict =>
  startsArguments(after) === 'no' ? 'no' : 'wait'

const ends = { list: /\)\s*\]\s*$/, envelope: /\}\s*\}\s*\]?\s*$/ }

/** Tells whether the text from the cursor on is all of the answer, and a call. Waits for its end. */
export function* isWholeAnswer(
  cursor: Cursor,
  { isTextStart, isAfterCall }: CallOutput,
  form: keyof typeof ends,
): Reading<boolean> {
  if (!isTextStart || isAfterCall) return false
  const look = form === 'list' ? isWholeList : isWholeEnvelope
  const verdict = yield* peek(cursor, look, 0, MAX_WHOLE_CHARS)
  if (verdict !== undefined || !cursor.isFinal || cursor.isTruncated) return false
  return ends[form].test(cursor.text.slice(cursor.at))
}
