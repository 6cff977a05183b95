import { createQuoteLook, type QuoteLookOptions } from './quote-look.js'
import type { ChunkReader } from './reader.js'
import { createStringEscape, jsonEscapes, pythonEscapes } from './string-escape.js'

/** Reads a string in quotes. A quote inside it that was not escaped is told from its end by what follows. */
export interface QuotedString extends ChunkReader {
  /**
   * Behind the quote, or behind the mark that stands for one: nothing is escaped between marks. A key ends at the next quote,
   * whatever follows. A raw string keeps its backslashes.
   */
  begin(quote: string, kind: { readonly isKey: boolean; readonly isRaw: boolean }): void
  /** Another string goes on with it. */
  join(quote: string): void
  isOver(): boolean
  /** It has held a quote that was not escaped. */
  hasInnerQuote(): boolean
  /** The next character is text, or ends it. */
  isInText(): boolean
  /** What was looked at and is to be read again, here or behind the string. Asked for once, when `feed` stops. */
  takeAgain(): string
  /** No more text comes. True if it is whole. */
  end(): boolean
}

// Where it stands.
const OPENING = 0 //  '|'            how many quotes open it?
const TEXT = 1 //     'ab|c'
const ESCAPE = 2 //   'ab\|n'        "ab\u00|e9"
const CLOSING = 3 //  """abc"|""     <escape>abc<esc|ape>
const TRIPLED = 4 //  """abc"""|     of more than three quotes the last three close it
const LOOK = 5 //     'ab'|, …       is it over, or was that a quote inside it?
const OVER = 6

export function createQuotedString(put: (piece: string) => void, options: QuoteLookOptions): QuotedString {
  /** In Python three quotes are one. */
  const hasTriples = options.isPython
  const stringEscape = createStringEscape(hasTriples ? pythonEscapes : jsonEscapes)
  const look = createQuoteLook(options)
  let state = OVER
  let quote = ''
  /** The quotes that open it so far, or what may be those that close it. */
  let marks = ''
  let isRaw = false
  let isKey = false
  let hasInnerQuote = false
  let again = ''

  const open = (mark: string, raw: boolean) => {
    quote = mark
    marks = mark
    isRaw = raw
    state = hasTriples ? OPENING : TEXT
  }
  const goOn = (then: number, text: string) => {
    state = then
    again = text
  }
  const readOpening = (char: string) => {
    if (char !== quote) return goOn(marks === quote ? TEXT : OVER, char)
    marks += char
    if (marks.length < 3) return
    quote = marks
    state = TEXT
  }
  /** Reads up to the next quote or backslash; returns where it stopped. */
  const readText = (chunk: string, from: number, to: number): number => {
    const quoteCode = quote.charCodeAt(0)
    const escapeCode = quote.length > 1 && !hasTriples ? quoteCode : 92
    let i = from
    for (; i < to; i++) {
      const code = chunk.charCodeAt(i)
      if (code === quoteCode || code === escapeCode) break
    }
    if (i > from) put(chunk.slice(from, i))
    if (i === to) return i
    marks = ''
    if (chunk.charCodeAt(i) === quoteCode) readClosing(quote.charAt(0))
    else state = ESCAPE
    return i + 1
  }
  const readEscape = (char: string) => {
    const text = isRaw ? `\\${char}` : stringEscape.read(char)
    if (text === undefined) return
    put(text)
    goOn(TEXT, !isRaw && stringEscape.isUnread() ? char : '')
  }
  const readClosing = (char: string) => {
    marks += char
    state = CLOSING
    if (marks !== quote) {
      if (quote.startsWith(marks)) return
      put(marks.charAt(0))
      goOn(TEXT, marks.slice(1))
    } else if (quote.length > 1) state = hasTriples ? TRIPLED : OVER
    else if (isKey) state = OVER
    else {
      state = LOOK
      look.begin(hasInnerQuote)
    }
  }
  const readTripled = (char: string) => {
    if (quote.startsWith(char)) put(char)
    else goOn(OVER, char)
  }
  const readLook = (char: string) => {
    const verdict = look.read(char)
    if (verdict === undefined) return
    if (verdict === 'joined') return open(char, false)
    if (!verdict) {
      hasInnerQuote = true
      put(quote)
    }
    goOn(verdict ? OVER : TEXT, look.text())
  }
  const readers = [readOpening, undefined, readEscape, readClosing, readTripled, readLook]

  return {
    begin(mark, kind) {
      isKey = kind.isKey
      hasInnerQuote = false
      open(mark, kind.isRaw)
    },
    join: char => open(char, false),
    feed(chunk, from, to) {
      let at = from
      while (at < to && state !== OVER && again === '') {
        if (state === TEXT) at = readText(chunk, at, to)
        else readers[state]?.(chunk.charAt(at++))
      }
      return at
    },
    isOver: () => state === OVER,
    hasInnerQuote: () => hasInnerQuote,
    isInText: () => state === TEXT,
    takeAgain() {
      const text = again
      again = ''
      return text
    },
    end() {
      // The text ends behind the quote, so nothing can contradict it.
      if (state === LOOK) goOn(OVER, look.text())
      if (state === TRIPLED || (state === OPENING && marks !== quote)) state = OVER
      return state === OVER
    },
  }
}
