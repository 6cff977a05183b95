import { skipBlank, trimBlankEnd } from './yaml-line.js'

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
  if (mark.length < 4) return escapes.get(mark.slice(1)) ?? mark
  const code = Number.parseInt(mark.slice(2), 16)
  return code > 0x10ffff ? mark : String.fromCodePoint(code)
}

/**
 * Reads a text in quotes, line by line: the first from behind the quote, the others from their beginning. Tells where the
 * text ends in the line, or that it goes on in the next (-1). A line break in it is a space, and blank lines are line breaks.
 */
export function createYamlQuoted(put: (text: string) => void, quote: string, close = () => {}) {
  const marks = quote === '"' ? doubleMarks : singleMarks
  /** Line breaks since the last text; a backslash before the first of them joins what stands around it. */
  let breaks = 0
  let isJoined = false

  const putLine = (text: string) => {
    const gap = breaks ? '\n'.repeat(breaks - 1) || (isJoined ? '' : ' ') : ''
    if (gap || text) put(gap + text)
    breaks = 0
    isJoined = false
  }
  return (line: string, from: number): number => {
    let at = breaks ? line.length - skipBlank(line).length : from
    let text = ''
    /** So much of the text ends with an escape, and not with space that may be markup. */
    let keptChars = 0
    for (;;) {
      marks.lastIndex = at
      const match = marks.exec(line)
      const mark = match?.[0]
      text += line.slice(at, match?.index)
      at = marks.lastIndex
      if (mark === quote) {
        putLine(text)
        close()
        return at
      }
      if (mark === undefined || mark === '\\') {
        if (mark === undefined) text = text.slice(0, keptChars) + trimBlankEnd(text.slice(keptChars))
        if (text) putLine(text)
        breaks++
        isJoined ||= mark === '\\'
        return -1
      }
      text += textOf(mark)
      keptChars = text.length
    }
  }
}
