import type { ArgumentWriter } from '../argument-writer.js'
import { isQuote } from '../characters.js'
import { Token } from '../value-token.js'
import { createYamlFlow } from './yaml-flow.js'
import { isCloseTag } from './yaml-plain.js'
import { createYamlQuoted } from './yaml-scalar.js'
import { MAX_DEPTH, type YamlStructure } from './yaml-structure.js'

/**
 * A value that has an end of its own: quotes or brackets. It may go on over several lines, but a close tag at the beginning
 * of one of them, no further indented than what holds the value, says that the end was forgotten.
 */
export interface YamlContent {
  /** Reads `chunk` from `from` up to `to`; returns the index behind the last character that it took. */
  feed(chunk: string, from: number, to: number): number
  status(): 'reading' | 'done' | 'failed'
  error(): string
  /** What was read and could not be understood, or stands behind the value. */
  unread(): string
  /** No more text comes. True if the value is whole. */
  end(): boolean
}

export interface YamlContentOptions {
  readonly writer: ArgumentWriter
  /** What the value stands in. */
  readonly structure: YamlStructure
  readonly closeTag: string
  readonly maxHeldChars: number
}

/** What stands between the quotes or brackets. */
type Inner = Omit<YamlContent, 'unread'>

/** `first` is the quote or the bracket with which the value begins. */
export function createYamlContent(first: string, options: YamlContentOptions): YamlContent {
  const { writer, structure, closeTag } = options
  const inner = isQuote(first) ? quotedValue(first, writer) : flowValue(first, options)
  /** The beginning of a line, as long as it may be the close tag. */
  let line: string | undefined
  let error = ''
  let unread = ''

  const read = (chunk: string, from: number, to: number): number => {
    const found = chunk.indexOf('\n', from)
    const at = inner.feed(chunk, from, found < 0 || found >= to ? to : found + 1)
    if (inner.status() === 'failed') {
      error = inner.error()
      unread = chunk.charAt(at - 1)
    } else if (inner.status() === 'reading' && chunk[at - 1] === '\n') line = ''
    return at
  }
  const readLine = (char: string) => {
    const text = (line ?? '') + char
    const bare = text.trimStart()
    const isIndented = text.length - bare.length > Math.max(structure.indent(), 0)
    const isClose = !isIndented && char !== '\n' && (bare === '' ? undefined : isCloseTag(bare, closeTag))
    line = text
    if (isClose === undefined) return
    if (isClose) {
      error = 'quotes or brackets that are not closed'
      unread = text
      return
    }
    line = undefined
    let at = 0
    while (at < text.length && status() === 'reading') at = read(text, at, text.length)
    unread += text.slice(at)
  }
  const status = () => (error ? 'failed' : inner.status())

  return {
    feed(chunk, from, to) {
      let at = from
      while (at < to && status() === 'reading') {
        if (line === undefined) at = read(chunk, at, to)
        else readLine(chunk.charAt(at++))
      }
      return at
    },
    status,
    error: () => error,
    unread: () => unread,
    end: inner.end,
  }
}

function quotedValue(quote: string, { put }: ArgumentWriter): Inner {
  put(Token.beginQuoted, '')
  const quoted = createYamlQuoted(text => put(Token.text, text), quote)
  let isDone = false
  const endIf = (isOver: boolean) => {
    if (isOver && !isDone) put(Token.endText, '')
    isDone ||= isOver
    return isDone
  }
  return {
    feed(chunk, from, to) {
      const at = quoted.feed(chunk, from, to)
      endIf(quoted.isDone())
      return at
    },
    status: () => (isDone ? 'done' : 'reading'),
    error: () => '',
    end: () => endIf(quoted.end()),
  }
}

function flowValue(bracket: string, { writer, structure, maxHeldChars }: YamlContentOptions): Inner {
  const maxDepth = MAX_DEPTH - structure.depth()
  const flow = createYamlFlow({ sink: writer.put, putEmpty: structure.putEmpty, maxDepth, maxHeldChars })
  flow.feed(bracket, 0, 1)
  return { ...flow, end: () => flow.status() === 'done' }
}
