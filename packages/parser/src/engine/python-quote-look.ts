import { isQuote, isSpace, isWordPart, isWordStart } from './characters.js'
import { isAtMark } from './match-marks.js'
import type { StringLook } from './quoted-string.js'

/**
 * Looks at what follows a quote inside a Python string, to tell the string's end from a quote that the model forgot to
 * escape: `f(command='sed -n '1,5p' x')]`. An argument is over where another one follows, or where the call is closed and
 * something follows that may stand behind a call; an item where its list goes on or is closed.
 */
export interface PythonQuoteLook extends Omit<StringLook, 'begin'> {
  begin(place: PythonQuotePlace): void
}

export interface PythonQuotePlace {
  /** What closes the innermost thing that is open. */
  readonly closer: string
  /** The string is an argument, not an item. */
  readonly isCall: boolean
  /** The string has held a quote that was not escaped: now a name counts only if the call may have it. */
  readonly isDoubtful: boolean
}

// What has been seen behind the quote.
const START = 0 //   'ab'|
const COMMA = 1 //   'ab',|
const NAME = 2 //    'ab', na|me
const ASSIGN = 3 //  'ab', name |=
const CLOSED = 4 //  'ab')|

export function createPythonQuoteLook({
  ends,
  maxHeldChars,
  mayHaveKey,
}: {
  readonly ends: readonly string[]
  readonly maxHeldChars: number
  mayHaveKey(key: string): boolean
}): PythonQuoteLook {
  let state = START
  let place: PythonQuotePlace = { closer: ')', isCall: true, isDoubtful: false }
  let text = ''
  /** A name, or what may be an end mark. */
  let held = ''

  const readStart = (char: string) => {
    if (isSpace(char)) return undefined
    if (char === place.closer && !place.isCall) return true
    if (isQuote(char)) return place.isDoubtful ? false : 'joined'
    if (char !== ',' && char !== place.closer) return false
    state = char === ',' ? COMMA : CLOSED
    held = ''
    return undefined
  }
  const readComma = (char: string) => {
    if (isSpace(char)) return undefined
    if (!place.isCall) return char === place.closer || /["'\d[{(.+\-TFNtfnRrBbUu]/.test(char)
    if (!isWordStart(char)) return char === ')' || char === '*' || (!place.isDoubtful && /["'\d[{(-]/.test(char))
    held = char
    state = NAME
    return undefined
  }
  const readName = (char: string) => {
    if (state === NAME && isWordPart(char)) {
      held += char
      return undefined
    }
    state = ASSIGN
    if (isSpace(char)) return undefined
    return char === '=' && (!place.isDoubtful || mayHaveKey(held))
  }
  const readClosed = (char: string) => {
    if (held === '' && (char === ' ' || char === '\t')) return undefined
    if (held === '' && /[\],;\r\n]/.test(char)) return true
    held += char
    return isAtMark(held, ends)
  }

  return {
    begin(at) {
      state = START
      place = at
      text = ''
    },
    read(char) {
      text += char
      if (text.length > maxHeldChars) return true
      if (state === START) return readStart(char)
      if (state === COMMA) return readComma(char)
      return state === CLOSED ? readClosed(char) : readName(char)
    },
    text: () => text,
  }
}
