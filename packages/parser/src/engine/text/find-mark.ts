/** A text that means something, and where it does. */
export interface MarkRule {
  readonly text: string
  /** It counts only where nothing but space stands before it in its line. */
  readonly onlyAtLineStart?: boolean | undefined
  /** It counts only there, or behind the signs of a list or a quote in Markdown. */
  readonly onlyAtListItem?: boolean | undefined
  /**
   * It counts only where nothing but space stands before it, up to the beginning or the last call.
   */
  readonly onlyAtTextStart?: boolean | undefined
  /** It counts only where more than that stands before it. */
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
 * What stands before a place in a text: nothing but space in the line, or signs of lists and
 * quotes; nothing but space at all; the run of backticks that is open in the line, and the one
 * right before the place, which is as long where it closes that; and how many brackets are open.
 */
const lineStart = { isLineStart: true, isItemStart: true, openTicks: 0, tickRun: 0 }
export const createLineContext = () => ({ ...lineStart, isTextStart: true, depth: 0 })
export type LineContext = ReturnType<typeof createLineContext>

const itemSigns = ' \t>*+-.)0123456789'

/** Moves on over a part of a text. */
export function advance(context: LineContext, text: string, from = 0, to = text.length): void {
  for (let at = from; at < to; at++) {
    const char = text.charAt(at)
    if (context.isTextStart && /\S/.test(char)) context.isTextStart = false
    if (char === '\n') {
      if (context.isLineStart) context.depth = 0
      Object.assign(context, lineStart)
      continue
    }
    if (context.isItemStart) {
      if (char !== ' ' && char !== '\t') context.isLineStart = false
      context.isItemStart = itemSigns.includes(char)
    }
    if (char === '{' || char === '[') context.depth++
    else if ((char === '}' || char === ']') && context.depth > 0) context.depth--
    if (char === '`') context.tickRun++
    else if (context.tickRun > 0) {
      // A run of backticks opens a quote, or closes it, or stands in it.
      if (context.openTicks === 0) context.openTicks = context.tickRun
      else if (context.openTicks === context.tickRun) context.openTicks = 0
      context.tickRun = 0
    }
  }
}

/**
 * Finds the first mark at or behind a position: where it stands and which it is, the first in their
 * order where several stand there. Without one it says how much of the text can be given out: all
 * of it, or up to where a mark may have begun. `before` is what stands before the position, and
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

/** Finds the first of some characters at or behind a position; -1 without one. */
export function createCharFinder(chars: readonly string[]): (text: string, from: number) => number {
  const codes = chars.map(char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  // Without brackets one character is found as fast as by indexOf.
  const anyChar = new RegExp(codes.join('|') || '(?!)', 'g')
  return (text, from) => {
    anyChar.lastIndex = from
    return anyChar.test(text) ? anyChar.lastIndex - 1 : -1
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
