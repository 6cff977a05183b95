/** A text that means something, and where it does. */
export interface Findable {
  readonly text: string
  /** It counts only where nothing but space stands before it in its line. */
  readonly isAtLineStart?: boolean | undefined
  /** It counts only there, or behind the signs of a list or a quote in Markdown. */
  readonly isAtItemStart?: boolean | undefined
  /**
   * It counts only where nothing but space stands before it, up to the beginning or the last call.
   */
  readonly isAtStart?: boolean | undefined
  /** It counts only where more than that stands before it. */
  readonly isInside?: boolean | undefined
  /** It does not count between backticks, which is how text is quoted. */
  readonly isUnquoted?: boolean | undefined
  /**
   * It does not count in brackets, where it is a part of what these hold. A blank line ends what
   * was never closed.
   */
  readonly isOutermost?: boolean | undefined
}

/**
 * What stands before a place in a text: nothing but space in the line, or signs of lists and
 * quotes; nothing but space at all; the run of backticks that is open in the line, and the one
 * right before the place, which is as long where it closes that; and how many brackets are open.
 */
const lineStart = { isLineBlank: true, isItemStart: true, openTicks: 0, ticks: 0 }
export const createBefore = () => ({ ...lineStart, isBlank: true, depth: 0 })
export type Before = ReturnType<typeof createBefore>

const itemSigns = ' \t>*+-.)0123456789'

/** Moves on over a part of a text. */
export function passOver(before: Before, text: string, from = 0, to = text.length): void {
  for (let at = from; at < to; at++) {
    const char = text.charAt(at)
    if (before.isBlank && /\S/.test(char)) before.isBlank = false
    if (char === '\n') {
      if (before.isLineBlank) before.depth = 0
      Object.assign(before, lineStart)
      continue
    }
    if (before.isItemStart) {
      if (char !== ' ' && char !== '\t') before.isLineBlank = false
      before.isItemStart = itemSigns.includes(char)
    }
    if (char === '{' || char === '[') before.depth++
    else if ((char === '}' || char === ']') && before.depth > 0) before.depth--
    if (char === '`') before.ticks++
    else if (before.ticks > 0) {
      // A run of backticks opens a quote, or closes it, or stands in it.
      if (before.openTicks === 0) before.openTicks = before.ticks
      else if (before.openTicks === before.ticks) before.openTicks = 0
      before.ticks = 0
    }
  }
}

/**
 * Finds the first mark at or behind a position: where it stands and which it is, the first in their
 * order where several stand there. Without one it says how much of the text can be given out: all
 * of it, or up to where a mark may have begun. `before` is what stands before the position, and
 * moves on with it.
 */
export function createMarkFinder<Mark extends Findable>(marks: readonly Mark[]) {
  const groups = new Map<string, Mark[]>()
  for (const mark of marks)
    groups.set(mark.text.charAt(0), [...(groups.get(mark.text.charAt(0)) ?? []), mark])
  const nextAt = createCharFinder([...groups.keys()])

  return (
    text: string,
    from: number,
    isLast: boolean,
    before?: Before,
  ): { at: number; mark: Mark | undefined } => {
    let passed = from
    for (let at = nextAt(text, from); at >= 0; at = nextAt(text, at + 1)) {
      for (const mark of groups.get(text.charAt(at)) ?? []) {
        const left = text.length - at
        const isBegun = !isLast && left < mark.text.length && mark.text.startsWith(text.slice(at))
        if (!isBegun && !text.startsWith(mark.text, at)) continue
        if (before) {
          passOver(before, text, passed, at)
          passed = at
          if (isElsewhere(mark, before)) continue
        }
        return { at, mark: isBegun ? undefined : mark }
      }
    }
    if (before) passOver(before, text, passed)
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
function isElsewhere(mark: Findable, before: Before): boolean {
  if ((mark.isAtLineStart && !before.isLineBlank) || (mark.isAtItemStart && !before.isItemStart))
    return true
  if (
    (mark.isUnquoted && before.openTicks !== before.ticks) ||
    (mark.isOutermost && before.depth > 0)
  )
    return true
  return before.isBlank ? mark.isInside === true : mark.isAtStart === true
}
