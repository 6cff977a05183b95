import { isQuote, isSpace } from '../characters.js'
import { Kind, type Shape } from '../shape.js'
import { createHeredoc, readOpening } from './heredoc.js'
import {
  type ContentOptions,
  createJsonContent,
  createListContent,
  createQuotedContent,
  createRawContent,
  type ValueContent,
} from './value-content.js'
import type { PairEnd } from './value-end.js'

export interface ValueReaderOptions extends ContentOptions {
  readonly shape: Shape
  readonly pairEnd: PairEnd
}

export type ValueReader = ReturnType<typeof createValueReader>

const STRUCTURE = Kind.object | Kind.array

/**
 * Reads one value of a syntax that needs no quotes: raw text, a string in quotes, an object or a list as JSON, a list as
 * `a, b, c`, or lines behind `<<END`. What it is, its first character and the schema tell; where it is over, `pairEnd`.
 */
export function createValueReader(options: ValueReaderOptions) {
  const { shape, pairEnd, closeMark } = options
  const mayBeString = (shape.kinds & Kind.string) !== 0
  const isList = (shape.kinds & Kind.array) !== 0 && !mayBeString
  // A number or a constant is over where any pair follows.
  const isScalar = !(shape.kinds & (Kind.string | STRUCTURE))
  let status: 'reading' | 'next' | 'end' | 'failed' = 'reading'
  let content: ValueContent | undefined
  /** What may open a heredoc, and whether it did. */
  let head = ''
  let isHeredoc = false
  let isLooking = false
  let error = ''
  let unread = ''
  let lost = ''

  const fail = (message: string, rest: string) => {
    status = 'failed'
    error = message
    unread = rest
  }
  const hasFailed = () => status === 'failed'
  const unquoted = () =>
    isList ? createListContent(options, pairEnd.starts) : createRawContent(options, pairEnd.starts)
  const contentOf = (first: string): ValueContent => {
    if (isQuote(first) && !isList) return createQuotedContent(options, first)
    // Where a string is allowed too, the text is kept until it is whole, and the writer decides.
    const isJson = (first === '{' || first === '[') && (shape.kinds & STRUCTURE) !== 0 && !mayBeString
    return isJson ? createJsonContent(options) : unquoted()
  }
  const beginLook = (behind: string) => {
    isLooking = true
    const isClosed = content?.hasEnd === true
    pairEnd.begin(isClosed || (content !== undefined && isScalar), isClosed)
    feed(behind, 0, behind.length)
  }
  const look = (char: string) => {
    const follow = pairEnd.read(char)
    if (follow === undefined) return
    isLooking = false
    if (follow !== 'text') return finish(follow)
    const text = pairEnd.text()
    // Without a content yet this was the space before it; where that has an end of its own, all of it may hold another one.
    const sureChars = content ? (content.hasEnd ? 0 : pairEnd.textChars()) : text.search(/\S/)
    content?.resume(text.slice(0, sureChars))
    if (content?.status() === 'failed') fail(content.error(), content.unread() + text)
    else feed(text, sureChars, text.length)
  }
  const finish = (follow: 'next' | 'end') => {
    content ??= unquoted()
    const isProven = follow === 'next' || closeMark === undefined || pairEnd.unreadChars() === 0
    if (!isProven && !content.end(false)) return fail(content.error(), pairEnd.text())
    const hasComma = follow === 'end' && !content.hasEnd && !isHeredoc && pairEnd.valueChars() > 0
    if (hasComma) content.resume(pairEnd.text().slice(0, pairEnd.valueChars()))
    content.close()
    status = follow
    if (content.status() !== 'failed') return
    lost = content.unread()
    fail(content.error(), pairEnd.text())
  }
  const readContent = (chunk: string, from: number, to: number): number => {
    const first = chunk.charAt(from)
    if (!content) {
      if (isSpace(first) && !head) {
        beginLook('')
        return from
      }
      if (head || (first === '<' && closeMark === undefined)) {
        readHead(first, false)
        return from + 1
      }
      content = contentOf(first)
      if (isQuote(first) && !isList) return from + 1
    }
    const at = content.feed(chunk, from, to)
    if (content.status() === 'failed') fail(content.error(), content.unread())
    else if (content.status() === 'over') beginLook(content.unread())
    return at
  }
  /** In a line `<<END` opens lines of text; what only begins like it is text. */
  const readHead = (char: string, isOver: boolean) => {
    head += char
    const opening = readOpening(head, isOver)
    if (!opening) return
    const text = head
    head = ''
    isHeredoc = opening.word !== undefined
    if (isHeredoc) content = createHeredoc(options, opening, shape)
    else if (opening.isMeant) fail(`${text.trimEnd()} must be followed by lines of text`, text)
    else {
      content = unquoted()
      feed(text, 0, text.length)
    }
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
    /** What follows the value, once it is over. */
    status: () => status,
    error: () => error,
    /** What could not be read: the end of the call must be in it, or behind it. */
    unread: () => unread,
    /** What could not be read and holds no end. */
    lost: () => lost,
    /** Where the call ends: how many of the characters taken last are not the call's. */
    giveBack: () => (isLooking || status === 'end' ? pairEnd.unreadChars() : 0),
    /** No more text comes. True if the value is whole. */
    end(isCut: boolean): boolean {
      if (isLooking && !content && pairEnd.end() === 'text') {
        isLooking = false
        const text = pairEnd.text().trimStart()
        feed(text, 0, text.length)
      }
      if (head && readOpening(head, true)?.isMeant) return false
      if (head) readHead('', true)
      content ??= unquoted()
      const follow = isLooking ? pairEnd.end() : undefined
      if (follow === 'text') content.resume(pairEnd.text())
      if (content.status() === 'failed') fail(content.error(), content.unread() + pairEnd.text())
      else if (!content.end(isCut)) return false
      else if (follow === 'end') finish('end')
      else content.close()
      return !hasFailed()
    },
  }
}
