import { isQuote, isSpace, isWordPart, isWordStart } from './characters.js'
import { isAtMark } from './match-marks.js'
import type { Nesting } from './nesting.js'

export interface QuoteLookOptions {
  /** What is open around the string. */
  readonly nesting: Pick<Nesting, 'top' | 'assign' | 'depth'>
  readonly isPython: boolean
  readonly ends: readonly string[]
  readonly mayHaveKey: (key: string) => boolean
  /** What may stand in place of a quote; empty where there is none. */
  readonly quoteMark: string
}

/** Takes one more character. True: the string is over; `joined`: and another one follows. Otherwise what takes the next one. */
export type QuoteLook = (char: string) => boolean | 'joined' | QuoteLook

const words = new Set(['true', 'false', 'null', 'True', 'False', 'None', 'NaN', 'undefined'])

/**
 * Looks at what follows a quote inside a string, to tell the string's end from a quote that the model forgot to escape:
 * `f(command='sed -n '1,5p' x')]`. A string in an object or a call is over where a bracket closes, or where a comma and then a
 * key with its colon follow; a string in a list where a bracket closes or another value follows; any string where an end mark
 * stands. Once it has held such a quote it is doubtful, and a key counts only if it belongs to the object.
 */
export function createQuoteLook(options: QuoteLookOptions): (isDoubtful: boolean) => QuoteLook {
  const { nesting, isPython, mayHaveKey, quoteMark } = options
  /** What proves that the string is over; a comment does too. */
  const ends = isPython ? options.ends : [...options.ends, '//', '/*']
  const itemStart = isPython ? /["'\d[{(.+*-]/ : /["'\d[{-]/
  const notBehindObject = isPython ? /[`;\\]/ : /[`;)\\]/
  let isDoubtful = false
  /** A key, a bare word, or what may be an end mark. */
  let held = ''
  let keyQuote = ''

  const beginKey = (quote: string) => {
    keyQuote = quote
    return inKey
  }
  // Each stands where its picture shows the cursor (|).
  /** `"ab"|` */
  const behindQuote: QuoteLook = char => {
    const { closer } = nesting.top()
    const isOutermost = nesting.depth() === 1
    if (isSpace(char)) return behindSpace
    if (char === ',') return behindComma
    if (char === '}') {
      if (char !== closer && (isPython || isOutermost)) return false
      // Behind the outermost object anything may stand, so there is nothing to be learnt.
      return isOutermost || behindBrace
    }
    if (char === closer) return nesting.assign() !== '=' || behindCall
    if (!isQuote(char)) return atEnd(char)
    if (isPython) return isDoubtful ? false : 'joined'
    return nesting.assign() !== '' && beginKey(char)
  }
  /** `"ab" |` Two strings in a row, in a list that lacks a comma. */
  const behindSpace: QuoteLook = char => (isQuote(char) && !isPython && !nesting.assign()) || behindQuote(char)
  /** `"ab",|` */
  const behindComma: QuoteLook = char => {
    const assign = nesting.assign()
    if (isSpace(char) || char === ',') return behindComma
    if (isWordStart(char)) return inWord(char)
    if (char === nesting.top().closer || char === quoteMark.charAt(0)) return true
    if (char === '/') return atEnd(char)
    if (assign === ':') return isQuote(char) && beginKey(char)
    return assign && isDoubtful ? char === '*' : itemStart.test(char)
  }
  /** `"ab", "ke|y"` */
  const inKey: QuoteLook = char => {
    if (char === keyQuote) return atAssign
    if (char === '\\') return inEscape
    held += char
    return char !== '\n' && inKey
  }
  const inEscape: QuoteLook = char => {
    held += char
    return inKey
  }
  /** `"ab", ke|y` or, in a list, `"ab", tr|ue` */
  const inWord: QuoteLook = char => {
    if (!isWordPart(char)) return nesting.assign() ? atAssign(char) : words.has(held) || (isPython && isQuote(char))
    held += char
    return inWord
  }
  /** `"ab", "key"|:` */
  const atAssign: QuoteLook = char => {
    if (isSpace(char)) return atAssign
    return char === nesting.assign() && (!isDoubtful || mayHaveKey(held))
  }
  /** `"ab"}|` of an inner object. A quote right here is one inside the string, unless a key without its comma begins with it. */
  const behindBrace: QuoteLook = char => {
    if (!isQuote(char)) return behindObject(char)
    keyQuote = char
    return inAdjacentKey
  }
  const inAdjacentKey: QuoteLook = char => !/[}\],\s]/.test(char) && inKey(char)
  /** `"ab"} |` */
  const behindObject: QuoteLook = char => {
    if (isSpace(char)) return behindObject
    return isQuote(char) ? !isDoubtful || beginKey(char) : !notBehindObject.test(char)
  }
  /** `'ab')|` */
  const behindCall: QuoteLook = char => {
    if (char === ' ' || char === '\t') return behindCall
    return /[\],;\r\n]/.test(char) || atEnd(char)
  }
  /** `"ab" </tool_|call>` */
  const atEnd: QuoteLook = char => {
    held += char
    return isAtMark(held, ends) ?? atEnd
  }

  return hasInnerQuote => {
    isDoubtful = hasInnerQuote
    held = ''
    return behindQuote
  }
}
