import type { Mark } from './grammar.js'
import { countsInReasoning } from './mark-strength.js'
import { lineBreak, type ReasoningEndSearch } from './reasoning-end.js'
import {
  createReasoningMarks,
  type ReasoningMark,
  type ReasoningOptions,
} from './reasoning-marks.js'
import { createLongestFinder, type FindMark } from './text/find-mark.js'
import { isMarkText } from './text/mark-texts.js'

type AnyMark = Mark | ReasoningMark

/** Which marks the scanner looks for, by where it is. */
export interface MarkFinders {
  /** `|Sure. <think>` `|Sure. <tool_call>` */
  readonly inText: FindMark<AnyMark>
  /** `<think>|hm</think>` */
  readonly inReasoning: FindMark<AnyMark>
  /** `Use <think>| to reason. <tool_call>` */
  readonly inUnclosed: FindMark<AnyMark>
  /** `Sure. <think>|hm</think>` The end of the reasoning, and what may contain a mark like it. */
  readonly reasoningEnd: ReasoningEndSearch['find']
  /** The marks that end reasoning. */
  readonly reasoningEnds: readonly string[]
  /** True for the text of a mark that is not one of reasoning. */
  isMark(text: string): boolean
}

/**
 * Makes the finders for the marks of calls and of reasoning. They remember nothing of a text, and are
 * kept for the next one.
 */
export function createMarkFinders(
  marks: readonly Mark[],
  thinking: Pick<ReasoningOptions, 'marks' | 'mode'>,
): MarkFinders {
  const { outside, inside } = createReasoningMarks(thinking)
  const closes = inside.filter(mark => mark.direction === 'out')
  const calls = marks.filter(mark => !mark.opensNoCall)
  const named = marks.filter(mark => mark.named)
  const literal = new Set(marks.map(mark => (mark.named ? '' : mark.text)).filter(Boolean))
  return {
    inText: createLongestFinder(() => [...outside, ...marks]),
    inReasoning: createLongestFinder(() => [...inside, ...marks.filter(countsInReasoning)]),
    inUnclosed: createLongestFinder(() => [...inside.map(asQuotable), ...marks]),
    reasoningEnd: createLongestFinder(() => [...closes, ...calls, lineBreak]),
    reasoningEnds: closes.map(mark => mark.text),
    isMark: text => literal.has(text) || isMarkText(text, named),
  }
}

/** "Use <think> and `|</think>`" */
const asQuotable = (mark: ReasoningMark): ReasoningMark => ({
  ...mark,
  notInInlineCode: true,
  notInCodeBlock: true,
})
