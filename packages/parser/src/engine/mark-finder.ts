/** A text that means something, and where it does. */
export interface Findable {
  readonly text: string
  /** It counts only where nothing but space stands before it in its line. */
  readonly isAtLineStart?: boolean | undefined
  /** It counts only where nothing but space stands before it, up to the beginning or the last call. */
  readonly isAtStart?: boolean | undefined
  /** It counts only where more than that stands before it. */
  readonly isInside?: boolean | undefined
  /** It does not count right behind a backtick, which is how text is quoted. */
  readonly isUnquoted?: boolean | undefined
}

/** What stands before a text that is searched: nothing but space in the line, nothing but space and calls at all, a backtick. */
export const createBefore = () => ({ isLineBlank: true, isBlank: true, isTicked: false })
export type Before = ReturnType<typeof createBefore>

/**
 * Finds the first mark at or behind a position: where it stands and which it is, the first in their order where several stand there.
 * Without one it says how much of the text can be given out: all of it, or up to where a mark may have begun.
 */
export function createMarkFinder<Mark extends Findable>(marks: readonly Mark[]) {
  const groups = new Map<string, Mark[]>()
  for (const mark of marks) groups.set(mark.text.charAt(0), [...(groups.get(mark.text.charAt(0)) ?? []), mark])
  const nextAt = createCharFinder([...groups.keys()])

  return (text: string, from: number, isLast: boolean, before?: Before): { at: number; mark: Mark | undefined } => {
    for (let at = nextAt(text, from); at >= 0; at = nextAt(text, at + 1)) {
      for (const mark of groups.get(text.charAt(at)) ?? []) {
        const left = text.length - at
        const isBegun = !isLast && left < mark.text.length && mark.text.startsWith(text.slice(at))
        if (!isBegun && !text.startsWith(mark.text, at)) continue
        if (before && isElsewhere(mark, text, from, at, before)) continue
        return { at, mark: isBegun ? undefined : mark }
      }
    }
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
function isElsewhere(mark: Findable, text: string, from: number, at: number, before: Before): boolean {
  if (mark.isAtLineStart && !isBlankBefore(text, at, before.isLineBlank)) return true
  if (mark.isUnquoted && (at === 0 ? before.isTicked : text.charAt(at - 1) === '`')) return true
  if (!mark.isAtStart && !mark.isInside) return false
  return (before.isBlank && !/\S/.test(text.slice(from, at))) !== (mark.isAtStart === true)
}

/** True if only space stands between the beginning of the line and a place in the text. */
export function isBlankBefore(text: string, at: number, isLineBlank: boolean): boolean {
  for (let i = at - 1; i >= 0; i--) {
    const char = text.charAt(i)
    if (char === '\n') return true
    if (char !== ' ' && char !== '\t') return false
  }
  return isLineBlank
}
