import type { ArgumentWriter } from '../argument-writer.js'
import { isQuote, isSpace } from '../characters.js'
import type { Reader } from '../reader.js'
import { Kind, type Shape, silentShape } from '../shape.js'
import { createValueRecorder, Token, type ValueRecorder } from '../value-token.js'
import { blockHeader, createYamlBlock, type YamlBlock } from './yaml-block.js'
import { createYamlFlow, type YamlFlow } from './yaml-flow.js'
import { constantOf, goesOn, isCloseTag, mayHoldFlow, trimBlank, withoutComment } from './yaml-line.js'
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
const GAP = 0 //      a: | text                the space before something; `place` says what that may be
const TAG = 1 //      </wri|te_file>
const DASH = 2 //     -|                       an item, or a text?
const PLAIN = 3 //    a te|xt
const COMMENT = 4 //  # te|xt
const DOUBT = 5 //    a: text</write_file>|    a close tag behind a text: what follows tells
const FLOW = 6 //     a: "te|xt"               or brackets
const BLOCK = 7 //    a: |\n  te|xt
const DONE = 8
const FAILED = 9

/** What stands before the gap: nothing, a dash, the colon of a key, a value; or it begins a line inside quotes or brackets. */
type Place = 'line' | 'item' | 'value' | 'after' | 'inside'

export function createYamlReader(options: YamlReaderOptions): YamlReader {
  const { writer, closeTag, startsCall, names, given, maxHeldChars } = options
  const maxLineChars = closeTag.length + MAX_LOOK_CHARS
  let state = GAP
  let place: Place = 'line'
  let error = ''
  let unread = ''
  const fail = (message: string) => {
    state = FAILED
    error = message
  }
  const structure = createYamlStructure({ writer, given, fail })
  /** The text since the last thing that was understood, and its last characters. */
  let held = ''
  let recent = ''
  /** Where the thing at hand begins in its line. */
  let column = TAG_LINE
  /** Whether the text at hand may be a key, or can be nothing else. */
  let mayBeKey = false
  let mustBeKey = false
  let shape: Shape = silentShape
  /** A scalar without quotes was read that may go on in the next line; and the blank lines behind it. */
  let isPlainOpen = false
  let blanks = 0
  let flow: YamlFlow | undefined
  /** Holds a text in quotes that may be a key. */
  let record: ValueRecorder | undefined
  let block: YamlBlock | undefined
  /** The line with a close tag at its end. */
  let doubtful = ''
  /** What follows that: the line that tells. */
  let look = ''

  const beginGap = (before: Place) => {
    state = GAP
    place = before
    held = ''
  }
  const newLine = (blankLines = 0) => {
    beginGap('line')
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

  const readGap = (char: string) => {
    const isHeld = place === 'line' || place === 'inside'
    if (place === 'inside' && char === '\n') resumeFlow(char)
    else if (char === '\n') newLine(place === 'line' ? blanks + 1 : 0)
    else if (!isSpace(char)) begin(char)
    else {
      if (isHeld) held += char
      if (char !== '\r' && column !== TAG_LINE) column++
      if (held.length > maxHeldChars) fail('a line of nothing but space')
    }
  }
  const begin = (char: string) => {
    const isIndented = column > Math.max(structure.indent(), 0)
    if (char === '<' && (place === 'line' || place === 'after' || (place === 'inside' && !isIndented))) beginTag()
    else if (place === 'inside') resumeFlow(char)
    else if (place === 'value') beginText(char)
    else if (char === '#') {
      endPlain()
      state = COMMENT
    } else if (place === 'after') fail('text behind a value')
    else beginEntry(char)
  }
  const beginTag = () => {
    held += '<'
    recent = '<'
    state = TAG
  }
  /** A close tag ends the call; and so does the next call, where an entry should be. */
  const readTag = (char: string) => {
    held += char
    recent += char
    const isClose = isCloseTag(recent, closeTag)
    if (isClose) return place === 'inside' ? fail('quotes or brackets that are not closed') : closeAll('')
    const isEntry = place === 'line' && structure.depth() > 0 && column <= Math.max(structure.indent(), 0)
    const isCall = isEntry ? startsCall(recent) : false
    if (isCall) return closeAll(recent)
    if (isClose === undefined || isCall === undefined) return
    if (place === 'after') return fail('text behind a value')
    if (place === 'inside') return resumeFlow('')
    const text = recent.slice(1)
    held = held.slice(0, -recent.length)
    beginEntry('<')
    readAgain(text)
  }
  const beginEntry = (char: string) => {
    const indent = structure.indent()
    if (isPlainOpen && indent !== TAG_LINE && column > indent) return beginPlain(char)
    endPlain()
    if (char !== '-') return beginNode(char)
    held += char
    state = DASH
  }
  const readDash = (char: string) => {
    if (!isSpace(char)) {
      // A text that begins with a dash, such as a number.
      held = held.slice(0, -1)
      beginNode('-')
      return readAgain(char)
    }
    if (place === 'item' || structure.place(column, true)) structure.push(false, column)
    if (state === FAILED) return
    structure.putDash()
    column++
    beginGap('item')
    readGap(char)
  }
  /** A key, or a value that turns out to be a mapping if a colon stands behind its first word. */
  const beginNode = (char: string) => {
    const isValue = place === 'item' || structure.place(column, false)
    if (state === FAILED) return
    const { kinds } = writer.expected()
    const isText = place === 'item' && (kinds & Kind.string) !== 0 && !(kinds & Kind.object)
    beginText(char, !isText, !isValue)
  }
  const beginText = (char: string, canBeKey = false, isKey = false) => {
    mayBeKey = canBeKey
    mustBeKey = isKey
    shape = writer.expected()
    const isBracket = !isKey && (char === '[' || char === '{') && mayHoldFlow(char, shape)
    if (isBracket || isQuote(char)) beginFlow(char, canBeKey && !isBracket)
    else beginPlain(char)
  }

  const beginFlow = (first: string, isHeld: boolean) => {
    record = isHeld ? createValueRecorder() : undefined
    if (!isHeld) structure.beginValue()
    flow = createYamlFlow({
      sink: (token, text) => (record ?? writer).put(token, text),
      putEmpty: structure.putEmpty,
      maxDepth: MAX_DEPTH - structure.depth(),
      maxHeldChars,
    })
    flow.feed(first, 0, 1)
    held += first
    state = FLOW
    if (flow.isFailed()) fail(flow.error())
  }
  const readFlow = (chunk: string, from: number, to: number): number => {
    if (record) {
      readQuoted(chunk.charAt(from))
      return from + 1
    }
    const found = chunk.indexOf('\n', from)
    const at = flow?.feed(chunk, from, found < 0 || found >= to ? to : found + 1) ?? to
    if (flow?.isFailed()) {
      fail(flow.error())
      unread = chunk.charAt(at - 1)
    } else if (flow?.isDone()) beginGap('after')
    else if (at > from && chunk[at - 1] === '\n') {
      beginGap('inside')
      column = 0
    }
    return at
  }
  const resumeFlow = (char: string) => {
    const text = held + char
    state = FLOW
    readAgain(text)
  }
  /** A text in quotes is a key if a colon follows in the same line. */
  const readQuoted = (char: string) => {
    const before = held
    held += char
    const mayGoOn = char !== '\n' && held.length <= maxHeldChars
    if (mayGoOn && !flow?.isDone() && flow?.feed(char, 0, 1)) return
    if (mayGoOn && flow?.isDone() && isSpace(char)) return
    if (flow?.isDone() && char === ':') {
      let name = ''
      record?.replay((token, text) => {
        if (token === Token.text) name += text
      })
      return acceptKey(name)
    }
    if (mustBeKey) {
      fail('a key without its quote or its colon')
      unread = before + char
    } else takeQuoted(char)
  }
  /** It is no key. */
  const takeQuoted = (behind: string) => {
    structure.beginValue()
    record?.replay(writer.put)
    record = undefined
    if (flow?.isDone()) beginGap('after')
    readAgain(behind)
  }
  const acceptKey = (name: string) => {
    record = undefined
    if (!mustBeKey) structure.push(true, column)
    if (state === FAILED) return
    structure.putKey(name)
    beginGap('value')
  }

  const beginPlain = (char: string) => {
    state = PLAIN
    recent = ''
    if (isPlainOpen) mayBeKey = false
    readPlain(char)
  }
  const readPlain = (char: string) => {
    if (char === '\n') return endPlainLine(char)
    held += char
    if (held.length > maxHeldChars) return fail('a line without quotes that is too long')
    const isBehindColon = recent.endsWith(':')
    recent = (recent + char).slice(-closeTag.length)
    if (mayBeKey && isBehindColon && isSpace(char)) takeKey()
    else if (column === TAG_LINE && !mustBeKey && recent === closeTag) {
      putPlain(trimBlank(held.slice(0, -closeTag.length)))
      closeAll('')
    }
  }
  /** A colon with a space behind it: what stands before it is a key, if it is not a comment, a block or nothing. */
  const takeKey = (): boolean => {
    const name = trimBlank(trimBlank(held).slice(0, -1))
    mayBeKey = name !== '' && withoutComment(name, silentShape) === name && (mustBeKey || !/^[|>]/.test(name))
    if (mayBeKey) acceptKey(name)
    return mayBeKey
  }
  /** `lineBreak` is empty where the text is over. */
  const endPlainLine = (lineBreak: string) => {
    const whole = trimBlank(held)
    const text = withoutComment(whole, shape)
    if (mayBeKey && whole.endsWith(':') && takeKey()) {
      if (lineBreak && state === GAP) newLine()
    } else if (mustBeKey) {
      // The end of a document, or of a fence around it.
      if (/^(?:---|\.\.\.|```\w*)$/.test(whole)) newLine()
      else fail('text without a key')
    } else if (!isPlainOpen && blockHeader.test(whole)) beginBlock(whole)
    else if (isPlainOpen && /^[^\s:]+:(?:\s|$)/.test(text)) fail('a key that is indented by too much')
    else if (text.endsWith(closeTag)) beginDoubt(text, lineBreak)
    else {
      putPlain(text)
      newLine()
    }
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
    if (!block?.isInLine()) recent = trimBlank(recent + piece)
    const mayBeTag = held.length <= maxLineChars && closeTag.startsWith(recent)
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
  const readers: ((char: string) => void)[] = [
    ...[readGap, readTag, readDash, readPlain],
    char => char === '\n' && newLine(),
    readDoubt,
  ]
  const step = (char: string) => {
    const before = held
    readers[state]?.(char)
    if (state === FAILED && unread === '') unread = before + char
  }
  const feed = (chunk: string, from: number, to: number): number => {
    let at = from
    while (at < to && state < DONE) {
      if (state === FLOW) at = readFlow(chunk, at, to)
      else if (state === BLOCK) at = readBlock(chunk, at, to)
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
    status() {
      if (state === FAILED) return 'failed'
      return state === DONE ? 'done' : 'reading'
    },
    error: () => error,
    unread: () => unread,
    end() {
      if (state === PLAIN) endPlainLine('')
      if (state === FLOW && flow?.end() && !(record && mustBeKey)) takeQuoted('')
      if (state === BLOCK) endBlockLine('')
      if (state === BLOCK) endBlock()
      if (state === DOUBT) settle()
      if (state === DONE) return true
      const isClosing = state === TAG && place !== 'inside' && isCloseTag(recent, closeTag) === undefined
      const isBetween = isClosing || state === COMMENT || (state === GAP && (place === 'line' || place === 'after'))
      if (structure.isPending() || !isBetween) return false
      closeAll('')
      return true
    },
  }
}
