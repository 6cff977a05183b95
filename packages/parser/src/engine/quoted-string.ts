import { isAtMark } from './match-marks.js'
import { createQuoteLook, type QuoteLook, type QuoteLookOptions } from './quote-look.js'
import { createStringEscape, jsonEscapes, pythonEscapes } from './string-escape.js'

export interface QuotedStringOptions extends QuoteLookOptions {
  readonly maxHeldChars: number
  readonly put: (piece: string) => void
  /** What was looked at is to be read next, here or behind the string. */
  readonly readAgain: (text: string) => void
}

// Where it stands.
const OPENING = 0 //  '|'            how many quotes open it?
const TEXT = 1 //     'ab|c'
const ESCAPE = 2 //   'ab\|n'        "ab\u00|e9"
const CLOSING = 3 //  """abc"|""     <escape>abc<esc|ape>
const TRIPLED = 4 //  """abc"""|     of more than three quotes the last three close it
const LOOK = 5 //     'ab'|, …       is it over, or was that a quote inside it?
const TEARING = 6 //  'a'b</tool_|call>
const OVER = 7
const TORN = 8

/** Reads a string in quotes. A quote inside it that was not escaped is told from its end by what follows. */
export function createQuotedString({ put, readAgain, maxHeldChars, ...lookOptions }: QuotedStringOptions) {
  const { ends, isPython } = lookOptions
  const stringEscape = createStringEscape(isPython ? pythonEscapes : jsonEscapes)
  const beginLook = createQuoteLook(lookOptions)
  const endStarts = new Set(ends.map(mark => mark.charCodeAt(0)))
  let state = OVER
  let quote = ''
  /** The quotes that open it so far; what may be those that close it; what may be an end mark; what was looked at. */
  let held = ''
  let look: QuoteLook = () => true
  let isRaw = false
  let isKey = false
  /** It has held a quote that was not escaped. Then it must not swallow the end of the call. */
  let hasInnerQuote = false

  const open = (mark: string, raw: boolean) => {
    quote = mark
    held = mark
    isRaw = raw
    state = isPython ? OPENING : TEXT
  }
  const goOn = (then: number, text: string) => {
    state = then
    readAgain(text)
  }
  const readOpening = (char: string) => {
    if (char !== quote) return goOn(held === quote ? TEXT : OVER, char)
    held += char
    if (held.length < 3) return
    quote = held
    state = TEXT
  }
  /** Reads up to a quote, a backslash, or what may be an end mark; returns where it stopped. */
  const readText = (chunk: string, from: number, to: number): number => {
    const quoteCode = quote.charCodeAt(0)
    const escapeCode = quote.length > 1 && !isPython ? quoteCode : 92
    let i = from
    for (; i < to; i++) {
      const code = chunk.charCodeAt(i)
      if (code === quoteCode || code === escapeCode || (hasInnerQuote && endStarts.has(code))) break
    }
    if (i > from) put(chunk.slice(from, i))
    if (i === to) return i
    const char = chunk.charAt(i)
    held = ''
    if (quote.startsWith(char)) readClosing(char)
    else if (char === '\\') state = ESCAPE
    else readTearing(char)
    return i + 1
  }
  const readEscape = (char: string) => {
    const text = isRaw ? `\\${char}` : stringEscape.read(char)
    if (text === undefined) return
    put(text)
    goOn(TEXT, !isRaw && stringEscape.isUnread() ? char : '')
  }
  /** What may have been a mark is text. */
  const putHeld = () => {
    put(held.charAt(0))
    goOn(TEXT, held.slice(1))
  }
  const readClosing = (char: string) => {
    held += char
    state = CLOSING
    if (held !== quote) {
      if (!quote.startsWith(held)) putHeld()
    } else if (quote.length > 1) state = isPython ? TRIPLED : OVER
    else if (isKey) state = OVER
    else {
      state = LOOK
      held = ''
      look = beginLook(hasInnerQuote)
    }
  }
  const readTripled = (char: string) => {
    if (quote.startsWith(char)) put(char)
    else goOn(OVER, char)
  }
  const readLook = (char: string) => {
    held += char
    const verdict = held.length > maxHeldChars || look(char)
    if (verdict === 'joined') return open(char, false)
    if (typeof verdict === 'function') {
      look = verdict
      return
    }
    if (!verdict) {
      hasInnerQuote = true
      put(quote)
    }
    goOn(verdict ? OVER : TEXT, held)
  }
  const readTearing = (char: string) => {
    held += char
    state = TEARING
    const isEnd = isAtMark(held, ends)
    if (isEnd) goOn(TORN, held)
    else if (isEnd === false) putHeld()
  }
  const readers = [readOpening, undefined, readEscape, readClosing, readTripled, readLook, readTearing]

  return {
    /**
     * Behind the quote, or behind the mark that stands for one: nothing is escaped between marks. A key ends at the next quote,
     * whatever follows. A raw string keeps its backslashes.
     */
    begin(mark: string, kind: { readonly isKey: boolean; readonly isRaw: boolean }) {
      isKey = kind.isKey
      hasInnerQuote = false
      open(mark, kind.isRaw)
    },
    /** Another string goes on with it. */
    join: (char: string) => open(char, false),
    /** Takes some of the chunk; returns the index behind that. */
    read(chunk: string, from: number, to: number): number {
      if (state === TEXT) return readText(chunk, from, to)
      readers[state]?.(chunk.charAt(from))
      return from + 1
    },
    isOver: () => state === OVER,
    /** It was left open before an end mark. */
    isTorn: () => state === TORN,
    /** No more text comes. */
    end() {
      // The text ends behind the quote, so nothing can contradict it.
      if (state === LOOK) goOn(OVER, held)
      if (state === TRIPLED || (state === OPENING && held !== quote)) state = OVER
    },
  }
}
