import { Kind, type Shape } from '../shape.js'
import { Token } from '../value-token.js'
import { createTable } from './table.js'
import type { ContentOptions, ContentStatus, ValueContent } from './value-content.js'

const opening = /^<<-? *(["']?)([\p{L}_][\p{L}\p{N}_]*)\1[ \t]*(\r?)\n$/u
const openingPrefix = /^<(?:<(?:-? *(?:["']?(?:[\p{L}_][\p{L}\p{N}_]*(?:["']?[ \t\r]*)?)?)?)?)?$/u
const wordRead = /^<<-? *["']?[\p{L}_]/u
const MAX_OPENING_CHARS = 256

export interface HeredocOpening {
  /** What closes the lines; undefined where no lines of text follow. */
  readonly word: string | undefined
  /** Lines end with a carriage return too. */
  readonly hasReturns: boolean
  /** A word follows the signs, so that nothing else can be meant. */
  readonly isMeant: boolean
}

/** Tells whether a text opens a heredoc; undefined as long as it may. */
export function readOpening(text: string, isOver: boolean): HeredocOpening | undefined {
  const mayGoOn = !isOver && openingPrefix.test(text) && text.length <= MAX_OPENING_CHARS
  const match = opening.exec(text)
  return mayGoOn ? undefined : { word: match?.[2], hasReturns: match?.[3] === '\r', isMeant: wordRead.test(text) }
}

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
export function createHeredoc(
  { sink, maxHeldChars }: ContentOptions,
  { word = '', hasReturns }: HeredocOpening,
  shape: Shape,
): ValueContent {
  const isText = (shape.kinds & Kind.string) !== 0 || !(shape.kinds & (Kind.object | Kind.array))
  const isList = !isText && (shape.kinds & Kind.array) !== 0
  let status: ContentStatus = 'open'
  /** The beginning of a line, as long as it may be the closing one, with the line break before it. */
  let line: string | undefined = ''
  /** The last carriage return is markup, so one is held back. */
  let heldReturn = ''
  /** Text, or a list as JSON: that is not clear before its first character. */
  let isRaw = !isList
  let table: ReturnType<typeof createTable> | undefined
  let row = ''
  if (isRaw) sink(isText ? Token.beginQuoted : Token.beginRaw, '')

  /** A line break stands only at the beginning of a text. */
  const putRow = (text: string) => {
    const at = text.indexOf('\n')
    if (at >= 0) {
      table?.putLine(row)
      row = ''
    }
    row += text.slice(at + 1, at + 2 + maxHeldChars - row.length)
    if (table || !/\S/.test(text)) return
    isRaw = /^\s*[[{]/.test(text)
    if (!isRaw) table = createTable({ shape, sink, maxHeldChars })
    else {
      sink(Token.beginRaw, '')
      sink(Token.text, text.trimStart())
    }
  }
  const put = (piece: string) => {
    const text = heldReturn + piece
    heldReturn = hasReturns && text.endsWith('\r') ? '\r' : ''
    const sure = heldReturn ? text.slice(0, -1) : text
    if (!isRaw) putRow(sure)
    else if (sure) sink(Token.text, sure)
  }
  const release = () => {
    put(line ?? '')
    line = undefined
  }
  const readRest = (chunk: string, from: number, to: number): number => {
    const found = chunk.indexOf('\n', from)
    const at = found < 0 || found >= to ? to : found
    put(chunk.slice(from, at))
    if (at === to) return at
    line = '\n'
    return at + 1
  }

  return {
    hasEnd: false,
    feed(chunk, from, to) {
      let at = from
      while (at < to && status === 'open') {
        const begun: string = line === undefined ? '' : line.replace('\n', '') + chunk.charAt(at)
        if (line === undefined || !word.startsWith(begun)) {
          if (line !== undefined) release()
          at = readRest(chunk, at, to)
          continue
        }
        line += chunk.charAt(at++)
        if (begun === word) status = 'over'
      }
      return at
    },
    status: () => status,
    resume(text) {
      status = 'open'
      release()
      put(text)
    },
    close() {
      if (isRaw) return sink(Token.endText, '')
      table ??= createTable({ shape, sink, maxHeldChars })
      table.putLine(row)
      table.end()
      if (table.error() !== undefined) status = 'failed'
    },
    end: () => status === 'over',
    error: () => table?.error() ?? `lines without ${word} behind them`,
    unread: () => (status === 'failed' ? (table?.lost() ?? '') : ''),
  }
}
