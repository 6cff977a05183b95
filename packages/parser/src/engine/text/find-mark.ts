import { createCharFinder } from './find-char.js'
import { advance, type LineContext } from './line-context.js'

/** A text that means something, and where it does. */
export interface MarkRule {
  readonly text: string
  /** It counts only at the start of a line, after whitespace. */
  readonly onlyAtLineStart?: boolean | undefined
  /** It counts only there, or after the signs of a Markdown list or quote: `- <call>`. */
  readonly onlyAtListItem?: boolean | undefined
  /**
   * It counts only at the start of the text or after a call, with nothing but whitespace before it.
   */
  readonly onlyAtTextStart?: boolean | undefined
  /** It counts only if there is more than that before it. */
  readonly onlyAfterText?: boolean | undefined
  /** It does not count between backticks, which is how text is quoted. */
  readonly notInInlineCode?: boolean | undefined
  /**
   * It does not count in brackets, where it is a part of what these hold. A blank line ends what
   * was never closed.
   */
  readonly notInBrackets?: boolean | undefined
}

/**
 * Finds the first mark at or after a position: where it is and which it is, the first in their
 * order where several stand there. Without one it says how much of the text can be given out: all
 * of it, or up to where a mark may have begun. `context` is what comes before the position, and
 * moves on with it.
 */
export function createMarkFinder<Mark extends MarkRule>(marks: readonly Mark[]) {
  const groups = new Map<string, Mark[]>()
  for (const mark of marks)
    groups.set(mark.text.charAt(0), [...(groups.get(mark.text.charAt(0)) ?? []), mark])
  const nextAt = createCharFinder([...groups.keys()])

  return (
    text: string,
    from: number,
    isLast: boolean,
    context?: LineContext,
  ): { at: number; mark: Mark | undefined } => {
    let passed = from
    for (let at = nextAt(text, from); at >= 0; at = nextAt(text, at + 1)) {
      for (const mark of groups.get(text.charAt(at)) ?? []) {
        const left = text.length - at
        const isBegun = !isLast && left < mark.text.length && mark.text.startsWith(text.slice(at))
        if (!isBegun && !text.startsWith(mark.text, at)) continue
        if (context) {
          advance(context, text, passed, at)
          passed = at
          if (isOutOfPlace(mark, context)) continue
        }
        return { at, mark: isBegun ? undefined : mark }
      }
    }
    if (context) advance(context, text, passed)
    return { at: text.length, mark: undefined }
  }
}

/** True if the mark does not count at that place. */
function isOutOfPlace(mark: MarkRule, context: LineContext): boolean {
  if (
    (mark.onlyAtLineStart && !context.isLineStart) ||
    (mark.onlyAtListItem && !context.isItemStart)
  )
    return true
  if (
    (mark.notInInlineCode && context.openTicks !== context.tickRun) ||
    (mark.notInBrackets && context.depth > 0)
  )
    return true
  return context.isTextStart ? mark.onlyAfterText === true : mark.onlyAtTextStart === true
}
