import type { ArgumentWriter } from '../argument-writer.js'
import type { CallPort } from '../body.js'
import { isQuote } from '../characters.js'
import type { Cursor, Reading } from '../cursor.js'
import { CUT, type Problem } from '../events.js'
import { createMarkSearch, lookAhead, readMark, readUpTo } from '../marks.js'
import { Kind, type Shape } from '../shape.js'
import { Token } from '../value-token.js'
import { readFlow } from './read-flow.js'
import { foldedBreaks, readQuoted } from './read-quoted.js'
import { border, columnOf, entryName, findKey, firstLine, MAX_AHEAD_CHARS } from './yaml-line.js'
import { constantOf, opensFlow, withoutComment } from './yaml-scalar.js'

/** The column of a line that is not there. */
const NONE = -1

/** Nesting by indentation beyond this is refused: each level is a generator, and all of them go on with each chunk. */
const MAX_DEPTH = 64

/** `|` or `>`, with a digit and a sign. */
const blockHeader = /^[|>](?:[1-9][-+]?|[-+][1-9]?)?$/

const isDash = (text: string) => /^-(?:\s|$)/.test(text)

/**
 * Reads the YAML that models write into an object that was begun, up to behind the close tag of the call that holds it: mappings and
 * lists by indentation, plain, quoted and block scalars, JSON, comments. Scalars are typed by the schema and not by their looks. Anchors,
 * tags and complex keys are plain text. Gives the reason why it could not be read to its end, and then stands before what could not.
 */
export function* readYaml(
  cursor: Cursor,
  { tools, maxHeldChars }: CallPort,
  writer: ArgumentWriter,
  closeTag: string,
): Reading<Problem | undefined> {
  const { put, expected } = writer
  /** What stands in the line at hand, where the cursor is, and where in the line that is. There is none once the call is over. */
  let text = ''
  let column = NONE
  /** The cursor is where the open tag ends. */
  let isStart = true
  let depth = 0
  let problem: Problem | undefined
  const lineEnd = createMarkSearch(['\n'])
  const textEnd = createMarkSearch(['\n', closeTag])

  const fail = (message: string) => {
    problem = cursor.at === cursor.text.length && cursor.isOver ? CUT : { code: 'malformed-arguments', message }
  }
  const putText = (piece: string) => put(Token.text, piece)
  /** Puts what stands for a value that was left out: null where that is allowed, else what the schema has for nothing. */
  const putMissing = () => {
    const { kinds } = expected()
    if (kinds & Kind.null || !(kinds & (Kind.string | Kind.object | Kind.array))) return put(Token.literal, 'null')
    put(kinds & Kind.string ? Token.beginQuoted : Token.beginRaw, '')
    put(Token.endText, '')
  }

  const closes = (line: string) => line.trimStart().startsWith(closeTag)
  const isAtBreak = () => cursor.text.charAt(cursor.at) === '\n'
  const isCutHere = () => cursor.isCut && cursor.isOver && cursor.at === cursor.text.length
  /** A line that begins so many characters ahead: what is looked at of it, or less if it begins with the close tag. */
  function* peekLine(from: number): Reading<string> {
    return firstLine(yield* lookAhead(cursor, MAX_AHEAD_CHARS, ahead => ahead.includes('\n') || closes(ahead), from))
  }

  /** Goes to the next line that means something, which may be the value of a key or a dash; or to the end of the call. */
  function* nextLine(mayBeValue: boolean): Reading {
    for (;;) {
      const isLineStart = isStart || (yield* readMark(cursor, ['\n'])) !== ''
      isStart = false
      const line = yield* peekLine(0)
      text = line.trim()
      column = columnOf(line)
      // At the end of the text nothing may be missing but the close tag, or its end.
      const isOver = cursor.isOver && cursor.at + line.length === cursor.text.length && closeTag.startsWith(text)
      const isEnd = isOver || closes(line)
      const startsCall = !mayBeValue && tools.has(/^<([^\s/>]*)/.exec(text)?.[1] ?? '')
      if (isEnd || startsCall) {
        if (isEnd) cursor.at += column + Math.min(closeTag.length, text.length)
        if (!closes(line) && isOver && (cursor.isCut || mayBeValue)) problem = CUT
        column = NONE
        return
      }
      cursor.at += column
      if (text.startsWith('#') || (border.test(text) && !mayBeValue)) yield* readUpTo(cursor, lineEnd, maxHeldChars)
      else if (text !== '') return isLineStart ? undefined : fail('text behind a value')
    }
  }

  /** Reads text without quotes, which the close tag ends. It goes on in lines that are indented by more than its key. */
  function* readPlain(shape: Shape, parent: number): Reading {
    let hasText = false
    for (let breaks = 0; ; breaks++) {
      const line = yield* readUpTo(cursor, textEnd, maxHeldChars)
      if (isCutHere()) return
      const words = withoutComment(line.trim(), shape)
      const constant = hasText ? undefined : constantOf(words, shape)
      if (constant !== undefined) return put(Token.literal, constant)
      if (words !== '') {
        if (hasText) putText(foldedBreaks(breaks))
        else put(Token.beginRaw, '')
        putText(words)
        hasText = true
        breaks = 0
      }
      const next = yield* peekLine(1)
      const below = next.trim()
      const goesOn = below === '' || (columnOf(next) > parent && !below.startsWith('#') && !closes(next))
      if (!isAtBreak() || !goesOn) return hasText ? put(Token.endText, '') : putMissing()
      cursor.at++
      if (/^[^\s:]+:(?:\s|$)/.test(below)) return fail('a key that is indented by too much')
    }
  }

  /** Whether a close tag that is indented like the block above it ends the call: then no arguments follow. */
  function* isBlockClosed(indent: number): Reading<boolean> {
    const ahead = yield* lookAhead(cursor, MAX_AHEAD_CHARS, each => /^\n[^\n]*\n\s*\S[^\n]*\n/.test(each))
    const [, tag = '', line = ''] = /^\n([^\n]*)(?:\s*\n)?([^\n]*)/.exec(ahead) ?? []
    const below = line.trim()
    const isArgument = columnOf(line) >= indent || /^- /.test(below) || closes(below) || entryName(below) !== undefined
    return tag.trim() === closeTag && (below === '' || !isArgument)
  }
  /** Reads a block from its header on: lines that are indented by more than its key. The first that is not blank tells how far. */
  function* readBlock(header: string, parent: number): Reading {
    const [, digit, sign] = /^.(?=[-+]?(\d?))\d?([-+]?)/.exec(header) ?? []
    let indent = digit ? parent + Number(digit) : undefined
    /** Line breaks since the last text. That of the header does not count. */
    let breaks = -1
    let hasText = false
    /** A line that begins with space is not folded with its neighbours. */
    let isSpaced = false
    const holds = (line: string) => {
      if (line.trim() === '') return true
      const own = indent === undefined ? line.search(/[^\t ]|(?<= )\t/) : columnOf(line)
      indent ??= own
      return own >= indent && indent > parent
    }
    const putLine = (words: string) => {
      if (words === '') return
      const wasSpaced = isSpaced
      isSpaced = columnOf(words) > 0
      const isFolded = header.startsWith('>') && hasText && !isSpaced && !wasSpaced
      putText((isFolded ? foldedBreaks(breaks) : '\n'.repeat(breaks)) + words)
      hasText = true
      breaks = 0
    }
    put(Token.beginQuoted, '')
    yield* readUpTo(cursor, lineEnd, maxHeldChars)
    for (;;) {
      const next = yield* peekLine(1)
      if (isAtBreak()) breaks++
      if (!isAtBreak() || !holds(next) || (closes(next) && (yield* isBlockClosed(indent ?? 0)))) break
      cursor.at++
      const line = yield* readUpTo(cursor, lineEnd, maxHeldChars)
      putLine(line.slice(indent ?? line.length, line.endsWith('\r') ? -1 : undefined))
    }
    if (isCutHere()) return
    const kept = sign === '+' ? breaks : sign === '-' || !hasText ? 0 : Math.min(breaks, 1)
    if (kept > 0) putText('\n'.repeat(kept))
    put(Token.endText, '')
  }

  /** Reads a scalar, or what stands in brackets; `parent` is where its key or its dash stands. */
  function* readValue(parent: number): Reading {
    const shape = expected()
    const first = text.charAt(0)
    if (opensFlow(first, shape)) {
      if (!(yield* readFlow(cursor, put, closeTag, maxHeldChars))) fail('brackets that are not closed')
    } else if (blockHeader.test(text)) yield* readBlock(text, parent)
    else if (isQuote(first)) {
      put(Token.beginQuoted, '')
      const quoted = yield* readQuoted(cursor, closeTag, maxHeldChars)
      putText(quoted.text)
      if (quoted.isWhole) put(Token.endText, '')
      else fail('quotes that are not closed')
    } else yield* readPlain(shape, parent)
    if (!problem) yield* nextLine(false)
  }
  /** Reads a value that stands behind a dash or in a line of its own: a mapping or a list, unless it is a scalar. */
  function* readNode(parent: number): Reading {
    const shape = expected()
    const isList = isDash(text)
    const isText = (shape.kinds & Kind.string) !== 0 && !(shape.kinds & Kind.object)
    const isScalar = isText || opensFlow(text.charAt(0), shape) || /^[|>]/.test(text) || !findKey(text)
    if (isScalar && !isList) return yield* readValue(parent)
    if (depth === MAX_DEPTH) return fail(`nested deeper than ${MAX_DEPTH} levels`)
    depth++
    put(isList ? Token.beginArray : Token.beginObject, '')
    yield* readEntries(isList)
    depth--
    if (!problem) put(isList ? Token.endArray : Token.endObject, '')
  }
  /** Reads the entries of a mapping or a list: the line at hand, and all below that begin at its column. */
  function* readEntries(isList: boolean): Reading {
    const start = column
    while (!problem && column === start && isDash(text) === isList) {
      const key = isList ? undefined : findKey(text)
      if (!isList && !key) return fail('text without a key')
      if (key) put(Token.key, key.name)
      const rest = text.slice(key?.end ?? 1).trimStart()
      const width = text.length - rest.length
      cursor.at += width
      column += width
      text = withoutComment(rest, expected())
      if (text !== '') yield* isList ? readNode(start) : readValue(start)
      else {
        yield* nextLine(true)
        // A list may stand below its key without being indented.
        const isBelow = column > start || (column === start && !isList && isDash(text))
        if (isBelow && !problem) yield* readNode(start)
        else if (!problem) putMissing()
      }
    }
  }

  yield* nextLine(false)
  if (column !== NONE) yield* readEntries(false)
  if (column !== NONE && !problem) fail('a line that does not fit those before it')
  if (!problem) put(Token.endObject, '')
  // Of a line that was cut nobody can tell why it cannot be read.
  const isLastLine = cursor.isOver && !cursor.text.includes('\n', cursor.at)
  return problem && cursor.isCut && isLastLine ? CUT : problem
}
