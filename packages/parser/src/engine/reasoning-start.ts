import type { Mark } from './grammar.js'
import type { ReasoningMark } from './reasoning-marks.js'
import type { FindMark } from './text/find-mark.js'
import { createLineContext } from './text/line-context.js'
import type { Verdict } from './text/verdict.js'

/** How far from the start of the text a close mark may be that the prompt has opened. */
const MAX_UNOPENED_REASONING_CHARS = 64

/**
 * `|Hm.</think>Hello` Decides whether the prompt has opened the reasoning: the first mark of the
 * text closes it (decision 33). `text` is the text from its beginning.
 */
export function startsInReasoning(
  find: FindMark<Mark | ReasoningMark>,
  text: string,
  isLast: boolean,
): Verdict {
  const { at, mark } = find(text, 0, isLast, createLineContext())
  if (at > MAX_UNOPENED_REASONING_CHARS) return 'no'
  if (!mark) return isLast ? 'no' : 'wait'
  return 'direction' in mark && mark.direction === 'out' ? 'yes' : 'no'
}
