import { Kind, type Shape } from '../shape.js'
import { Token } from '../value-token.js'
import { createTable, type Table } from './table.js'
import type { ContentOptions, ContentStatus, ValueContent } from './value-content.js'

/**
 * Lines of text, as they are, up to a line that holds nothing but a word of the writer's choice:
 *
 *     code=<<END
 *     print("hi")
 *     END
 *
 * The line breaks behind `<<END` and before `END` are markup. Where the schema wants a list of objects the lines are a table
 * (see table.ts), for any other list its items; either may be JSON.
 */
export interface Heredoc extends ValueContent {
  /** False once it is clear that no word follows `<<`: then all of it, `text()`, is something else. */
  isHeredoc(): boolean
  /** True as long as no word was read, so that at the end of the text it is something else too. */
  isUndecided(): boolean
  text(): string
}

const opening = /^<<-? *(["']?)([\p{L}_][\p{L}\p{N}_]*)\1[ \t\r]*\n$/u
const openingPrefix = /^<(?:<(?:-? *(?:["']?(?:[\p{L}_][\p{L}\p{N}_]*(?:["']?[ \t\r]*)?)?)?)?)?$/u
const wordRead = /^<<-? *["']?[\p{L}_]/u
const MAX_OPENING_CHARS = 256

const STRUCTURE = Kind.object | Kind.array

export function createHeredoc(options: ContentOptions, shape: Shape): Heredoc {
  const { sink, maxHeldChars } = options
  const isText = (shape.kinds & Kind.string) !== 0 || !(shape.kinds & STRUCTURE)
  const isList = !isText && (shape.kinds & Kind.array) !== 0
  let status: ContentStatus = 'open'
  /** `<<END`, as long as it is being read. */
  let head = ''
  let word: string | undefined
  let isHeredoc = true
  /** Undefined until the first character of the lines tells. */
  let table: Table | undefined
  let hasBegun = false
  /** The beginning of a line, as long as it may be the closing one. */
  let line: string | undefined = ''
  let isFirstLine = true
  /** Lines end with a carriage return too; one is held back, for the last is markup. */
  let hasReturns = false
  let heldReturn = ''
  /** Space before the first item of a list. */
  let lead = ''
  /** What is left of a table that cannot be read. */
  let lost = ''

  const readHead = (char: string) => {
    head += char
    word = opening.exec(head)?.[2]
    hasReturns = head.endsWith('\r\n')
    if (word !== undefined || (openingPrefix.test(head) && head.length <= MAX_OPENING_CHARS)) return
    if (wordRead.test(head)) status = 'failed'
    else isHeredoc = false
  }
  const begin = (text: string) => {
    hasBegun = true
    if (isList && !/^\s*[[{]/.test(text)) table = createTable(options, shape)
    else sink(isText ? Token.beginQuoted : Token.beginRaw, '')
  }
  const put = (piece: string) => {
    if (piece === '') return
    const isReturn = hasReturns && piece.endsWith('\r')
    let text = heldReturn + (isReturn ? piece.slice(0, -1) : piece)
    heldReturn = isReturn ? '\r' : ''
    if (text === '') return
    if (!hasBegun && isList) {
      // Space tells nothing.
      lead += text
      if (!/\S/.test(text) && lead.length < maxHeldChars) return
      text = lead
    }
    if (!hasBegun) begin(text)
    if (!table) return sink(Token.text, text)
    const read = table.error() === undefined ? table.feed(text) : 0
    if (lost.length < maxHeldChars) lost += text.slice(read)
  }
  /** The line is no closing one: out with what was held of it, and with the line break before it. */
  const releaseLine = () => {
    const text = (isFirstLine ? '' : '\n') + (line ?? '')
    isFirstLine = false
    line = undefined
    put(text)
  }
  const readLines = (chunk: string, from: number, to: number): number => {
    if (line !== undefined && word !== undefined) {
      line += chunk.charAt(from)
      if (line === word) status = 'over'
      else if (!word.startsWith(line)) {
        const char = chunk.charAt(from)
        line = line.slice(0, -1)
        releaseLine()
        return char === '\n' ? endLine(from) : readRest(chunk, from, to)
      }
      return from + 1
    }
    return readRest(chunk, from, to)
  }
  const endLine = (at: number) => {
    line = ''
    return at + 1
  }
  const readRest = (chunk: string, from: number, to: number): number => {
    const found = chunk.indexOf('\n', from)
    const at = found < 0 || found >= to ? to : found
    put(chunk.slice(from, at))
    return at < to ? endLine(at) : at
  }

  return {
    hasEnd: false,
    feed(chunk, from, to) {
      let at = from
      while (at < to && status === 'open' && isHeredoc) {
        if (word === undefined) readHead(chunk.charAt(at++))
        else at = readLines(chunk, at, to)
      }
      return at
    },
    status: () => status,
    resume(text) {
      status = 'open'
      releaseLine()
      put(text)
    },
    close() {
      if (!hasBegun) begin('')
      if (table) table.end()
      else sink(Token.endText, '')
      if (table?.error() !== undefined) status = 'failed'
    },
    end: () => status === 'over',
    error() {
      if (word === undefined) return `${head.trimEnd()} must be followed by lines of text`
      return table?.error() ?? `lines without ${word} behind them`
    },
    unread: () => (word === undefined ? head : ''),
    lost: () => lost,
    isHeredoc: () => isHeredoc,
    isUndecided: () => word === undefined && !wordRead.test(head),
    text: () => head,
  }
}
