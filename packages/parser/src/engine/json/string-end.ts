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
import { type Verdict, verdictOf } from '../text/verdict.js'
import type { Dialect } from './dialect.js'
import type { Bracket, JsonSyntax } from './json-syntax.js'

/** A look at the text after a quote. `at` moves over what was looked at; nothing is remembered. */
interface Look {
  readonly syntax: EndSyntax
  /** The string has contained a quote that was not escaped: `"say "hi" to`. */
  readonly hadUnescapedQuote: boolean
  readonly open: readonly Bracket[]
  /** The closing bracket of the innermost object, list or call. */
  readonly closer: string
  /** `:` or `=` between its keys and values; '' in a list. */
  readonly keySign: Bracket['keySign']
  readonly after: string
  at: number
}

/** What the syntax says about the end of a string. */
interface EndSyntax {
  readonly dialect: Dialect
  /** Marks that may follow a string: `"ab"</tool_call>`, `"ab" // comment`. */
  readonly endMarks: readonly string[]
  /** Those of them that end the call. */
  readonly callEndMarks: readonly string[]
  /** Those that may follow the whole call, the open marks of the next one included. */
  readonly afterCallMarks: readonly string[]
  expectsKey(key: string, levelsUp: number): boolean | undefined
  isTool(name: string): boolean
}

/**
 * Makes the check whether a quote inside a string ends it, or was not escaped by the model:
 * `f(command='sed -n '1,5p' x')]` (decision 9). The check looks at the text after the quote:
 *
 * - In an object or a call a closing bracket follows the string, or a comma and a key.
 * - In a list a closing bracket follows, or another value.
 * - After any string an end mark or a comment may follow.
 *
 * After an unescaped quote it is stricter: a key must be one that the object may have, and brackets
 * must close just what is open, with something after them that can follow.
 */
export function createStringEndCheck(
  jsonSyntax: JsonSyntax,
  dialect: Dialect,
  open: readonly Bracket[],
) {
  const syntax = readEndSyntax(jsonSyntax, dialect)
  return (after: string, hadUnescapedQuote: boolean): Verdict => {
    const innermost = open.at(-1)
    const look: Look = {
      syntax,
      hadUnescapedQuote,
      open,
      closer: innermost?.closer ?? '',
      keySign: innermost?.keySign ?? '',
      after,
      at: 0,
    }
    return afterQuote(look)
  }
}

function readEndSyntax(syntax: JsonSyntax, dialect: Dialect): EndSyntax {
  const { endMarks = [], weakEndMarks = [], python } = syntax
  return {
    dialect,
    endMarks: [...endMarks, ...dialect.commentMarks],
    callEndMarks: endMarks,
    afterCallMarks: [...endMarks, ...weakEndMarks],
    expectsKey: syntax.expectsKey ?? (() => true),
    isTool: name => python?.isTool(name) ?? false,
  }
}

// In each picture `|` is where the look is.

/** `"ab"|` */
function afterQuote(look: Look): Verdict {
  const char = skip(look, isSpace)
  if (char === '') return 'wait'
  if (char === ',') return atComma(look)
  if (isCloser(char)) return atCloser(look, char)
  if (isQuote(char)) return atSecondQuote(look)
  const isStray = look.keySign
    ? startsStrayMark(look.after.slice(look.at), look.syntax.dialect)
    : 'no'
  // `'ab'|<|"|>,`
  if (isStray !== 'no') return isStray
  // `"a" |+ "b"`: code, which is not read; but the string is over (decision 57).
  const isOperator = look.at > 0 && look.syntax.dialect.operators.includes(char)
  if (isOperator && !look.hadUnescapedQuote) return 'yes'
  return atEndMark(look)
}

/** `'ab'|<|"|>,` A string in other quotes has the quote mark after it, too. */
export function startsStrayMark(after: string, { quoteMark }: Dialect): Verdict {
  if (quoteMark === '') return 'no'
  const isMark = matchMarks(after, [quoteMark])
  if (isMark !== 'yes') return isMark
  const rest = after.slice(quoteMark.length).trimStart()
  return rest === '' ? 'wait' : verdictOf(/^[,})]/.test(rest))
}

/** `"ab"|}` `"ab"|]` `"ab"|)` */
function atCloser(look: Look, char: string): Verdict {
  const { open, closer, keySign, hadUnescapedQuote } = look
  const { dialect } = look.syntax
  // `"say "hi"|}}`
  if (hadUnescapedQuote && dialect.checksClosers) return char === closer ? atClosers(look) : 'no'
  if (char === '}') {
    // `["a"|}`: no brace is open, so this one is text.
    const mayCross = dialect.closersMayCross && open.length !== 1
    if (closer !== '}' && !mayCross) return 'no'
    // `{"a": {"b": "c"|}`
    if (open.length > 1) return atInnerBrace(look)
  }
  // `{"a": "b"|}`: any text may follow the outermost bracket, so looking further cannot help.
  if (char === closer) return keySign === '=' ? atCallEnd(look) : 'yes'
  // `{"a": "b"|]`, unless a mark begins like that: `"b"|]<end>`.
  return atEndMark(look)
}

/** `"ab" |"cd"`: two strings in a row, or one with quotes in it. */
function atSecondQuote(look: Look): Verdict {
  const { syntax, keySign, hadUnescapedQuote } = look
  if (syntax.dialect.stringsMayTouch) return verdictOf(!hadUnescapedQuote)
  // `["ab" |"cd"]`: an item that lacks its comma, if there is whitespace between them.
  if (keySign === '') return verdictOf(look.at > 0 && !hadUnescapedQuote)
  // `{"a": "ab" |"key":` lacks its comma.
  return atKey(look)
}

/** `"ab"|,` */
function atComma(look: Look): Verdict {
  const { closer, keySign, hadUnescapedQuote } = look
  const { dialect } = look.syntax
  const char = skip(look, each => isSpace(each) || each === ',')
  if (char === '') return 'wait'
  // `["ab", |any words]`
  if (dialect.commaEndsListItem && keySign === '') return 'yes'
  // `"ab", |key:` or in a list `"ab", |true`
  if (isWordStart(char)) return keySign ? atKey(look) : atWord(look)
  // `"ab",|}`
  if (char === closer) return hadUnescapedQuote ? atClosers(look) : 'yes'
  // `<|"|>ab<|"|>,|<|"|>key`
  if (char === dialect.quoteMark.charAt(0)) return 'yes'
  // `"ab", |// comment`
  if (char === '/' || char === '#') return atEndMark(look)
  if (keySign === ':') return atKey(look)
  if (keySign && hadUnescapedQuote) return 'no'
  // `["ab", |5`
  return verdictOf(dialect.valueStart.test(char))
}

/** `"ab" |</tool_call>` */
function atEndMark(look: Look, marks?: readonly string[]): Verdict {
  const { endMarks, callEndMarks } = look.syntax
  const allowed = marks ?? (look.hadUnescapedQuote ? callEndMarks : endMarks)
  return matchMarks(look.after.slice(look.at), allowed)
}

/** `"ab", |"key":` of the innermost object, or of one so many levels around it. */
function atKey(look: Look, sign: string = look.keySign, levelsUp = 0): Verdict {
  const { after, at, syntax, hadUnescapedQuote } = look
  const isQuoted = isQuote(after.charAt(at))
  const key = isQuoted ? quotedAt(after, at) : wordAt(after, at)
  if (key === '' || (key ?? after.slice(at)).includes('\n')) return 'no'
  look.at += key?.length ?? after.length
  const char = skip(look, isSpace)
  if (key === undefined || char === '') return 'wait'
  if (char !== sign && !isOtherSign(char, syntax.dialect)) return 'no'
  if (!hadUnescapedQuote) return 'yes'
  return verdictOf(syntax.expectsKey(isQuoted ? key.slice(1, -1) : key, levelsUp) === true)
}

/** `'ab', key|='cd'` The sign that other brackets have. */
const isOtherSign = (char: string, { hasEitherSign }: Dialect) =>
  hasEitherSign && (char === ':' || char === '=')

/** In a list, `"ab", |true` */
function atWord({ after, at, syntax }: Look): Verdict {
  const word = wordAt(after, at)
  const next = after.charAt(at + word.length)
  if (next === '') return 'wait'
  // `'ab', |r'\d'`
  const isPrefix = syntax.dialect.hasStringPrefixes && isQuote(next)
  return verdictOf(isPrefix || isLiteral(word))
}

/** `{"a": {"b": "c"|}`: a quote after the brace is inside the string, unless a key begins with it. */
function atInnerBrace(look: Look): Verdict {
  look.at++
  const hasSpace = isSpace(look.after.charAt(look.at))
  const char = skip(look, isSpace)
  if (char === '') return 'wait'
  if (isQuote(char)) {
    // `[{"a": "b"|} "next item"`
    const isInList = look.open.at(-2)?.keySign === ''
    return hasSpace && isInList ? 'yes' : atKey(look)
  }
  return verdictOf(!look.syntax.dialect.notAfterBrace.test(char))
}

/** `f(a='b'|)` */
function atCallEnd(look: Look): Verdict {
  look.at++
  const char = skip(look, each => each === ' ' || each === '\t')
  return /[\],;\r\n]/.test(char) ? 'yes' : atNextCall(look)
}

/** `f(a='b') |get_time(` or an end mark. */
function atNextCall(look: Look, marks?: readonly string[]): Verdict {
  const { after, at, syntax } = look
  const word = wordAt(after, at)
  if (at + word.length === after.length) return 'wait'
  const isCall = after.charAt(at + word.length) === '(' && syntax.isTool(word)
  return isCall ? 'yes' : atEndMark(look, marks)
}

/** `"say "hi"|}}`: brackets that close what is open, and then something that can follow them. */
function atClosers(look: Look): Verdict {
  const { after, open, syntax } = look
  const depth = skipClosers(look)
  const isEnd = depth === 0 ? atEndMark(look, syntax.afterCallMarks) : 'no'
  if (isEnd !== 'no') return isEnd
  if (look.at === after.length) return 'wait'
  if (depth > 0 && after.charAt(look.at) !== ',') return 'no'
  const separators = depth > 0 ? ',' : ',;]'
  const char = skip(look, each => isSpace(each) || separators.includes(each))
  if (char === '') return 'wait'
  const sign = open[depth - 1]?.keySign
  // `[{"a": "say "hi"|}, {"a":`
  const isNextItem = char === '{' && !sign && syntax.dialect.hasObjectLists
  if (isNextItem) look.at++
  if (sign || isNextItem) {
    return skip(look, isSpace) === '' ? 'wait' : atKey(look, sign || ':', open.length - depth)
  }
  return depth > 0 ? 'no' : atNextCall(look, syntax.afterCallMarks)
}

/** Skips closing brackets of what is open; returns how many brackets are open after them. */
function skipClosers(look: Look): number {
  const { after, open } = look
  let depth = open.length
  while (depth > 0 && after.charAt(look.at) === open[depth - 1]?.closer) {
    depth--
    look.at++
    skip(look, isSpace)
  }
  return depth
}

/** Skips some characters; returns the one after them, or '' at the end of the text. */
function skip(look: Look, isSkipped: (char: string) => boolean): string {
  const { after } = look
  while (look.at < after.length && isSkipped(after.charAt(look.at))) look.at++
  return after.charAt(look.at)
}
