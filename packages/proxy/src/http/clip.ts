/** The longest text of a client that a log line, a record or a message repeats. */
const MAX_SHOWN_CHARS = 128

/** Cuts a text that a client sent: an id, a model, a path. No surrogate pair is cut in two. */
export function clip(text: string, maxChars = MAX_SHOWN_CHARS): string {
  if (text.length <= maxChars) return text
  return text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '')
}
