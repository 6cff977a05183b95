/** Where a text stands with respect to a set of marks: at one, perhaps at the beginning of one, or at none. */
export type MarkMatch = 'mark' | 'maybe' | 'none'

/** Tells whether a text begins with one of the marks, or might if it went on. */
export function matchMarks(text: string, marks: readonly string[]): MarkMatch {
  let isMaybe = false
  for (const mark of marks) {
    if (text.startsWith(mark)) return 'mark'
    if (mark.startsWith(text)) isMaybe = true
  }
  return isMaybe ? 'maybe' : 'none'
}

/** Whether a text is one of the marks, or begins with one; undefined as long as it may become one. */
export function isAtMark(text: string, marks: readonly string[]): boolean | undefined {
  const match = matchMarks(text, marks)
  return text === '' || match === 'maybe' ? undefined : match !== 'none'
}

/** True for the first character of any of the marks. */
export function startsMark(char: string, marks: readonly string[]): boolean {
  return marks.some(mark => mark.startsWith(char))
}
