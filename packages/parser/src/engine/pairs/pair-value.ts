import type { ArgumentWriter } from '../argument-writer.js'
import { CUT, malformed, type Problem } from '../events.js'
import { fail, failWith } from '../failure.js'
import { startsTuple } from '../json/python-bracket.js'
import { readJson } from '../json/read-json.js'
import { isSpace } from '../text/characters.js'
import { type Cursor, noteRepair, type Reading } from '../text/cursor.js'
import { createCharFinder } from '../text/find-char.js'
import { MAX_LOOKAHEAD_CHARS, peek, peekText, skip } from '../text/read-marks.js'
import { CONTAINER, JsonType, type Shape } from '../values/shape.js'
import { Token } from '../values/tokens.js'
import {
  type AfterValue,
  type PairMarks,
  type Pairs,
  peekAfterValue,
  type ValueReading,
} from './after-value.js'
import {
  createPlainValue,
  notePlainEnd,
  noteSpaceAtSign,
  noteWordBeforeSign,
  type PlainValue,
  putPlain,
} from './pair-repairs.js'
import {
  hasMoreThanQuotes,
  type Opening,
  peekOpening,
  readHeredoc,
  readQuoted,
} from './quoted-value.js'
import { mustBe, readLineList } from './table.js'

/**
 * `city=|New York` Reads the value of a pair. Its first characters and the schema decide how:
 *
 *     city=New York               text up to the next key or the end of the call
 *     title="Lunch today?"        text in quotes
 *     code=<<END                  lines of text
 *     cc=ann@x.org, bob@x.org     a list without brackets
 *     profile={"name": "Ann"}     JSON
 */
export function* readPairValue(pairs: Pairs, writer: ArgumentWriter): ValueReading {
  const { cursor } = pairs
  const shape = writer.expected()
  const put = (piece: string) => writer.put(Token.text, piece)
  // `city= |New York`; in `city=| days=3` and `city=|</call>` the value is empty.
  const next = yield* peekAfterValue(pairs, false)
  if (next.type === 'text') yield* skipSpaceAfterSign(pairs)
  // `city=| days=3`
  else noteRepair(cursor, 'missing-value')
  const opening = yield* peekOpening(pairs)
  checkOpening(opening, cursor.isFinal)
  // Where a string is allowed too, `{` may begin a text: the writer decides at its end.
  const isJson = /[[{]/.test(cursor.text.charAt(cursor.at)) && mustBe(shape, CONTAINER)
  if (isJson) return yield* readPairObject(pairs, writer)
  if (opening.type === 'heredoc') {
    cursor.at += opening.chars
    // A heredoc is the notation of lines; three quotes are that of Python.
    if (!pairs.marks.isLine || /["']$/.test(opening.closing)) noteRepair(cursor, 'other-notation')
    return yield* readHeredocValue(pairs, opening.closing, writer)
  }
  if (yield* isBareList(pairs, shape)) {
    return yield* readAsText(writer, Token.beginBareList, readListItems(pairs, shape, put))
  }
  if (opening.type === 'quote' && !(yield* quotesArePartOfText(pairs, shape))) {
    cursor.at += opening.quote.length
    return yield* readAsText(writer, Token.beginQuoted, readQuoted(pairs, opening.quote, put))
  }
  return yield* readAsText(writer, Token.beginUntyped, readPlain(pairs, shape, put))
}

/** `city=| Paris` */
function* skipSpaceAfterSign(pairs: Pairs): Reading {
  const { cursor } = pairs
  const start = cursor.windowOffset + cursor.at
  yield* skip(cursor)
  if (cursor.windowOffset + cursor.at > start) noteSpaceAtSign(pairs)
}

/** Fails if a value that begins like that cannot be read (decision 55). */
function checkOpening(opening: Opening, isFinal: boolean): void {
  if (opening.type === 'block') {
    fail(`expected \`<<END\` and lines of text, found ${opening.name}`)
  }
  // `content=<<END path=x`
  if (opening.type === 'broken-heredoc') {
    failWith(isFinal ? CUT : malformed(`expected a line break after \`${opening.sign}\``))
  }
}

/** Puts a text whose pieces `reading` puts. */
function* readAsText(writer: ArgumentWriter, begin: Token, reading: ValueReading): ValueReading {
  writer.put(begin, '')
  const found = yield* reading
  writer.put(Token.endText, '')
  return found
}

/** `profile=|{"name": "Ann"}` (decision 19) */
export function* readPairObject(pairs: Pairs, { put, expectsKey }: ArgumentWriter): ValueReading {
  const { cursor, marks, rewind } = pairs
  const problem = yield* readJson(cursor, put, {
    endMarks: [marks.close],
    expectsKey,
    rewind,
  })
  if (problem) failWith(problem)
  return yield* peekAfterValue(pairs, true)
}

/** `code=<<END|` Lines are a text; where the schema has a list they are its items, or JSON. */
function* readHeredocValue(pairs: Pairs, closing: string, writer: ArgumentWriter): ValueReading {
  const shape = writer.expected()
  if (mustBe(shape, JsonType.array)) {
    const beginning = yield* peekText(pairs.cursor, showsListStart)
    // `items=<<END\n[{"sku": "A-1"}]\nEND` is JSON.
    if (!/^\s*[[{]/.test(beginning)) return yield* readLineList(pairs, closing, writer)
  }
  const begin = mustBe(shape, CONTAINER) ? Token.beginUntyped : Token.beginQuoted
  const put = (piece: string) => writer.put(Token.text, piece)
  return yield* readAsText(writer, begin, readHeredoc(pairs, closing, put))
}

/** The first characters show whether a list has brackets, or is null: `nul` may become that. */
const showsListStart = (text: string) =>
  /\S/.test(text) && !['null', 'None'].some(word => word.startsWith(text.trimStart()))

/** `cc=|a, b` or `cc=|"a"`, but not `tags=|null`. */
function* isBareList(pairs: Pairs, shape: Shape): Reading<boolean> {
  if (!mustBe(shape, JsonType.array)) return false
  const beginning = yield* peekText(pairs.cursor, showsListStart)
  return !/^(?:null|None)(?![^\s<)])/.test(beginning)
}

/** `cc=|a, b` A list without brackets is JSON except for these. */
function* readListItems(pairs: Pairs, shape: Shape, put: (text: string) => void): ValueReading {
  // `cc=|("a", "b")` has brackets, if its items are no lists themselves.
  const mayBeTuple = (shape.item(0).types & JsonType.array) === 0
  const isTuple = mayBeTuple && (yield* peek(pairs.cursor, startsTuple)) === 'yes'
  if (isTuple) noteRepair(pairs.cursor, 'tuple')
  else put('[')
  const found = yield* readPlain(pairs, shape, put, true)
  if (!isTuple) put(']')
  return found
}

/** `query=|"climate change" 2024` In a line no quotes are asked for (decision 54). */
function* quotesArePartOfText(pairs: Pairs, shape: Shape): Reading<boolean> {
  const mayBeText = pairs.marks.isLine && (shape.types & JsonType.string) !== 0
  return mayBeText && (yield* hasMoreThanQuotes(pairs))
}

/** Characters that may end a value, or begin a mark that does. */
const findStop = createCharFinder([...' \t\r\n,)<\u00a0\u202f'])

/** `city=|New York` Reads text up to the next key or the end of the call. */
function* readPlain(
  pairs: Pairs,
  shape: Shape,
  put: (text: string) => void,
  isList = false,
): ValueReading {
  const { cursor } = pairs
  const value = createPlainValue(put, isList, shape)
  // A number or a constant ends where any key follows.
  const isText = (shape.types & (JsonType.string | CONTAINER)) !== 0
  for (;;) {
    yield* readToStop(cursor, value)
    const found = yield* peekAfterValue(pairs, !isText)
    const { type, wordBeforeSign } = found
    if (type === 'pair') {
      notePlainEnd(pairs, value, found)
      return found
    }
    const text = cursor.text.slice(cursor.at, cursor.at + found.chars)
    if (type === 'end') {
      checkEnd(pairs, value, found, text)
      notePlainEnd(pairs, value, found)
      // `body=Dear Bob,|</call>`: a comma separates only pairs, so this one is text.
      const commas = isText ? /^[ \t\r\n,]*,/.exec(text) : null
      if (commas) put(commas[0])
      return found
    }
    if (wordBeforeSign !== undefined) noteWordBeforeSign(pairs, value, wordBeforeSign)
    if (isSpace(text.charAt(0))) value.spaces++
    putPlain(value, text)
    cursor.at += text.length
  }
}

/** Puts text up to a character that may end the value. */
function* readToStop(cursor: Cursor, value: PlainValue): Reading {
  for (;;) {
    const stop = findStop(cursor.text, cursor.at)
    const end = stop < 0 ? cursor.text.length : stop
    if (end > cursor.at) putPlain(value, cursor.text.slice(cursor.at, end))
    cursor.at = end
    if (stop >= 0 || cursor.isFinal) return
    yield
  }
}

/** Fails if the value cannot be over although the call is. */
function checkEnd(
  { cursor, marks }: Pairs,
  value: PlainValue,
  found: AfterValue,
  endText: string,
): void {
  if (found.isAtTextEnd && (cursor.isTruncated || value.spansLines)) failWith(CUT)
  const problem = marks.isLine
    ? findLineBelow(cursor, value)
    : findMissingClose(marks, value, found, endText)
  if (problem) failWith(problem)
}

/** `content=|\nprint(1)` (decision 55) */
function findLineBelow({ text, at }: Cursor, { tail }: PlainValue): Problem | undefined {
  const ahead = text.slice(at, at + MAX_LOOKAHEAD_CHARS)
  if (tail !== '' || !lineBelow.test(ahead)) return undefined
  return malformed('expected a value in the line of its key, found text in the next line')
}

/** A line break and a line below it that is neither empty nor another call. */
const lineBelow = /^[ \t]*\r?\n[ \t]*[^\s@]/

/** `<call>f city=Paris|\n<call>` Between tags a call may lack its close tag, but not always. */
export function findMissingClose(
  { close }: PairMarks,
  { tail, spansLines }: Pick<PlainValue, 'tail' | 'spansLines'>,
  found: AfterValue,
  endText: string,
): Problem | undefined {
  // `body=first\nsecond|<call>`: the second line may be prose after the call (decision 22).
  if (spansLines && found.chars === 0) {
    return malformed(`expected \`${close}\` after several lines without quotes`)
  }
  const isClosed = !found.isAtTextEnd && found.chars > 0
  if (isClosed || endText.includes(')')) return undefined
  // `sql=x y</tool_call>|`, but not `body=<b>hi</b>|`
  const [closeTag, name] = /<\/([\w:.-]+)>$/.exec(tail) ?? []
  const isOwnTag = name !== undefined && tail.includes(`<${name}`)
  if (!closeTag || isOwnTag) return undefined
  return malformed(`expected \`${close}\`, found \`${closeTag}\``)
}
