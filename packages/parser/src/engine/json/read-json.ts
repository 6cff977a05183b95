import { CUT, type Problem } from '../events.js'
import { givenTwice } from '../failure.js'
import { isCloser, isLiteral, isQuote, isWordStart } from '../text/characters.js'
import { type Cursor, noteRepair, type Reading } from '../text/cursor.js'
import { MAX_LOOKAHEAD_CHARS, tryPeek } from '../text/read-marks.js'
import { type Verdict, verdictOf } from '../text/verdict.js'
import { Token, type ValueSink } from '../values/tokens.js'
import { isStringPrefix } from './dialect.js'
import { ESCAPED_SPACE, isPartialEscapedSpace, withoutEscapedSpace } from './escaped-space.js'
import { type FoundKey, findKey } from './json-key.js'
import {
  createJsonReader,
  fail,
  innermost,
  isAtMark,
  isAtQuoteMark,
  type JsonReader,
  mayEndHere,
  offsetOf,
  put,
  type State,
  type Step,
  textAhead,
} from './json-reader.js'
import {
  noteCommas,
  noteCut,
  noteEscapedSpace,
  noteKey,
  noteMissingComma,
  noteShiftedSpace,
  noteSpace,
  noteWord,
} from './json-repairs.js'
import {
  type Bracket,
  brackets,
  call,
  type JsonSyntax,
  object,
  spread,
  tuple,
} from './json-syntax.js'
import { findWordEnd, MAX_WORD_CHARS } from './json-word.js'
import { findPythonBracket, startsTuple } from './python-bracket.js'
import { startsStrayMark } from './string-end.js'
import { beginString, readString } from './string-reader.js'

/**
 * Nesting beyond this is refused: no tool's arguments need it, and consumers that recurse would
 * overflow.
 */
const MAX_JSON_DEPTH = 512

/**
 * Reads JSON as models write it, from its first character to the end of the value. Returns why it
 * could not be read to its end; the cursor is then before what could not be read.
 *
 * Beyond JSON it reads: single quotes, keys and words without quotes, missing, doubled and trailing
 * commas, comments, raw newlines and unknown escapes in strings, an unescaped quote inside a string,
 * closing brackets that are missing or crossed (decision 60).
 *
 * It reads the arguments of a Python call too, from after `(` to the matching `)`. The call is an
 * object, all values are literals, and tuples and sets are lists:
 *
 *     city='Paris', opts={'unit': "c", 'tags': ('a', r'\d')}, **{'odd key': None})
 */
export function* readJson(
  cursor: Cursor,
  sink: ValueSink,
  syntax: JsonSyntax = {},
): Reading<Problem | undefined> {
  const reader = createJsonReader(cursor, syntax, [])
  yield* readPart(reader, sink, 0)
  return reader.problem
}

/**
 * Reads the next key or value, and all that is open around it, until `stopDepth` brackets are open.
 * The sink may pause the reader before that.
 */
export function* readPart(
  reader: JsonReader,
  sink: ValueSink,
  stopDepth = reader.open.length,
): Reading {
  reader.sink = sink
  reader.stopDepth = stopDepth
  reader.isPaused = false
  while (!isDone(reader)) yield
}

/** Reads as far as the text goes. False if more text is needed. */
function isDone(reader: JsonReader): boolean {
  while (!reader.problem && !reader.isPaused && reader.open.length >= reader.stopDepth) {
    const step = readState(reader)
    if (step === 'failed') return true
    if (step !== 'wait') reader.state = step
    else if (reader.cursor.isFinal) reader.problem = CUT
    else return false
  }
  return true
}

function readState(reader: JsonReader): Step {
  switch (reader.state) {
    case 'string':
      return readString(reader)
    case 'key':
      return readKey(reader)
    case 'value':
      return readValue(reader)
    case 'word':
      return readWord(reader)
    case 'after-value':
      return readAfterValue(reader)
    case 'call':
      return openBracket(reader, call)
  }
}

// In each picture `|` is the cursor.

/** `{"a": |1` `[|1` */
function readValue(reader: JsonReader): Step {
  const isInList = innermost(reader)?.keySign === ''
  const char = skipSpace(reader, isInList ? spaceOrCommas : space)
  if (char === '') return 'wait'
  const bracket = findBracket(reader, char)
  if (bracket === 'wait') return 'wait'
  if (bracket) return takeBracket(reader, bracket)
  // `[1, |]`
  if (isInList && isCloser(char)) return closeBracket(reader, char)
  // `{"a": |}`: a value that is missing is not made up (decision 60).
  if (/[=,:)\]}]/.test(char)) return fail(reader, expected('a value', char))
  const isString = isQuote(char) ? 'yes' : isAtQuoteMark(reader)
  if (isString === 'wait') return 'wait'
  if (isString === 'no') return 'word'
  noteCommas(reader, 1)
  return beginString(reader, '')
}

/** The bracket that a character opens; undefined if it opens none. */
function findBracket({ cursor, dialect }: JsonReader, char: string): Bracket | 'wait' | undefined {
  const ahead = textAhead(cursor)
  if (char === '(' && !dialect.isPython) return findTuple(ahead)
  if (!dialect.ambiguousBrackets.includes(char)) return brackets.get(char)
  const bracket = findPythonBracket(ahead)
  // `("a long text…`: what follows the first item is too far away to look at.
  const isTooFar = bracket === 'wait' && ahead.length === MAX_LOOKAHEAD_CHARS
  if (!isTooFar) return bracket
  return char === '(' ? tuple : object
}

/** `[|(1, 2)]` in JSON (decision 85) */
function findTuple(ahead: string): Bracket | 'wait' | undefined {
  const isTuple = startsTuple(ahead)
  if (isTuple === 'wait') return ahead.length < MAX_LOOKAHEAD_CHARS ? 'wait' : undefined
  return isTuple === 'yes' ? tuple : undefined
}

/** `|{` `|[` `|(` */
function takeBracket(reader: JsonReader, bracket: Bracket): Step {
  if (reader.open.length === MAX_JSON_DEPTH)
    return fail(reader, `nested deeper than ${MAX_JSON_DEPTH} levels`)
  noteCommas(reader, 1)
  if (bracket === tuple && !reader.dialect.isPython) noteRepair(reader.cursor, 'tuple')
  reader.cursor.at++
  return openBracket(reader, bracket)
}

/** `{|` `[|` `(|` */
function openBracket(reader: JsonReader, bracket: Bracket): Step {
  reader.open.push(bracket)
  reader.lastOpenEnd = offsetOf(reader.cursor)
  reader.isAfterOpen = true
  reader.isAfterString = false
  if (bracket.begin !== undefined) put(reader, bracket.begin, '')
  return afterComma(reader)
}

/** `{"a": 1, |` `[1, |` */
const afterComma = (reader: JsonReader): State => (innermost(reader)?.keySign ? 'key' : 'value')

/** `{"a": 1|}` Closes what this bracket closes, and whatever is still open inside it. */
function closeBracket(reader: JsonReader, closer: string): Step {
  const { open, cursor } = reader
  const depth = open.findLastIndex(bracket => bracket.closer === closer)
  const inner = innermost(reader)?.closer ?? ''
  // `{"a": [1|}` is read, but in `f(a=[1|)` the parenthesis would end the call with a part of its
  // arguments (decision 60).
  const isCrossedCall = closer === ')' && inner !== ')'
  if (depth < 0 || isCrossedCall) return fail(reader, expected(`\`${inner}\``, closer))
  noteCommas(reader, 0)
  // `{"a": [1|}`
  if (depth < open.length - 1) noteRepair(cursor, 'crossed-brackets')
  cursor.at++
  return closeTo(reader, depth)
}

/** Closes brackets until so many are open. */
function closeTo(reader: JsonReader, depth: number): Step {
  if (depth === 0) noteShiftedSpace(reader)
  while (reader.open.length > depth) {
    const end = reader.open.pop()?.end
    if (end !== undefined) put(reader, end, '')
  }
  return 'after-value'
}

/** `{|"a": 1` `{"a": 1|, "b"` `f(|a=1` */
function readKey(reader: JsonReader): Step {
  const { cursor, dialect, lastOpenEnd } = reader
  const char = skipSpace(reader, spaceOrCommas)
  if (char === '') return 'wait'
  // `{"a": 1,|}`
  if (isCloser(char)) return closeBracket(reader, char)
  const { keySign } = innermost(reader) ?? object
  if (keySign === '=' && char === '{') return readArgumentObject(reader)
  // `{|{"a": 1}}`: templates that show `{{` teach models to write it (decision 60).
  if (char === '{' && offsetOf(cursor) === lastOpenEnd) {
    noteRepair(cursor, 'extra-bracket')
    cursor.at++
    return 'key'
  }
  if (keySign === '=') {
    if (char === '*') return readSpread(reader)
    // `f(|'Paris')`
    if (!isWordStart(char)) return putPositionalKey(reader)
  }
  const ahead = textAhead(cursor)
  const key = findKey(ahead, dialect)
  if (key === undefined) return fail(reader, expected('a key', char))
  if (key !== 'wait') return takeKey(reader, key, keySign)
  const isTooFar = ahead.length === MAX_LOOKAHEAD_CHARS
  return isTooFar ? fail(reader, expected('a shorter key', char)) : 'wait'
}

/** `{|"a": 1` `f(|a=1` `f(|True)` */
function takeKey(reader: JsonReader, key: FoundKey, keySign: string): Step {
  const isArgument = keySign === '='
  // `f(a: 1)`: Gemma 4 writes a colon in parentheses, too.
  const isPlainKey = key.next === keySign || (isArgument && key.next === ':')
  const isOtherSign = isPlainKey ? 'no' : startsWithOtherSign(reader, key)
  if (isOtherSign === 'wait') return 'wait'
  if (isPlainKey || isOtherSign === 'yes') {
    noteCommas(reader, 1)
    if (isOtherSign === 'yes') noteRepair(reader.cursor, 'other-notation')
    noteKey(reader, key.source)
    const step = putKey(reader, key.name)
    if (step !== 'failed') reader.cursor.at += key.chars + 1
    reader.hasSpaceBefore = false
    return step
  }
  // `f(|True)` `f(|r'\d')`
  const isString = isStringPrefix(key.source) && isQuote(key.next)
  const isValue = isString || isLiteral(key.source)
  if (isArgument && isValue) return putPositionalKey(reader)
  return fail(reader, expected(`\`${keySign}\` after a key`, key.next))
}

/** `{city|='Paris'`: the sign of parentheses, with a value after it (decision 83). */
function startsWithOtherSign({ cursor, dialect }: JsonReader, key: FoundKey): Verdict {
  if (!dialect.hasEitherSign || key.next !== '=') return 'no'
  const after = textAhead(cursor, key.chars + 1).trimStart()
  return after === '' ? 'wait' : verdictOf(/^[\p{L}\p{N}"'<[{-]/u.test(after))
}

/**
 * `f(|'Paris')`: the value of the tool's only parameter (decision 66), or a guess: that of the next
 * one, if no argument before it has a name.
 */
function putPositionalKey(reader: JsonReader): Step {
  const { cursor, syntax, seenKeys, positionalCount } = reader
  const parameters = syntax.python?.parameters ?? []
  const key = parameters[positionalCount]
  if (key === undefined || positionalCount < seenKeys.size)
    return fail(reader, 'expected `name=` before an argument')
  reader.positionalCount++
  if (parameters.length > 1) noteRepair(cursor, 'positional-argument')
  return putKey(reader, key)
}

/** `f(|{'city': 'Paris'})` All arguments in one object, or an object as the value of an argument. */
function readArgumentObject(reader: JsonReader): Step {
  const { cursor, dialect, lastOpenEnd, syntax } = reader
  const isFirst = offsetOf(cursor) === lastOpenEnd
  const ahead = textAhead(cursor, 1)
  const inside = ahead.trimStart()
  const key = inside === '' ? 'wait' : findKey(inside, dialect)
  if (key === 'wait' && ahead.length < MAX_LOOKAHEAD_CHARS - 1) return 'wait'
  const name = typeof key === 'object' ? key.name : ''
  if (!isFirst || !syntax.python?.parameters?.includes(name)) return putPositionalKey(reader)
  noteRepair(cursor, 'other-notation')
  cursor.at++
  return openBracket(reader, spread)
}

function putKey(reader: JsonReader, name: string): Step {
  const bracket = innermost(reader)
  if (bracket === call || bracket === spread) {
    if (reader.seenKeys.has(name)) return fail(reader, givenTwice(name))
    reader.seenKeys.add(name)
  }
  reader.lastKey = name
  put(reader, Token.key, name)
  return 'value'
}

/** `f(|**{…}` */
function readSpread(reader: JsonReader): Step {
  const isSpread = isAtMark(reader.cursor, ['**{'])
  if (isSpread === 'wait') return 'wait'
  if (isSpread === 'no') return fail(reader, expected('`**{`', '*'))
  reader.cursor.at += 3
  return openBracket(reader, spread)
}

/** `{"a": |True` */
function readWord(reader: JsonReader): Step {
  // A mark after a long word may go beyond the usual limit.
  const end = tryPeek(reader.cursor, ahead => findWordEnd(ahead, reader), 0, Infinity)
  if (end === 'wait') return 'wait'
  if (end === undefined) return readLastWord(reader)
  switch (end.type) {
    case 'value':
      return takeWord(reader, end.word)
    case 'unopened':
      return takeUnopened(reader, end.word)
    case 'prefix':
      return beginString(reader, end.word)
    case 'code':
      return fail(reader, expected('a literal', end.found))
    case 'cut':
      return fail(reader, expected('the rest of a value', end.found))
    case 'too-long':
      return failLongWord(reader)
  }
}

/** `{city:|Paris<|"|>,` A text without its first quote mark. */
function takeUnopened(reader: JsonReader, word: string): Step {
  const { cursor, dialect } = reader
  noteCommas(reader, 1)
  // `<|">Paris<|"|>`, `|"|>Paris<|"|>`: the first quote mark is there, but damaged.
  const isDamaged = /[<>|"]/.test(word.slice(0, dialect.quoteMark.length + 1))
  noteRepair(cursor, isDamaged ? 'markup-at-edge' : 'missing-open')
  reader.isAfterOpen = false
  cursor.at += word.length + dialect.quoteMark.length
  put(reader, Token.beginQuoted, '')
  put(reader, Token.text, word)
  put(reader, Token.endText, '')
  return 'after-value'
}

/** `{"days": |3` at the end of the text (decision 62). */
function readLastWord(reader: JsonReader): Step {
  const { cursor } = reader
  const word = cursor.text.slice(cursor.at)
  if (word.length >= MAX_WORD_CHARS) return failLongWord(reader)
  return mayEndHere(reader) && isLiteral(word) ? takeWord(reader, word) : 'wait'
}

const failLongWord = (reader: JsonReader) =>
  fail(reader, `expected the end of a value within ${MAX_WORD_CHARS} characters`)

/** `{"a": |True, "b"` */
function takeWord(reader: JsonReader, source: string): Step {
  const { cursor, dialect } = reader
  const word = source.trimEnd()
  // `[|x for x in y]`, but `f(a=wait for it in vain)` has words.
  const isLoop = innermost(reader) !== call && / for .* in /s.test(word)
  if (dialect.hasLoops && isLoop) return fail(reader, expected('a value', word))
  noteCommas(reader, 1)
  noteWord(reader, word)
  noteSpace(reader, '')
  reader.isAfterOpen = false
  reader.isAfterString = false
  cursor.at += word.length
  if (dialect.keepsLeadingZeros && /^0\d/.test(word)) {
    put(reader, Token.beginUntyped, '')
    put(reader, Token.text, word)
    put(reader, Token.endText, '')
  } else put(reader, Token.literal, word)
  return 'after-value'
}

/** `{"a": 1|` */
function readAfterValue(reader: JsonReader): Step {
  const { cursor, dialect, afterValueMarks } = reader
  const char = skipSpace(reader, space)
  reader.isAfterOpen = false
  if (char === '') return mayEndHere(reader) ? closeAll(reader) : 'wait'
  if (isCloser(char)) return closeBracket(reader, char)
  if (char === ',') return afterComma(reader)
  const isStray = startsAfterString(reader)
  if (isStray === 'wait') return 'wait'
  if (isStray === 'yes') return takeStrayMark(reader)
  if (isAfterMissingComma(reader, char) || isAtQuoteMark(reader) === 'yes') {
    noteMissingComma(reader, char)
    return afterComma(reader)
  }
  const isMark = isAtMark(cursor, afterValueMarks)
  // `{"a": 1|</tool_call>`
  if (isMark === 'yes' && dialect.closersMayBeMissing) return closeAll(reader)
  if (isMark !== 'wait') return fail(reader, expected('a comma or a closing bracket', char))
  // `{"a": 1|</tool`: the text ends with the beginning of a mark. A single character proves nothing
  // (decision 62).
  const isPartOfMark = cursor.text.length - cursor.at > 1
  return mayEndHere(reader) && isPartOfMark ? closeAll(reader) : 'wait'
}

/** `'ab'|<|"|>,` A quote mark right after a string in other quotes. */
function startsAfterString(reader: JsonReader): Verdict {
  const { cursor, dialect, lastStringEnd, string } = reader
  const isAfterOther = offsetOf(cursor) === lastStringEnd && string.quote !== dialect.quoteMark
  const isInObject = innermost(reader)?.keySign !== ''
  return isAfterOther && isInObject ? startsStrayMark(textAhead(cursor), dialect) : 'no'
}

function takeStrayMark({ cursor, dialect }: JsonReader): Step {
  noteRepair(cursor, 'extra-close')
  cursor.at += dialect.quoteMark.length
  return 'after-value'
}

/** `{"a": [1|</tool_call>` The closing brackets are missing. */
function closeAll(reader: JsonReader): Step {
  noteCut(reader)
  return closeTo(reader, 0)
}

/** `{"a": 1 |"b": 2}` `[{…} |{…}]` (decision 60) */
function isAfterMissingComma(reader: JsonReader, char: string): boolean {
  const { cursor, dialect, lastStringEnd } = reader
  if (!dialect.commasMayBeMissing) return false
  // `<|"|>say <|"|>|hi`: a word right after a quote mark shows that the mark opened a text
  // (decision 28).
  if (dialect.quoteMark && offsetOf(cursor) === lastStringEnd) return false
  if (isQuote(char) || isWordStart(char)) return true
  const isInList = !innermost(reader)?.keySign
  return isInList && /[[{\d-]/.test(char)
}

const expected = (wanted: string, found: string) => `expected ${wanted}, found \`${found}\``

/** Some characters, and comments of limited length between them: `, // comment\n`. */
const spacePattern = (chars: string) =>
  new RegExp(`(?:[${chars}]+|${ESCAPED_SPACE}|(?://|# )[^\n]{0,1020}\n|/\\*.{0,1020}?\\*/)*`, 'syu')
const space = spacePattern(' \n\r\t')
const spaceOrCommas = spacePattern(' \n\r\t,')
const commentStart = /^(?:\/(?:$|[/*])|#(?:$| ))/

/**
 * Skips whitespace and comments. Returns the next character, or '' at the end of the text or before
 * a comment that has not ended.
 */
function skipSpace(reader: JsonReader, skipped: RegExp): string {
  const { cursor } = reader
  const start = cursor.at
  skipped.lastIndex = start
  skipped.test(cursor.text)
  cursor.at = skipped.lastIndex
  if (cursor.at > start) noteSkipped(reader, cursor.text.slice(start, cursor.at))
  const ahead = textAhead(cursor)
  const isInComment = commentStart.test(ahead) && ahead.length < MAX_LOOKAHEAD_CHARS
  return isInComment || isPartialEscapedSpace(ahead) ? '' : ahead.charAt(0)
}

/** `, // comment` Counts the commas, and records comments. */
function noteSkipped(reader: JsonReader, skipped: string): void {
  const plain = skipped.includes('\\') ? withoutEscapedSpace(`${skipped} `) : skipped
  const isComment = /[^\s,]/.test(plain)
  if (plain !== skipped && !isComment) noteEscapedSpace(reader, skipped.length)
  reader.hasSpaceBefore = /\s$/.test(plain)
  if (isComment) noteRepair(reader.cursor, 'comment', skipped.length)
  else reader.commas += skipped.split(',').length - 1
}
