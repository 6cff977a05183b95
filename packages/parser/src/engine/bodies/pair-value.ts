import type { CallPort } from '../body.js'
import { isQuote } from '../characters.js'
import { type Cursor, createRun, type Reading } from '../cursor.js'
import { CUT, malformed, type Problem } from '../events.js'
import { createMarkSearch, lookAhead, readUntil, skip } from '../marks.js'
import { type ReadJsonOptions, readJson } from '../read-json.js'
import { Kind, type Shape } from '../shape.js'
import { jsonEscapes } from '../string-escape.js'
import { createValueRecorder, putText, Token, type ValueSink } from '../value-token.js'
import { createPairLook, createPairMarks, type Follow, type PairLook, type PairMarks } from './pair-look.js'

/** The call in which values are read. */
export interface PairScope extends Pick<CallPort, 'maxHeldChars' | 'putRaw'> {
  readonly cursor: Cursor
  readonly marks: PairMarks
  readonly look: PairLook
}

/** Where a value goes, and what it may be. */
export interface PairPlace {
  readonly put: ValueSink
  readonly shape: Shape
  readonly mayHaveKey?: ReadJsonOptions['mayHaveKey']
}

/** Why a value could not be read. */
export interface PairProblem extends Problem {
  /** Where the call was over, if more than that was read. */
  readonly endOffset?: number | undefined
}

/** Gives what follows the value. */
type ValueReading = Reading<Follow | PairProblem>
type PutText = (text: string) => void

const MAX_OPENING_CHARS = 256
const heredocOpening = /^<<-? *(["']?)([\p{L}_][\p{L}\p{N}_]*)\1[ \t]*(\r?\n)/u
const mayOpenHeredoc = /^<(?:<[^\n]*)?$/
/** A word follows the signs, so that nothing else can be meant. */
const meansHeredoc = /^<<-? *["']?[\p{L}_]/u
const isStructure = ({ kinds }: Shape) => (kinds & (Kind.object | Kind.array)) !== 0 && !(kinds & Kind.string)

/** `city=|New York`. What a value is, its first character and the schema tell; where it is over, what follows. */
export function* readPairValue(scope: PairScope, place: PairPlace): ValueReading {
  const { cursor, marks, look } = scope
  const { put, shape } = place
  if ((yield* look('text')).type === 'text') yield* skip(cursor)
  const first = cursor.text.charAt(cursor.at)
  const line =
    first === '<' && !marks ? yield* lookAhead(cursor, MAX_OPENING_CHARS, text => !mayOpenHeredoc.test(text)) : ''
  const [opening = '', , word, lineBreak = ''] = heredocOpening.exec(line) ?? []
  if (!word && meansHeredoc.test(line))
    return cursor.isOver ? CUT : malformed('<< and a word must be followed by lines of text')
  // Where a string is allowed too, the text is kept until it is whole, and the writer decides.
  if (/[[{]/.test(first) && isStructure(shape)) return yield* readJsonArgument(scope, place)

  const isList = isStructure(shape) && (shape.kinds & Kind.array) !== 0
  const closing = word ? lineBreak + word : isQuote(first) && !isList ? first : ''
  // The line break behind the opening may be the one before the closing word too; it is markup in any case.
  cursor.at += word ? opening.length - lineBreak.length : closing.length
  let markupChars = lineBreak.length
  // Text goes out as it comes, unless a list is to be made of it.
  const list = isList ? createTextList(scope, place, word !== undefined) : undefined
  const putPiece = (piece: string) => {
    const text = piece.slice(markupChars)
    markupChars = 0
    if (list) list.put(text)
    else if (text) put(Token.text, text)
  }
  if (!list) put(closing && !(word && isStructure(shape)) ? Token.beginQuoted : Token.beginRaw, '')
  const found = yield* closing ? readEnclosed(scope, closing, putPiece) : readRaw(scope, shape, putPiece)
  if ('code' in found) return found
  if (!list) put(Token.endText, '')
  const error = list?.end()
  return error === undefined ? found : malformed(error)
}

export function* readJsonArgument(
  { cursor, marks, look }: PairScope,
  { put, mayHaveKey }: Omit<PairPlace, 'shape'>,
): ValueReading {
  const problem = yield* readJson(cursor, put, { ends: [marks?.close ?? '\n'], mayHaveKey })
  return problem ?? (yield* look('closed'))
}

const lineStops = createMarkSearch([...' \t\r\n,)'])

/** Text as it is, up to the next key or the end of the call. */
function* readRaw({ cursor, marks, look }: PairScope, { kinds }: Shape, put: PutText): ValueReading {
  // A number or a constant is over where any pair follows.
  const behind = kinds & (Kind.string | Kind.object | Kind.array) ? 'text' : 'scalar'
  const search = marks?.stops ?? lineStops
  // Between tags a line break is a doubt, as long as no close tag says that all of it was meant.
  let hasLines = false
  for (;;) {
    const stop = yield* readUntil(cursor, search, put)
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
function* readEnclosed({ cursor, marks, look }: PairScope, closing: string, put: PutText): ValueReading {
  const isWord = closing.length > 1
  const search = createMarkSearch(isWord ? [closing] : [closing, '\\', marks?.close ?? '\n'])
  const swallowed = malformed('a quoted value without its closing quote')
  // A text may go on in the next line, but an apostrophe is not likely to have meant that.
  let isDoubtful = !marks && closing === "'"
  let endOffset: number | undefined
  for (;;) {
    const mark = yield* readUntil(cursor, search, put)
    if (mark === '') return CUT
    if (mark === '\\') put(yield* readEscape(cursor, isDoubtful))
    else if (mark === closing) {
      const found = yield* look(isWord ? 'text' : 'closed')
      if (found.type !== 'text') return found
      put(closing)
      if (endOffset !== undefined) return { ...swallowed, endOffset }
      isDoubtful = true
    } else if (isDoubtful) {
      cursor.at -= mark.length
      return swallowed
    } else {
      // A line break is not the call's.
      endOffset ??= cursor.base + cursor.at - (marks ? 0 : mark.length)
      put(mark)
    }
  }
}

/** Takes what stands behind a backslash, and gives the text that is meant. One that begins no escape of JSON is text; `isDoubtful`: so is one before a line break. */
function* readEscape(cursor: Cursor, isDoubtful: boolean): Reading<string> {
  const ahead = yield* lookAhead(cursor, 5, text => !/^(?:u[\da-fA-F]{0,3})?$/.test(text))
  const [code = ''] = /^(?:u[\da-fA-F]{4}|[^u])/.exec(ahead) ?? []
  if (isDoubtful && code === '\n') return '\\'
  cursor.at += code.length
  if (code.length > 1) return String.fromCharCode(Number.parseInt(code.slice(1), 16))
  return (Object.hasOwn(jsonEscapes.texts, code) ? jsonEscapes.texts[code] : undefined) ?? `\\${code}`
}

/**
 * Makes a list of a text: of `a, b, c` once it is whole, of lines one by one, unless these are JSON. `end` gives the reason if the text cannot be read;
 * then it is put as it stands.
 */
function createTextList({ maxHeldChars, putRaw }: PairScope, { put, shape }: PairPlace, isLines: boolean) {
  const tooLong = `more than ${maxHeldChars} characters of a list in one`
  let held = ''
  let isJson: boolean | undefined
  let error: string | undefined
  let putLine: ((line: string) => string | undefined) | undefined
  const fail = (message: string, rest: string) => {
    error = message
    putRaw(rest)
  }
  const putLines = (lines: readonly string[], behind: readonly string[]) => {
    putLine ??= createLineList(shape, put)
    for (const [i, line] of lines.entries()) {
      const message = line.length > maxHeldChars ? tooLong : putLine(line.trim())
      if (message !== undefined) return fail(message, [...lines.slice(i), ...behind].join('\n'))
    }
  }
  return {
    put(text: string) {
      if (error !== undefined) return putRaw(text)
      // Space before it makes no difference.
      const piece = isJson === undefined ? text.trimStart() : text
      if (piece !== '') isJson ??= /^[[{]/.test(piece)
      held += piece
      if (isLines && isJson === false && piece.includes('\n')) {
        const lines = held.split('\n')
        held = lines.pop() ?? ''
        putLines(lines, [held])
      }
      if (error === undefined && held.length > maxHeldChars) fail(tooLong, held)
    },
    end(): string | undefined {
      if (error !== undefined) return error
      if (!isLines) putCommaList(held, put)
      else if (isJson) putText(Token.beginRaw, held, put)
      else putLines([held], [])
      if (isLines && !isJson && error === undefined) put(Token.endArray, '')
      return error
    },
  }
}

/** Puts a list without brackets; the text as it is, if it is none. */
function putCommaList(text: string, put: ValueSink): void {
  const items = createValueRecorder()
  const run = createRun(cursor => readJson(cursor, items.put))
  run.feed(`[${text}]`)
  if (run.isDone() && run.result() === undefined && run.unread() === '') items.replay(put)
  else putText(Token.beginRaw, text, put)
}

/**
 * A list with an item in each line. Objects are the rows of a table: a line with the keys, then a line for each object. An empty
 * cell is a key that the object does not have. A frame, as Markdown tables have it, with a rule below the keys, means nothing.
 *
 *     sku|qty|note
 *     A-1|2|
 *     B-7|1|a gift, with "love"
 */
function createLineList(shape: Shape, put: ValueSink) {
  const { kinds } = shape.item(0)
  const isTable = (kinds & Kind.object) !== 0 && !(kinds & Kind.string)
  let keys: readonly string[] | undefined
  let isFramed = false
  let count = 0
  put(Token.beginArray, '')
  /** Gives the reason if the line cannot be read. */
  return (line: string): string | undefined => {
    isFramed ||= isTable && !keys && line.startsWith('|')
    const text = isFramed ? line.replace(/^\|\s*|\s*\|$/g, '') : line
    if (text === '' || (isFramed && keys && count === 0 && /^[\s|:-]*$/.test(text))) return undefined
    if (isTable && !keys) {
      keys = text.split('|').map(key => key.trim())
      return keys.includes('') ? 'a table without the keys in its first line' : undefined
    }
    const columns = keys
    const item = createValueRecorder()
    const place = { put: item.put, shape: shape.item(count++) }
    const run = createRun(cursor => (columns ? readRow(cursor, columns, place) : readCell(cursor, '\n', place)))
    run.feed(text)
    run.end(false)
    if (run.result() === undefined) item.replay(put)
    return run.result()
  }
}

function* readRow(cursor: Cursor, keys: readonly string[], { put, shape }: PairPlace): Reading<string | undefined> {
  put(Token.beginObject, '')
  for (const key of keys) {
    yield* skip(cursor)
    if (/[^|]/.test(cursor.text.charAt(cursor.at))) {
      put(Token.key, key)
      const error = yield* readCell(cursor, '|', { put, shape: shape.property(key) })
      if (error !== undefined) return error
    } else cursor.at++
  }
  put(Token.endObject, '')
  return cursor.at < cursor.text.length ? `a row of more than ${keys.length} cells` : undefined
}

/** A cell is a value like others, but that a bar ends it. */
function* readCell(cursor: Cursor, bar: string, place: PairPlace): Reading<string | undefined> {
  const marks = createPairMarks(bar, bar)
  const look = createPairLook(cursor, marks, () => false)
  const scope = { cursor, marks, look, maxHeldChars: Number.POSITIVE_INFINITY, putRaw: () => {} }
  const behind = yield* readPairValue(scope, place)
  if ('code' in behind) return behind.message
  cursor.at += behind.chars
  return behind.type === 'end' ? undefined : 'something else behind a cell'
}
