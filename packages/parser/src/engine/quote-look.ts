import { isQuote, isSpace, isWordStart, wordAt } from './characters.js'
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

const words = new Set(['true', 'false', 'null', 'True', 'False', 'None', 'NaN', 'undefined'])
const inDoubleQuotes = /(?:[^"\\\n]|\\.)*/sy
const inSingleQuotes = /(?:[^'\\\n]|\\.)*/sy

/**
 * Looks at what follows a quote inside a string, to tell the string's end from a quote that the model forgot to escape:
 * `f(command='sed -n '1,5p' x')]`. A string in an object or a call is over where a bracket closes, or where a comma and then a
 * key with its colon follow; a string in a list where a bracket closes or another value follows; any string where an end mark
 * stands. Once it has held such a quote it is doubtful, and a key counts only if it belongs to the object.
 *
 * The result is undefined as long as the text does not tell.
 */
export function createQuoteLook(options: QuoteLookOptions) {
  const { nesting, isPython, mayHaveKey, quoteMark } = options
  /** What proves that the string is over; a comment does too. */
  const ends = isPython ? options.ends : [...options.ends, '//', '/*']
  const itemStart = isPython ? /["'\d[{(.+*-]/ : /["'\d[{-]/
  const notBehindObject = isPython ? /[`;\\]/ : /[`;)\\]/

  return (behind: string, isDoubtful: boolean): boolean | undefined => {
    const { closer } = nesting.top()
    const assign = nesting.assign()
    const isOutermost = nesting.depth() === 1
    let at = 0
    /** Passes over some characters; gives the one behind them, or nothing where the text ends. */
    const skip = (isSkipped: (char: string) => boolean): string => {
      while (at < behind.length && isSkipped(behind.charAt(at))) at++
      return behind.charAt(at)
    }
    // Each stands where its picture shows the cursor (|).
    /** `"ab" |</tool_call>` */
    const atEnd = () => isAtMark(behind.slice(at), ends)
    /** `"ab", "key"|:` */
    const atAssign = (key: string) => {
      const char = skip(isSpace)
      return char ? char === assign && (!isDoubtful || mayHaveKey(key)) : undefined
    }
    /** `"ab", |"key":` */
    const atKey = (quote: string) => {
      const inQuotes = quote === '"' ? inDoubleQuotes : inSingleQuotes
      inQuotes.lastIndex = at + 1
      const key = inQuotes.exec(behind)?.[0] ?? ''
      at += key.length + 1
      const char = behind.charAt(at)
      if (char !== quote) return char === '\n' ? false : undefined
      at++
      return atAssign(key)
    }
    /** `"ab", |key` or, in a list, `"ab", |true` */
    const atWord = () => {
      const word = wordAt(behind, at)
      at += word.length
      if (at === behind.length) return undefined
      return assign ? atAssign(word) : words.has(word) || (isPython && isQuote(behind.charAt(at)))
    }
    /** `"ab"|,` */
    const atComma = () => {
      const char = skip(each => isSpace(each) || each === ',')
      if (!char) return undefined
      if (isWordStart(char)) return atWord()
      if (char === closer || char === quoteMark.charAt(0)) return true
      if (char === '/') return atEnd()
      if (assign === ':') return isQuote(char) && atKey(char)
      return assign && isDoubtful ? char === '*' : itemStart.test(char)
    }
    /** `"ab"|}` of an inner object. A quote right behind it is one inside the string, unless a key without its comma begins with it. */
    const atBrace = () => {
      at++
      if (/^["'][}\],\s]/.test(behind.slice(at))) return false
      const isRightBehind = isQuote(behind.charAt(at))
      const char = skip(isSpace)
      if (!char || (isRightBehind && at + 1 === behind.length)) return undefined
      if (isQuote(char)) return (!isDoubtful && !isRightBehind) || atKey(char)
      return !notBehindObject.test(char)
    }
    /** `'ab'|)` */
    const atCall = () => {
      at++
      const char = skip(each => each === ' ' || each === '\t')
      return /[\],;\r\n]/.test(char) || atEnd()
    }

    const char = skip(isSpace)
    if (!char) return undefined
    if (char === ',') return atComma()
    if (char === '}' && char !== closer && (isPython || isOutermost)) return false
    // Behind the outermost object anything may stand, so there is nothing to be learnt.
    if (char === '}' && !isOutermost) return atBrace()
    if (char === closer) return assign === '=' ? atCall() : true
    if (!isQuote(char)) return atEnd()
    // Two strings in a row: a key that lacks its comma, or an item if something stands between them. Python makes one of the two.
    if (isPython) return !isDoubtful
    return assign ? atKey(char) : at > 0
  }
}
