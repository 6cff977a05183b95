import { isQuote, isSpace, isWordPart, isWordStart } from './characters.js'
import { isAtMark } from './match-marks.js'
import type { Nesting } from './nesting.js'

export interface QuoteLookOptions {
  /** What is open around the string. */
  readonly nesting: Pick<Nesting, 'top' | 'assign' | 'depth'>
  readonly isPython: boolean
  readonly ends: readonly string[]
  readonly maxHeldChars: number
  readonly mayHaveKey: (key: string) => boolean
  /** What may stand in place of a quote; empty where there is none. */
  readonly quoteMark: string
}

// What has been seen behind the quote.
const START = 0 //      "ab"|
const COMMA = 1 //      "ab",|
const KEY = 2 //        "ab", "k|
const ASSIGN = 3 //     "ab", "key"|     'ab', name |=
const BARE_KEY = 4 //   "ab", ke|y
const WORD = 5 //       ["ab", tr|ue
const END = 6 //        "ab" </tool_|call>
const CLOSED = 7 //     "ab"}|           of an inner object: a quote here would be one inside the string
const CALLED = 8 //     'ab')|           of the call

const words = new Set(['true', 'false', 'null', 'True', 'False', 'None', 'NaN', 'undefined'])

/**
 * Looks at what follows a quote inside a string, to tell the string's end from a quote that the model forgot to escape:
 * `f(command='sed -n '1,5p' x')]`. A string in an object or a call is over where a bracket closes, or where a comma and then a
 * key with its colon follow; a string in a list where a bracket closes or another value follows; any string where an end mark
 * stands. Once it has held such a quote, a key counts only if it belongs to the object.
 */
export function createQuoteLook(options: QuoteLookOptions) {
  const { nesting, isPython, maxHeldChars, mayHaveKey, quoteMark } = options
  /** What proves that the string is over; a comment does too. */
  const ends = isPython ? options.ends : [...options.ends, '//', '/*']
  const itemStart = isPython ? /["'\d[{(.+*-]/ : /["'\d[{-]/
  const notBehindObject = isPython ? /[`;\\]/ : /[`;)\\]/
  let state = START
  let isDoubtful = false
  let text = ''
  let keyQuote = ''
  let isEscaped = false
  /** The key stands right behind a closing bracket. */
  let isAdjacent = false
  /** A key, a bare word, or what may be an end mark. */
  let held = ''

  const go = (then: number, char = '') => {
    state = then
    held = char
    return undefined
  }
  const beginKey = (char: string) => {
    keyQuote = char
    isEscaped = false
    return go(KEY)
  }
  const readEnd = (char: string) => {
    held += char
    return isAtMark(held, ends)
  }
  const readStart = (char: string) => {
    const { closer } = nesting.top()
    const isOutermost = nesting.depth() === 1
    if (isSpace(char)) return undefined
    if (char === ',') return go(COMMA)
    if (char === '}') {
      if (char !== closer && (isPython || isOutermost)) return false
      // Behind the outermost object anything may stand, so there is nothing to be learnt.
      return isOutermost || go(CLOSED)
    }
    if (char === closer) return nesting.assign() === '=' ? go(CALLED) : true
    if (isQuote(char)) {
      if (isPython) return isDoubtful ? false : 'joined'
      // Two strings in a row, in a list that lacks a comma.
      return nesting.assign() ? beginKey(char) : text.length > 1
    }
    go(END)
    return readEnd(char)
  }
  const readComma = (char: string) => {
    const assign = nesting.assign()
    if (isSpace(char) || char === ',') return undefined
    if (char === '/' && !isPython) return go(END, char)
    if (isWordStart(char)) return go(assign ? BARE_KEY : WORD, char)
    if (char === nesting.top().closer || char === quoteMark.charAt(0)) return true
    if (assign === ':') return isQuote(char) ? beginKey(char) : false
    return itemStart.test(char) && !(assign && isDoubtful && char !== '*')
  }
  const readKey = (char: string) => {
    if (isAdjacent && held === '' && /[}\],\s]/.test(char)) return false
    if (!isEscaped && char === keyQuote) state = ASSIGN
    else if (char === '\n') return false
    else if (!isEscaped && char === '\\') isEscaped = true
    else {
      isEscaped = false
      held += char
    }
    return undefined
  }
  const readAssign = (char: string) => {
    state = ASSIGN
    if (isSpace(char)) return undefined
    return char === nesting.assign() && (!isDoubtful || mayHaveKey(held))
  }
  const readClosed = (char: string) => {
    if (isSpace(char)) return undefined
    if (!isQuote(char)) return !notBehindObject.test(char)
    // A quote further off may begin a key, or an item, that lacks its comma; one right behind the bracket only a key.
    isAdjacent = text.charAt(text.length - 2) === '}'
    return isAdjacent || isDoubtful ? beginKey(char) : true
  }
  const readWord = (char: string) => {
    if (!isWordPart(char)) return state === BARE_KEY ? readAssign(char) : words.has(held) || (isPython && isQuote(char))
    held += char
    return undefined
  }
  const readCalled = (char: string) => {
    if (held === '' && (char === ' ' || char === '\t')) return undefined
    if (held === '' && /[\],;\r\n]/.test(char)) return true
    return readEnd(char)
  }

  const readers = [readStart, readComma, readKey, readAssign, readWord, readWord, readEnd, readClosed, readCalled]

  return {
    begin(hasInnerQuote: boolean) {
      state = START
      isDoubtful = hasInnerQuote
      isAdjacent = false
      text = ''
    },
    /** Takes one more character. True: the string is over; `joined`: and another one follows. Undefined: it cannot be told. */
    read(char: string): boolean | 'joined' | undefined {
      text += char
      return text.length > maxHeldChars || readers[state]?.(char)
    },
    /** All that was read, for it must be read again once the doubt is settled. */
    text: () => text,
  }
}
