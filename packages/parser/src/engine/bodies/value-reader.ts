import { isQuote, isSpace } from '../characters.js'
import type { ChunkReader } from '../reader.js'
import { Kind, type Shape } from '../shape.js'
import type { Heredoc } from './heredoc.js'
import {
  type ContentOptions,
  createJsonContent,
  createListContent,
  createQuotedContent,
  createRawContent,
  type ValueContent,
} from './value-content.js'
import type { ValueEnd } from './value-end.js'

/**
 * Reads one value of a syntax that needs no quotes: raw text, a string in quotes, an object or a list as JSON, a list as
 * `a, b, c`, or lines behind `<<END`. What it is, its first character and the schema tell; where it is over, `valueEnd`.
 */
export interface ValueReader extends ChunkReader {
  /** What follows the value, once it is over. */
  status(): 'reading' | 'next' | 'end' | 'failed'
  error(): string
  /** What could not be read: the end of the call must be in it, or behind it. */
  unread(): string
  /** What could not be read and holds no end. */
  lost(): string
  /** Where the call ends: how many of the characters taken last are not the call's. */
  giveBack(): number
  /** No more text comes. True if the value is whole. */
  end(isCut: boolean): boolean
}

export interface ValueReaderOptions extends ContentOptions {
  readonly shape: Shape
  readonly valueEnd: ValueEnd
  /** Where lines of text may follow. */
  readonly createHeredoc: ((options: ContentOptions, shape: Shape) => Heredoc) | undefined
}

const STRUCTURE = Kind.object | Kind.array

export function createValueReader(options: ValueReaderOptions): ValueReader {
  const { shape, valueEnd, createHeredoc, closeMark } = options
  const mayBeString = (shape.kinds & Kind.string) !== 0
  const isList = (shape.kinds & Kind.array) !== 0 && !mayBeString
  // A number or a constant is over where any pair follows.
  const isScalar = !(shape.kinds & (Kind.string | STRUCTURE))
  let status: 'reading' | 'next' | 'end' | 'failed' = 'reading'
  let content: ValueContent | undefined
  let heredoc: Heredoc | undefined
  let isLooking = false
  let error = ''
  let unread = ''

  const fail = (message: string, rest: string) => {
    status = 'failed'
    error = message
    unread = rest
  }
  const unquoted = () =>
    isList ? createListContent(options, valueEnd.starts) : createRawContent(options, valueEnd.starts)
  const contentOf = (first: string): ValueContent => {
    if (isQuote(first) && !isList) return createQuotedContent(options, first)
    // Where a string is allowed too, the text is kept until it is whole, and the writer decides.
    if ((first === '{' || first === '[') && shape.kinds & STRUCTURE && !mayBeString) return createJsonContent(options)
    if (first !== '<' || !createHeredoc) return unquoted()
    heredoc = createHeredoc(options, shape)
    return heredoc
  }
  const beginLook = (behind: string) => {
    isLooking = true
    const isClosed = content?.hasEnd === true
    valueEnd.begin(isClosed || (content !== undefined && isScalar), isClosed)
    feed(behind, 0, behind.length)
  }
  const look = (char: string) => {
    const follow = valueEnd.read(char)
    if (follow === undefined) return
    isLooking = false
    if (follow !== 'text') return finish(follow)
    const text = valueEnd.text()
    // Without a content yet this was the space before it; where that has an end of its own, all of it may hold another one.
    const sureChars = content ? (content.hasEnd ? 0 : valueEnd.textChars()) : text.search(/\S/)
    content?.resume(text.slice(0, sureChars))
    if (content?.status() === 'failed') fail(content.error(), content.unread() + text)
    else feed(text, sureChars, text.length)
  }
  const finish = (follow: 'next' | 'end') => {
    content ??= unquoted()
    const isProven = follow === 'next' || closeMark === undefined || valueEnd.unreadChars() === 0
    if (!isProven && !content.end(false)) return fail(content.error(), valueEnd.text())
    const hasComma = follow === 'end' && !content.hasEnd && !heredoc && valueEnd.valueChars() > 0
    if (hasComma) content.resume(valueEnd.text().slice(0, valueEnd.valueChars()))
    content.close()
    status = follow
    if (content.status() === 'failed') fail(content.error(), valueEnd.text())
  }
  const readContent = (chunk: string, from: number, to: number): number => {
    const first = chunk.charAt(from)
    if (!content) {
      if (isSpace(first)) {
        beginLook('')
        return from
      }
      content = contentOf(first)
      if (isQuote(first) && !isList) return from + 1
    }
    const at = content.feed(chunk, from, to)
    if (content.status() === 'failed') fail(content.error(), content.unread())
    else if (content.status() === 'over') beginLook(content.unread())
    else if (heredoc?.isHeredoc() === false) leaveHeredoc(heredoc.text())
    return at
  }
  /** It only began like lines of text. */
  const leaveHeredoc = (text: string) => {
    heredoc = undefined
    content = unquoted()
    feed(text, 0, text.length)
  }
  const feed = (chunk: string, from: number, to: number): number => {
    let at = from
    while (at < to && status === 'reading') {
      if (isLooking) look(chunk.charAt(at++))
      else at = readContent(chunk, at, to)
    }
    return at
  }

  return {
    feed,
    status: () => status,
    error: () => error,
    unread: () => unread,
    lost: () => content?.lost() ?? '',
    giveBack: () => (isLooking || status === 'end' ? valueEnd.unreadChars() : 0),
    end(isCut) {
      if (isLooking && !content && valueEnd.end() === 'text') {
        isLooking = false
        const text = valueEnd.text().trimStart()
        feed(text, 0, text.length)
      }
      if (heredoc?.isUndecided()) leaveHeredoc(heredoc.text())
      content ??= unquoted()
      const follow = isLooking ? valueEnd.end() : undefined
      if (follow === 'text') content.resume(valueEnd.text())
      if (content.status() === 'failed') {
        fail(content.error(), content.unread() + valueEnd.text())
        return false
      }
      if (!content.end(isCut)) return false
      if (follow === 'end') finish('end')
      else content.close()
      return status !== 'failed'
    },
  }
}
