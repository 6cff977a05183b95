import { noteRepair, type Reading } from '../text/cursor.js'
import { readMark, readUpTo } from '../text/read-marks.js'
import { ANY_TYPE, JsonType, type Shape } from '../values/shape.js'
import { putText, Token, type ValueSink } from '../values/tokens.js'
import { columnOf, isEntry, isIgnorableLine, unquote, withoutComment } from './lines.js'
import { noteContinuation, notePlain, noteQuotedWords } from './yaml-repairs.js'
import {
  fail,
  isAtEnd,
  isAtLineBreak,
  isEndOutOfSight,
  type Level,
  peekLine,
  type YamlState,
} from './yaml-state.js'

// Values in one line or in lines that are joined: `Paris`, `"Paris"`, `"climate change" 2024`.

/** `say \|"`: an odd number of backslashes escapes the quote after them. */
const endsWithBackslash = (text: string) => /(?<!\\)(?:\\\\)*\\$/.test(text)

/**
 * Reads a text in quotes, from the first quote to the last. It cannot contain the close tag at the
 * beginning of a line.
 */
export function* readQuoted(yaml: YamlState): Reading {
  const { cursor, output, closeTag } = yaml
  const { put } = yaml.writer
  const quote = yaml.text.charAt(0)
  const stops = [quote, `\n${closeTag}`, closeTag]
  let spansLines = false
  put(Token.beginQuoted, '')
  cursor.at++
  for (;;) {
    const piece = yield* readUpTo(cursor, stops, output.maxHeldChars)
    spansLines ||= piece.includes('\n')
    // `"say </get_weather>|"`
    if (!endsAtLineStart(piece) && (yield* readMark(cursor, [closeTag])) !== '') {
      put(Token.text, unquote(piece + closeTag, quote))
      continue
    }
    const end = yield* readMark(cursor, [quote])
    // `"Paris\n  |</get_weather>`
    if (end === '') {
      put(Token.text, unquote(piece, quote))
      fail(yaml, `expected ${quote} at the end of the value of \`${yaml.key}\``)
    }
    // `"say \"|hi\""` or `'it'|'s'`
    const isEscaped =
      quote === '"' ? endsWithBackslash(piece) : (yield* readMark(cursor, [quote])) !== ''
    put(Token.text, unquote(isEscaped ? piece + quote : piece, quote))
    if (!isEscaped) break
  }
  // YAML would put a space in place of the line break.
  if (spansLines) noteRepair(cursor, 'raw-line-break')
  put(Token.endText, '')
}

/** `Paris\n  `: nothing but whitespace is in the last line. */
function endsAtLineStart(text: string): boolean {
  const lineBreak = text.lastIndexOf('\n')
  return lineBreak >= 0 && text.slice(lineBreak).trim() === ''
}

/** Reads text without quotes, `Paris`. The schema decides its type. */
export function* readPlain(yaml: YamlState, entry: Level, shape: Shape): Reading {
  const text = yield* readPlainText(yaml, entry, shape)
  if (mayGoOn(yaml)) return
  notePlain(yaml, text)
  yaml.lastText = text
  putPlain(text, shape, yaml.writer.put)
}

/** Reads a text that begins with words in quotes: `"climate change" 2024` (decision 54). */
export function* readQuotedWords(yaml: YamlState, entry: Level, shape: Shape): Reading {
  const text = yield* readPlainText(yaml, entry, shape)
  if (mayGoOn(yaml)) return
  noteQuotedWords(yaml, text)
  putText(Token.beginQuoted, withoutOuterQuotes(text), yaml.writer.put)
}

/** `city: Par|`: the text was cut, so more of the value may be missing, and it is not put. */
const mayGoOn = (yaml: YamlState) => yaml.cursor.isTruncated && isAtEnd(yaml)

/**
 * Reads text without quotes, up to the close tag or a line that does not continue it. Lines are
 * joined by a space, or by as many line breaks as there are blank lines between them.
 */
function* readPlainText(yaml: YamlState, entry: Level, shape: Shape): Reading<string> {
  const { cursor, closeTag, output } = yaml
  const stops = ['\n', closeTag]
  let text = ''
  /** A line break for each blank line since the last words. */
  let breaks = ''
  for (;;) {
    const written = yield* readUpTo(cursor, stops, output.maxHeldChars)
    const line = withoutComment(written.trim(), shape)
    if (line !== '' && text !== '') text += breaks || ' '
    text += line
    breaks = line === '' ? `${breaks}\n` : ''
    const isTooLong = text.length > output.maxHeldChars
    if (!isAtLineBreak(yaml) || text === '' || isTooLong) return text
    if (endsLikeCode(line)) return text
    const next = yield* peekLine(yaml, 1)
    if (!continuesText(next, closeTag, entry.column)) return text
    noteContinuation(yaml, entry, next)
    cursor.at++
  }
}

/** `if (a) {`: lines of code must not be joined (decision 53). */
export const endsLikeCode = (line: string) => /[:;{}]$/.test(line)

/** Decides whether a line continues a text without quotes. */
export function continuesText(line: string, closeTag: string, entryColumn: number): boolean {
  const text = line.trim()
  // `note: a\n|\n  b`; but not so much whitespace that the end of the line is not seen.
  if (text === '') return !isEndOutOfSight(line)
  // `note: a\n|  # comment` or `note: a\n|  city: Paris`
  if (isIgnorableLine(text) || isEntry(line, closeTag)) return false
  // `note: a\n|  b`
  return columnOf(line) > entryColumn
}

/** `"He said "hi" to me"`, where text follows the second quote at once; not `"oil" and "gas"`. */
const quotesInQuotes = /^(["'])((?:(?!\1).)*\1\S.*)\1$/

/** Removes the quotes around a text that contains quotes itself; others are part of the text. */
export const withoutOuterQuotes = (text: string) => text.replace(quotesInQuotes, '$2')

/**
 * Puts text without quotes. `~`, `yes` and `off` count only where the schema asks for them
 * (decision 64).
 */
export function putPlain(text: string, shape: Shape, put: ValueSink): void {
  const isNullAsked = (shape.types & JsonType.null) !== 0 && shape.types !== ANY_TYPE
  if (text === '~' && isNullAsked) put(Token.literal, 'null')
  else putText(Token.beginUntyped, isYamlBoolean(text, shape) ? asBoolean(text) : text, put)
}

function isYamlBoolean(text: string, { types }: Shape): boolean {
  const mayBeText = (types & JsonType.string) !== 0
  const mayBeBoolean = (types & JsonType.boolean) !== 0
  return mayBeBoolean && !mayBeText && /^(?:yes|no|on|off)$/i.test(text)
}

const asBoolean = (word: string) => String(/^(?:yes|on)$/i.test(word))

/** Puts null for a value that is missing, or an empty text if the schema does not allow null. */
export function putEmptyValue(shape: Shape, put: ValueSink): void {
  if (shape.types & JsonType.null) put(Token.literal, 'null')
  else putText(Token.beginUntyped, '', put)
}
