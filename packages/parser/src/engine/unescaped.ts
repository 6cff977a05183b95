import { Token, type ValueSink } from './value-token.js'

const escapes: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', n: '\n', t: '\t', r: '\r' }

/** Brackets and space before the first quote that are more than this tell enough. */
const MAX_HELD_CHARS = 64

/**
 * Takes one layer of escapes off raw text that is JSON as it stands in a string: `[{\"id\": 1}]`. The first quote tells: no
 * JSON has a backslash before it.
 */
export function unescaped(sink: ValueSink): ValueSink {
  /** What came before it was clear what the text is; then a backslash, as long as nothing follows it. */
  let held = ''
  let isClear = false
  let isEscaped = false
  return (token, piece) => {
    const isOver = token === Token.endText
    if (!isOver && token !== Token.text) return sink(token, piece)
    held += piece
    const text = held
    if (!isOver && !isClear && text.length < MAX_HELD_CHARS && /^\s*(?:[[{][\s[{]*\\?)?$/.test(text)) return
    if (!isClear) isEscaped = /^\s*[[{][\s[{]*\\"/.test(text)
    isClear = true
    const isTorn = isEscaped && !isOver && /(?<!\\)(?:\\\\)*\\$/.test(text)
    held = isTorn ? '\\' : ''
    const whole = isTorn ? text.slice(0, -1) : text
    const plain = isEscaped ? whole.replace(/\\(.)/gsu, (pair, char: string) => escapes[char] ?? pair) : whole
    if (plain) sink(Token.text, plain)
    if (isOver) sink(token, piece)
  }
}
