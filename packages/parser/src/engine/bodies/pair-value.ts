import type { ArgumentWriter } from '../argument-writer.js'
import type { CallPort } from '../body.js'
import { isQuote, quotedAt } from '../characters.js'
import type { Cursor, Reading } from '../cursor.js'
import { CUT, malformed, type Problem } from '../events.js'
import { createMarkSearch, lookAhead, peek, readMark, readUntil, readUpTo, skip } from '../marks.js'
import { readJson } from '../read-json.js'
import { Kind, type Shape } from '../shape.js'
import { escapeAt, jsonEscapes, unescaped } from '../string-escape.js'
import { putText, Token, type ValueSink } from '../value-token.js'
import type { Follow, PairLook, PairMarks } from './pair-look.js'

/** Why a value could not be read. */
export interface PairProblem extends Problem {
  /** How much was read behind the end of the call. */
  readonly unreadChars?: number
}

/** Gives what follows the value. */
type ValueReading = Reading<Follow | PairProblem>
type PutText = (text: string) => void

const MAX_OPENING_CHARS = 256
/** A word follows the signs, so that nothing else can be meant; but without a line break it is not whole. */
const heredocOpening = /^<<-? *(["']?)([\p{L}_][\p{L}\p{N}_]*)(?:\1[ \t]*(\r?\n))?/u
const mayOpenHeredoc = /^<(?:<[^\n]*)?$/
/** What may end a text, or may be the beginning of a tag that does. */
const textStops = createMarkSearch([...' \t\r\n,)<'])
/** A cell of a row, which may hold bars in quotes. */
const cellAndBar = /\s*("(?:[^"\\]|\\.)*"\s*(?=\|)|'(?:[^'\\]|\\.)*'\s*(?=\|)|[^|]*)\|/g
/** The value may be of such a kind, and is no text then. */
const wants = ({ kinds }: Shape, wanted: number) => (kinds & wanted) !== 0 && !(kinds & Kind.string)
const STRUCTURE = Kind.object | Kind.array

/** Reads the values of a call. What one is, its first character and the schema tell; where it is over, what follows. */
export function createPairReader(cursor: Cursor, port: CallPort, { close, isLine }: PairMarks, look: PairLook) {
  const { maxHeldChars, putRaw } = port

  /** `city=|New York` */
  function* readValue(writer: ArgumentWriter): ValueReading {
    const { put } = writer
    const shape = writer.expected()
    if ((yield* look('text')).type === 'text') yield* skip(cursor)
    const first = cursor.text.charAt(cursor.at)
    const line = isLine ? yield* lookAhead(cursor, MAX_OPENING_CHARS, text => !mayOpenHeredoc.test(text)) : ''
    const [opening = '', , word = '', lineBreak = ''] = heredocOpening.exec(line) ?? []
    if (word && !lineBreak) return cursor.isOver ? CUT : malformed('<< and a word must be followed by lines of text')
    const isStructure = wants(shape, STRUCTURE)
    // Where a string is allowed too, the text is kept until it is whole, and the writer decides.
    if (/[[{]/.test(first) && isStructure) return yield* readObject(writer)

    // The line break behind the opening may be the one before the closing word too; it is markup in any case.
    cursor.at += opening.length - lineBreak.length
    const begin = word ? yield* lookAhead(cursor, MAX_OPENING_CHARS, text => /\S/.test(text)) : ''
    const isList = wants(shape, Kind.array)
    if (word && isList && !/^\s*[[{]/.test(begin)) return yield* readLines(lineBreak, word, writer)
    // A list without brackets is JSON but for them.
    const isBareList = isList && !word
    const quote = isQuote(first) && !isBareList ? first : ''
    const closing = quote || lineBreak + word
    cursor.at += quote.length
    let markupChars = lineBreak.length
    const putPiece = (piece: string) => {
      const text = piece.slice(markupChars)
      markupChars = 0
      if (text) put(Token.text, text)
    }
    put(quote || (word && !isStructure) ? Token.beginQuoted : Token.beginRaw, '')
    if (isBareList) put(Token.text, '[')
    const found = yield* closing ? readEnclosed(closing, putPiece) : readRaw(shape, putPiece)
    if ('code' in found) return found
    if (isBareList) put(Token.text, ']')
    put(Token.endText, '')
    return found
  }

  /** `profile=|{"name": "Ann"}` */
  function* readObject({ put, mayHaveKey }: ArgumentWriter): ValueReading {
    const problem = yield* readJson(cursor, put, { ends: [close], mayHaveKey })
    return problem ?? (yield* look('value'))
  }

  /** Text as it is, up to the next key or the end of the call. */
  function* readRaw({ kinds }: Shape, put: PutText): ValueReading {
    // A number or a constant is over where any pair follows.
    const behind = kinds & (Kind.string | STRUCTURE) ? 'text' : 'value'
    // Between tags a line break is a doubt, as long as no close tag says that all of it was meant.
    let hasLines = false
    for (;;) {
      const stop = yield* readUntil(cursor, textStops, put)
      cursor.at -= stop.length
      const found = yield* look(behind)
      const text = cursor.text.slice(cursor.at, cursor.at + found.chars)
      if (found.type === 'text') {
        put(text)
        cursor.at += text.length
        hasLines ||= text.includes('\n')
        continue
      }
      if (found.type === 'pair') return found
      if (found.isAtEnd && (cursor.isCut || hasLines)) return CUT
      if (hasLines && found.chars === 0) return malformed('several lines without quotes, and no close mark behind them')
      // A comma separates only what another pair follows, and so belongs to the text.
      if (behind === 'text') put(/^[ \t\r\n,]*,|/.exec(text)?.[0] ?? '')
      return found
    }
  }

  /**
   * Text up to a quote or a word that counts if what follows it may. A quote inside that was not escaped is known by that too; such a
   * string may not hold the end of its call as well, for it is more likely that a quote was forgotten and the string swallows what
   * comes next.
   */
  function* readEnclosed(closing: string, put: PutText): ValueReading {
    const isWord = closing.length > 1
    const search = createMarkSearch(isWord ? [closing] : [closing, '\\', close])
    // A text may go on in the next line, but an apostrophe is not likely to have meant that.
    let isDoubtful = isLine && closing === "'"
    /** Where the call was over, if this is no text. A line break is not the call's. */
    let endOffset: number | undefined
    for (;;) {
      const mark = yield* readUntil(cursor, search, put)
      if (mark === '') return CUT
      if (mark === '\\') {
        cursor.at--
        const found = yield* peek(cursor, text => escapeAt(text, 0, jsonEscapes))
        const isWhole = found !== undefined && !(isDoubtful && found.source === '\\\n')
        cursor.at += isWhole ? found.source.length : 1
        put(isWhole ? found.text : '\\')
      } else if (mark === closing) {
        const found = yield* look(isWord ? 'text' : 'value')
        if (found.type !== 'text') return found
        put(closing)
        isDoubtful = true
      } else {
        endOffset ??= cursor.base + cursor.at - (isLine ? mark.length : 0)
        if (!isDoubtful) put(mark)
      }
      if (isDoubtful && endOffset !== undefined) {
        const unreadChars = cursor.base + cursor.at - endOffset
        return { ...malformed('a quoted value without its closing quote'), unreadChars }
      }
    }
  }

  /**
   * A list with an item in each line. Objects are the rows of a table: a line with the keys, then a line for each object. An empty
   * cell is a key that the object does not have. A frame, as Markdown tables have it, with a rule below the keys, means nothing.
   *
   *     sku|qty|note
   *     A-1|2|
   *     B-7|1|a gift, with "love"
   */
  function* readLines(lineBreak: string, word: string, { put, expected }: ArgumentWriter): ValueReading {
    const closing = lineBreak + word
    const search = createMarkSearch([lineBreak])
    const isTable = wants(expected().item(0), Kind.object)
    let keys: readonly string[] | undefined
    let count = 0

    /** Gives the reason if the line cannot be read. */
    const putLine = (line: string): string | undefined => {
      if (line.length >= maxHeldChars) return `more than ${maxHeldChars} characters of a list in one`
      if (line.trim() === '') return undefined
      const cells = isTable ? [...`${line}|`.matchAll(cellAndBar)].map(([, cell = '']) => cell.trim()) : [line.trim()]
      if (isTable && !keys) {
        keys = cells
        return undefined
      }
      if (count++ === 0 && keys?.[0] === '' && cells.every(cell => /^[:-]*$/.test(cell))) return undefined
      if (cells.some(cell => isQuote(cell.charAt(0)) && !quotedAt(cell, 0))) return 'an item without its closing quote'
      if (cells.some((cell, i) => cell && keys && !keys[i])) return 'a cell without a key in the first line'
      if (keys) put(Token.beginObject, '')
      for (const [i, cell] of cells.entries()) {
        if (cell === '') continue
        if (keys) put(Token.key, keys[i] ?? '')
        putCell(cell, expected(), put)
      }
      if (keys) put(Token.endObject, '')
      return undefined
    }

    put(Token.beginArray, '')
    for (;;) {
      const begun = yield* readMark(cursor, [closing])
      const found = begun ? yield* look('text') : undefined
      if (found && found.type !== 'text') {
        put(Token.endArray, '')
        return found
      }
      if (!begun) cursor.at += lineBreak.length
      const line = begun + (yield* readUpTo(cursor, search, maxHeldChars))
      const isCut = cursor.isOver && cursor.at >= cursor.text.length
      const error = isCut ? CUT.message : putLine(line)
      if (error === undefined) continue
      putRaw(line)
      const behind = yield* readEnclosed(closing, putRaw)
      return 'code' in behind ? behind : malformed(error)
    }
  }

  return { readObject, readValue }
}

/** Puts an item of a line or a cell: in quotes, or as what the schema makes of it. */
export function putCell(cell: string, shape: Shape, put: ValueSink): void {
  if (wants(shape, Kind.array) && !/^[[{]/.test(cell)) putText(Token.beginRaw, `[${cell}]`, put)
  else if (quotedAt(cell, 0) === cell) putText(Token.beginQuoted, unescaped(cell.slice(1, -1)), put)
  else putText(Token.beginRaw, cell, put)
}
