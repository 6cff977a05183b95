/** Whether a text begins with one of the marks; undefined as long as it may still become one. */
export function isAtMark(text: string, marks: readonly string[]): boolean | undefined {
  if (marks.some(mark => text.startsWith(mark))) return true
  return text === '' || marks.some(mark => mark.startsWith(text)) ? undefined : false
}

/** A text without the beginning of a mark at its end. */
export function withoutPrefix(text: string, mark: string): string {
  const at = text.lastIndexOf(mark.charAt(0))
  return at >= 0 && mark.startsWith(text.slice(at)) ? text.slice(0, at) : text
}
