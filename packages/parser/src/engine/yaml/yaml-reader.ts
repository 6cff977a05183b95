import type { ArgumentWriter } from '../argument-writer.js'
import { isQuote, isSpace } from '../characters.js'
import type { Reader } from '../reader.js'
import { Kind, type Shape, silentShape } from '../shape.js'
import { Token } from '../value-token.js'
import { createYamlContent, type YamlContent } from './yaml-content.js'
import {
  createLineLook,
  createPlainLine,
  createPlainScalar,
  goesOn,
  isCloseTag,
  type LineLook,
  mayHoldFlow,
  type PlainLine,
  trimBlank,
  withoutComment,
} from './yaml-plain.js'
import { blockHeader, createQuotedKey, createYamlBlock, type QuotedKey, type YamlBlock } from './yaml-scalar.js'
import { createYamlStructure } from './yaml-structure.js'

/**
 * Reads the YAML that models write, line by line, up to the close tag of the call that holds it: mappings and lists by
 * indentation, plain, quoted and block scalars, lists and objects in brackets, comments. It can stop and go on at any
 * character. Scalars are typed by the schema and not by their looks. Anchors, tags and complex keys are plain text.
 */
export interface YamlReader extends Reader {
  /** No more text comes. True if nothing but the close tag is missing; then the arguments are made whole. */
  end(): boolean
}

export interface YamlReaderOptions {
  readonly writer: ArgumentWriter
  readonly closeTag: string
  /** Tells whether a text begins with the tag of another call; undefined as long as that cannot be told. */
  readonly startsCall: (text: string) => boolean | undefined
  /** The keys that the tool has. */
  readonly names: readonly string[]
  /** Arguments that were given in another way, before the YAML. */
  readonly given: readonly (readonly [key: string, text: string])[]
  readonly maxHeldChars: number
}

const TAG_LINE = -1

// Where the reader stands.
const INDENT = 0 //   |  a: 1
const ANGLE = 1 //    </wri|te_file>         at the beginning of a line, or behind a value
const DASH = 2 //     -|                     an item, or a text?
const ITEM = 3 //     - | a
const PLAIN = 4 //    a te|xt
const QUOTED = 5 //   "a|": 1                a key, or an item that is a text?
const VALUE = 6 //    a: | text
const AFTER = 7 //    a: "text"|
const COMMENT = 8 //  # te|xt
const DOUBT = 9 //    a: text</write_file>|  a close tag behind a text: what follows tells
const CONTENT = 10 // a: "te|xt"             or brackets, or a block
const DONE = 11
const FAILED = 12

export function createYamlReader(options: YamlReaderOptions): YamlReader {
  const { writer, closeTag, startsCall, names, given, maxHeldChars } = options
  let state = INDENT
  let error = ''
  let unread = ''
  const fail = (message: string) => {
    state = FAILED
    error = message
  }
  const structure = createYamlStructure({ writer, given, fail })
  /** The text since the last thing that was understood; and where in it the text at hand begins. */
  let held = ''
  let textAt = 0
  /** Where the thing at hand begins in its line. */
  let column = TAG_LINE
  /** The value at hand stands behind a dash in the same line. */
  let isItem = false
  let mustBeKey = false
  let line: PlainLine | undefined
  let shape: Shape = silentShape
  const plain = createPlainScalar(writer)
  /** Blank lines since the last one that was not. */
  let blanks = 0
  let content: YamlContent | undefined
  let block: YamlBlock | undefined
  /** A quoted scalar that may be a key. */
  let quoted: QuotedKey | undefined
  /** An angle was read behind a value, not at the beginning of a line. */
  let isBehindValue = false
  /** The text with a close tag behind it, and what follows. */
  let doubtful = ''
  let look: LineLook | undefined

  const newLine = (blankLines = 0) => {
    state = INDENT
    held = ''
    column = 0
    blanks = blankLines
    isItem = false
  }
  const putPlain = (text: string) => {
    structure.beginValue()
    plain.put(text, shape, blanks)
  }
  const closeAll = (rest = '') => {
    plain.end()
    structure.closeAll()
    state = DONE
    unread = rest
  }
  const readIndent = (char: string) => {
    if (char === '\n') newLine(blanks + 1)
    else if (char === '<') beginAngle()
    else if (!isSpace(char)) beginLine(char)
    else {
      held += char
      if (char !== '\r' && column !== TAG_LINE) column++
      if (held.length > maxHeldChars) fail('a line of nothing but space')
    }
  }
  const beginAngle = () => {
    isBehindValue = state === AFTER
    textAt = held.length
    held += '<'
    state = ANGLE
  }
  /** A close tag ends the call; and so does the next call, where an entry should be. */
  const readAngle = (char: string) => {
    held += char
    const text = held.slice(textAt)
    const isClose = isCloseTag(text, closeTag)
    if (isClose) return closeAll()
    const isEntry = !isBehindValue && structure.depth() > 0 && column <= Math.max(structure.indent(), 0)
    const isCall = isEntry ? startsCall(text) : false
    if (isCall) return closeAll(text)
    if (isClose === undefined || isCall === undefined) return
    if (isBehindValue) return fail('text behind a value')
    held = held.slice(0, textAt)
    beginLine('<')
    readAgain(text.slice(1))
  }
  const beginLine = (char: string) => {
    const indent = structure.indent()
    if (char === '#') {
      plain.end()
      state = COMMENT
    } else if (plain.isOpen() && indent !== TAG_LINE && column > indent) beginPlain(char, false)
    else {
      plain.end()
      if (char === '-') beginDash()
      else beginEntry(char)
    }
  }
  const beginDash = () => {
    held += '-'
    state = DASH
  }
  const readDash = (char: string) => {
    if (!isSpace(char)) {
      // A text that begins with a dash, such as a number.
      held = held.slice(0, -1)
      if (isItem) beginNode('-')
      else beginEntry('-')
      return readAgain(char)
    }
    if (isItem || structure.place(column, true)) structure.push(false, column)
    if (state === FAILED) return
    structure.putDash()
    isItem = true
    held = ''
    column++
    state = ITEM
    readItem(char)
  }
  const readItem = (char: string) => {
    if (char === '\n') newLine()
    else if (isSpace(char)) column++
    else if (char === '#') state = COMMENT
    else if (char === '-') beginDash()
    else beginNode(char)
  }
  const beginEntry = (char: string) => {
    const isValue = structure.place(column, false)
    if (state === FAILED) return
    if (isValue) return beginNode(char)
    mustBeKey = true
    if (isQuote(char)) beginQuoted(char)
    else beginPlain(char, true)
  }
  /** A value that turns out to be a mapping if a colon stands behind its first word. */
  const beginNode = (char: string) => {
    mustBeKey = false
    const { kinds } = writer.expected()
    const isText = isItem && (kinds & Kind.string) !== 0 && !(kinds & Kind.object)
    if (isQuote(char) && !isText) beginQuoted(char)
    else beginValue(char, !isText)
  }
  const beginValue = (char: string, isNode: boolean) => {
    mustBeKey = false
    shape = writer.expected()
    const isBracket = (char === '[' || char === '{') && mayHoldFlow(char, shape)
    if (isBracket || isQuote(char)) beginContent(char)
    else beginPlain(char, isNode && char !== '|' && char !== '>')
  }
  const beginContent = (first: string) => {
    structure.beginValue()
    held = ''
    content = createYamlContent(first, { writer, structure, closeTag, maxHeldChars })
    state = CONTENT
    readContent('', 0, 0)
  }
  const readContent = (chunk: string, from: number, to: number): number => {
    const current = block ?? content
    const at = current?.feed(chunk, from, to) ?? to
    const status = current?.status()
    const rest = current?.unread() ?? ''
    if (status === 'doubtful') beginDoubt('')
    else if (status === 'failed') {
      fail(content?.error() ?? '')
      unread = rest
    } else if (status === 'done') {
      if (block) endBlock()
      else state = AFTER
      readAgain(rest)
    }
    return at
  }
  const readAfter = (char: string) => {
    if (char === '\n') newLine()
    else if (char === '#') state = COMMENT
    else if (char === '<') beginAngle()
    else if (!isSpace(char)) fail('text behind a value')
  }
  const beginQuoted = (quote: string) => {
    textAt = held.length
    held += quote
    quoted = createQuotedKey(quote)
    state = QUOTED
  }
  const readQuoted = (char: string) => {
    held += char
    if (held.length > maxHeldChars) return fail('a key that is too long')
    quoted?.read(char)
    const kind = quoted?.status()
    if (kind === 'key') acceptKey(quoted?.text() ?? '')
    else if (kind === 'text' && mustBeKey) fail('a key without its quote or its colon')
    else if (kind === 'text') {
      const text = held.slice(textAt)
      beginContent(text.charAt(0))
      readAgain(text.slice(1))
    }
  }
  const acceptKey = (name: string) => {
    if (!mustBeKey) structure.push(true, column)
    if (state === FAILED) return
    structure.putKey(name)
    isItem = false
    held = ''
    state = VALUE
  }
  const beginPlain = (char: string, mayBeKey: boolean) => {
    line = createPlainLine({ mayBeKey, closeTag, mayClose: column === TAG_LINE && !mustBeKey })
    state = PLAIN
    readPlain(char)
  }
  const readPlain = (char: string) => {
    if (char !== '\n') held += char
    if (held.length > maxHeldChars) return fail('a line without quotes that is too long')
    line?.read(char)
    endPlainLine(char)
  }
  /** `lineBreak` is empty where the text is over. */
  const endPlainLine = (lineBreak: string) => {
    const text = line?.text() ?? ''
    const kind = line?.status()
    if (kind === 'key') {
      acceptKey(text)
      if (lineBreak === '\n' && state === VALUE) newLine()
    } else if (kind === 'closed') {
      if (text) putPlain(text)
      closeAll()
    } else if (kind === 'line') endTextLine(text, lineBreak)
  }
  const endTextLine = (whole: string, lineBreak: string) => {
    const text = withoutComment(whole, shape)
    if (mustBeKey) {
      // The end of a document, or of a fence around it.
      if (/^(?:---|\.\.\.|```\w*)$/.test(whole)) newLine()
      else fail('text without a key')
    } else if (!plain.isOpen() && blockHeader.test(whole)) beginBlock(whole)
    else if (plain.isOpen() && /^[^\s:]+:(?:\s|$)/.test(text)) fail('a key that is indented by too much')
    else if (text.endsWith(closeTag)) {
      doubtful = text
      beginDoubt(lineBreak)
    } else {
      if (text) putPlain(text)
      newLine()
    }
  }
  const readValue = (char: string) => {
    if (char === '\n') newLine()
    else if (!isSpace(char)) beginValue(char, false)
  }
  const beginBlock = (header: string) => {
    structure.beginValue()
    writer.put(Token.beginQuoted, '')
    const put = (text: string) => writer.put(Token.text, text)
    block = createYamlBlock({ put, header, parentIndent: structure.indent(), closeTag })
    newLine()
    state = CONTENT
  }
  const endBlock = () => {
    block?.close()
    block = undefined
    writer.put(Token.endText, '')
    newLine()
  }
  const beginDoubt = (beginning: string) => {
    look = createLineLook(beginning, closeTag, maxHeldChars)
    state = DOUBT
  }
  /** Settles whether a close tag behind a text closes the call, by what follows. */
  const settle = () => {
    const rest = look?.text() ?? ''
    // Behind a line of text prose is more likely than behind a block, and needs no indentation to look like a key.
    const known = block || structure.depth() > 1 ? [] : names
    const isText = goesOn(look?.line() ?? '', block?.indent() ?? structure.indent() + 1, closeTag, known)
    if (block && isText) {
      block.resume()
      state = CONTENT
      readAgain(rest)
    } else if (isText) {
      putPlain(doubtful)
      newLine()
      readAgain(rest.slice(1))
    } else {
      const text = trimBlank(doubtful.slice(0, -closeTag.length))
      if (block) endBlock()
      else if (text) putPlain(text)
      closeAll(rest)
    }
  }
  /** By state, for those that are read character by character. */
  const readers: ((char: string) => void)[] = [
    ...[readIndent, readAngle, readDash, readItem, readPlain, readQuoted, readValue, readAfter],
    char => char === '\n' && newLine(),
    char => look?.read(char) && settle(),
  ]
  const step = (char: string) => {
    const before = held
    readers[state]?.(char)
    if (state === FAILED && unread === '') unread = before + char
  }
  const feed = (chunk: string, from: number, to: number): number => {
    let at = from
    while (at < to && state < DONE) {
      if (state === CONTENT) at = readContent(chunk, at, to)
      else step(chunk.charAt(at++))
    }
    return at
  }
  const readAgain = (text: string) => {
    const at = feed(text, 0, text.length)
    if (state >= DONE) unread += text.slice(at)
  }

  return {
    feed,
    status: () => (state === DONE ? 'done' : state === FAILED ? 'failed' : 'reading'),
    error: () => error,
    unread: () => unread,
    end() {
      if (state === DOUBT) settle()
      if (state === PLAIN) {
        line?.end()
        endPlainLine('')
      } else if (state === QUOTED && quoted?.end() && !mustBeKey) readQuoted('')
      if (state === CONTENT && block) {
        block.end()
        if (block.status() === 'doubtful') beginDoubt('')
        else endBlock()
      } else if (state === CONTENT && content?.end()) state = AFTER
      if (state === DOUBT) settle()
      if (state === DONE) return true
      const isClosing = state === ANGLE && isCloseTag(held.slice(textAt), closeTag) === undefined
      const isBetween = isClosing || state === INDENT || state === AFTER || state === COMMENT
      if (structure.isPending() || !isBetween) return false
      closeAll()
      return true
    },
  }
}
