import type { ArgumentWriter } from '../argument-writer.js'
import { isQuote, isSpace } from '../characters.js'
import type { Reader } from '../reader.js'
import { Kind, type Shape, silentShape } from '../shape.js'
import { Token } from '../value-token.js'
import { blockHeader, createYamlBlock, type YamlBlock } from './yaml-block.js'
import { createYamlFlow, type YamlFlow } from './yaml-flow.js'
import { findKey } from './yaml-key.js'
import { constantOf, goesOn, isCloseTag, mayHoldFlow, skipBlank, trimBlank, withoutComment } from './yaml-line.js'
import { createYamlStructure, MAX_DEPTH, TAG_LINE } from './yaml-structure.js'

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

/** So much of a line is enough to see whether it goes on with the arguments, or is a close tag. */
const MAX_LOOK_CHARS = 256

// Where the reader stands.
const LINE = 0 //    a: te|xt
const INSIDE = 1 //  a: "text\n |text"        the beginning of a line in quotes or brackets
const DOUBT = 2 //   a: text</write_file>|    a close tag behind a text: what follows tells
const FLOW = 3 //    a: "te|xt"               or brackets
const BLOCK = 4 //   a: |\n  te|xt
const DONE = 5
const FAILED = 6

/** What was understood of a line before the text that is held: nothing, a dash, a key, or a whole value. */
type Place = 'line' | 'item' | 'value' | 'after'

export function createYamlReader(options: YamlReaderOptions): YamlReader {
  const { writer, closeTag, startsCall, names, given, maxHeldChars } = options
  const maxLineChars = closeTag.length + MAX_LOOK_CHARS
  let state = LINE
  let place: Place = 'line'
  let error = ''
  let unread = ''
  const fail = (message: string) => {
    state = FAILED
    error = message
  }
  const structure = createYamlStructure({ writer, given, fail })
  /** The text since the last thing that was understood, and where in its line it begins. */
  let held = ''
  let column = TAG_LINE
  /** The last characters of that, once there is more than space. */
  let recent = ''
  /** What may be a tag, at the beginning of a line or behind a value. */
  let tag: string | undefined
  /** The text does not begin with a dash or a key. */
  let hasNoHead = false
  let mustBeKey = false
  let shape: Shape = silentShape
  /** A scalar without quotes was read that may go on in the next line; and the blank lines behind it. */
  let isPlainOpen = false
  let blanks = 0
  let flow: YamlFlow | undefined
  let block: YamlBlock | undefined
  /** The line with a close tag at its end, and the one behind it that tells. */
  let doubtful = ''
  let look = ''

  const beginText = (before: Place, text = '') => {
    state = LINE
    place = before
    held = text
    recent = ''
    tag = undefined
    hasNoHead = false
  }
  const newLine = (blankLines = 0) => {
    beginText('line')
    column = 0
    blanks = blankLines
  }
  const endPlain = () => {
    if (isPlainOpen) writer.put(Token.endText, '')
    isPlainOpen = false
  }
  const putPlain = (text: string) => {
    if (text === '') return
    structure.beginValue()
    const constant = isPlainOpen ? undefined : constantOf(text, shape)
    if (constant !== undefined) return writer.put(Token.literal, constant)
    if (isPlainOpen) writer.put(Token.text, '\n'.repeat(blanks) || ' ')
    else writer.put(Token.beginRaw, '')
    writer.put(Token.text, text)
    isPlainOpen = true
  }
  const closeAll = (rest: string) => {
    endPlain()
    structure.closeAll()
    state = DONE
    unread = rest
  }
  const outerIndent = () => Math.max(structure.indent(), 0)
  const isTextItem = () => place === 'item' && (shape.kinds & Kind.string) !== 0 && !(shape.kinds & Kind.object)
  const isBracket = (char: string) => (char === '[' || char === '{') && mayHoldFlow(char, shape)

  const readLine = (char: string) => {
    if (char === '\n' && tag === undefined) return endLine(char)
    if (place !== 'line' && recent === '' && isSpace(char)) {
      if (place === 'item') column++
      return
    }
    held += char
    const previous = recent.slice(-1)
    if (recent || !isSpace(char)) recent = (recent + char).slice(-closeTag.length)
    if (held.length > maxHeldChars) {
      takeHead()
      if (state === LINE && !beginFlow()) fail('a line that is too long')
    } else if (tag !== undefined) readTag(char)
    else if (previous === '' && recent) readFirst(char)
    else if (isSpace(char) && (previous === ':' || previous === '-') && !hasNoHead) takeHead()
    else if (column === TAG_LINE && place === 'value' && recent === closeTag) {
      putPlain(trimBlank(held.slice(0, -closeTag.length)))
      closeAll('')
    }
  }
  /** The first character that is no space. What has an end of its own need not wait for that of the line. */
  const readFirst = (char: string) => {
    if (char === '<' && (place === 'line' || place === 'after')) tag = char
    else if (place === 'after' && char !== '#') fail('text behind a value')
    else if (char === '[' || char === '{') {
      takeHead()
      if (state === LINE) beginFlow()
    } else if (place === 'value' || isTextItem()) beginFlow()
  }
  /** A close tag ends the call; and so does the next call, where an entry should be. */
  const readTag = (char: string) => {
    const text = tag + char
    const isClose = isCloseTag(text, closeTag)
    const isEntry = place === 'line' && structure.depth() > 0 && held.length - text.length <= outerIndent()
    const isCall = isEntry && !isClose ? startsCall(text) : false
    if (isClose || isCall) return closeAll(isCall ? text : '')
    const isOpen = isClose === undefined || isCall === undefined
    tag = isOpen ? text : undefined
    if (isOpen) return
    if (char === '\n') held = held.slice(0, -1)
    if (place === 'after') fail('text behind a value')
    else if (char === '\n') endLine(char)
  }
  /** Takes the dashes and the key with which the text begins. */
  const takeHead = () => {
    const bare = skipBlank(held)
    const space = held.slice(0, held.length - bare.length).replaceAll('\r', '')
    const at = column === TAG_LINE ? TAG_LINE : column + space.length
    hasNoHead = true
    if (isPlainOpen && structure.indent() !== TAG_LINE && at > structure.indent()) return
    if (place === 'value' || place === 'after' || bare === '' || bare.startsWith('#')) return
    endPlain()
    const isDash = /^-(?:\s|$)/.test(bare)
    const isValue = place === 'item' || structure.place(at, isDash)
    if (state === FAILED) return
    mustBeKey = !isValue
    if (!isDash) shape = writer.expected()
    const isOther = isDash || (isValue && (isTextItem() || isBracket(bare.charAt(0)) || /^[|>]/.test(bare)))
    const key = isOther ? undefined : findKey(bare)
    if (!isDash && !key) return
    if (isValue) structure.push(!isDash, at)
    if (state === FAILED) return
    if (key) structure.putKey(key.name)
    else structure.putDash()
    const rest = bare.slice(key?.end ?? 1)
    const text = skipBlank(rest)
    if (at !== TAG_LINE) column = at + 1 + rest.length - text.length
    shape = writer.expected()
    beginText(key ? 'value' : 'item', text)
    if (text) takeHead()
  }
  /** `lineBreak` is empty where the text is over. */
  const endLine = (lineBreak: string) => {
    takeHead()
    if (state === FAILED) return
    const whole = trimBlank(held)
    const isComment = place !== 'value' && whole.startsWith('#')
    const text = withoutComment(whole, shape)
    if (isComment) endPlain()
    if (isComment || whole === '') newLine(blanks + 1)
    else if (place === 'line' && mustBeKey && !isPlainOpen) {
      // The end of a document, or of a fence around it.
      if (/^(?:---|\.\.\.|```\w*)$/.test(whole)) newLine()
      else fail('text without a key')
    } else if (isPlainOpen && /^[^\s:]+:(?:\s|$)/.test(text)) fail('a key that is indented by too much')
    else if (beginFlow()) readAgain(lineBreak)
    else if (!isPlainOpen && blockHeader.test(whole)) beginBlock(whole)
    else if (text.endsWith(closeTag)) beginDoubt(text, lineBreak)
    else {
      putPlain(text)
      newLine()
    }
  }

  /** True if the text is a value in quotes or brackets. */
  const beginFlow = (): boolean => {
    const text = trimBlank(held)
    const isValue = place !== 'line' || !(mustBeKey || isPlainOpen)
    if (!isValue || !(isQuote(text.charAt(0)) || isBracket(text.charAt(0)))) return false
    structure.beginValue()
    const { put: sink } = writer
    const maxDepth = MAX_DEPTH - structure.depth()
    flow = createYamlFlow({ sink, putEmpty: structure.putEmpty, maxDepth, maxHeldChars })
    state = FLOW
    readAgain(text)
    return true
  }
  const readFlow = (chunk: string, from: number, to: number): number => {
    const found = chunk.indexOf('\n', from)
    const at = flow?.feed(chunk, from, found < 0 || found >= to ? to : found + 1) ?? to
    if (flow?.isFailed()) {
      fail(flow.error())
      unread = chunk.charAt(at - 1)
    } else if (flow?.isDone()) beginText('after')
    else if (chunk[at - 1] === '\n') {
      state = INSIDE
      held = ''
    }
    return at
  }
  /** A close tag that is indented no further than what holds the value says that its end was forgotten. */
  const readInside = (char: string) => {
    held += char
    const bare = held.trimStart()
    const isIndented = held.length - bare.length > outerIndent()
    const isClose = !isIndented && char !== '\n' && isCloseTag(bare, closeTag)
    if (isClose) fail('quotes or brackets that are not closed')
    if (isClose !== false) return
    state = FLOW
    readAgain(held)
  }

  const beginBlock = (header: string) => {
    structure.beginValue()
    writer.put(Token.beginQuoted, '')
    block = createYamlBlock(text => writer.put(Token.text, text), header, structure.indent())
    newLine()
    recent = ''
    state = BLOCK
  }
  const endBlock = () => {
    block?.close()
    block = undefined
    writer.put(Token.endText, '')
    newLine()
  }
  /** A line is held until it is over, or known to be no close tag. */
  const readBlock = (chunk: string, from: number, to: number): number => {
    const found = chunk.indexOf('\n', from)
    const end = found < 0 || found >= to ? to : found
    const piece = chunk.slice(from, end)
    held += piece
    if (!block?.isInLine()) recent = skipBlank(recent + piece)
    const mayBeTag = held.length <= maxLineChars && closeTag.startsWith(trimBlank(recent))
    if (end < to) endBlockLine('\n')
    else if (recent && !(mayBeTag && block?.holds(held))) putBlockLine(held, '')
    else if (held.length > maxHeldChars) fail('a line of nothing but space')
    return end < to ? end + 1 : end
  }
  /** The close tag alone in a line is doubtful. */
  const endBlockLine = (lineBreak: string) => {
    const line = held
    recent = ''
    if (block?.isInLine() || line.length > maxLineChars || trimBlank(line) !== closeTag || !block?.holds(line)) {
      putBlockLine(line, lineBreak)
    } else beginDoubt(line, lineBreak)
  }
  const putBlockLine = (line: string, lineBreak: string) => {
    if (!block?.isInLine() && !block?.holds(line)) {
      endBlock()
      return readAgain(line + lineBreak)
    }
    // The carriage return may belong to the line break.
    held = lineBreak === '' && line.endsWith('\r') ? '\r' : ''
    block.putLine(held ? line.slice(0, -1) : line, lineBreak !== '')
  }

  const beginDoubt = (line: string, lineBreak: string) => {
    doubtful = line
    held = lineBreak
    look = ''
    state = DOUBT
  }
  /** Reads what follows the close tag, up to the end of the first line that is not blank. */
  const readDoubt = (char: string) => {
    held += char
    if (char !== '\n') look += char
    const bare = trimBlank(look)
    const isClear = bare === closeTag || look.length > MAX_LOOK_CHARS || (char === '\n' && bare !== '')
    if (isClear || held.length > maxHeldChars) settle()
    else if (char === '\n') look = ''
  }
  const settle = () => {
    const rest = held
    // Behind a line of text prose is more likely than behind a block, and needs no indentation to look like a key.
    const known = block || structure.depth() > 1 ? [] : names
    const isText = goesOn(look, block?.indent() ?? structure.indent() + 1, closeTag, known)
    if (!isText) {
      if (block) endBlock()
      else putPlain(trimBlank(doubtful.slice(0, -closeTag.length)))
      return closeAll(rest)
    }
    if (!block) putPlain(doubtful)
    newLine()
    block?.putLine(doubtful, true)
    if (block) state = BLOCK
    readAgain(rest.slice(1))
  }

  /** By state, for those that are read character by character. */
  const readers = [readLine, readInside, readDoubt]
  const feed = (chunk: string, from: number, to: number): number => {
    let at = from
    while (at < to && state < DONE) {
      if (state === FLOW) at = readFlow(chunk, at, to)
      else if (state === BLOCK) at = readBlock(chunk, at, to)
      else {
        const char = chunk.charAt(at++)
        readers[state]?.(char)
        if (state === FAILED && unread === '') unread = held + (char === '\n' ? char : '')
      }
    }
    return at
  }
  const readAgain = (text: string) => {
    const at = feed(text, 0, text.length)
    if (state >= DONE) unread += text.slice(at)
  }

  return {
    feed,
    status() {
      if (state === FAILED) return 'failed'
      return state === DONE ? 'done' : 'reading'
    },
    error: () => error,
    unread: () => unread,
    end() {
      if (state === LINE && tag === undefined) endLine('')
      if (state === FLOW && flow?.end()) beginText('after')
      if (state === BLOCK) endBlockLine('')
      if (state === BLOCK) endBlock()
      if (state === DOUBT) settle()
      if (state === FAILED) unread ||= held
      if (state === DONE) return true
      const isClosing = tag === undefined || isCloseTag(tag, closeTag) === undefined
      if (state !== LINE || structure.isPending() || !isClosing) return false
      closeAll('')
      return true
    },
  }
}
