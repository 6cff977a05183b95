import { indentOf, trimBlankEnd } from './yaml-line.js'

const escapes = new Map([
  ...Object.entries({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\u0007', e: '\u001b', 0: '\0' }),
  ...Object.entries({ _: '\u00a0', N: '\u0085', L: '\u2028', P: '\u2029', '\t': '\t', ' ': ' ' }),
  ...Object.entries({ '"': '"', "'": "'", '/': '/', '\\': '\\' }),
])
const doubleMarks = /"|\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|.|$)/g
const singleMarks = /''?/g

/** What an escape stands for. One that YAML does not have (`\d` of a pattern) was meant as it stands. */
function textOf(mark: string): string {
  if (mark === "''") return "'"
  if (mark === '\\') return ''
  if (mark.length < 4) return escapes.get(mark.slice(1)) ?? mark
  const code = Number.parseInt(mark.slice(2), 16)
  return code > 0x10ffff ? mark : String.fromCodePoint(code)
}

/**
 * Reads a text in quotes from behind the first one, up to the other; or to the end of the line if there is none, then `end` is
 * -1, and a backslash at the end joins the next line.
 */
export function readQuoted(line: string, from: number, quote: string) {
  const marks = quote === '"' ? doubleMarks : singleMarks
  let text = ''
  let at = from
  /** So much of the text ends with an escape, and not with space that may be markup. */
  let keptChars = 0
  let isJoined = false
  for (;;) {
    marks.lastIndex = at
    const match = marks.exec(line)
    text += line.slice(at, match?.index)
    at = marks.lastIndex
    if (match?.[0] === quote) return { text, end: at, isJoined }
    if (!match) return { text: text.slice(0, keptChars) + trimBlankEnd(text.slice(keptChars)), end: -1, isJoined }
    isJoined = match[0] === '\\'
    text += textOf(match[0])
    keptChars = text.length
  }
}

/**
 * Reads a text in quotes that may go on from line to line, and tells where it ends in the line, or that it does not (-1). A line
 * break in it is a space, unless a backslash stands before it, and blank lines are line breaks.
 */
export function createYamlQuoted(put: (text: string) => void, quote: string) {
  /** Line breaks since the last text. */
  let breaks = 0
  let isJoined = false

  return (line: string, from: number): number => {
    const quoted = readQuoted(line, breaks ? indentOf(line) : from, quote)
    const { text, end } = quoted
    if (text || end >= 0) {
      const gap = breaks ? '\n'.repeat(breaks - 1) || (isJoined ? '' : ' ') : ''
      if (gap || text) put(gap + text)
      breaks = 0
      isJoined = false
    }
    if (end >= 0) return end
    breaks++
    isJoined ||= quoted.isJoined
    return -1
  }
}
