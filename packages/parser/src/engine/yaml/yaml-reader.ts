import type { ArgumentWriter } from '../argument-writer.js'
import { isQuote } from '../characters.js'
import type { Reader } from '../reader.js'
import { Kind, type Shape, silentShape } from '../shape.js'
import { Token } from '../value-token.js'
import { blockHeader, createYamlBlock, type YamlBlock } from './yaml-block.js'
import { createYamlFlow } from './yaml-flow.js'
import { entryName, findKey } from './yaml-key.js'
import { border, constantOf, indentOf, opensFlow, skipBlank, trimBlank, withoutComment } from './yaml-line.js'
import { createYamlQuoted } from './yaml-quoted.js'
import { createYamlStructure } from './yaml-structure.js'

/**
 * Reads the YAML that models write, line by line, up to the close tag of the call that holds it: mappings and lists by
 * indentation, plain, quoted and block scalars, lists and objects in brackets, comments. A line is read when it is whole.
 * Scalars are typed by the schema and not by their looks. Anchors, tags and complex keys are plain text.
 */
export interface YamlReader extends Reader {
  /** No more text comes. True if nothing but the close tag is missing; then the arguments are made whole. */
  end(isCut: boolean): boolean
}

export interface YamlReaderOptions {
  readonly writer: ArgumentWriter
  readonly closeTag: string
  /** What opens another call. */
  readonly opens: readonly string[]
  /** The keys that the tool has. */
  readonly names: readonly string[]
  readonly maxHeldChars: number
}

/** The close tag need not wait for the end of its line, if it stands within so many characters. */
const MAX_CLOSE_CHARS = 512

export function createYamlReader(options: YamlReaderOptions): YamlReader {
  const { writer, closeTag, opens, names, maxHeldChars } = options
  const { put } = writer
  const maxCloseChars = Math.min(MAX_CLOSE_CHARS, maxHeldChars)
  const structure = createYamlStructure(writer)
  let isDone = false
  let unread = ''
  /** The line being read, and the line break behind it: none at the end of the text. */
  let held = ''
  let lineBreak = '\n'
  let shape: Shape = silentShape
  /** A text was begun that may go on in the next line; and the blank lines behind one without quotes. */
  let isTextOpen = false
  let blanks = 0
  /** What the next lines belong to: a text in quotes, or brackets; or a block. */
  let readInner: ((line: string, from: number) => number) | undefined
  let block: YamlBlock | undefined
  /** A line with a close tag at its end; and what follows it, up to the line that tells whether the tag closes the call. */
  let doubtful: string | undefined
  let behind = ''

  const isReading = () => !isDone && structure.error() === ''
  const fail = (message: string, rest: string) => {
    structure.fail(message)
    unread = rest
  }
  const putText = (text: string) => put(Token.text, text)
  const beginText = (token: Token) => {
    structure.setPending(false)
    put(token, '')
    isTextOpen = true
  }
  const endText = () => {
    block?.close()
    if (isTextOpen) put(Token.endText, '')
    block = undefined
    isTextOpen = false
  }
  const closeAll = (rest: string) => {
    endText()
    while (structure.depth()) structure.pop()
    isDone = true
    unread = rest
  }

  /** Where the close tag ends with which a text begins, if it does. The end of the text may have cut it. */
  const findClose = (text: string): number => {
    const head = text.slice(0, maxCloseChars)
    const bare = skipBlank(head)
    if (lineBreak === '' && bare && closeTag.startsWith(trimBlank(bare))) return text.length
    const rest = skipBlank(bare.slice(closeTag.length - 1))
    return rest.startsWith('>') && bare.startsWith(closeTag.slice(0, -1)) ? head.length - rest.length + 1 : 0
  }
  /** Ends the call at the close tag, if a line begins with it. An indented one in a block, in quotes or in brackets is text. */
  const tryClose = (line: string): boolean => {
    const end = findClose(line)
    if (!end || doubtful !== undefined || block?.holds(line)) return false
    if (!readInner) closeAll(line.slice(end))
    else if (indentOf(line) <= structure.indent()) fail('quotes or brackets that are not closed', line)
    return !isReading()
  }

  const putPlain = (text: string) => {
    const constant = isTextOpen ? undefined : constantOf(text, shape)
    if (text === '') return
    structure.setPending(false)
    if (constant !== undefined) return put(Token.literal, constant)
    if (isTextOpen) putText('\n'.repeat(blanks) || ' ')
    else beginText(Token.beginRaw)
    putText(text)
    blanks = 0
  }
  const readPlain = (line: string) => {
    const text = withoutComment(line, shape)
    if (text.endsWith(closeTag)) doubtful = text
    else putPlain(text)
  }
  const readValue = (text: string) => {
    const first = text.charAt(0)
    if (isQuote(first)) {
      beginText(Token.beginQuoted)
      readInner = createYamlQuoted(putText, first)
      readFrom(text, 1)
    } else if (opensFlow(first, shape)) {
      structure.push(first === '{', structure.indent())
      readInner = createYamlFlow(put, structure)
      readFrom(text, 1)
    } else if (blockHeader.test(text)) {
      beginText(Token.beginQuoted)
      block = createYamlBlock(putText, text, structure.indent())
    } else readPlain(text)
  }
  /** Reads on in quotes or brackets. Behind them nothing may stand but a comment or the close tag. */
  const readFrom = (line: string, from: number) => {
    const at = readInner?.(line, from) ?? -1
    if (structure.error()) unread = line.slice(at)
    if (structure.error() || at < 0) return
    readInner = undefined
    endText()
    const rest = skipBlank(line.slice(at))
    const end = findClose(rest)
    if (end) closeAll(rest.slice(end))
    else if (rest && !rest.startsWith('#')) fail('text behind a value', rest)
  }

  /** Reads an entry, an item, or the value of one: what stands in a line at a column. */
  const readNode = (text: string, column: number, isItem: boolean) => {
    const isDash = /^-(?:\s|$)/.test(text)
    const isValue = isItem || structure.isValueAt(column, isDash)
    if (!isValue) structure.place(column, isDash)
    shape = writer.expected()
    const isText = (shape.kinds & Kind.string) !== 0 && !(shape.kinds & Kind.object)
    const hasNoKey = isDash || (isValue && (isText || opensFlow(text.charAt(0), shape) || /^[|>]/.test(text)))
    const key = hasNoKey ? undefined : findKey(text)
    if (isValue && (isDash || key)) structure.push(!isDash, column)
    else if (!isValue && !isDash && !key) structure.fail('text without a key')
    if (structure.error()) return fail(structure.error(), text)
    if (!isDash && !key) return readValue(text)
    if (key) put(Token.key, key.name)
    structure.setPending(true)
    shape = writer.expected()
    const rest = skipBlank(text.slice(key?.end ?? 1))
    if (rest === '') return
    if (key) readValue(rest)
    else readNode(rest, column + text.length - rest.length, true)
  }
  const startsCall = (text: string) =>
    text.startsWith('<') && opens.some(open => text.startsWith(open) && /^(?:[\s>/]|$)/.test(text.slice(open.length)))
  const readLine = (line: string) => {
    const text = trimBlank(line)
    const column = indentOf(line)
    if (block) endText()
    if (text === '') blanks++
    else if (isTextOpen && column > structure.indent() && !text.startsWith('#')) {
      if (/^[^\s:]+:(?:\s|$)/.test(text)) fail('a key that is indented by too much', line)
      else readPlain(text)
    } else {
      endText()
      if (text.startsWith('#') || (border.test(text) && !structure.isValueAt(column, false))) return
      if (column <= structure.indent() && startsCall(text)) closeAll(text)
      else readNode(text, column, false)
    }
  }

  /** Whether a line goes on with the arguments behind one that holds the close tag. */
  const goesOn = (line: string): boolean => {
    const text = trimBlank(line)
    const name = entryName(text, names)
    if (indentOf(line) >= (block?.indent() ?? structure.indent() + 1)) return text !== ''
    if (name === undefined) return /^(?:-(?:\s|$)|#|```)/.test(text) || text.startsWith(closeTag)
    // Behind a line of text prose is more likely than behind a block, and needs no indentation to look like a key.
    return block !== undefined || structure.depth() > 1 || names.length === 0 || names.includes(name)
  }
  const settle = (line: string) => {
    const text = doubtful ?? ''
    const isText = goesOn(line)
    const blankLines = behind.split('\n').slice(1, -1)
    if (!block) putPlain(isText ? text : trimBlank(text.slice(0, -closeTag.length)))
    if (!isText) return closeAll(behind)
    doubtful = undefined
    behind = ''
    for (const each of [text, ...blankLines]) block?.putLine(each, true)
    blanks = blankLines.length
    readWhole(line)
  }
  const readWhole = (line: string) => {
    if (tryClose(line)) return
    if (doubtful !== undefined) {
      behind += `\n${line}`
      if (trimBlank(line) !== '' || behind.length > maxHeldChars) settle(line)
    } else if (block?.holds(line)) {
      if (trimBlank(line) === closeTag) doubtful = line
      else block.putLine(line, lineBreak !== '')
    } else if (readInner) readFrom(line, 0)
    else readLine(line)
  }
  const takeLine = () => {
    const line = held
    held = ''
    readWhole(line)
    if (!isReading()) unread += lineBreak
  }

  return {
    feed(chunk, from, to) {
      let at = from
      while (at < to && isReading()) {
        const found = chunk.indexOf('\n', at)
        const end = found < 0 || found > to ? to : found
        const piece = chunk.slice(at, end)
        const mayClose = held.length < maxCloseChars && piece.includes('>')
        held += piece
        at = end
        if (mayClose && tryClose(held)) break
        if (held.length > maxHeldChars) fail('a line that is too long', held)
        else if (at < to) {
          at++
          takeLine()
        }
      }
      return at
    },
    status() {
      if (isDone) return 'done'
      return structure.error() ? 'failed' : 'reading'
    },
    error: structure.error,
    unread: () => unread,
    end(isCut) {
      if (isCut) {
        // Of a line that was cut only the key is certain; in a block all is text.
        if (block?.holds(held)) block.putLine(held, false)
        else if (!block && !readInner && doubtful === undefined) readWhole(/^.*?:(?=\s)/.exec(held)?.[0] ?? '')
        return false
      }
      lineBreak = ''
      takeLine()
      if (isReading() && doubtful !== undefined) settle('')
      else if (isReading() && !readInner && !structure.isPending()) closeAll('')
      return isDone
    },
  }
}
