import { isQuote, isSpace, isWordPart, isWordStart } from './characters.js'
import { matchMarks, startsMark } from './match-marks.js'

/**
 * Looks at what follows a quote inside a JSON string, to tell the string's end from a quote that the model forgot to escape.
 * A string in an object is over where a bracket closes, or where a comma and then a key with its colon follow; a string in a
 * list where a bracket closes or another value follows; any string where an end mark stands.
 */
export interface QuoteLook {
  /** `isInObject`: the string is a value of an object; `hasObject`: an object is open somewhere around it. */
  begin(isInObject: boolean, hasObject: boolean): void
  /** Takes one more character. Undefined as long as it cannot be told. */
  read(char: string): boolean | undefined
  /** All that was read, for it must be read again once the doubt is settled. */
  text(): string
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

const words = new Set(['true', 'false', 'null', 'True', 'False', 'None', 'NaN', 'undefined'])

export function createQuoteLook(ends: readonly string[], maxHeldChars: number): QuoteLook {
  let state = START
  let text = ''
  let isInObject = false
  let hasObject = false
  let keyQuote = ''
  let isEscaped = false
  /** A bare word, or what may be an end mark. */
  let held = ''

  const beginKey = (char: string) => {
    state = KEY
    keyQuote = char
    isEscaped = false
  }
  const readEnd = (char: string) => {
    held += char
    const match = matchMarks(held, ends)
    return match === 'maybe' ? undefined : match !== 'none'
  }
  const readStart = (char: string): boolean | undefined => {
    if (isSpace(char)) return undefined
    if (char === ',') state = COMMA
    else if (char === '/') state = SLASH
    else if (char === '}') return hasObject
    else if (char === ']') return !isInObject
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
    if (isEscaped) isEscaped = false
    else if (char === '\\') isEscaped = true
    else if (char === keyQuote) state = COLON
    else if (char === '\n') return false
    return undefined
  }
  const readBareKey = (char: string): boolean | undefined => {
    if (isSpace(char)) state = COLON
    else if (!isWordPart(char)) return char === ':'
    return undefined
  }
  const readWord = (char: string): boolean | undefined => {
    if (!isWordPart(char)) return words.has(held)
    held += char
    return undefined
  }

  return {
    begin(inObject, anyObject) {
      state = START
      text = ''
      isInObject = inObject
      hasObject = anyObject
    },
    read(char) {
      text += char
      if (text.length > maxHeldChars) return true
      switch (state) {
        case START:
          return readStart(char)
        case COMMA:
          return readComma(char)
        case KEY:
          return readKey(char)
        case COLON:
          return isSpace(char) ? undefined : char === ':'
        case BARE_KEY:
          return readBareKey(char)
        case SLASH:
          return char === '/' || char === '*'
        case WORD:
          return readWord(char)
        default:
          return readEnd(char)
      }
    },
    text: () => text,
  }
}
