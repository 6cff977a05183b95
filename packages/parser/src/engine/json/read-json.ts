import { CUT, malformed, type Problem } from '../events.js'
import {
  isCloser,
  isLiteral,
  isQuote,
  isWordStart,
  markedAt,
  quotedAt,
  wordAt,
} from '../text/characters.js'
import type { Cursor, Reading } from '../text/cursor.js'
import { MAX_LOOKAHEAD_CHARS, matchMarks } from '../text/read-marks.js'
import { putText, Token, type ValueSink } from '../values/tokens.js'
import {
  type Bracket,
  brackets,
  call,
  group,
  type JsonSyntax,
  object,
  set,
  spread,
  tuple,
} from './json-syntax.js'
import { jsonEscapes, pythonEscapes, unescaped } from './string-escape.js'
import { createStringReader, type State } from './string-reader.js'

/**
 * Nesting beyond this is refused: no tool's arguments need it, and consumers that recurse would
 * overflow.
 */
const MAX_JSON_DEPTH = 512

const isPrefix = (word: string) => /^(?:[rbuf]|rb|br|rf|fr)$/i.test(word)
/** Some characters, and comments of limited length between them. */
const spacePattern = (chars: string) =>
  new RegExp(`(?:[${chars}]+|(?://|# )[^\n]{0,1020}\n|/\\*.{0,1020}?\\*/)*`, 'sy')
const space = spacePattern(' \n\r\t')
const spaceOrCommas = spacePattern(' \n\r\t,')
const begunComment = /^(?:\/(?:$|[/*])|#(?:$| ))/
const wordStop = /[^\w.+-]/g
/** A bracket's first item, unless that is in brackets too, and what follows it. */
const firstItem =
  /^[({]\s*((?:[rbuf]{0,2}("|')(?:\\.|(?!\2)[^\\])*\2|[\w.+-]+)\s*)?([^\s"'\w.+-])/is

/**
 * Reads JSON as models write it from its first character on, and gives the reason why it could not
 * be read to its end. The cursor then stands behind the value, or before what could not be read.
 *
 * Beyond JSON it takes: single quotes, bare keys and words, missing, doubled and trailing commas,
 * comments, raw newlines and unknown escapes in strings, an unescaped quote inside a string,
 * closing brackets that are missing or crossed.
 *
 * It reads the arguments of a Python call too, from behind `(` to the matching `)`. The call is an
 * object, all values are literals, and tuples and sets are lists:
 *
 *     city='Paris', opts={'unit': "c", 'tags': ('a', r'\d')}, **{'odd key': None})
 */
export function* readJson(
  cursor: Cursor,
  sink: ValueSink,
  syntax: JsonSyntax = {},
): Reading<Problem | undefined> {
  const { read, problem } = createJsonReader(cursor, syntax, [])
  yield* read(sink, 0)
  return problem()
}

/**
 * Reads the same piece by piece, for someone who looks at the keys. What is open already stands
 * outermost first.
 */
export function createJsonReader(cursor: Cursor, syntax: JsonSyntax, open: Bracket[] = [object]) {
  const { endMarks = [], weakEndMarks = [], quoteMark = '', python, isYaml } = syntax
  const isPython = python !== undefined
  const quoteMarks = quoteMark ? [quoteMark] : []
  const wordMarks = [...quoteMarks, ...endMarks]
  const afterValueMarks = [...wordMarks, ...weakEndMarks]
  let problem: Problem | undefined
  let sink: ValueSink = () => {}
  /** What is read is over with the next key or value at this depth. */
  let stopDepth = 0
  let isPaused = false
  /** Behind the bracket that was opened last. */
  let innerStart = cursor.windowOffset + cursor.at
  /** The arguments that a Python call has got. */
  const seenKeys = new Set<string>()
  let stringEnd = -1

  const top = () => open[open.length - 1]
  const put: ValueSink = (token, text) => {
    if (open.length < stopDepth) return
    sink(token, text)
    if (token === Token.endText) stringEnd = cursor.windowOffset + cursor.at
    const isBegun =
      token === Token.beginQuoted || token === Token.beginUntyped || token === Token.text
    isPaused ||= open.length === stopDepth && !isBegun
  }
  const fail = (message: string): undefined => {
    problem = malformed(message)
  }
  const failAt = (char: string, wanted: string) =>
    fail(`${JSON.stringify(char)} where ${wanted} should be`)
  /**
   * Passes over space and comments; gives the next character, or nothing where the text ends, or a
   * comment that is not whole begins.
   */
  const peek = (skipped = space): string => {
    skipped.lastIndex = cursor.at
    skipped.test(cursor.text)
    cursor.at = skipped.lastIndex
    const ahead = cursor.text.slice(cursor.at, cursor.at + MAX_LOOKAHEAD_CHARS)
    return begunComment.test(ahead) && ahead.length < MAX_LOOKAHEAD_CHARS ? '' : ahead.charAt(0)
  }
  /** Tells whether one of the marks is there. */
  const isAt = (marks: readonly string[], at = cursor.at) =>
    matchMarks(cursor.text.slice(at), marks)
  /**
   * A value that lacks only its closing brackets at the end of the text is whole, unless the model
   * was stopped.
   */
  const mayEndHere = () => cursor.isFinal && !cursor.isTruncated && !isYaml

  /** Where to go on behind a comma. */
  const next = () => (top()?.keySign ? readKey : readValue)
  const push = (bracket: Bracket) => {
    open.push(bracket)
    innerStart = cursor.windowOffset + cursor.at
    if (bracket.begin !== undefined) put(bracket.begin, '')
    return next()
  }
  const closeTo = (depth: number) => {
    while (open.length > depth) {
      const end = open.pop()?.end
      if (end !== undefined) put(end, '')
    }
    return readAfter
  }
  /** Closes what this bracket closes, and whatever is still open inside it. */
  const close = (closer: string) => {
    const depth = open.findLastIndex(bracket => bracket.closer === closer)
    // Brackets and braces get crossed; a parenthesis that does so would end the call with what is
    // left of its arguments.
    if (depth < 0 || (closer === ')' && top()?.closer !== closer))
      return fail(`a closing ${closer} without its opening one`)
    cursor.at++
    return closeTo(depth)
  }
  const putKey = (name: string | undefined) => {
    const isArgument = top() === call || top() === spread
    if (name === undefined) return fail('an argument without a name')
    if (isArgument && seenKeys.has(name))
      return fail(`the argument ${JSON.stringify(name)} is given twice`)
    if (isArgument) seenKeys.add(name)
    put(Token.key, name)
    return readValue
  }

  /**
   * What Python's bracket begins shows behind the first item; undefined as long as the text does
   * not tell.
   */
  const pythonBracket = (opener: string) => {
    const ahead = cursor.text.slice(cursor.at, cursor.at + MAX_LOOKAHEAD_CHARS)
    const [isClear, item, , after = ''] = firstItem.exec(ahead) ?? []
    if (!isClear && ahead.length < MAX_LOOKAHEAD_CHARS) return undefined
    if (opener === '(') return item && after === ')' ? group : tuple
    return item && /[,}]/.test(after) ? set : object
  }

  // Each stands where its picture shows the cursor (|).
  /** `{"a": |1` `[|1` */
  const readValue: State = () => {
    const isInList = top()?.keySign === ''
    const char = peek(isInList ? spaceOrCommas : space)
    if (char === '') return undefined
    const isUnclear = isPython && '({'.includes(char)
    const bracket = isUnclear ? pythonBracket(char) : brackets.get(char)
    if (bracket) {
      if (open.length === MAX_JSON_DEPTH) return fail(`nested deeper than ${MAX_JSON_DEPTH} levels`)
      cursor.at++
      return push(bracket)
    }
    if (isUnclear) return undefined
    if (isInList && isCloser(char)) return close(char)
    if (/[=,:)\]}]/.test(char)) return fail('a value is missing')
    const isString = isQuote(char) ? 'yes' : isAt(quoteMarks)
    if (isString === 'wait') return undefined
    return isString === 'yes' ? beginString('') : readWord
  }
  /** `{|"a": 1` `{"a": 1|,` `f(|a=1` */
  const readKey: State = () => {
    const char = peek(spaceOrCommas)
    const { keySign } = top() ?? object
    const isArgument = keySign === '='
    if (char === '') return undefined
    if (isCloser(char)) return close(char)
    // Templates that show `{{` teach models to write it.
    if (char === '{' && cursor.windowOffset + cursor.at === innerStart) {
      cursor.at++
      return readKey
    }
    if (isArgument && char === '*') return readSpread()
    if (isArgument && !isWordStart(char)) return putKey(python?.positionalKey)
    const isQuoted = isQuote(char)
    const ahead = cursor.text.slice(cursor.at, cursor.at + MAX_LOOKAHEAD_CHARS)
    const atQuoteMark = isAt(quoteMarks)
    const isMarked = atQuoteMark === 'yes'
    const source = isQuoted
      ? quotedAt(ahead, 0)
      : isMarked
        ? markedAt(ahead, quoteMark)
        : wordAt(ahead, 0)
    if (source === '' && atQuoteMark === 'no') return failAt(char, 'a key')
    const rest = source ? ahead.slice(source.length).trimStart() : ''
    if (!source || !rest)
      return ahead.length < MAX_LOOKAHEAD_CHARS ? undefined : fail('a key that is too long')
    // Gemma 4 assigns with a colon in parentheses, too.
    if (!rest.startsWith(keySign) && !(isArgument && rest.startsWith(':'))) {
      const isValue = isLiteral(source) || (isPrefix(source) && isQuote(rest.charAt(0)))
      return isArgument && isValue ? putKey(python?.positionalKey) : failAt(rest.charAt(0), keySign)
    }
    const quoteChars = isQuoted ? 1 : isMarked ? quoteMark.length : 0
    const key = source.slice(quoteChars, source.length - quoteChars)
    const then = putKey(isQuoted ? unescaped(key, isPython ? pythonEscapes : jsonEscapes) : key)
    if (then) cursor.at += ahead.length - rest.length + 1
    return then
  }
  /** `f(|**{…}` */
  const readSpread = () => {
    const isSpread = isAt(['**{'])
    if (isSpread === 'no') return fail('a * that is not before a dictionary')
    if (isSpread === 'wait') return undefined
    cursor.at += 3
    return push(spread)
  }
  /** `{"a": |True` */
  const readWord: State = () => {
    const { text, at } = cursor
    /** Brackets that are open in it: `*.{js,ts}`. */
    let depth = 0
    for (
      wordStop.lastIndex = at;
      wordStop.test(text) && wordStop.lastIndex - at <= MAX_LOOKAHEAD_CHARS;
    ) {
      const stop = wordStop.lastIndex - 1
      const char = text.charAt(stop)
      const word = text.slice(at, stop)
      const isEnd = depth === 0 && (',]}'.includes(char) || (char === ')' && isPython))
      if (isEnd || char === '\n' || (isQuote(char) && isLiteral(word))) return endWord(word)
      if (isPython && isQuote(char) && isPrefix(word)) return beginString(word)
      if (isPython && '=([{'.includes(char)) return fail('neither a literal nor a word')
      if (/[[\]{}]/.test(char)) depth += brackets.has(char) ? 1 : -1
      // `http://` has no space before its slashes.
      if (!isPython && /^(?:[ \t][/][/*]| # )/.test(text.slice(stop))) return endWord(word)
      const isMark = isAt(wordMarks, stop)
      if (isMark === 'wait' && !cursor.isFinal) return undefined
      if (isMark !== 'yes') continue
      return isLiteral(word) && isAt(quoteMarks, stop) !== 'yes'
        ? endWord(word)
        : fail('a value that is not whole')
    }
    if (text.length - at >= MAX_LOOKAHEAD_CHARS) return fail('a bare value that is too long')
    return mayEndHere() && isLiteral(text.slice(at)) ? endWord(text.slice(at)) : undefined
  }
  const endWord = (source: string) => {
    const word = source.trimEnd()
    if (isPython && top() !== call && / for .* in /s.test(word))
      return fail('a loop in place of a value')
    cursor.at += word.length
    // Only a schema may take the zeros of `00501` away.
    if (/^0\d/.test(word) && !isPython) putText(Token.beginUntyped, word, put)
    else put(Token.literal, word)
    return readAfter
  }
  /**
   * `{"a": 1|` A missing comma is no obstacle; but right behind a quote mark a word shows that the
   * mark opened a text.
   */
  const readAfter: State = () => {
    const char = peek()
    if (char === '') return mayEndHere() ? closeTo(0) : undefined
    if (isCloser(char)) return close(char)
    const isFree = !isPython && !(quoteMark && cursor.windowOffset + cursor.at === stringEnd)
    const isNext = isQuote(char) || isWordStart(char) || (!top()?.keySign && /[[{\d-]/.test(char))
    if (char === ',' || (isFree && isNext) || isAt(quoteMarks) === 'yes') return next()
    const isMark = isAt(afterValueMarks)
    if (isMark === 'yes' && !isYaml) return closeTo(0)
    if (isMark !== 'wait') return failAt(char, 'a comma or a closing bracket')
    // The text ends with the beginning of a mark; but a single character proves nothing.
    return mayEndHere() && cursor.text.length - cursor.at > 1 ? closeTo(0) : undefined
  }
  const beginString = createStringReader(cursor, syntax, open, put, readAfter, fail)

  let state: State = python ? () => push(call) : next()
  const isDone = (): boolean => {
    while (!problem && !isPaused && open.length >= stopDepth) {
      const then = state()
      if (then) state = then
      else if (cursor.isFinal) problem ??= CUT
      else if (!problem) return false
    }
    return true
  }
  return {
    depth: () => open.length,
    /** Why it could not be read on. */
    problem: () => problem,
    /** Reads the next key or the next value, and what is open around it down to a depth. */
    read(to: ValueSink, downTo = open.length): Reading {
      sink = to
      stopDepth = downTo
      isPaused = false
      return wait(isDone)
    },
    /** Lets whoever takes the tokens stop it before that. */
    pause() {
      isPaused = true
    },
  }
}

/**
 * Not a generator of each reader's own: V8 makes a hidden class for each such function, and that
 * outlives the reader.
 */
function* wait(isDone: () => boolean): Reading {
  while (!isDone()) yield
}
