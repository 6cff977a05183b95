import { isQuote, isSpace } from '../characters.js'
import { matchMarks, startsMark } from '../match-marks.js'

/** `text`: the value goes on. `next`: another value comes. `end`: this was the last one. */
export type Follow = 'text' | 'next' | 'end'

export interface PairEndOptions {
  /** What closes the call, such as `</call>`. Without it the call ends with its line. */
  readonly close: string | undefined
  /** What opens another call, and so ends this one. */
  readonly open: string | undefined
  /** The pairs stand in parentheses. */
  readonly isInParentheses: () => boolean
  /** True for a key that the tool has and that has not been given yet. */
  readonly isOpenKey: (key: string) => boolean
  readonly maxHeldChars: number
}

const MAX_KEY_CHARS = 256
const isKeyPart = (char: string) => /[\p{L}\p{N}_$.-]/u.test(char)
const isBreak = (char: string) => char === '\n' || char === '\r'

// Where the look stands.
const RUN = 0 //      a=New| York       the space and the commas between two pairs
const KEY = 1 //      a=New York un|its=metric
const KEY_END = 2 //  a="x" units |= metric
const MARK = 3 //     a=New York </ca|ll>
const PAREN = 4 //    a=New York)|
const QUOTED_KEY = 5 //  a="x" "un|its"="metric"

export type PairEnd = ReturnType<typeof createPairEnd>

/**
 * Tells where a value ends that has no end of its own, such as the `New York` of `location=New York units=metric`: looks at
 * what follows, one character after the other, until it is clear.
 */
export function createPairEnd({ close, open, isInParentheses, isOpenKey, maxHeldChars }: PairEndOptions) {
  const isLine = close === undefined
  const ends = isLine ? [] : [close]
  const marks = open === undefined ? ends : [...ends, open]
  let state = RUN
  let isSure = false
  let isClosed = false
  let text = ''
  let held = ''
  /** Where in the text the line ended, and where a parenthesis closed. */
  let breakAt = -1
  let parenAt = -1
  let commaAt = -1
  /** That was more than a carriage return. */
  let hasBreak = false
  let keyEndAt = -1
  /** The quote around a key. */
  let keyQuote = ''
  // How keys were written so far: who writes `a = x` does so for the next key too.
  let hasColons = false
  let hasSpaces = false

  // Behind the end of a line only another pair can go on with the call.
  const refuse = (): Follow => (breakAt >= 0 || (parenAt >= 0 && isSure) ? 'end' : 'text')
  const beginMark = (char: string): Follow | undefined => {
    state = MARK
    held = ''
    return readMark(char)
  }
  const readMark = (char: string): Follow | undefined => {
    held += char
    const match = matchMarks(held, marks)
    return match === 'maybe' ? undefined : match === 'none' ? refuse() : 'end'
  }
  const readRun = (char: string): Follow | undefined => {
    if (isLine && isBreak(char)) {
      if (breakAt < 0) breakAt = text.length - 1
      // An empty line.
      if (char === '\n' && hasBreak) return 'end'
      hasBreak ||= char === '\n'
      return undefined
    }
    if (isSpace(char)) return undefined
    if (char === ',') {
      commaAt = text.length - 1
      return undefined
    }
    if (char === ')' && isInParentheses()) {
      state = PAREN
      parenAt = text.length - 1
      return undefined
    }
    if (startsMark(char, marks)) return beginMark(char)
    if (isClosed && isQuote(char) && text.length > 1) {
      state = QUOTED_KEY
      keyQuote = char
      held = ''
      return undefined
    }
    if (!isKeyPart(char) || (text.length === 1 && !isSure)) return refuse()
    state = KEY
    held = char
    return undefined
  }
  const readKeyEnd = (char: string): Follow | undefined => {
    const isLoose = isSure && breakAt < 0
    if (char === '=' || (char === ':' && (isLoose || hasColons))) {
      const isKey = isOpenKey(held) || (isLoose && char === '=' && keyQuote === '')
      if (!isKey) return refuse()
      hasColons ||= char === ':'
      hasSpaces ||= state === KEY_END && keyQuote === ''
      return 'next'
    }
    if (!(isLoose || hasSpaces) || !isSpace(char) || isBreak(char)) return refuse()
    if (state === KEY) keyEndAt = text.length - 1
    state = KEY_END
    return undefined
  }
  const readQuotedKey = (char: string): Follow | undefined => {
    if (char === keyQuote) state = KEY_END
    else if (isBreak(char) || held.length > MAX_KEY_CHARS) return refuse()
    else held += char
    return undefined
  }
  const readKey = (char: string): Follow | undefined => {
    if (!isKeyPart(char)) return readKeyEnd(char)
    held += char
    return held.length > MAX_KEY_CHARS ? refuse() : undefined
  }
  const readParen = (char: string): Follow | undefined => {
    if (isLine && isBreak(char)) {
      breakAt = text.length - 1
      return 'end'
    }
    if (isSpace(char)) return undefined
    return startsMark(char, marks) ? beginMark(char) : refuse()
  }

  /** By state. */
  const readers = [readRun, readKey, readKeyEnd, readMark, readParen, readQuotedKey]

  return {
    /** True for a character at which a value may end. */
    starts: (char: string) =>
      isSpace(char) || char === ',' || startsMark(char, marks) || (char === ')' && isInParentheses()),
    /**
     * Begins to look. `sure`: the value can hold no text (it is a number, or a closing quote stood there), so that less will do
     * as proof. `closed`: it is over by itself, and a quote may open a key.
     */
    begin(sure: boolean, closed: boolean) {
      state = RUN
      isSure = sure
      isClosed = closed
      text = ''
      breakAt = -1
      parenAt = -1
      commaAt = -1
      hasBreak = false
      keyQuote = ''
    },
    /** Takes one more character. Undefined as long as it cannot be told. */
    read(char: string): Follow | undefined {
      text += char
      if (text.length > maxHeldChars) return refuse()
      return readers[state]?.(char)
    },
    /** No more characters come: what it comes to then. */
    end(): Follow {
      // A single character of a mark proves nothing, and half a key is no key.
      if (state === RUN || state === PAREN || breakAt >= 0) return 'end'
      return state === MARK && held.length > 1 && ends.some(mark => mark.startsWith(held)) ? 'end' : 'text'
    },
    /** All that was looked at. */
    text: () => text,
    /** Where that was found to be text: how much of it needs no second look. */
    textChars() {
      if (parenAt >= 0) return parenAt + 1
      return state === KEY_END ? keyEndAt : text.length - 1
    },
    /** Where the call ends: how much of it still belongs to the value. A comma separates only what another pair follows. */
    valueChars: () => (isSure ? 0 : commaAt + 1),
    /** Where the call ends: how much of it does not belong to the call. */
    unreadChars() {
      if (state === MARK && ends.some(mark => mark.startsWith(held))) return 0
      if (breakAt >= 0) return text.length - breakAt
      if (parenAt >= 0) return text.length - parenAt - 1
      return state === MARK ? text.length : 0
    },
    /** The key of the pair that follows. */
    key: () => held,
  }
}
