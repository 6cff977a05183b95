import { isQuote } from '../characters.js'
import type { Cursor, Reading } from '../cursor.js'
import type { Problem } from '../events.js'
import { createMarkSearch, readUntil, skip } from '../marks.js'
import { type ReadJsonOptions, readJson } from '../read-json.js'
import { Kind, type Shape } from '../shape.js'
import { Token, type ValueSink } from '../value-token.js'
import { CUT } from './markup.js'
import type { Follow, PairLook, PairMarks } from './pair-look.js'
import { createListSink, isList, isStructure, putCommaList, putLines, unescaped } from './text-list.js'

/** The call in which values are read. */
export interface PairScope {
  readonly cursor: Cursor
  readonly marks: PairMarks
  readonly look: PairLook
  readonly maxHeldChars: number
  /** Takes what cannot be read, as it stands. */
  readonly putRaw: (text: string) => void
}

/** Where a value goes, and what it may be. */
export interface PairPlace {
  readonly put: ValueSink
  readonly shape: Shape
  readonly mayHaveKey: ReadJsonOptions['mayHaveKey']
}

/** Why a value could not be read. */
export interface PairProblem extends Problem {
  /** Where the call was over, if more than that was read. */
  readonly endOffset?: number | undefined
}

/** Gives what follows the value. */
type ValueReading = Reading<Follow | PairProblem>
type PutText = (text: string) => void

/** Words behind which others stand: no key is among them, and most text is nothing else. It spares the look. */
const WORDS = '[ ,]{1,64}[\\w.-]{1,64}(?= [A-Za-z])'
const MAX_OPENING_CHARS = 256
const heredocOpening = /^<<-? *(["']?)([\p{L}_][\p{L}\p{N}_]*)\1[ \t]*(\r?\n)/u
const mayOpenHeredoc = /^<(?:<[^\n]*)?$/
/** A word follows the signs, so that nothing else can be meant. */
const meansHeredoc = /^<<-? *["']?[\p{L}_]/u

/** `city=|New York`. What a value is, its first character and the schema tell; where it is over, what follows. */
export function* readPairValue(scope: PairScope, place: PairPlace): ValueReading {
  const { shape } = place
  const { cursor, marks, look } = scope
  if ((yield* look('text')).type === 'text') yield* skip(cursor)
  const first = cursor.text.charAt(cursor.at)
  const line = first === '<' && !marks ? yield* readOpening(cursor) : ''
  const opening = heredocOpening.exec(line)
  if (!opening && meansHeredoc.test(line))
    return cursor.isOver ? cutAt(cursor) : malformed('<< and a word must be followed by lines of text')
  // Where a string is allowed too, the text is kept until it is whole, and the writer decides.
  if (/[[{]/.test(first) && isStructure(shape)) return yield* readJsonArgument(scope, place)

  const isQuoted = isQuote(first) && !isList(shape)
  const putList = (text: string) => (opening ? putLines(text, shape, place.put) : putCommaList(text, place.put))
  const list = isList(shape) ? createListSink(scope, putList) : undefined
  const { put } = list ?? place
  const putText = (text: string) => {
    if (text) put(Token.text, text)
  }
  put(isQuoted || (opening && !isStructure(shape)) ? Token.beginQuoted : Token.beginRaw, '')
  const found = opening
    ? yield* readHeredoc(scope, opening, putText)
    : yield* isQuoted ? readQuoted(scope, first, putText) : readRaw(scope, shape, putText)
  if ('code' in found) return found
  put(Token.endText, '')
  const error = list?.error()
  return error === undefined ? found : malformed(error)
}

export function* readJsonArgument(
  { cursor, marks, look, maxHeldChars }: PairScope,
  { put, mayHaveKey }: Omit<PairPlace, 'shape'>,
): ValueReading {
  const problem = yield* readJson(cursor, put, { maxHeldChars, ends: [marks?.close ?? '\n'], mayHaveKey })
  return problem ?? (yield* look('closed'))
}

/** Text as it is, up to the next key or the end of the call. */
function* readRaw({ cursor, marks, look }: PairScope, { kinds }: Shape, put: PutText): ValueReading {
  // A number or a constant is over where any pair follows.
  const behind = kinds & (Kind.string | Kind.object | Kind.array) ? 'text' : 'scalar'
  const markStarts = marks ? `\\${marks.open.charAt(0)}\\${marks.close.charAt(0)}` : ''
  const plain = new RegExp(`(?:[^ \\t\\r\\n,)${markStarts}]{1,256}|${WORDS}){1,256}`, 'y')
  // Between tags a line break is a doubt, as long as no close tag says that all of it was meant.
  let hasLines = false
  const take = (chars: number) => {
    const text = cursor.text.slice(cursor.at, cursor.at + chars)
    cursor.at += chars
    hasLines ||= text.includes('\n')
    put(text)
  }
  for (;;) {
    plain.lastIndex = cursor.at
    while (plain.test(cursor.text)) take(plain.lastIndex - cursor.at)
    if (cursor.at === cursor.text.length && !cursor.isOver) {
      yield
      continue
    }
    const found = yield* look(behind)
    if (found.type === 'pair') return found
    if (found.type === 'text') take(found.chars)
    else if (found.isAtEnd && (cursor.isCut || hasLines)) return cutAt(cursor)
    else if (hasLines && found.chars === 0) return malformed('several lines without quotes, and no close mark')
    else {
      // A comma separates only what another pair follows, and so belongs to the text.
      const [comma = ''] = /^[ \t\r\n,]*,/.exec(cursor.text.slice(cursor.at, cursor.at + found.chars)) ?? []
      if (behind === 'text') put(comma)
      return found
    }
  }
}

/**
 * A quote inside that was not escaped is known by what follows; such a string may not hold the end of its call as well, for it is
 * more likely that a quote was forgotten and the string swallows what comes next.
 */
function* readQuoted({ cursor, marks, look }: PairScope, quote: string, put: PutText): ValueReading {
  const search = createMarkSearch([quote, '\\', marks?.close ?? '\n'])
  const swallowed = (endOffset?: number) => malformed('a quoted value without its closing quote', endOffset)
  // A text may go on in the next line, but an apostrophe is not likely to have meant that.
  let isDoubtful = !marks && quote === "'"
  let endOffset: number | undefined
  cursor.at++
  for (;;) {
    const mark = yield* readUntil(cursor, search, put)
    if (mark === '') return cutAt(cursor)
    if (mark === '\\') put(yield* readEscape(cursor))
    else if (mark === quote) {
      const found = yield* look('closed')
      if (found.type !== 'text') return found
      put(quote)
      if (endOffset !== undefined) return swallowed(endOffset)
      isDoubtful = true
    } else if (isDoubtful) {
      cursor.at -= mark.length
      return swallowed()
    } else {
      // A line break is not the call's.
      endOffset ??= cursor.base + cursor.at - (marks ? 0 : mark.length)
      put(mark)
    }
  }
}

/** Takes what stands behind a backslash, and gives the text that is meant. One that begins no escape is text. */
function* readEscape(cursor: Cursor): Reading<string> {
  const ahead = () => cursor.text.slice(cursor.at, cursor.at + 5)
  while (!cursor.isOver && /^(?:u[\da-fA-F]{0,3})?$/.test(ahead())) yield
  const [code = ''] = /^(?:u[\da-fA-F]{4}|[^u])/.exec(ahead()) ?? []
  cursor.at += code.length
  return unescaped(`\\${code}`)
}

/** The line that may open a heredoc, as far as it matters. */
function* readOpening(cursor: Cursor): Reading<string> {
  const ahead = () => cursor.text.slice(cursor.at, cursor.at + MAX_OPENING_CHARS)
  while (!cursor.isOver && ahead().length < MAX_OPENING_CHARS && mayOpenHeredoc.test(ahead())) yield
  return ahead()
}

/** Lines of text up to the closing word. */
function* readHeredoc({ cursor, look }: PairScope, opening: RegExpExecArray, put: PutText): ValueReading {
  const [whole, , word = '', lineBreak = ''] = opening
  const closing = lineBreak + word
  const search = createMarkSearch([closing])
  // The line break behind the opening may be the one before the closing word too; it is markup in any case.
  cursor.at += whole.length - lineBreak.length
  let breakChars = lineBreak.length
  const putLines = (text: string) => {
    put(text.slice(breakChars))
    breakChars = Math.max(0, breakChars - text.length)
  }
  while (yield* readUntil(cursor, search, putLines)) {
    const found = yield* look('text')
    if (found.type !== 'text') return found
    putLines(closing)
  }
  return cutAt(cursor)
}

export const malformed = (message: string, endOffset?: number): PairProblem => ({
  code: 'malformed-arguments',
  message,
  endOffset,
})

/** The text ended before the call did; all of it is the call's. */
export function cutAt(cursor: Cursor): PairProblem {
  cursor.at = cursor.text.length
  return CUT
}
