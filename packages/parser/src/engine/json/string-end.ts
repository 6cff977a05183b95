import {
  isCloser,
  isLiteral,
  isQuote,
  isSpace,
  isWordStart,
  quotedAt,
  wordAt,
} from '../text/characters.js'
import { matchMarks } from '../text/read-marks.js'
import type { Bracket, JsonSyntax } from './json-syntax.js'

/**
 * Looks at what follows a quote inside a string, to tell the string's end from a quote that the
 * model forgot to escape: `f(command='sed -n '1,5p' x')]`. A string in an object or a call is over
 * where a bracket closes, or where a comma and then a key with its colon follow; a string in a list
 * where a bracket closes or another value follows; any string where an end mark or a comment
 * stands. Once it has held such a quote it is doubtful: then a key counts only if the object may
 * have it, and brackets only if they close just what is open and something that can follow stands
 * behind all of them.
 *
 * The result is undefined as long as the text does not tell.
 */
export function createStringEndCheck(syntax: JsonSyntax, open: readonly Bracket[]) {
  const {
    endMarks: closeMarks = [],
    weakEndMarks = [],
    expectsKey = () => true,
    quoteMark = '',
    isYaml = false,
    python,
  } = syntax
  const isPython = python !== undefined
  /** What stands behind a string that is over, other than a comma or a bracket. */
  const endMarks = isPython ? closeMarks : [...closeMarks, '//', '/*', ...(isYaml ? ['# '] : [])]
  const callEnds = [...closeMarks, ...weakEndMarks]
  let after = ''
  let at = 0
  /** The string has held a quote that was not escaped. */
  let hadUnescapedQuote = false
  /** Of the innermost bracket. */
  let closer = ''
  let keySign = ''

  /** Passes over some characters; gives the one behind them, or nothing where the text ends. */
  const skip = (isSkipped: (char: string) => boolean): string => {
    while (at < after.length && isSkipped(after.charAt(at))) at++
    return after.charAt(at)
  }
  // Each stands where its picture shows the cursor (|).
  /** `"ab" |</tool_call>` */
  const atEnd = (marks = hadUnescapedQuote ? closeMarks : endMarks) =>
    matchMarks(after.slice(at), marks)
  /** `"ab", |"key":` of the innermost object, or of one so far around it. */
  const atKey = (sign: string = keySign, levelsUp = 0) => {
    const isQuoted = isQuote(after.charAt(at))
    const key = isQuoted ? quotedAt(after, at) : wordAt(after, at)
    if (key === '' || (key ?? after.slice(at)).includes('\n')) return false
    at += key?.length ?? after.length
    const char = skip(isSpace)
    if (!key || !char) return undefined
    return (
      char === sign &&
      (!hadUnescapedQuote || expectsKey(isQuoted ? key.slice(1, -1) : key, levelsUp) === true)
    )
  }
  /** In a list, `"ab", |true` */
  const atWord = () => {
    const word = wordAt(after, at)
    const next = after.charAt(at + word.length)
    return next ? isLiteral(word) || (isPython && isQuote(next)) : undefined
  }
  /** `"ab"|,` */
  const atComma = () => {
    const char = skip(each => isSpace(each) || each === ',')
    if (!char) return undefined
    if (isYaml && !keySign) return true
    if (isWordStart(char)) return keySign ? atKey() : atWord()
    if (char === closer) return hadUnescapedQuote ? atClosers() : true
    if (char === quoteMark.charAt(0)) return true
    if (char === '/' || char === '#') return atEnd()
    if (keySign === ':') return atKey()
    return !(keySign && hadUnescapedQuote) && (isPython ? /["'\d[{(.+*-]/ : /["'\d[{-]/).test(char)
  }
  /**
   * `"ab"|}` of an inner object. A quote behind it is one inside the string, unless something that
   * lacks its comma begins with it.
   */
  const atBrace = () => {
    at++
    const isApart = isSpace(after.charAt(at))
    const char = skip(isSpace)
    if (!char) return undefined
    // In a list it may also be the next item.
    if (isQuote(char)) return (isApart && open.at(-2)?.keySign === '') || atKey()
    return !(isPython ? /[`;\\]/ : /[`;)\\]/).test(char)
  }
  /** `'ab') |get_time(` or the end. */
  const atNextCall = (marks?: readonly string[]) => {
    const word = wordAt(after, at)
    if (at + word.length === after.length) return undefined
    return (after.charAt(at + word.length) === '(' && python?.isTool(word)) || atEnd(marks)
  }
  /** `'ab'|)` */
  const atCall = () => {
    at++
    return /[\],;\r\n]/.test(skip(each => each === ' ' || each === '\t')) || atNextCall()
  }

  /**
   * In doubt, `"ab"|}}`: behind them a key of what is still open, the next item, the next call or
   * the end of this one.
   */
  const atClosers = (): boolean | undefined => {
    let depth = open.length
    for (; depth > 0 && after.charAt(at) === open[depth - 1]?.closer; skip(isSpace)) {
      depth--
      at++
    }
    const isMark = depth === 0 && atEnd(callEnds)
    if (isMark !== false || at === after.length) return isMark || undefined
    if (depth > 0 && after.charAt(at) !== ',') return false
    const char = skip(each => isSpace(each) || (depth > 0 ? ',' : ',;]').includes(each))
    if (!char) return undefined
    const sign = open[depth - 1]?.keySign
    const isItem = char === '{' && !sign && !isPython
    if (isItem) at++
    if (sign || isItem) return skip(isSpace) ? atKey(sign || ':', open.length - depth) : undefined
    if (depth > 0) return false
    return atNextCall(callEnds)
  }

  return (text: string, wasUnescaped: boolean, isLast: boolean): boolean | undefined => {
    after = text
    at = 0
    hadUnescapedQuote = wasUnescaped
    closer = open.at(-1)?.closer ?? ''
    keySign = open.at(-1)?.keySign ?? ''
    const char = skip(isSpace)
    if (!char) return undefined
    if (char === ',') return atComma()
    if (hadUnescapedQuote && isCloser(char) && !isYaml) return char === closer && atClosers()
    if (char === '}' && char !== closer && (isPython || open.length === 1)) return false
    // Behind the outermost object anything may stand, so there is nothing to be learnt.
    if (char === '}' && open.length > 1) return atBrace()
    if (char === closer) return keySign === '=' ? atCall() : true
    // A text that is put together in code is not the one that is written: behind the string this
    // cannot be read.
    if (at > 0 && !hadUnescapedQuote && (isPython ? '+%' : '+').includes(char)) return true
    if (!isQuote(char)) return atEnd()
    // Two strings in a row: a key that lacks its comma, or an item if something stands between
    // them.
    if (isPython) return !hadUnescapedQuote
    // In doubt a quote that no other one follows opens no key, but is itself the last: `"say
    // "hi""}`.
    return keySign
      ? (atKey() ?? (hadUnescapedQuote && isLast ? false : undefined))
      : at > 0 && !hadUnescapedQuote
  }
}
