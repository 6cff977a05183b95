import type { MarkRule } from './text/find-mark.js'

/** The marks around what the model thinks. Any of the closes ends it, whichever opened it. */
export interface ReasoningMarks {
  readonly opens: readonly string[]
  readonly closes: readonly string[]
  /**
   * Thoughts are messages among others: what ends them ends those too. Where thoughts are not told
   * apart, the grammar reads these messages like all others.
   */
  readonly isMessage?: boolean | undefined
  /**
   * They are those of a format that was not asked for: in the middle of a line, and quoted, they
   * are talked about.
   */
  readonly isForeign?: boolean | undefined
}

export interface ReasoningOptions {
  readonly marks: readonly ReasoningMarks[]
  /**
   * `parts`: thoughts are told apart from text. `text`: they are text, but an empty one before any
   * text is left out. `raw`: tags stay as they are, for someone else to read.
   */
  readonly mode: 'parts' | 'text' | 'raw'
  /** The prompt has opened a thought already. */
  readonly startsInReasoning: boolean
  /** A call inside a thought is a call. Otherwise it is one only if the thought is never closed. */
  readonly callsInReasoningCount: boolean
}

/** A mark at which a thought begins or ends. */
export interface ReasoningMark extends MarkRule {
  readonly direction: 'in' | 'out'
  /** It is part of the text. */
  readonly isKept: boolean
}

/** True for a tag, which is no special token: other middleware knows it, too. */
const isTag = (mark: string) => /^<\/?[a-z][^|]*$/i.test(mark)

/** The space that templates and models leave in a thought that is empty. */
const emptySpaces = ['', '\n', '\n\n']

/** The marks that count outside and inside of thoughts. */
export function createReasoningMarks({ marks: all, mode }: ReasoningOptions): {
  outside: ReasoningMark[]
  inside: ReasoningMark[]
} {
  const marks = all.filter(each => !each.isMessage || mode === 'parts')
  const marksFor = (key: 'opens' | 'closes', isStray: boolean): ReasoningMark[] =>
    marks.flatMap(({ [key]: texts, isMessage, isForeign = false }) =>
      (isStray && isMessage ? [] : texts).map(text => ({
        text,
        direction: key === 'opens' ? 'in' : 'out',
        // A tag in the middle of a sentence is one that is talked about.
        onlyAtLineStart:
          key === 'opens'
            ? isForeign || isTag(text)
            : isForeign && isStray && !text.startsWith('<|'),
        notInInlineCode: isForeign || isStray,
        isKept: mode !== 'parts' && isTag(text),
      })),
    )
  const strays = marksFor('closes', true).flatMap(close => {
    if (!close.isKept) return [close]
    if (mode === 'raw') return []
    // A thought that is closed at once, whether the model opened it or the prompt.
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
