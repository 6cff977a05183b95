import type { ArgumentWriter } from '../argument-writer.js'
import { isQuote } from '../characters.js'
import type { Reader } from '../reader.js'
import { Kind, type Shape, silentShape } from '../shape.js'
import { Token } from '../value-token.js'
import { blockHeader, createYamlBlock, type YamlBlock } from './yaml-block.js'
import { createYamlFlow } from './yaml-flow.js'
import { entryName, findKey } from './yaml-key.js'
import { border, constantOf, mayHoldFlow, skipBlank, trimBlank, withoutComment } from './yaml-line.js'
import { createYamlQuoted } from './yaml-quoted.js'
import { createYamlStructure, type GivenArguments, MAX_DEPTH, TAG_LINE } from './yaml-structure.js'

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
  readonly given: GivenArguments
  readonly maxHeldChars: number
}

/** A close tag at the beginning of a line stands within so many characters. */
const MAX_CLOSE_CHARS = 512

const indentOf = (line: string) => line.length - skipBlank(line).length

export function createYamlReader(options: YamlReaderOptions): YamlReader {
  const { writer, closeTag, opens, names, given, maxHeldChars } = options
  const { put } = writer
  const maxCloseChars = Math.min(MAX_CLOSE_CHARS, maxHeldChars)
  const structure = createYamlStructure(writer, given)
  const outerIndent = () => Math.max(structure.indent(), 0)
  let status: 'reading' | 'done' | 'failed' = 'reading'
  let error = ''
  let unread = ''
  /** The line being read, and the line break behind it: none at the end of the text. */
  let held = ''
  let lineBreak = '\n'
  let isTagLine = true
  let shape: Shape = silentShape
  /** A scalar without quotes was read that may go on in the next line; and the blank lines behind it. */
  let isPlainOpen = false
  let blanks = 0
  /** What the next lines belong to: a text in quotes, or brackets; or a block. */
  let readInner: ((line: string, from: number) => number) | undefined
  let block: YamlBlock | undefined
  /** A line with a close tag at its end; and what follows it, up to the line that tells whether the tag closes the call. */
  let doubtful: string | undefined
  let behind = ''

  const fail = (message: string, rest: string) => {
    status = 'failed'
    error = message
    unread = rest
  }
  const endPlain = () => {
    if (isPlainOpen) put(Token.endText, '')
    isPlainOpen = false
  }
  const endBlock = () => {
    block?.close()
    block = undefined
    put(Token.endText, '')
  }
  const closeAll = (rest: string) => {
    endPlain()
    if (block) endBlock()
    structure.closeAll()
    status = 'done'
    unread = rest
  }
  /** Where the close tag ends with which a text begins, if it does. The end of the text may have cut it. */
  const findClose = (text: string): number => {
    const head = text.slice(0, maxCloseChars)
    const bare = skipBlank(head)
    if (lineBreak === '' && bare && closeTag.startsWith(bare)) return text.length
    const rest = skipBlank(bare.slice(closeTag.length - 1))
    return rest.startsWith('>') && bare.startsWith(closeTag.slice(0, -1)) ? head.length - rest.length + 1 : 0
  }
  /**
   * Ends the call at the close tag, behind which the line need not be whole: at the beginning of a line, or in the line of the
   * open tag. An indented tag in a block, in quotes or in brackets is text.
   */
  const tryClose = (line: string): boolean => {
    const at = isTagLine && !line.startsWith('{') ? line.indexOf(closeTag) : 0
    if (at > 0) readLine(line.slice(0, at))
    const rest = line.slice(Math.max(at, 0))
    const end = findClose(rest)
    if (status === 'failed') unread += rest
    else if (!end || doubtful !== undefined || block?.holds(rest)) return false
    else if (!readInner) closeAll(rest.slice(end))
    else if (indentOf(rest) <= outerIndent()) fail('quotes or brackets that are not closed', rest)
    return status !== 'reading'
  }
  const doubt = (line: string) => {
    doubtful = line
    behind = ''
  }

  const putPlain = (text: string) => {
    if (text === '') return
    structure.beginValue()
    const constant = isPlainOpen ? undefined : constantOf(text, shape)
    if (constant !== undefined) return put(Token.literal, constant)
    if (isPlainOpen) put(Token.text, '\n'.repeat(blanks) || ' ')
    else put(Token.beginRaw, '')
    put(Token.text, text)
    isPlainOpen = true
    blanks = 0
  }
  const readPlain = (line: string) => {
    const text = withoutComment(line, shape)
    if (text.endsWith(closeTag)) doubt(text)
    else putPlain(text)
  }
  const isBracket = (char: string) => (char === '[' || char === '{') && mayHoldFlow(char, shape)
  const readValue = (text: string) => {
    const first = text.charAt(0)
    if (isQuote(first)) {
      structure.beginValue()
      put(Token.beginQuoted, '')
      const readQuoted = createYamlQuoted(piece => put(Token.text, piece), first)
      readInner = (line, from) => {
        const end = readQuoted(line, from)
        if (end >= 0) put(Token.endText, '')
        return end
      }
      readFrom(text, 1)
    } else if (isBracket(first)) {
      structure.beginValue()
      const maxDepth = MAX_DEPTH - structure.depth()
      readInner = createYamlFlow({ sink: put, putEmpty: structure.putEmpty, fail, maxDepth, maxHeldChars })
      readFrom(text, 0)
    } else if (blockHeader.test(text)) {
      structure.beginValue()
      put(Token.beginQuoted, '')
      block = createYamlBlock(piece => put(Token.text, piece), text, structure.indent())
    } else readPlain(text)
  }
  /** Reads on in quotes or brackets. Behind them nothing may stand but a comment or the close tag. */
  const readFrom = (line: string, from: number) => {
    const at = readInner?.(line, from) ?? -1
    if (status === 'failed' || at < 0) return
    readInner = undefined
    const rest = skipBlank(line.slice(at))
    const end = findClose(rest)
    if (end) closeAll(rest.slice(end))
    else if (rest && !rest.startsWith('#')) fail('text behind a value', rest)
  }

  /** Reads an item, an entry, or a value of its own: what stands in a line at a column. */
  const readNode = (text: string, column: number, isItem = false) => {
    const isDash = /^-(?:\s|$)/.test(text)
    const isValue = isItem || structure.isValueAt(column, isDash)
    const isRoot = structure.depth() === 0 && text.startsWith('{') && !writer.isWhole()
    if (!isValue && !isRoot) structure.place(column, isDash)
    shape = writer.expected()
    const isText = isValue && (shape.kinds & Kind.string) !== 0 && !(shape.kinds & Kind.object)
    const isOther = isDash || isText || isRoot || (isValue && (isBracket(text.charAt(0)) || /^[|>]/.test(text)))
    const key = isOther ? undefined : findKey(text)
    if (isValue && (isDash || key)) structure.push(!isDash, column)
    if (structure.error()) return fail(structure.error(), text)
    if (isDash) structure.putDash()
    else if (key) structure.putKey(key.name)
    else if (isValue || isRoot) return readValue(text)
    else return fail('text without a key', text)
    shape = writer.expected()
    const rest = text.slice(key?.end ?? 1)
    const bare = skipBlank(rest)
    if (key && bare) readValue(bare)
    else if (bare) readNode(bare, column === TAG_LINE ? TAG_LINE : column + text.length - bare.length, true)
  }
  const startsCall = (text: string) =>
    text.startsWith('<') && opens.some(open => text.startsWith(open) && /^(?:[\s>/]|$)/.test(text.slice(open.length)))
  const readLine = (line: string) => {
    const text = trimBlank(line)
    const column = isTagLine ? TAG_LINE : indentOf(line)
    isTagLine = false
    if (text === '') blanks++
    else if (isPlainOpen && structure.indent() !== TAG_LINE && column > structure.indent() && text[0] !== '#') {
      if (/^[^\s:]+:(?:\s|$)/.test(text)) fail('a key that is indented by too much', line)
      else readPlain(text)
    } else {
      endPlain()
      if (text.startsWith('#') || (border.test(text) && !structure.isValueAt(column))) return
      if (column <= outerIndent() && startsCall(text)) closeAll(text)
      else readNode(text, column)
    }
  }
  /** The close tag alone in a line of a block is doubtful. */
  const readBlockLine = (line: string) => {
    if (!block?.holds(line)) {
      endBlock()
      readLine(line)
    } else if (trimBlank(line) === closeTag) doubt(line)
    else block.putLine(line, lineBreak !== '')
  }
  /** Whether a line goes on with the arguments behind one that holds the close tag. */
  const goesOn = (line: string): boolean => {
    const text = trimBlank(line)
    if (text === '') return false
    const indent = block?.indent() ?? structure.indent() + 1
    if (indentOf(line) >= indent || text.startsWith(closeTag)) return true
    // Behind a line of text prose is more likely than behind a block, and needs no indentation to look like a key.
    const isKnown = block !== undefined || structure.depth() > 1 || names.length === 0
    const name = entryName(text, names)
    return name === undefined ? /^(?:-(?:\s|$)|#|```)/.test(text) : isKnown || names.includes(name)
  }
  const settle = (line: string) => {
    const text = doubtful ?? ''
    const isText = goesOn(line)
    const blankLines = behind.split('\n').slice(1, -1)
    doubtful = undefined
    if (!block) putPlain(isText ? text : trimBlank(text.slice(0, -closeTag.length)))
    if (!isText) return closeAll(behind)
    for (const each of [text, ...blankLines]) block?.putLine(each, true)
    blanks = blankLines.length
    readWhole(line)
  }
  const readWhole = (line: string) => {
    if (tryClose(line)) return
    if (doubtful !== undefined) {
      behind += `\n${line}`
      if (trimBlank(line) !== '' || behind.length > maxHeldChars) settle(line)
    } else if (block) readBlockLine(line)
    else if (readInner) readFrom(line, 0)
    else readLine(line)
  }
  const takeLine = () => {
    const line = held
    held = ''
    readWhole(line)
    if (status !== 'reading') unread += lineBreak
  }

  return {
    feed(chunk, from, to) {
      let at = from
      while (at < to && status === 'reading') {
        const found = chunk.indexOf('\n', at)
        const end = found < 0 || found > to ? to : found
        const mayClose = held.length < maxCloseChars
        held += chunk.slice(at, end)
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
    status: () => status,
    error: () => error,
    unread: () => unread,
    end(isCut) {
      // Of a line that was cut only the key is certain; in a block all is text.
      if (isCut && doubtful === undefined) {
        if (block?.holds(held)) block.putLine(held, false)
        else if (!block && !readInner) readWhole(/^.*?:(?=\s)/.exec(held)?.[0] ?? '')
      }
      if (isCut) return false
      lineBreak = ''
      takeLine()
      if (doubtful !== undefined) settle('')
      else if (status === 'reading' && !readInner && !structure.isPending()) closeAll('')
      return status === 'done'
    },
  }
}
