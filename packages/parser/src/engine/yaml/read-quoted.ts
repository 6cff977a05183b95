import type { Cursor, Reading } from '../cursor.js'
import { createMarkSearch, readMark, readUpTo } from '../marks.js'

/** A line break with the space around it, and an escape. Space is looked at once, from its beginning on. */
const doubleMarks = /(?<!\s)\s*\n\s*|\\(?:\n\s*|x[\da-fA-F]{2}|u[\da-fA-F]{4}|.|$)/g
const singleMarks = /(?<!\s)\s*\n\s*|''/g

const escapes: Readonly<Record<string, string>> = {
  ...{ '\\n': '\n', '\\t': '\t', '\\r': '\r', '\\b': '\b', '\\f': '\f', '\\v': '\v' },
  ...{ '\\a': '\u0007', '\\e': '\u001b', '\\0': '\0', "''": "'" },
}

/** What line breaks stand for where lines are folded: one is a space, and the first of several means nothing. */
export const foldedBreaks = (breaks: number) => '\n'.repeat(breaks - 1) || ' '

/** What a mark stands for. An escape that YAML does not have (`\d` of a pattern) was meant as it stands. */
function textOf(mark: string): string {
  if (mark.startsWith('\\\n')) return ''
  if (/^\\[xu]./.test(mark)) return String.fromCharCode(Number.parseInt(mark.slice(2), 16))
  if (/\n/.test(mark)) return foldedBreaks(mark.split('\n').length - 1)
  return escapes[mark] ?? (/^\\["'/\\ \t]/.test(mark) ? mark.slice(1) : mark)
}

/** What a text in quotes stands for. Lines are folded. */
export const unescapeQuoted = (text: string, quote: string) =>
  text.replace(quote === '"' ? doubleMarks : singleMarks, textOf)

/**
 * Reads a text in quotes, from the first to behind the other. It is not whole where there is none: at the end of the text, before
 * the close tag at the beginning of a line, or if it is too long.
 */
export function* readQuoted(
  cursor: Cursor,
  closeTag: string,
  maxChars: number,
): Reading<{ text: string; isWhole: boolean }> {
  const quote = cursor.text.charAt(cursor.at++)
  const search = createMarkSearch([quote, `\n${closeTag}`])
  const pieces: string[] = []
  for (let left = maxChars; ; ) {
    const piece = yield* readUpTo(cursor, search, left)
    const isWhole = (yield* readMark(cursor, [quote])) !== ''
    const isEscaped = quote === '"' ? /(?<!\\)(?:\\\\)*\\$/.test(piece) : (yield* readMark(cursor, [quote])) !== ''
    pieces.push(piece)
    left = Math.max(left - piece.length - 1, 0)
    if (!isWhole || !isEscaped) return { text: unescapeQuoted(pieces.join(quote), quote), isWhole }
    if (quote === "'") pieces.push('')
  }
}
