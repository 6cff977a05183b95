import { isQuote, isSpace, isWordPart, isWordStart } from './characters.js'
import { isAtMark, startsMark } from './match-marks.js'
import type { StringLook } from './quoted-string.js'

/**
 * Looks at what follows a quote inside a JSON string, to tell the string's end from a quote that the model forgot to escape.
 * A string in an object is over where a bracket closes, or where a comma and then a key with its colon follow; a string in a
 * list where a bracket closes or another value follows; any string where an end mark stands.
 */
export interface QuoteLook extends Omit<StringLook, 'begin'> {
  begin(place: QuotePlace): void
}

export interface QuotePlace {
  /** The string is a value of an object, not of a list. */
  readonly isInObject: boolean
  /** How many containers are open. */
  readonly depth: number
  /** The string has held a quote that was not escaped: now a key counts only if it belongs to the object. */
  readonly isDoubtful: boolean
}

// What has been seen behind the quote.
const START = 0 //      "ab"|
const COMMA = 1 //      "ab",|
const KEY = 2 //        "ab", "k|
const COLON = 3 //      "ab", "key"|
const BARE_KEY = 4 //   "ab", ke|y
const SLASH = 5 //      "ab" /|
const WORD = 6 //       ["ab", tr|ue
const END = 7 //        "ab" </tool_|call>
const CLOSED = 8 //     "ab"}|           of an inner object: a quote here would be one inside the string

const words = new Set(['true', 'false', 'null', 'True', 'False', 'None', 'NaN', 'undefined'])

export interface QuoteLookOptions {
  readonly ends: readonly string[]
  readonly maxHeldChars: number
  readonly mayHaveKey: (key: string) => boolean
  /** What may stand in place of a quote; empty where there is none. */
  readonly quoteMark: string
}

export function createQuoteLook({ ends, maxHeldChars, mayHaveKey, quoteMark }: QuoteLookOptions): QuoteLook {
  let state = START
  let text = ''
  let isInObject = false
  let depth = 0
  let isDoubtful = false
  let keyQuote = ''
  let isEscaped = false
  /** The key stands right behind a closing bracket. */
  let isAdjacent = false
  /** A key, a bare word, or what may be an end mark. */
  let held = ''

  const beginKey = (char: string) => {
    state = KEY
    keyQuote = char
    isEscaped = false
    held = ''
  }
  const readEnd = (char: string) => {
    held += char
    return isAtMark(held, ends)
  }
  const readStart = (char: string): boolean | undefined => {
    if (isSpace(char)) return undefined
    if (char === ',') state = COMMA
    else if (char === '/') state = SLASH
    else if (char === '}') {
      if (!isInObject && depth === 1) return false
      // Behind the outermost object anything may stand, so there is nothing to be learnt.
      if (depth === 1) return true
      state = CLOSED
    } else if (char === ']') return !isInObject
    else if (isQuote(char) && isInObject) beginKey(char)
    // Two strings in a row, in a list that lacks a comma.
    else if (isQuote(char)) return text.length > 1
    else if (startsMark(char, ends)) {
      state = END
      held = ''
      return readEnd(char)
    } else return false
    return undefined
  }
  const readComma = (char: string): boolean | undefined => {
    if (isSpace(char) || char === ',') return undefined
    if (char === '/') state = SLASH
    else if (char === quoteMark.charAt(0)) return true
    else if (isWordStart(char)) {
      state = isInObject ? BARE_KEY : WORD
      held = char
    } else if (!isInObject) return /["'\d[{\]-]/.test(char)
    else if (char === '}') return true
    else if (isQuote(char)) beginKey(char)
    else return false
    return undefined
  }
  const readKey = (char: string): boolean | undefined => {
    if (isAdjacent && held === '' && /[}\],\s]/.test(char)) return false
    if (!isEscaped && char === keyQuote) state = COLON
    else if (char === '\n') return false
    else if (!isEscaped && char === '\\') isEscaped = true
    else {
      isEscaped = false
      held += char
    }
    return undefined
  }
  const readBareKey = (char: string): boolean | undefined => {
    if (isSpace(char)) state = COLON
    else if (!isWordPart(char)) return isKeyOver(char)
    else held += char
    return undefined
  }
  const isKeyOver = (char: string) => char === ':' && (!isDoubtful || mayHaveKey(held))
  const readClosed = (char: string): boolean | undefined => {
    if (isSpace(char)) return undefined
    if (!isQuote(char)) return !/[`;)\\]/.test(char)
    // A quote further off may begin a key, or an item, that lacks its comma; one right behind the bracket only a key.
    isAdjacent = text.charAt(text.length - 2) === '}'
    if (!isAdjacent && !isDoubtful) return true
    beginKey(char)
    return undefined
  }
  const readWord = (char: string): boolean | undefined => {
    if (!isWordPart(char)) return words.has(held)
    held += char
    return undefined
  }

  const readers: Readonly<Record<number, (char: string) => boolean | undefined>> = {
    [START]: readStart,
    [COMMA]: readComma,
    [KEY]: readKey,
    [COLON]: char => (isSpace(char) ? undefined : isKeyOver(char)),
    [BARE_KEY]: readBareKey,
    [SLASH]: char => char === '/' || char === '*',
    [WORD]: readWord,
    [END]: readEnd,
    [CLOSED]: readClosed,
  }

  return {
    begin(place) {
      state = START
      text = ''
      isInObject = place.isInObject
      depth = place.depth
      isDoubtful = place.isDoubtful
      isAdjacent = false
    },
    read(char) {
      text += char
      if (text.length > maxHeldChars) return true
      return readers[state]?.(char)
    },
    text: () => text,
  }
}
