import { isQuote } from './characters.js'
import type { Cursor } from './cursor.js'
import { isAtMark } from './match-marks.js'
import { createQuoteLook, type QuoteLookOptions } from './quote-look.js'
import { escapeAt, jsonEscapes, pythonEscapes, rawEscapes } from './string-escape.js'

export interface QuotedStringOptions extends QuoteLookOptions {
  readonly cursor: Cursor
  readonly put: (piece: string) => void
}

/** Behind a quote no more than this is looked at. What tells nothing up to there is not inside the string. */
const MAX_LOOK_CHARS = 1024

/**
 * What came of reading on: the string goes on, it is over, it was left open before an end mark; or, undefined, more text is needed.
 */
export type StringState = 'open' | 'over' | 'torn' | undefined

/** Reads a string in quotes. A quote inside it that was not escaped is told from its end by what follows. */
export function createQuotedString({ cursor, put, ...lookOptions }: QuotedStringOptions) {
  const { ends, isPython, quoteMark, isYaml } = lookOptions
  const look = createQuoteLook(lookOptions)
  const endStarts = new Set(ends.map(mark => mark.charCodeAt(0)))
  /** What closes it; empty as long as it has not been opened. */
  let quote = ''
  let escapes = jsonEscapes
  /** It has held a quote that was not escaped. Then it must not swallow the end of the call. */
  let hasInnerQuote = false

  const putNext = (chars: number): StringState => {
    const piece = cursor.text.slice(cursor.at, cursor.at + chars)
    cursor.at += chars
    put(piece)
    return 'open'
  }
  const close = (): StringState => {
    cursor.at += quote.length
    return 'over'
  }
  const open = (): StringState => {
    const { text, at } = cursor
    const char = text.charAt(at)
    const tripled = isPython && isAtMark(text.slice(at, at + 3), [char.repeat(3)])
    if (tripled === undefined && !cursor.isOver) return undefined
    quote = tripled ? char.repeat(3) : isQuote(char) ? char : quoteMark
    cursor.at += quote.length
    // Python writes an empty string much more often than one that begins with a quote.
    return isPython && tripled === false && text.startsWith(quote, cursor.at) ? close() : 'open'
  }
  /** The index of the next quote, backslash, or what may be an end mark. */
  const findStop = (): number => {
    const { text } = cursor
    const quoteCode = quote.charCodeAt(0)
    // Nothing is escaped between the marks that stand for quotes.
    const escapeCode = quote === quoteMark ? quoteCode : 92
    let i = cursor.at
    for (; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code === quoteCode || code === escapeCode || (hasInnerQuote && endStarts.has(code))) break
    }
    return i
  }
  const readEscape = (): StringState => {
    const found = escapeAt(cursor.text, cursor.at, escapes)
    if (!found) return undefined
    cursor.at += found.source.length
    put(found.text)
    return 'open'
  }
  /** `'ab|', …` Is it over, or is that a quote inside it? */
  const readQuote = (): StringState => {
    const behind = cursor.text.slice(cursor.at + 1, cursor.at + 1 + MAX_LOOK_CHARS)
    const isOver = look(behind, hasInnerQuote)
    if (isOver === undefined && behind.length < MAX_LOOK_CHARS && !cursor.isOver) return undefined
    if (isOver === false) {
      hasInnerQuote = true
      // In YAML two quotes stand for one.
      if (isYaml && behind.startsWith(quote)) cursor.at++
      return putNext(1)
    }
    const next = behind.trimStart()
    if (!isPython || !isQuote(next.charAt(0))) return close()
    cursor.at += 1 + behind.length - next.length
    return join()
  }
  const readMark = (marks: readonly string[], atMark: () => StringState): StringState => {
    const isMark = isAtMark(cursor.text.slice(cursor.at), marks)
    if (isMark === undefined) return undefined
    return isMark ? atMark() : putNext(1)
  }
  /** `"""abc|"""` Of more than three quotes the last three close it. */
  const closeMark = (): StringState => {
    const behind = cursor.text.charAt(cursor.at + quote.length)
    if (quote === quoteMark || (behind !== quote.charAt(0) && (behind || cursor.isOver))) return close()
    return behind ? putNext(1) : undefined
  }
  /** Another string goes on with it; the cursor stands before that. */
  const join = (): StringState => {
    quote = ''
    escapes = isPython ? pythonEscapes : jsonEscapes
    return 'open'
  }

  return {
    /** The cursor stands before the quote, or before the mark that stands for one. */
    begin(isRaw: boolean) {
      join()
      hasInnerQuote = false
      if (isRaw) escapes = rawEscapes
    },
    /** Reads a piece of it. */
    read(): StringState {
      if (!quote) return open()
      const stop = findStop()
      if (stop > cursor.at) return putNext(stop - cursor.at)
      const char = cursor.text.charAt(stop)
      if (char === '') return undefined
      if (char === '\\' && quote !== quoteMark) return readEscape()
      if (!quote.startsWith(char)) return readMark(ends, () => 'torn')
      return quote.length > 1 ? readMark([quote], closeMark) : readQuote()
    },
  }
}
