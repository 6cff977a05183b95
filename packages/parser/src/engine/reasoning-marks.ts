import type { MarkRule } from './text/mark-rule.js'

/** The marks around reasoning. Any close mark ends it, whichever opened it. */
export interface ReasoningMarks {
  readonly opens: readonly string[]
  readonly closes: readonly string[]
  /**
   * Reasoning is a message among others, and what ends it ends those too. If reasoning is not
   * emitted as such, the grammar reads these messages like all others.
   */
  readonly isMessage?: boolean | undefined
  /** The marks of a format that was not asked for: inside a line, or quoted, they are text. */
  readonly isForeign?: boolean | undefined
}

export interface ReasoningOptions {
  readonly marks: readonly ReasoningMarks[]
  /**
   * `parts`: reasoning becomes `reasoning` events. `text`: it is text, but empty reasoning before
   * any text is left out. `raw`: tags stay as they are, for other middleware to read.
   */
  readonly mode: 'parts' | 'text' | 'raw'
  /** The prompt has opened the reasoning already. */
  readonly startsInReasoning: boolean
  /**
   * A call inside reasoning is a call. Otherwise only if the reasoning is never closed
   * (decision 32).
   */
  readonly callsInReasoningCount: boolean
}

/** A mark at which reasoning begins or ends. */
export interface ReasoningMark extends MarkRule {
  readonly direction: 'in' | 'out'
  /** It is part of the text. */
  readonly isKept: boolean
  /**
   * `Use <think> to reason`: a text may mention the mark, so that inside a line it opens reasoning
   * only if a close mark follows (decision 80).
   */
  readonly isMentionable: boolean
}

/** True for a tag that is not a special token: other middleware knows it, too. */
const isTag = (mark: string) => /^<\/?[a-z][^|]*$/i.test(mark)

/** `<|channel>thought` is not mentioned in a text; `<think>` and `[THINK]` are. */
const hasBars = (mark: string) => mark.startsWith('<|')

/** The whitespace that templates and models leave in empty reasoning. */
const emptySpaces = ['', '\n', '\n\n']

/** The marks that count outside and inside reasoning. */
export function createReasoningMarks({
  marks: all,
  mode,
}: Pick<ReasoningOptions, 'marks' | 'mode'>): {
  outside: ReasoningMark[]
  inside: ReasoningMark[]
} {
  const marks = all.filter(each => !each.isMessage || mode === 'parts')
  const marksFor = (key: 'opens' | 'closes', isStray: boolean): ReasoningMark[] =>
    marks.flatMap(({ [key]: texts, isMessage, isForeign = false }) =>
      (isStray && isMessage ? [] : texts).map(text => ({
        text,
        direction: key === 'opens' ? 'in' : 'out',
        onlyAtLineStart: isForeign && (key === 'opens' || (isStray && !hasBars(text))),
        notInInlineCode: isForeign || isStray,
        notInCodeBlock: isForeign || isStray,
        isMentionable: key === 'opens' && !isForeign && !hasBars(text),
        isKept: mode !== 'parts' && isTag(text),
      })),
    )
  const strays = marksFor('closes', true).flatMap(close => {
    if (!close.isKept) return [close]
    if (mode === 'raw') return []
    // `<think>\n\n</think>`: empty reasoning, whether the model opened it or the prompt.
    const starts = marks
      .filter(each => each.closes.includes(close.text))
      .flatMap(each => each.opens)
    const empty = starts.flatMap(open => emptySpaces.map(space => open + space + close.text))
    return [close.text, ...empty].map(text => ({
      ...close,
      text,
      isKept: false,
      onlyAtTextStart: true,
    }))
  })
  const opens = marksFor('opens', false)
  return { outside: [...opens, ...strays], inside: [...opens, ...marksFor('closes', false)] }
}
