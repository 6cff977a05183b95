import { isQuote } from '../text/characters.js'
import type { Cursor } from '../text/cursor.js'
import { createCharFinder } from '../text/find-char.js'
import { MAX_LOOKAHEAD_CHARS, matchMarks } from '../text/read-marks.js'
import { Token, type ValueSink } from '../values/tokens.js'
import type { Bracket, JsonSyntax } from './json-syntax.js'
import { createStringEndCheck } from './string-end.js'
import { escapeAt, jsonEscapes, pythonEscapes, rawEscapes } from './string-escape.js'

/**
 * Reads on from one place, and gives the next one; undefined where more text is needed, or nothing
 * is left to be read.
 */
export type State = () => State | undefined

const findStopInDouble = createCharFinder(['"', '\\'])
const findStopInSingle = createCharFinder(["'", '\\'])

/**
 * Reads strings in quotes, in three of them in Python, or between marks that stand for quotes.
 * Begins one whose opening quote stands behind this prefix, and gives the place inside of it;
 * `after` is the one behind it.
 */
export function createStringReader(
  cursor: Cursor,
  syntax: JsonSyntax,
  open: readonly Bracket[],
  put: ValueSink,
  afterString: State,
  fail: (message: string) => undefined,
): (prefix: string) => State | undefined {
  const { endMarks = [], quoteMark = '', isYaml } = syntax
  const isPython = syntax.python !== undefined
  const isStringEnd = createStringEndCheck(syntax, open)
  /** What closes the string, and what may stand in it that is not text. */
  let quote = ''
  let escapes = jsonEscapes
  let findStop = findStopInDouble
  /** It has held a quote that was not escaped. Then it must not swallow the end of the call. */
  let hadUnescapedQuote = false
  /** What was read of it, as it was written. */
  let source = ''

  const isAt = (marks: readonly string[], at = cursor.at) =>
    matchMarks(cursor.text.slice(at), marks)
  const take = (chars: number, meant?: string) => {
    const taken = cursor.text.slice(cursor.at, cursor.at + chars)
    if (!hadUnescapedQuote) source += taken
    cursor.at += chars
    put(Token.text, meant ?? taken)
    return readOn
  }
  const close = () => {
    cursor.at += quote.length
    put(Token.endText, '')
    return afterString
  }

  // Each stands where its picture shows the cursor (|).
  /** `"ab|c"` */
  const readOn: State = () => {
    const { text, at } = cursor
    const stop = findStop(text, at)
    if (stop !== at)
      return at < text.length ? take((stop < 0 ? text.length : stop) - at) : undefined
    if (text.charAt(at) === '\\') {
      const found = escapeAt(text, at, escapes)
      return found && take(found.source.length, found.text)
    }
    const isMark = isAt(hadUnescapedQuote ? [quote, ...endMarks] : [quote])
    if (isMark === 'wait') return undefined
    if (isMark === 'no') return take(1)
    if (!text.startsWith(quote, at)) return failUnclosed()
    if (quote.length === 1) return readQuote()
    // Of more than three quotes the last three close it.
    const isLonger = quote === quoteMark ? 'no' : isAt([quote + quote.charAt(0)])
    if (isLonger === 'wait' && !cursor.isFinal) return undefined
    return isLonger === 'yes' ? take(1) : close()
  }
  /** `'ab|', …` Ends the string, or keeps a quote inside it. */
  const readQuote = () => {
    const after = cursor.text.slice(cursor.at + 1, cursor.at + 1 + MAX_LOOKAHEAD_CHARS)
    const verdict = isStringEnd(after, { hadUnescapedQuote, isFinal: cursor.isFinal })
    const isTooFar = after.length === MAX_LOOKAHEAD_CHARS
    if (verdict === 'wait' && !isTooFar && !cursor.isFinal) return undefined
    // After an unescaped quote a look that was too short proves nothing, nor does a truncated text.
    const mayEndHere = !hadUnescapedQuote || !(isTooFar || cursor.isTruncated)
    if (verdict === 'yes' || (verdict === 'wait' && mayEndHere)) return close()
    // In YAML two quotes stand for one.
    if (isYaml && after.startsWith(quote)) return take(2, quote)
    const swallowed = hadUnescapedQuote
      ? []
      : endMarks.map(mark => source.indexOf(mark)).filter(at => at >= 0)
    if (swallowed.length) {
      syntax.rewind?.(source.length - Math.min(...swallowed))
      return failUnclosed()
    }
    hadUnescapedQuote = true
    findStop = createCharFinder([quote, '\\', ...endMarks.map(mark => mark.charAt(0))])
    return take(1)
  }
  const failUnclosed = () => fail('a string without its closing quote')

  /** `|"abc"` */
  return prefix => {
    const start = cursor.at + prefix.length
    const char = cursor.text.charAt(start)
    const tripled = isPython ? isAt([char.repeat(3)], start) : 'no'
    if (tripled === 'wait' && !cursor.isFinal) return undefined
    const isTripled = tripled === 'yes'
    quote = isTripled ? char.repeat(3) : isQuote(char) ? char : quoteMark
    escapes = /r/i.test(prefix) ? rawEscapes : isPython ? pythonEscapes : jsonEscapes
    if (quote === quoteMark) findStop = createCharFinder([char])
    else findStop = char === '"' ? findStopInDouble : findStopInSingle
    hadUnescapedQuote = false
    source = ''
    cursor.at = start + quote.length
    put(Token.beginQuoted, '')
    return readOn
  }
}
