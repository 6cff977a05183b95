import type { Findable } from './mark-finder.js'

/** The marks around what the model thinks. Any of the closes ends it, whichever opened it. */
export interface ReasoningMarks {
  readonly opens: readonly string[]
  readonly closes: readonly string[]
  /**
   * Thoughts are messages among others: what ends them ends those too. Where thoughts are not told apart, the grammar reads these messages
   * like all others.
   */
  readonly isMessage?: boolean | undefined
}

export interface ThinkingOptions {
  readonly marks: readonly ReasoningMarks[]
  /**
   * `parts`: thoughts are told apart from text. `text`: they are text, but an empty one at the beginning is left out.
   * `raw`: tags stay as they are, for someone else to read.
   */
  readonly mode: 'parts' | 'text' | 'raw'
  /** The prompt has opened a thought already. */
  readonly startsInside: boolean
  /** A call inside a thought is a call. Otherwise it is one only if the thought is never closed. */
  readonly callsCount: boolean
}

/** A mark at which a thought begins or ends. */
export interface TurnMark extends Findable {
  readonly turn: 'in' | 'out'
  /** It is part of the text. */
  readonly isKept: boolean
}

const isTag = (mark: string) => /^<\/?[a-z]/i.test(mark)

/** The marks that count outside and inside of thoughts. */
export function turnMarks({ marks: all, mode }: ThinkingOptions): { outside: TurnMark[]; inside: TurnMark[] } {
  const marks = all.filter(each => !each.isMessage || mode === 'parts')
  const isKept = (text: string) => mode !== 'parts' && isTag(text)
  const opens = [...new Set(marks.flatMap(each => each.opens))].map(
    // A tag in the middle of a sentence is one that is talked about.
    (text): TurnMark => ({ text, turn: 'in', isKept: isKept(text), isAtLineStart: isTag(text) }),
  )
  const closesOf = (from: readonly ReasoningMarks[]) =>
    [...new Set(from.flatMap(each => each.closes))].map(
      (text): TurnMark => ({ text, turn: 'out', isKept: isKept(text) }),
    )
  // A thought that the prompt has opened, and the model closes at once.
  const strays = closesOf(marks.filter(each => !each.isMessage)).flatMap(close => {
    if (!close.isKept) return [close]
    return mode === 'text' ? [{ ...close, isKept: false, isAtStart: true }] : []
  })
  return { outside: [...opens, ...strays], inside: [...opens, ...closesOf(marks)] }
}
