import { isLiteral } from '../text/characters.js'
import { type Cursor, noteAtKey, noteRepair, type Reading } from '../text/cursor.js'
import { peek } from '../text/read-marks.js'
import { type Verdict, verdictOf } from '../text/verdict.js'
import type { Dialect } from './dialect.js'
import { innermost, type JsonReader, type OpenString } from './json-reader.js'

// What is recorded while JSON is read (decision 75). Each function is called where the text is taken.

/** A number, a boolean or null, as JSON writes it. */
const jsonLiteral = /^(?:-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null)$/
/** A word that begins or ends with a sign, or contains a quote: `>"Paris"`, `May"`, `1;`. */
const oddWord = /["']|^[^\p{L}\p{N}_$#@~./+-]|[;:=<>{[(|]$/u

/** `{"a": |True` A value without quotes. */
export function noteWord({ cursor, dialect }: JsonReader, word: string): void {
  if (dialect.hasBareWords) return
  const isOwn = jsonLiteral.test(word) || (dialect.isPython && isLiteral(word))
  if (isOwn) return
  if (isLiteral(word)) noteRepair(cursor, 'python-word')
  else noteRepair(cursor, oddWord.test(word) ? 'odd-word' : 'bare-word')
}

/** `{|'a': 1` `{|a: 1` A key that is not in double quotes. */
export function noteKey({ cursor, dialect }: JsonReader, source: string): void {
  if (source.startsWith("'")) noteSingleQuotes(cursor, dialect)
  if (source.includes('\\_')) noteRepair(cursor, 'markdown-escape')
  const isBare = !/^["']/.test(source) && !source.startsWith(dialect.quoteMark || '"')
  if (isBare && !dialect.hasBareKeys) noteRepair(cursor, 'bare-key')
}

/** `{"a": |'b'` */
export function noteSingleQuotes(cursor: Cursor, dialect: Dialect): void {
  if (!dialect.hasSingleQuotes) noteRepair(cursor, 'single-quotes')
}

/** `{|\n  "city":` It is recorded once. */
export function noteEscapedSpace(reader: JsonReader, chars: number): void {
  if (!reader.hadEscapedSpace) noteRepair(reader.cursor, 'escaped-space', chars)
  reader.hadEscapedSpace = true
}

/**
 * `[1,, 2]` `{"a": 1,}` Records the commas since the last value or bracket that are too many.
 * `allowed` is 1 before another key or value, and 0 before a closing bracket.
 */
export function noteCommas(reader: JsonReader, allowed: number): void {
  const { commas, isAfterOpen } = reader
  reader.commas = 0
  if (commas > (isAfterOpen ? 0 : allowed) && !reader.dialect.isPython) {
    noteRepair(reader.cursor, 'extra-comma')
  }
}

/** `{"a": 1 |"b": 2}` `[{…} |{…}]` A comma is missing. */
export function noteMissingComma(reader: JsonReader, next: string): void {
  const { cursor, string, isAfterString } = reader
  // `"notes.md,|" "content":`: the comma is in the string before.
  const isInString = isAfterString && /,\s*$/.test(string.tail)
  // `{"a": 1 |"b": 2}` `[{…} |{…}]`, but `["a" |"b"]` may be one text with quotes in it.
  const isClear = innermost(reader)?.keySign || next === '{' || next === '['
  if (isInString) noteRepair(cursor, 'doubtful-quote')
  else noteRepair(cursor, isClear ? 'missing-comma' : 'missing-item-comma')
}

/** What is known of the quotes in a string that were not escaped. */
type InnerQuotes = Pick<OpenString, 'innerQuotes' | 'firstInnerOpens' | 'hadApostrophe'>

/**
 * `"say "hi" to"|` A string with quotes that were not escaped is clear if they come in pairs, and if
 * the first of them opens.
 */
export function noteInnerQuotes({ cursor }: Pick<JsonReader, 'cursor'>, string: InnerQuotes): void {
  const { innerQuotes, firstInnerOpens, hadApostrophe } = string
  if (innerQuotes === 0 && !hadApostrophe) return
  const isClear = innerQuotes === 0 || (innerQuotes % 2 === 0 && firstInnerOpens)
  noteRepair(cursor, isClear ? 'unescaped-quote' : 'doubtful-quote')
}

/** True for the quote of `it's`: letters are on both sides. */
export const isApostropheBetween = (before: string, after: string) =>
  /[\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}]/u.test(after)

/** True if a quote after this text opens words in quotes: `say |"hi"`, but not `Paris|"`. */
export const opensWords = (before: string) => before === '' || /[\s([{>:=-]$/.test(before)

/**
 * Notes how the space before a value was written: `"days": 3`, `"days":3`, or inside the quotes:
 * `"city":" Paris"`. `head` is the beginning of a text, '' for a word.
 */
export function noteSpace(reader: JsonReader, head: string): void {
  const { isAfterOpen, shiftedKey } = reader
  const keySign = innermost(reader)?.keySign
  // `city='Paris'` `[|"a"`: no space is usual before these.
  if (keySign === '=' || (keySign === '' && isAfterOpen)) return
  if (reader.hasSpaceBefore) reader.hadSpacedValue = true
  else if (/^ \S/.test(head) && shiftedKey === undefined) reader.shiftedKey = reader.lastKey
  else reader.hadTightValue = true
  reader.hasSpaceBefore = false
}

/**
 * `{"days": 3, "city":" Paris"}|` Where all other values have a space before them, and one begins
 * with a space instead, the two were swapped.
 */
export function noteShiftedSpace({ cursor, ...reader }: JsonReader): void {
  const { shiftedKey, hadSpacedValue, hadTightValue } = reader
  if (shiftedKey === undefined || !hadSpacedValue || hadTightValue) return
  noteAtKey(cursor, 'shifted-space', shiftedKey)
}

/** `{"a": "b}"|` The closing brackets are missing, or are inside the last string. */
export function noteCut(reader: JsonReader): void {
  const { cursor, string, isAfterString } = reader
  const closer = innermost(reader)?.closer ?? ''
  const isInString = isAfterString && string.tail.trimEnd().endsWith(closer)
  noteRepair(cursor, isInString ? 'doubtful-quote' : 'missing-bracket')
}

/** `}|, "days": 3`: a key after the end of the arguments, and its sign. */
const keyAfterEnd = /^[\s,}\]]{0,16}(["']?)([\p{L}_$][\p{L}\p{N}_$.-]{0,63})\1\s*[:=]/u
/** The beginning of that. */
const keyAfterEndBegun =
  /^[\s,}\]]{0,16}(?:["']?(?:[\p{L}_$][\p{L}\p{N}_$.-]{0,63}["']?\s{0,8})?)?$/u

/** Tells whether an argument that the call lacks follows the end of its arguments. */
export function isArgumentAfterEnd(after: string, lacks: (key: string) => boolean): Verdict {
  const [, , key] = keyAfterEnd.exec(after) ?? []
  if (key !== undefined) return verdictOf(lacks(key))
  return keyAfterEndBegun.test(after) ? 'wait' : 'no'
}

/** How far a key is looked for after the end of the arguments. */
const MAX_AFTER_END_CHARS = 96

/** `{"city": "Paris"}|, "days": 3}` Records an argument after the end of the arguments. */
export function* noteArgumentAfterEnd(
  cursor: Cursor,
  { lacks }: { readonly lacks: (key: string) => boolean },
): Reading {
  const look = (after: string) => isArgumentAfterEnd(after, lacks)
  if ((yield* peek(cursor, look, 0, MAX_AFTER_END_CHARS)) === 'yes') {
    noteRepair(cursor, 'key-after-arguments')
  }
}
