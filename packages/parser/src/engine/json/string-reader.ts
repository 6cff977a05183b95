import { isQuote } from '../text/characters.js'
import { type Cursor, noteRepair } from '../text/cursor.js'
import { createCharFinder } from '../text/find-char.js'
import { MAX_LOOKAHEAD_CHARS, matchMarks, tryPeek } from '../text/read-marks.js'
import { type Verdict, verdictOf } from '../text/verdict.js'
import { Token } from '../values/tokens.js'
import { withoutEscapedSpace } from './escaped-space.js'
import { fail, isAtMark, type JsonReader, put, type Step, textAhead } from './json-reader.js'
import {
  isApostropheBetween,
  noteInnerQuotes,
  noteSingleQuotes,
  noteSpace,
  opensWords,
} from './json-repairs.js'
import { type EscapeRules, escapeAt, rawEscapes } from './string-escape.js'

const findStopInDouble = createCharFinder(['"', '\\'])
const findStopInSingle = createCharFinder(["'", '\\'])

/**
 * `|"abc"` `|'''abc'''` `|<|"|>abc<|"|>` `|r'abc'` Begins a string. Before its opening quote is
 * `prefix`.
 */
export function beginString(reader: JsonReader, prefix: string): Step {
  const { cursor, dialect, string } = reader
  const start = cursor.at + prefix.length
  const char = cursor.text.charAt(start)
  const tripled = char.repeat(3)
  const isTripled = dialect.hasTripleQuotes ? lookForMark(cursor, tripled, prefix.length) : 'no'
  // `""|`: an empty string, or the beginning of three quotes?
  if (isTripled === 'wait') return 'wait'
  const singleQuote = isQuote(char) ? char : dialect.quoteMark
  string.quote = isTripled === 'yes' ? tripled : singleQuote
  string.escapes = escapesOf(reader, prefix)
  string.findStop = findStopOf(reader, char)
  string.hadUnescapedQuote = false
  string.source = ''
  string.head = ''
  string.tail = ''
  string.innerQuotes = 0
  string.hadApostrophe = false
  string.hadLineBreak = false
  if (char === "'") noteSingleQuotes(cursor, dialect)
  cursor.at = start + string.quote.length
  put(reader, Token.beginQuoted, '')
  return 'string'
}

/** Tells whether a mark is so many characters after the cursor; undefined if the text ends in it. */
const lookForMark = (cursor: Cursor, mark: string, from = 0) =>
  tryPeek(cursor, ahead => matchMarks(ahead, [mark]), from)

/** `r'\d'`: a raw string keeps its backslashes. */
const escapesOf = ({ dialect }: JsonReader, prefix: string): EscapeRules =>
  /r/i.test(prefix) ? rawEscapes : dialect.escapes

/** Finds the quote, or a backslash. Between quote marks a backslash is text. */
function findStopOf({ string, dialect }: JsonReader, char: string) {
  if (string.quote === dialect.quoteMark) return createCharFinder([char])
  return char === '"' ? findStopInDouble : findStopInSingle
}

/** `"ab|c"` */
export function readString(reader: JsonReader): Step {
  const { cursor, string } = reader
  const { text, at } = cursor
  if (at === text.length) return 'wait'
  const stop = string.findStop(text, at)
  if (stop < 0) return takeText(reader, text.length - at)
  if (stop > at) return takeText(reader, stop - at)
  return text.charAt(at) === '\\' ? readEscape(reader) : readStop(reader)
}

/** `"ab|\nc"` */
function readEscape(reader: JsonReader): Step {
  const { cursor, string } = reader
  const found = escapeAt(cursor.text, cursor.at, string.escapes)
  return found ? takeText(reader, found.source.length, found.text) : 'wait'
}

/** `"ab|"` The first character of the closing quote, or of an end mark. */
function readStop(reader: JsonReader): Step {
  const { cursor, string, endMarks } = reader
  const { quote, hadUnescapedQuote } = string
  const isMark = isAtMark(cursor, hadUnescapedQuote ? [quote, ...endMarks] : [quote])
  if (isMark === 'wait') return 'wait'
  // `"""say "hi|" to`
  if (isMark === 'no') return takeText(reader, 1)
  // `"say "hi|</tool_call>` (decision 21)
  if (!cursor.text.startsWith(quote, cursor.at)) return failUnclosed(reader)
  return quote.length === 1 ? readQuote(reader) : readLongQuote(reader)
}

/** `'''ab|'''` `<|"|>ab|<|"|>` */
function readLongQuote(reader: JsonReader): Step {
  const { cursor, string, dialect } = reader
  const { quote } = string
  // A quote mark always ends the string (decision 28).
  if (quote === dialect.quoteMark) return closeString(reader)
  // `'''ab|''''`: of four quotes the last three close the string.
  const isLonger = lookForMark(cursor, quote + quote.charAt(0))
  if (isLonger === 'wait') return 'wait'
  return isLonger === 'yes' ? takeText(reader, 1) : closeString(reader)
}

/** `'ab|', …` Ends the string, or keeps a quote inside it. */
function readQuote(reader: JsonReader): Step {
  const { cursor, string, dialect } = reader
  const { quote, hadUnescapedQuote } = string
  const look = (after: string) => {
    const plain = reader.hadEscapedSpace ? withoutEscapedSpace(after) : after
    return reader.isStringEnd(plain, hadUnescapedQuote)
  }
  const isEnd = tryPeek(cursor, look, quote.length) ?? endsUnproven(reader)
  if (isEnd === 'wait') return 'wait'
  if (isEnd === 'yes') return closeString(reader)
  // `'it|''s'`
  if (dialect.doublesQuotes && isAtMark(cursor, [quote + quote]) === 'yes') {
    return takeText(reader, 2, quote)
  }
  return keepQuote(reader)
}

/** Decides about a quote if the text after it does not show whether it ends the string. */
function endsUnproven({ cursor, string }: JsonReader): Verdict {
  // `{"city": "Paris|"`
  if (!string.hadUnescapedQuote) return 'yes'
  // After an unescaped quote a look that was too short proves nothing, nor does a truncated text.
  const after = textAhead(cursor, string.quote.length)
  const isTooFar = after.length === MAX_LOOKAHEAD_CHARS
  if (isTooFar || cursor.isTruncated) return 'no'
  // `"say "hi|""}`: no key can start here, so the next quote ends the string and this one is text.
  return verdictOf(!/^[ \n\t\r]*["']/.test(after))
}

/** `"say |"hi" to` Keeps a quote that was not escaped as text (decision 9). */
function keepQuote(reader: JsonReader): Step {
  const { string, endMarks, syntax } = reader
  countInnerQuote(reader)
  if (string.hadUnescapedQuote) return takeText(reader, 1)
  // `"ab}</tool_call> <tool_call>{|"name": …`: the closing quote is missing, and the string has
  // swallowed the end of the call (decision 21).
  const swallowed = firstMarkIn(string.source, endMarks)
  if (swallowed >= 0) {
    syntax.rewind?.(string.source.length - swallowed)
    return failUnclosed(reader)
  }
  string.hadUnescapedQuote = true
  const markStarts = endMarks.map(mark => mark.charAt(0))
  string.findStop = createCharFinder([string.quote, '\\', ...markStarts])
  return takeText(reader, 1)
}

/** `say |"hi"` Counts a quote inside the string, unless it is an apostrophe: `it|'s`. */
function countInnerQuote({ cursor, string }: JsonReader): void {
  const isApostrophe =
    string.quote === "'" && isApostropheBetween(string.tail, cursor.text.charAt(cursor.at + 1))
  if (isApostrophe) {
    string.hadApostrophe = true
    return
  }
  if (string.innerQuotes === 0) string.firstInnerOpens = opensWords(string.tail)
  string.innerQuotes++
}

/** Where the first of the marks is in a text; -1 without one. */
function firstMarkIn(text: string, marks: readonly string[]): number {
  const found = marks.map(mark => text.indexOf(mark)).filter(at => at >= 0)
  return found.length > 0 ? Math.min(...found) : -1
}

/** Takes some characters of the string; `meaning` is what they stand for, if they are an escape. */
function takeText(reader: JsonReader, chars: number, meaning?: string): Step {
  const { cursor, string } = reader
  const taken = cursor.text.slice(cursor.at, cursor.at + chars)
  if (!string.hadUnescapedQuote) string.source += taken
  if (string.head.length < HEAD_CHARS) string.head = (string.head + taken).slice(0, HEAD_CHARS)
  string.tail = (string.tail + taken).slice(-TAIL_CHARS)
  noteLineBreak(reader, taken)
  cursor.at += chars
  put(reader, Token.text, meaning ?? taken)
  return 'string'
}

/** How much of the beginning and of the end of a string is remembered. */
const HEAD_CHARS = 2
const TAIL_CHARS = 8

/** `"a⏎b"` A line break in a string of JSON is written as an escape. */
function noteLineBreak({ cursor, string, dialect }: JsonReader, taken: string): void {
  if (string.hadLineBreak || string.quote !== '"' || dialect.isPython || dialect.hasBareWords)
    return
  const at = taken.indexOf('\n')
  if (at < 0) return
  string.hadLineBreak = true
  noteRepair(cursor, 'raw-line-break', -at)
}

/** `"abc|"` */
function closeString(reader: JsonReader): Step {
  const { string } = reader
  noteInnerQuotes(reader, string)
  noteSpace(reader, string.head)
  reader.isAfterString = true
  reader.cursor.at += string.quote.length
  put(reader, Token.endText, '')
  return 'after-value'
}

const failUnclosed = (reader: JsonReader) =>
  fail(reader, `expected ${reader.string.quote} at the end of a string, found the end of the call`)
