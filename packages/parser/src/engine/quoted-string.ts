import type { ChunkReader } from './reader.js'
import { createStringEscape, type EscapeRules } from './string-escape.js'

/** Reads a string in quotes. A quote inside it that was not escaped is told from its end by what follows. */
export interface QuotedString extends ChunkReader {
  /** Behind the first quote. A key ends at the next one, whatever follows. A raw string has no escapes. */
  begin(quote: string, kind: { readonly isKey: boolean; readonly isRaw?: boolean }): void
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

/** Looks at what follows a quote inside a string. */
export interface StringLook {
  begin(hasInnerQuote: boolean): void
  /** Takes one more character. True: the string is over; `joined`: and another one follows directly. Undefined: it cannot be told. */
  read(char: string): boolean | 'joined' | undefined
  /** All that was read, for it must be read again once the doubt is settled. */
  text(): string
}

export interface QuotedStringOptions {
  readonly put: (piece: string) => void
  readonly look: StringLook
  readonly escapes: EscapeRules
  /** Three quotes are one. */
  readonly hasTriples: boolean
}

// Where it stands.
const QUOTES = 0 //   '|'            how many quotes open it?
const TEXT = 1 //     'ab|c'
const ESCAPE = 2 //   'ab\|n'         "ab\u00|e9"
const CLOSING = 3 //  """abc"|""
const LOOK = 4 //     'ab'|, …       is it over, or was that a quote inside it?
const OVER = 5

export function createQuotedString({ put, look, escapes, hasTriples }: QuotedStringOptions): QuotedString {
  const stringEscape = createStringEscape(escapes)
  let state = OVER
  let quote = ''
  let quoteRun = 0
  let isTriple = false
  let isRaw = false
  let isKey = false
  let hasInnerQuote = false
  let again = ''

  const open = (char: string, raw: boolean) => {
    quote = char
    quoteRun = 1
    isTriple = false
    isRaw = raw
    state = hasTriples ? QUOTES : TEXT
  }
  const goOn = (then: number, text: string) => {
    state = then
    again = text
  }
  const readQuotes = (char: string) => {
    isTriple = char === quote && quoteRun === 2
    if (isTriple) state = TEXT
    else if (char === quote) quoteRun = 2
    else goOn(quoteRun === 2 ? OVER : TEXT, char)
  }
  /** Reads up to the next quote or backslash; returns where it stopped. */
  const readText = (chunk: string, from: number, to: number): number => {
    const quoteCode = quote.charCodeAt(0)
    let i = from
    for (; i < to; i++) {
      const code = chunk.charCodeAt(i)
      if (code === quoteCode || code === 92) break
    }
    if (i > from) put(chunk.slice(from, i))
    if (i === to) return i
    quoteRun = 1
    if (chunk.charCodeAt(i) === 92) state = ESCAPE
    else if (isTriple) state = CLOSING
    else if (isKey) state = OVER
    else {
      state = LOOK
      look.begin(hasInnerQuote)
    }
    return i + 1
  }
  const readEscape = (char: string) => {
    const text = isRaw ? `\\${char}` : stringEscape.read(char)
    if (text === undefined) return
    put(text)
    goOn(TEXT, !isRaw && stringEscape.isUnread() ? char : '')
  }
  /** Behind a quote in a string with three. Of more than three the last three close it. */
  const readClosing = (char: string) => {
    if (char === quote && quoteRun === 3) put(quote)
    else if (char === quote) quoteRun++
    else {
      if (quoteRun < 3) put(quote.repeat(quoteRun))
      goOn(quoteRun < 3 ? TEXT : OVER, char)
    }
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
  const read = (char: string) => {
    if (state === QUOTES) readQuotes(char)
    else if (state === ESCAPE) readEscape(char)
    else if (state === CLOSING) readClosing(char)
    else readLook(char)
  }

  return {
    begin(char, kind) {
      isKey = kind.isKey
      hasInnerQuote = false
      open(char, kind.isRaw === true)
    },
    join: char => open(char, false),
    feed(chunk, from, to) {
      let at = from
      while (at < to && state !== OVER && again === '') {
        if (state === TEXT) at = readText(chunk, at, to)
        else read(chunk.charAt(at++))
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
      if ((state === CLOSING && quoteRun === 3) || (state === QUOTES && quoteRun === 2)) state = OVER
      return state === OVER
    },
  }
}
