import { CUT, malformed } from '../events.js'
import { fail, failWith } from '../failure.js'
import { isApostropheBetween, noteInnerQuotes, opensWords } from '../json/json-repairs.js'
import { escapeAt, jsonEscapes } from '../json/string-escape.js'
import { isQuote, isSpace } from '../text/characters.js'
import { noteRepair, type Reading } from '../text/cursor.js'
import { peek, peekText, readUntil } from '../text/read-marks.js'
import { type AfterValue, type Pairs, peekAfterValue, type ValueReading } from './after-value.js'

/**
 * The beginning of a value that is not plain text:
 *
 *     title="Lunch today?"
 *     code=<<END
 *     print("hi")
 *     END
 */
export type Opening =
  /** `|"` or `|'''` */
  | { readonly type: 'quote'; readonly quote: string }
  /** `|<<END\n` or `|"""\n`. `chars` is without the line break, `closing` is `\nEND`. */
  | { readonly type: 'heredoc'; readonly chars: number; readonly closing: string }
  /** `|<<END path=` A word, but no line break after it. */
  | { readonly type: 'broken-heredoc'; readonly sign: string }
  /** A code fence, or a YAML sign: `|>-\n`. The value is in the lines below. */
  | { readonly type: 'block'; readonly name: string }
  | { readonly type: 'none' }

/**
 * `<<END`, `<<-'EOF'` or three quotes, with the line break if there is one. The groups are the
 * quote around the word, the word and the line break. `<< 3` and `<<3` are text.
 */
const heredocOpening =
  /^(?:<<-? *(["']?)(?=[\p{L}_])|(?="""|'''))([\p{L}\p{N}_]+|"""|''')(?:\1[ \t]*(\r?\n))?/u
const fenceOpening = /^```[\w+-]*[ \t]*\r?\n/
const yamlBlockOpening = /^[|>][-+]?[ \t]*\r?\n/
/** The beginning of one of these whose line has not ended: `<`, `<<EN`, `""`, `|-`. */
const openOpening = /^(?:<(?:<[^\n]*)?|""?|''?|``?|("""|'''|```)[^\n]*|[|>][-+]?[ \t]*\r?)$/

/** Looks at the beginning of a value, and takes nothing. */
export function* peekOpening(pairs: Pairs): Reading<Opening> {
  return matchOpening(yield* peekText(pairs.cursor, text => !openOpening.test(text)))
}

/** Decides how a value begins. `ahead` is its first line, as far as that is needed. */
export function matchOpening(ahead: string): Opening {
  if (fenceOpening.test(ahead)) return { type: 'block', name: 'a code fence' }
  if (yamlBlockOpening.test(ahead)) return { type: 'block', name: 'a YAML block' }
  const [sign = '', , word = '', lineBreak = ''] = heredocOpening.exec(ahead) ?? []
  if (lineBreak) {
    const chars = sign.length - lineBreak.length
    return { type: 'heredoc', chars, closing: lineBreak + word }
  }
  if (sign.startsWith('<')) return { type: 'broken-heredoc', sign }
  const first = ahead.charAt(0)
  return isQuote(first) ? { type: 'quote', quote: word || first } : { type: 'none' }
}

/**
 * `query=|"climate change" 2024` Tells whether the quotes are only around a part of the text, so
 * that they belong to it (decision 54).
 */
export function* hasMoreThanQuotes(pairs: Pairs): Reading<boolean> {
  const ahead = yield* peekText(pairs.cursor, text => !openQuotedWords.test(text))
  const words = matchQuotedWords(ahead)
  if (words === '') return false
  const found = yield* peekAfterValue(pairs, true, words.length)
  return found.type === 'text'
}

/** Words in quotes and text after them, up to where that may end: `"climate change" 2024 `. */
const quotedWords = /^((["'])(?:(?!\2)[^\\\r\n]){1,64}\2)[ \t]+[-+(]?[\p{L}\p{N}_][^\r\n<"'=]*/u
/** The beginning of that: `"climate cha`, `"climate change" 20`. */
const openQuotedWords =
  /^(["'])(?:(?!\1)[^\\\r\n]){0,64}(?:\1(?:[ \t]+[-+(]?(?:[\p{L}\p{N}_][^\r\n<"'=]*)?)?)?$/u

/** Returns the words in quotes that a text begins with; '' if the quotes are around all of it. */
export function matchQuotedWords(ahead: string): string {
  const [whole = '', words = ''] = quotedWords.exec(ahead) ?? []
  // `"15" screen|" limit=5`: a quote after a word closes, so the text has quotes as a whole.
  const isClosedLater = isQuote(ahead.charAt(whole.length)) && /[^\s(]$/.test(whole)
  return isClosedLater ? '' : words
}

/**
 * `content=<<END|` Reads lines of text up to one that begins with the closing word, if what is
 * after that word can follow a value: `END of story` is text. The line break before the lines and
 * the one before the word are markup; in an empty heredoc they are the same one.
 */
export function* readHeredoc(
  pairs: Pairs,
  closing: string,
  put: (text: string) => void,
): ValueReading {
  const closingMarks = [closing]
  // Code has lines of three quotes of its own (decision 55).
  const isStrict = pairs.marks.isLine && /["']$/.test(closing)
  let markupChars = closing.search(/\S/)
  const putPiece = (piece: string) => {
    put(piece.slice(markupChars))
    markupChars = 0
  }
  for (;;) {
    const mark = yield* readUntil(pairs.cursor, closingMarks, putPiece)
    if (mark === '') failWith(CUT)
    const found = yield* peekAfterValue(pairs, false)
    if (endsHeredoc(found, isStrict)) return found
    // `END| zone=CET`: the tool has no such key, but a line of the text hardly looks like that.
    const isNearKey = found.type === 'text' && found.wordBeforeSign !== undefined
    if (isNearKey) noteRepair(pairs.cursor, 'key-in-value')
    putPiece(closing)
  }
}

/** Decides whether a closing word ends the heredoc. `isStrict`: the end of a line proves nothing. */
export function endsHeredoc(found: AfterValue, isStrict: boolean): boolean {
  if (isStrict) return found.type === 'pair' || found.isAtTextEnd === true
  return found.type !== 'text'
}

/** A text in quotes that is being read, and what it has contained so far. */
export interface QuotedText {
  /** `"`, `'` or three of them. */
  readonly quote: string
  readonly put: (text: string) => void
  /** Its last character. */
  lastChar: string
  /**
   * It had a quote that was not escaped: `"say "hi" to`. So only a key that the tool has ends it,
   * and it may not contain the end of its call. In a line that is so from the beginning for a text
   * in single quotes, which may be an apostrophe: `body='t Hooft`.
   */
  isStrict: boolean
  /** `"a"| AND`: the first quote inside was after a word. That of `'It's` was inside one. */
  hadWordEndQuote: boolean
  /** How many quotes inside were not escaped. Apostrophes do not count: `'it|'s'`. */
  innerQuotes: number
  /** `"say |"hi" to"`: the first of them opens words in quotes. */
  firstInnerOpens: boolean
  hadApostrophe: boolean
  /** `'say "hi"'`: it contains a double quote, so that single quotes are right. */
  hasDoubleQuote: boolean
  /** `"see |</call> here"`: where it contains the end of its call, if it does. */
  callEndOffset: number | undefined
}

/**
 * `title="|Lunch"` Reads text up to the quote that ends it. A quote inside that was not escaped is
 * found by what follows it. A text with such a quote may not contain the end of its call: it is
 * more likely that a quote was forgotten and the text swallows the next call (decision 21).
 */
export function* readQuoted(
  pairs: Pairs,
  quote: string,
  put: (text: string) => void,
): ValueReading {
  const { cursor, marks } = pairs
  const text = createQuotedText(quote, put, marks.isLine)
  const putPiece = (piece: string) => putQuoted(text, piece)
  const stops = [quote, '\\', marks.close]
  for (;;) {
    const mark = yield* readUntil(cursor, stops, putPiece)
    if (mark === '') failWithoutQuote(pairs, text)
    if (mark === '\\') yield* readEscape(pairs, text)
    if (mark === marks.close) putCallEnd(text, mark, offsetOf(pairs) - mark.length)
    if (mark === quote) {
      const found = yield* peekAfterValue(pairs, !text.isStrict)
      if (found.type !== 'text') {
        noteQuotedEnd(pairs, text, found)
        return found
      }
      readInnerQuote(pairs, text)
    }
    checkCallEnd(pairs, text)
  }
}

/** `title="Lunch"|` Records which quotes were written, and whether all of them are clear. */
function noteQuotedEnd(pairs: Pairs, text: QuotedText, found: AfterValue): void {
  const { cursor } = pairs
  const { quote, lastChar, hasDoubleQuote } = text
  if (quote.length > 1) noteRepair(cursor, 'other-notation')
  else if (quote === "'" && !hasDoubleQuote) noteRepair(cursor, 'single-quotes')
  noteInnerQuotes(pairs, text)
  // `title="Lunch "|days=3`: the space and the quote were swapped.
  const isTight = found.type === 'pair' && found.separator === ''
  if (isTight && isSpace(lastChar)) noteRepair(cursor, 'shifted-space')
}

const offsetOf = ({ cursor }: Pairs) => cursor.windowOffset + cursor.at

/** `"say "hi" to|` The text has ended. After an unescaped quote one more is missing. */
function failWithoutQuote({ cursor }: Pairs, { isStrict, quote }: QuotedText): never {
  failWith(isStrict && !cursor.isTruncated ? missingQuote(quote) : CUT)
}

/** `"a "b" c</call>|` A text with an unescaped quote may not contain the end of its call. */
function checkCallEnd(pairs: Pairs, { isStrict, quote, callEndOffset }: QuotedText): void {
  if (!isStrict || callEndOffset === undefined) return
  pairs.rewind?.(offsetOf(pairs) - callEndOffset)
  failWith(missingQuote(quote))
}

const missingQuote = (quote: string) => malformed(`expected a closing \`${quote}\``)

export function createQuotedText(
  quote: string,
  put: (text: string) => void,
  isLine: boolean,
): QuotedText {
  return {
    quote,
    put,
    lastChar: '',
    isStrict: isLine && quote === "'",
    hadWordEndQuote: false,
    innerQuotes: 0,
    firstInnerOpens: false,
    hadApostrophe: false,
    hasDoubleQuote: false,
    callEndOffset: undefined,
  }
}

function putQuoted(text: QuotedText, piece: string): void {
  text.lastChar = piece.slice(-1)
  if (text.quote === "'") text.hasDoubleQuote ||= piece.includes('"')
  text.put(piece)
}

/** The longest escape, without its backslash, is `u0041`. */
const MAX_ESCAPE_CHARS = 5

/** The escape whose backslash is right before the text. */
const matchEscape = (after: string) => escapeAt(`\\${after}`, 0, jsonEscapes) ?? 'wait'

/** `"a\|n"` Puts what an escape means, or the backslash if it is not one. */
function* readEscape({ cursor }: Pairs, text: QuotedText): Reading {
  const found = yield* peek(cursor, matchEscape, 0, MAX_ESCAPE_CHARS)
  // `to='a\|\n`: the line break may be the end of the call.
  const isLineEnd = text.isStrict && found?.source === '\\\n'
  if (!found || isLineEnd) {
    putQuoted(text, '\\')
    return
  }
  cursor.at += found.source.length - 1
  putQuoted(text, found.text)
}

/** `"say "|hi" to` `"a" AND "|b"` Puts a quote that does not end the text. */
function readInnerQuote({ cursor }: Pairs, text: QuotedText): void {
  const isSeveral = reopensQuotes(text)
  putInnerQuote(text, cursor.text.charAt(cursor.at))
  if (isSeveral) fail('expected one text in quotes, found several')
}

/** `"a" AND |"b"` A quote opens after another one has closed: the quotes are around words. */
export function reopensQuotes({ hadWordEndQuote, lastChar }: QuotedText): boolean {
  return hadWordEndQuote && /[\s(]/.test(lastChar)
}

/** Letters, digits, and signs that end a sentence, but not the `t's` of `It's`. */
const wordEnd = /^[\p{L}\p{N}.!?)](?![\p{L}\p{N}])/u

/** `"say "|hi" to` Puts a quote that was not escaped. `nextChar` is after it. */
export function putInnerQuote(text: QuotedText, nextChar: string): void {
  const isFirst = !text.isStrict
  if (isFirst && wordEnd.test(text.lastChar + nextChar)) text.hadWordEndQuote = true
  text.isStrict = true
  if (text.quote === "'" && isApostropheBetween(text.lastChar, nextChar)) {
    text.hadApostrophe = true
  } else {
    if (text.innerQuotes === 0) text.firstInnerOpens = opensWords(text.lastChar)
    text.innerQuotes++
  }
  putQuoted(text, text.quote)
}

/** `"see |</call> here"` Puts the end mark of the call, which is text if no quote was forgotten. */
function putCallEnd(text: QuotedText, mark: string, offset: number): void {
  text.callEndOffset ??= offset
  if (!text.isStrict) putQuoted(text, mark)
}
