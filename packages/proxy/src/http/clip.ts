/** The longest text of a client that a log line, a record or a message repeats. */
const MAX_SHOWN_CHARS = 128

/** Cuts a text that a client sent: an id, a model, a path. No surrogate pair is cut in two. */
export function clip(text: string): string {
  if (text.length <= MAX_SHOWN_CHARS) return text
  return text.slice(0, MAX_SHOWN_CHARS).replace(/[\ud800-\udbff]$/, '')
}
