import type { ArgumentWriter } from '../argument-writer.js'
import type { Reader } from '../reader.js'
import { createYamlFlow } from './yaml-flow.js'
import { isCloseTag } from './yaml-plain.js'
import { MAX_DEPTH, type YamlStructure } from './yaml-structure.js'

/**
 * A value that has an end of its own: quotes or brackets. It may go on over several lines, but a close tag at the beginning
 * of one of them, no further indented than what holds the value, says that the end was forgotten.
 */
export interface YamlContent extends Reader {
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

/** `first` is the quote or the bracket with which the value begins. */
export function createYamlContent(first: string, options: YamlContentOptions): YamlContent {
  const { writer, structure, closeTag, maxHeldChars } = options
  const maxDepth = MAX_DEPTH - structure.depth()
  const inner = createYamlFlow({ sink: writer.put, putEmpty: structure.putEmpty, maxDepth, maxHeldChars })
  inner.feed(first, 0, 1)
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
