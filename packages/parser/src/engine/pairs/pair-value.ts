import type { ArgumentWriter } from '../argument-writer.js'
import { CUT, malformed } from '../events.js'
import { readJson } from '../json/read-json.js'
import { escapeAt, jsonEscapes, unescaped } from '../json/string-escape.js'
import { isQuote, quotedAt } from '../text/characters.js'
import type { Reading } from '../text/cursor.js'
import { MAX_LOOKAHEAD_CHARS, peek, peekText, readUntil, skip } from '../text/read-marks.js'
import { CONTAINER, JsonType, type Shape } from '../values/shape.js'
import { putText, Token, type ValueSink } from '../values/tokens.js'
import { type Pairs, peekAfterValue, type ValueReading } from './after-value.js'

/**
 * A word follows the signs, so that nothing else can be meant; but without a line break it is not
 * whole. Three quotes are such a word too.
 */
const heredocOpening =
  /^(?:<<-? *(["']?)(?=[\p{L}_])|(?="""|'''))([\p{L}\p{N}_]+|"""|''')(?:\1[ \t]*(\r?\n))?/u
const mayOpenHeredoc = /^(?:<(?:<[^\n]*)?|""?|''?|``?|("""|'''|```)[^\n]*|[|>][-+]?[ \t]*\r?)$/
/** A fence, or a sign of YAML's: the value stands in the lines below. */
const blockOpening = /^(?:```[\w+-]*|[|>][-+]?)[ \t]*\r?\n/
/** Words in quotes, and what stands behind them up to where that shows what it is. */
const quotedWords = /^((["'])(?:(?!\2)[^\\\r\n]){1,64}\2)[ \t]+[-+(]?[\p{L}\p{N}_][^\r\n<"'=]*/u
const mayBeQuotedWords =
  /^(["'])(?:(?!\1)[^\\\r\n]){0,64}(?:\1(?:[ \t]+[-+(]?(?:[\p{L}\p{N}_][^\r\n<"'=]*)?)?)?$/u
/** The beginning of a list shows whether it has brackets, or is none. */
const showsListStart = (text: string) => /\S/.test(text) && !'null'.startsWith(text.trimStart())
/** What may end a text, or may be the beginning of a tag that does. */
const textStops = [...' \t\r\n,)<\u00a0\u202f']
/** A cell of a row, which may hold bars in quotes. */
const cellAndBar = /\s*("(?:[^"\\]|\\.)*"\s*(?=\|)|'(?:[^'\\]|\\.)*'\s*(?=\|)|[^|]*)\|/g
/** Below a line that is over: what is neither an empty line nor another call. */
const lineBelow = /^[ \t]*\r?\n[ \t]*[^\s@]/
/** The value may be of such a kind, and is no text then. */
const mustBe = ({ types }: Shape, wanted: number) =>
  (types & wanted) !== 0 && !(types & JsonType.string)

/**
 * `city=|New York` What a value is, its first character and the schema tell; where it is over, what
 * follows.
 */
export function* readPairValue(pairs: Pairs, writer: ArgumentWriter): ValueReading {
  const { cursor, marks } = pairs
  const { put } = writer
  const shape = writer.expected()
  if ((yield* peekAfterValue(pairs, false)).type === 'text') yield* skip(cursor)
  const first = cursor.text.charAt(cursor.at)
  const line = yield* peekText(cursor, text => !mayOpenHeredoc.test(text))
  const [opening = '', , word = '', lineBreak = ''] = heredocOpening.exec(line) ?? []
  if (blockOpening.test(line)) return malformed('a fence or a sign of a block in place of a value')
  if (opening.startsWith('<') && !lineBreak) {
    return cursor.isFinal ? CUT : malformed('<< and a word must be followed by lines of text')
  }
  const isStructure = mustBe(shape, CONTAINER)
  // Where a string is allowed too, the text is kept until it is whole, and the writer decides.
  if (/[[{]/.test(first) && isStructure) return yield* readPairObject(pairs, writer)

  // The line break behind the opening may be the one before the closing word too.
  if (lineBreak) cursor.at += opening.length - lineBreak.length
  const isList = mustBe(shape, JsonType.array)
  const begin = isList ? yield* peekText(cursor, showsListStart) : ''
  if (lineBreak && isList && !/^\s*[[{]/.test(begin))
    return yield* readLines(pairs, lineBreak + word, writer)
  // A list without brackets is JSON but for them.
  const isBareList =
    isList && !lineBreak && !(shape.types & JsonType.null && /^null(?![^\s<)])/.test(begin))
  const isQuoted = isQuote(first) && !lineBreak && !isBareList
  // Who was told to write no quotes means those that stand there.
  const quotesArePartOfText =
    marks.isLine &&
    isQuoted &&
    (shape.types & JsonType.string) !== 0 &&
    (yield* hasMoreThanQuotes(pairs))
  const quote = isQuoted && !quotesArePartOfText ? word || first : ''
  const closing = quote || (lineBreak && lineBreak + word)
  cursor.at += quote.length
  const putPiece = (piece: string) => put(Token.text, piece)
  put(quote || (lineBreak && !isStructure) ? Token.beginQuoted : Token.beginUntyped, '')
  if (isBareList) put(Token.text, '[')
  const found = yield* closing
    ? readEnclosed(pairs, closing, putPiece)
    : readRaw(pairs, shape, putPiece)
  if ('code' in found) return found
  if (isBareList) put(Token.text, ']')
  put(Token.endText, '')
  return found
}

/** `profile=|{"name": "Ann"}` */
export function* readPairObject(pairs: Pairs, { put, expectsKey }: ArgumentWriter): ValueReading {
  const { cursor, marks, rewind } = pairs
  const problem = yield* readJson(cursor, put, {
    endMarks: [marks.close],
    expectsKey,
    rewind,
  })
  return problem ?? (yield* peekAfterValue(pairs, true))
}

/**
 * `query=|"climate change" 2024` Whether the quotes are only a part of the text. Those of `"15"
 * screen"` are not.
 */
function* hasMoreThanQuotes(pairs: Pairs): Reading<boolean> {
  const ahead = yield* peekText(pairs.cursor, text => !mayBeQuotedWords.test(text))
  const [whole = '', words = ''] = quotedWords.exec(ahead) ?? []
  const isInside = isQuote(ahead.charAt(whole.length)) && /[^\s(]$/.test(whole)
  return (
    whole !== '' && !isInside && (yield* peekAfterValue(pairs, true, words.length)).type === 'text'
  )
}

/** Text as it is, up to the next key or the end of the call. */
function* readRaw(pairs: Pairs, { types }: Shape, put: (text: string) => void): ValueReading {
  const { cursor, marks } = pairs
  const beginOffset = cursor.windowOffset + cursor.at
  // A number or a constant is over where any pair follows.
  const isText = (types & (JsonType.string | CONTAINER)) !== 0
  // Between tags a line break is a doubt, as long as no close tag says that all of it was meant.
  let spansLines = false
  let last = ''
  const putPiece = (piece: string) => {
    last = (last + piece).slice(-64)
    put(piece)
  }
  for (;;) {
    const stop = yield* readUntil(cursor, textStops, putPiece)
    cursor.at -= stop.length
    const found = yield* peekAfterValue(pairs, !isText)
    const text = cursor.text.slice(cursor.at, cursor.at + found.chars)
    if (found.type === 'text') {
      putPiece(text)
      cursor.at += text.length
      spansLines ||= text.includes('\n')
      continue
    }
    if (found.type === 'pair') return found
    if (found.isAtEnd && (cursor.isTruncated || spansLines)) return CUT
    if (spansLines && found.chars === 0)
      return malformed('several lines without quotes, and no close mark behind them')
    // Without an end of its own the call may have been closed by a tag of another name.
    const isOpen = !marks.isLine && (found.isAtEnd || found.chars === 0) && !text.includes(')')
    const [, tag] = /<\/([\w:.-]+)>$/.exec(last) ?? []
    if (isOpen && tag && !last.includes(`<${tag}`)) return malformed('a close tag of another name')
    const isEmpty = marks.isLine && cursor.windowOffset + cursor.at === beginOffset
    if (isEmpty && lineBelow.test(cursor.text.slice(cursor.at, cursor.at + MAX_LOOKAHEAD_CHARS)))
      return malformed('a value that stands below its key')
    // A comma separates only what another pair follows, and so belongs to the text.
    if (isText) put(/^[ \t\r\n,]*,|/.exec(text)?.[0] ?? '')
    return found
  }
}

const behindWord = /^[\p{L}\p{N}.!?)](?![\p{L}\p{N}])/u
const noQuote = 'a quoted value without its closing quote'

/**
 * Text up to a quote or a word that counts if what follows it may. A quote inside that was not
 * escaped is known by that too; such a string may not hold the end of its call as well, for it is
 * more likely that a quote was forgotten and the string swallows what comes next.
 */
function* readEnclosed(pairs: Pairs, closing: string, put: (text: string) => void): ValueReading {
  const { cursor } = pairs
  const { close, isLine } = pairs.marks
  const isWord = /^\s/.test(closing)
  const isTripled = isWord && /["']$/.test(closing)
  const stops = isWord ? [closing] : [closing, '\\', close]
  // A text may go on in the next line, but an apostrophe is not likely to have meant that.
  let hadInnerQuote = isLine && closing === "'"
  /** Where the call was over, if this is no text. */
  let endOffset: number | undefined
  /**
   * The first quote inside stood behind a word, as one that closes does, and not in one, as an
   * apostrophe does.
   */
  let hasClosed = false
  let before = ''
  /** The line break that the text begins with, if it ends with a word. */
  let [markup = ''] = /^\s*/.exec(closing) ?? []
  const putPiece = (piece: string) => {
    before = piece.slice(-1)
    put(piece.slice(markup.length))
    markup = ''
  }
  for (;;) {
    const mark = yield* readUntil(cursor, stops, putPiece)
    if (mark === '') return hadInnerQuote && !cursor.isTruncated ? malformed(noQuote) : CUT
    if (mark === '\\') {
      cursor.at--
      const found = yield* peek(cursor, text => escapeAt(text, 0, jsonEscapes) ?? 'wait')
      const isWhole = found !== undefined && !(hadInnerQuote && found.source === '\\\n')
      cursor.at += isWhole ? found.source.length : 1
      putPiece(isWhole ? found.text : '\\')
    } else if (mark === closing) {
      // Once the text has held such a quote, only a key that the tool has ends it.
      const found = yield* peekAfterValue(pairs, !isWord && !hadInnerQuote)
      // Text in three quotes may well have such a line of its own.
      const isOver =
        isTripled && isLine ? found.type === 'pair' || found.isAtEnd : found.type !== 'text'
      if (isOver) return found
      const hasReopened = hasClosed && /[\s(]/.test(before)
      hasClosed ||=
        !isWord && !hadInnerQuote && behindWord.test(before + cursor.text.charAt(cursor.at))
      hadInnerQuote = !isWord
      putPiece(closing)
      // `"a" AND "b"` is not in quotes as a whole.
      if (hasReopened) return malformed('several texts in quotes in place of one')
    } else {
      endOffset ??= cursor.windowOffset + cursor.at - mark.length
      if (!hadInnerQuote) putPiece(mark)
    }
    if (hadInnerQuote && endOffset !== undefined) {
      pairs.rewind?.(cursor.windowOffset + cursor.at - endOffset)
      return malformed(noQuote)
    }
  }
}

/**
 * A list with an item in each line. Objects are the rows of a table: a line with the keys, then a
 * line for each object. An empty cell is a key that the object does not have. A frame, as Markdown
 * tables have it, with a rule below the keys, means nothing.
 *
 *     sku|qty|note
 *     A-1|2|
 *     B-7|1|a gift, with "love"
 */
function* readLines(
  pairs: Pairs,
  closing: string,
  { put, expected, fail, error }: ArgumentWriter,
): ValueReading {
  const { maxHeldChars } = pairs
  put(Token.beginArray, '')
  const { propertyNames } = expected()
  const isTable = mustBe(expected(), JsonType.object)
  let keys: readonly string[] | undefined
  /** How many lines stand below them. */
  let count = 0
  const putLine = (line: string) => {
    if (error() || line.length >= maxHeldChars)
      return fail(`more than ${maxHeldChars} characters in a line`, line)
    if (line.trim() === '') return
    const cells = isTable
      ? [...`${line}|`.matchAll(cellAndBar)].map(([, cell = '']) => cell.trim())
      : [line.trim()]
    if (isTable && !keys) {
      const isNamed = propertyNames.length === 0 || cells.some(cell => propertyNames.includes(cell))
      if (!isNamed) return fail('a table whose first line names none of the keys', line)
      keys = cells
      return
    }
    const ruleCell = keys?.[0] === '' ? /^[:-]*$/ : /^:?-{3,}:?$/
    if (keys && ++count === 1 && cells.every(cell => ruleCell.test(cell))) return
    if (cells.some(cell => isQuote(cell.charAt(0)) && !quotedAt(cell, 0)))
      return fail('an item without its closing quote', line)
    if (cells.some((cell, i) => cell && keys && !keys[i]))
      return fail('a cell without a key in the first line', line)
    if (keys) put(Token.beginObject, '')
    for (const [i, cell] of cells.entries()) {
      if (cell === '') continue
      if (keys) put(Token.key, keys[i] ?? '')
      putCell(cell, expected(), put)
    }
    if (keys) put(Token.endObject, '')
  }
  let held = ''
  const found = yield* readEnclosed(pairs, closing, piece => {
    for (const part of piece.split(/(?<=\n)/)) {
      held += part
      if (!part.endsWith('\n') && held.length < maxHeldChars && !error()) continue
      putLine(held)
      held = ''
    }
  })
  if ('code' in found) return found
  putLine(held)
  put(Token.endArray, '')
  return found
}

/** Puts an item of a line or a cell: in quotes, or as what the schema makes of it. */
export function putCell(cell: string, shape: Shape, put: ValueSink): void {
  if (mustBe(shape, JsonType.array) && !/^[[{]/.test(cell))
    putText(Token.beginUntyped, `[${cell}]`, put)
  else if (quotedAt(cell, 0) === cell) putText(Token.beginQuoted, unescaped(cell.slice(1, -1)), put)
  else putText(Token.beginUntyped, cell, put)
}
