import type { ArgumentWriter } from '../argument-writer.js'
import { CUT } from '../bodies/markup.js'
import type { CallPort } from '../body.js'
import { isQuote } from '../characters.js'
import type { Cursor, Reading } from '../cursor.js'
import type { Problem } from '../events.js'
import { createMarkSearch, readMark, readUpTo } from '../marks.js'
import { Kind, type Shape } from '../shape.js'
import { Token } from '../value-token.js'
import { readFlow } from './read-flow.js'
import { foldedBreaks, readQuoted } from './read-quoted.js'
import { border, columnOf, entryName, findKey, firstLine, peek } from './yaml-line.js'
import { constantOf, opensFlow, withoutComment } from './yaml-scalar.js'

/** A mapping or a list that is open, and where in a line its entries begin. */
interface Frame {
  readonly isMapping: boolean
  column: number
  readonly outer: Frame | undefined
}

/** Only their first line tells where the arguments begin. */
const UNKNOWN = -1

/** `|` or `>`, with a digit, a sign and a comment. */
const blockHeader = /^[|>](?:[1-9][-+]?|[-+][1-9]?)?(?:[ \t]+#.*)?$/

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
  let top: Frame = { isMapping: true, column: UNKNOWN, outer: undefined }
  /** A key or a dash was read, and its value was not. */
  let isPending = false
  let problem: Problem | undefined
  const lineEnd = createMarkSearch(['\n'])
  const textEnd = createMarkSearch(['\n', closeTag])

  const fail = (message: string) => {
    problem = cursor.at === cursor.text.length && cursor.isOver ? CUT : { code: 'malformed-arguments', message }
  }
  const putText = (text: string) => put(Token.text, text)
  const begin = (token: Token) => {
    isPending = false
    put(token, '')
  }
  /** Puts what stands for a value that was left out: null where that is allowed, else what the schema has for nothing. */
  const putMissing = () => {
    const { kinds } = expected()
    if (!isPending) return
    isPending = false
    if (kinds & Kind.null || !(kinds & (Kind.string | Kind.object | Kind.array))) return put(Token.literal, 'null')
    put(kinds & Kind.string ? Token.beginQuoted : Token.beginRaw, '')
    put(Token.endText, '')
  }
  const close = () => {
    putMissing()
    put(top.isMapping ? Token.endObject : Token.endArray, '')
    top = top.outer ?? top
  }
  /** A line here is the value of the key or the dash above it. A list may stand below its key without being indented. */
  const isValueAt = (column: number, isDash: boolean) =>
    isPending && (column > top.column || (isDash && top.isMapping && column === top.column))
  /** Finds the mapping or the list whose entry stands here, and closes those that it ends. False if there is none. */
  const place = (column: number, isDash: boolean): boolean => {
    putMissing()
    while (top.outer && (top.column > column || (top.column === column && !isDash && !top.isMapping))) close()
    if (top.column === UNKNOWN) top.column = column
    return top.column === column && top.isMapping !== isDash
  }

  const closes = (line: string) => line.trimStart().startsWith(closeTag)
  const isAtBreak = () => cursor.text.charAt(cursor.at) === '\n'
  const isCutHere = () => cursor.isCut && cursor.isOver && cursor.at === cursor.text.length
  /** A line that begins so many characters ahead: what is looked at of it, or less if it begins with the close tag. */
  function* peekLine(from: number): Reading<string> {
    return firstLine(yield* peek(cursor, ahead => ahead.includes('\n') || closes(ahead), from))
  }

  /** Reads text without quotes, which the close tag ends. It goes on in lines that are indented by more than its key. */
  function* readPlain(shape: Shape): Reading {
    let hasText = false
    for (let breaks = 0; ; breaks++) {
      const line = yield* readUpTo(cursor, textEnd, maxHeldChars)
      if (isCutHere()) return
      const text = withoutComment(line.trim(), shape)
      const constant = hasText ? undefined : constantOf(text, shape)
      if (constant !== undefined) {
        isPending = false
        return put(Token.literal, constant)
      }
      if (text !== '') {
        if (hasText) putText(foldedBreaks(breaks))
        else begin(Token.beginRaw)
        putText(text)
        hasText = true
        breaks = 0
      }
      // A comment is no value: that may stand below it.
      if (!hasText) return
      const next = yield* peekLine(1)
      const below = next.trim()
      const goesOn = below === '' || (columnOf(next) > top.column && !below.startsWith('#') && !closes(next))
      if (!isAtBreak() || !goesOn) return put(Token.endText, '')
      cursor.at++
      if (/^[^\s:]+:(?:\s|$)/.test(below)) return fail('a key that is indented by too much')
    }
  }

  /** Whether a close tag that is indented like the block above it ends the call: then no arguments follow. */
  function* isBlockClosed(indent: number): Reading<boolean> {
    const ahead = yield* peek(cursor, each => /^\n[^\n]*\n\s*\S[^\n]*\n/.test(each))
    const [, tag = '', line = ''] = /^\n([^\n]*)(?:\s*\n)?([^\n]*)/.exec(ahead) ?? []
    const text = line.trim()
    const isArgument = columnOf(line) >= indent || /^- /.test(text) || closes(text) || entryName(text) !== undefined
    return tag.trim() === closeTag && (text === '' || !isArgument)
  }
  /** Reads a block from its header on: lines that are indented by more than its key. The first that is not blank tells how far. */
  function* readBlock(header: string): Reading {
    const [, digit, sign] = /^.(?=[-+]?(\d?))\d?([-+]?)/.exec(header) ?? []
    let indent = digit ? Math.max(top.column, 0) + Number(digit) : undefined
    /** Line breaks since the last text. That of the header does not count. */
    let breaks = -1
    let hasText = false
    /** A line that begins with space is not folded with its neighbours. */
    let isSpaced = false
    const holds = (line: string) => {
      if (line.trim() === '') return true
      const column = indent === undefined ? line.search(/[^\t ]|(?<= )\t/) : columnOf(line)
      indent ??= column
      return column >= indent && indent > top.column
    }
    const putLine = (text: string) => {
      if (text === '') return
      const wasSpaced = isSpaced
      isSpaced = columnOf(text) > 0
      const isFolded = header.startsWith('>') && hasText && !isSpaced && !wasSpaced
      putText((isFolded ? foldedBreaks(breaks) : '\n'.repeat(breaks)) + text)
      hasText = true
      breaks = 0
    }
    begin(Token.beginQuoted)
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

  function* readValue(text: string): Reading {
    const shape = expected()
    const first = text.charAt(0)
    if (opensFlow(first, shape)) {
      isPending = false
      if (!(yield* readFlow(cursor, put, closeTag, maxHeldChars))) fail('brackets that are not closed')
    } else if (blockHeader.test(text)) yield* readBlock(text)
    else if (isQuote(first)) {
      begin(Token.beginQuoted)
      const quoted = yield* readQuoted(cursor, closeTag, maxHeldChars)
      putText(quoted.text)
      if (quoted.isWhole) put(Token.endText, '')
      else fail('quotes that are not closed')
    } else yield* readPlain(shape)
  }
  /** Reads an entry, an item, or the value of one: what stands in a line at a column. */
  function* readNode(text: string, column: number, isItem: boolean): Reading {
    const isDash = /^-(?:\s|$)/.test(text)
    const isValue = isItem || isValueAt(column, isDash)
    if (!isValue && !place(column, isDash)) return fail('a line that does not fit those before it')
    const shape = expected()
    const isText = (shape.kinds & Kind.string) !== 0 && !(shape.kinds & Kind.object)
    const hasNoKey = isDash || (isValue && (isText || opensFlow(text.charAt(0), shape) || /^[|>]/.test(text)))
    const key = hasNoKey ? undefined : findKey(text)
    if (!isDash && !key) return isValue ? yield* readValue(text) : fail('text without a key')
    if (isValue) {
      begin(isDash ? Token.beginArray : Token.beginObject)
      top = { isMapping: !isDash, column, outer: top }
    }
    if (key) put(Token.key, key.name)
    isPending = true
    const rest = text.slice(key?.end ?? 1).trimStart()
    const width = text.length - rest.length
    cursor.at += width
    if (rest && key) yield* readValue(rest)
    else if (rest) yield* readNode(rest, column + width, true)
  }

  for (let isLineStart = true; ; isLineStart = (yield* readMark(cursor, ['\n'])) !== '') {
    const line = yield* peekLine(0)
    const text = line.trim()
    const column = columnOf(line)
    const isLast = cursor.isOver && cursor.at + line.length === cursor.text.length
    const isClosed = closes(line)
    /** Nothing is missing but the close tag, or its end. */
    const isOver = isLast && closeTag.startsWith(text)
    if (isOver && !isClosed && (cursor.isCut || (isPending && text === ''))) return CUT
    if (isLineStart && column <= top.column && tools.has(/^<([^\s/>]*)/.exec(text)?.[1] ?? '')) break
    cursor.at += column
    if (isClosed || isOver) {
      cursor.at += Math.min(closeTag.length, text.length)
      break
    }
    if (text.startsWith('#') || (border.test(text) && !isValueAt(column, false)))
      yield* readUpTo(cursor, lineEnd, maxHeldChars)
    else if (text !== '') {
      if (isLineStart) yield* readNode(text, column, false)
      else fail('text behind a value')
      if (problem) return isLast && cursor.isCut ? CUT : problem
    }
  }
  while (top.outer) close()
  close()
  return undefined
}
