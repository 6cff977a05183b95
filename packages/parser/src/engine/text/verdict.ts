/**
 * What a look ahead can say. `wait`: not enough text yet. A look is a function of the text alone:
 * what `wait` means at the end of the text, or beyond the look-ahead limit, is decided by `peek` and
 * `readUntil`.
 */
export type Verdict = 'yes' | 'no' | 'wait'

/** The verdict of a plain test, for which there is always enough text. */
export const verdictOf = (isTrue: boolean): Verdict => (isTrue ? 'yes' : 'no')
