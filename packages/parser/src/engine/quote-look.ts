import { isQuote, isSpace, isWordStart, quotedAt, wordAt } from './characters.js'
import { isAtMark } from './marks.js'
import type { Token } from './value-token.js'

/** A bracket that is open around the place of a reader. */
export interface Bracket {
  readonly closer: string
  /** What stands between keys and values; empty where there are no keys. */
  readonly assign: '' | ':' | '='
  readonly begin?: Token
  readonly end?: Token
}

/** A quote inside a string, and what is known about its place. */
export interface QuotePlace {
  /** The innermost bracket. */
  readonly bracket: Bracket
  readonly isOutermost: boolean
  readonly isPython: boolean
  /** Lists hold words, and `# ` begins a comment. */
  readonly isYaml: boolean
  /** The string has held a quote that was not escaped. */
  readonly isDoubtful: boolean
  /** The marks that prove that the string is over. */
  readonly ends: readonly string[]
  readonly mayHaveKey: (key: string) => boolean
  /** What may stand in place of a quote; empty where there is none. */
  readonly quoteMark: string
}

const words = new Set(['true', 'false', 'null', 'True', 'False', 'None', 'NaN', 'undefined'])

/**
 * Looks at what follows a quote inside a string, to tell the string's end from a quote that the model forgot to escape:
 * `f(command='sed -n '1,5p' x')]`. A string in an object or a call is over where a bracket closes, or where a comma and then a
 * key with its colon follow; a string in a list where a bracket closes or another value follows; any string where an end mark
 * or a comment stands. Once it has held such a quote it is doubtful, and a key counts only if it belongs to the object.
 *
 * The result is undefined as long as the text does not tell.
 */
export function isStringOver(behind: string, place: QuotePlace): boolean | undefined {
  const { isOutermost, isPython, isYaml, isDoubtful, ends, mayHaveKey, quoteMark } = place
  const { closer, assign } = place.bracket
  let at = 0
  /** Passes over some characters; gives the one behind them, or nothing where the text ends. */
  const skip = (isSkipped: (char: string) => boolean): string => {
    while (at < behind.length && isSkipped(behind.charAt(at))) at++
    return behind.charAt(at)
  }
  // Each stands where its picture shows the cursor (|).
  /** `"ab" |</tool_call>` */
  const atEnd = () => isAtMark(behind.slice(at), isPython ? ends : [...ends, '//', '/*', ...(isYaml ? ['# '] : [])])
  /** `"ab", "key"|:` */
  const atAssign = (key: string) => {
    const char = skip(isSpace)
    return char ? char === assign && (!isDoubtful || mayHaveKey(key)) : undefined
  }
  /** `"ab", |"key":` */
  const atKey = () => {
    const key = quotedAt(behind, at)
    if ((key ?? behind.slice(at)).includes('\n')) return false
    if (key === undefined) return undefined
    at += key.length
    return atAssign(key.slice(1, -1))
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
    if (isYaml && !assign) return true
    if (isWordStart(char)) return atWord()
    if (char === closer || char === quoteMark.charAt(0)) return true
    if (char === '/' || char === '#') return atEnd()
    if (assign === ':') return isQuote(char) && atKey()
    return assign && isDoubtful ? char === '*' : (isPython ? /["'\d[{(.+*-]/ : /["'\d[{-]/).test(char)
  }
  /** `"ab"|}` of an inner object. A quote right behind it is one inside the string, unless a key without its comma begins with it. */
  const atBrace = () => {
    at++
    if (/^["'][}\],\s]/.test(behind.slice(at))) return false
    const isRightBehind = isQuote(behind.charAt(at))
    const char = skip(isSpace)
    if (!char || (isRightBehind && at + 1 === behind.length)) return undefined
    if (isQuote(char)) return (!isDoubtful && !isRightBehind) || atKey()
    return !(isPython ? /[`;\\]/ : /[`;)\\]/).test(char)
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
  // Two strings in a row: a key that lacks its comma, or an item if something stands between them.
  if (isPython) return !isDoubtful
  return assign ? atKey() : at > 0
}
