/**
 * What a look ahead can say. `wait`: not enough text yet. A look is a function of the text alone
 * (decision 37): what `wait` means at the end of the text, or beyond the look-ahead limit, is
 * decided by `peek` and `readUntil`.
 */
export type Verdict = 'yes' | 'no' | 'wait'

/** What a look at a mark inside a text can say: does the mark end the text? */
export type EndVerdict =
  | Verdict
  /** It waits for more text. Where no more can be looked at, the mark ends the text. */
  | 'likely'
  /** It waits for more text. At the end of a text that was not truncated, the mark ends it. */
  | 'likely-last'

/** The verdict of a plain test, for which there is always enough text. */
export const verdictOf = (isTrue: boolean): Verdict => (isTrue ? 'yes' : 'no')
