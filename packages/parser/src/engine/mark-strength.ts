import type { Mark, MarkStrength } from './grammar.js'

/**
 * The spelling of special tokens:
 *
 *     <|tool_call|>  <｜tool▁call▁begin｜>  <minimax:tool_call>  [TOOL_CALLS]  ]<]minimax[>[
 */
const specialToken = /^(?:<[|｜]|<\/?\w+:|\[\/?[A-Z_]+\]|\]<)/

/** True for a mark that only a model writes, and that a server may strip. */
export const isSpecialToken = (mark: string) => specialToken.test(mark)

/** How much a mark proves: what its grammar says, or else what its spelling shows (decision 70). */
export function markStrength({ strength, text }: Mark): MarkStrength {
  if (strength) return strength
  return isSpecialToken(text) ? 'token' : 'tag'
}

/** Whether text is held from this mark on inside reasoning, because it may be a call. */
export function countsInReasoning(mark: Mark): boolean {
  if (mark.opensNoCall) return false
  return mark.countsInReasoning ?? !['weak', 'own'].includes(markStrength(mark))
}
