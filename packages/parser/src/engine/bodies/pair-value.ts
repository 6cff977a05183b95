import { isQuote, isSpace } from '../characters.js'
import { Kind, type Shape } from '../shape.js'
import { Token } from '../value-token.js'
import type { Follow, PairLook } from './pair-look.js'
import { createTextContent, type TextContent } from './pair-text.js'
import { createTableTaker } from './table.js'
import { createListTaker, createPlainTaker, type TakerOptions } from './text-taker.js'
import { type ContentOptions, createJsonContent, type ValueContent } from './value-content.js'

export interface PairValueOptions extends ContentOptions, TakerOptions {
  readonly shape: Shape
  readonly look: PairLook
  /** The value is all of the arguments, as JSON; what does not close the call behind it is text. */
  readonly isArguments: boolean
}

export type PairValue = ReturnType<typeof createPairValue>

const STRUCTURE = Kind.object | Kind.array
const heredocOpening = /^<<-? *(["']?)([\p{L}_][\p{L}\p{N}_]*)\1[ \t]*(\r?\n)$/u
const mayOpenHeredoc = /^<(?:<[^\n]{0,256})?$/
/** A word follows the signs, so that nothing else can be meant. */
const meansHeredoc = /^<<-? *["']?[\p{L}_]/u

/**
 * Reads one value of a syntax that needs no quotes: raw text, a string in quotes, an object or a list as JSON, a list as
 * `a, b, c`, or a heredoc:
 *
 *     code=<<END
 *     print("hi")
 *     END
 *
 * The line breaks behind `<<END` and before `END` are markup; where the schema wants a list, its lines are a table or the items.
 * What a value is, its first character and the schema tell; where it is over, the look.
 */
export function createPairValue(options: PairValueOptions) {
  const { shape, look, closeMark, isArguments, sink } = options
  const mayBeString = (shape.kinds & Kind.string) !== 0
  const isList = (shape.kinds & Kind.array) !== 0 && !mayBeString
  // Where a string is allowed too, the text is kept until it is whole, and the writer decides.
  const mayBeJson = isArguments || ((shape.kinds & STRUCTURE) !== 0 && !mayBeString)
  // A number or a constant is over where any pair follows.
  const isScalar = !(shape.kinds & (Kind.string | STRUCTURE))
  let status: 'reading' | 'next' | 'end' | 'failed' = 'reading'
  let json: ValueContent | undefined
  let text: TextContent | undefined
  let form: 'raw' | 'quoted' | 'heredoc' = 'raw'
  /** What may open a heredoc. */
  let head = ''
  let isLooking = false
  let error = ''
  let unread = ''
  let unreadChars = 0

  const fail = (message: string, rest: string) => {
    status = 'failed'
    error = message
    unread = rest
  }
  const hasFailed = () => status === 'failed'
  const beginRaw = () => {
    const taker = isList ? createListTaker(options) : createPlainTaker(Token.beginRaw, sink)
    text = createTextContent(taker, { closing: '', begun: '', stops: look.stops() }, options)
    return text
  }
  const beginQuoted = (quote: string) => {
    form = 'quoted'
    const stops = new RegExp(`[${quote}\\\\]`, 'g')
    text = createTextContent(createPlainTaker(Token.beginQuoted, sink), { closing: quote, begun: '', stops }, options)
  }
  const beginHeredoc = (word: string, lineBreak: string) => {
    form = 'heredoc'
    const taker = isList
      ? createTableTaker(options, shape)
      : createPlainTaker(mayBeJson ? Token.beginRaw : Token.beginQuoted, sink)
    const stops = new RegExp(lineBreak.charAt(0), 'g')
    text = createTextContent(taker, { closing: lineBreak + word, begun: lineBreak, stops }, options)
  }
  /** In a line `<<END` opens lines of text; what only begins like it is text. */
  const readHead = (char: string) => {
    head += char
    if (mayOpenHeredoc.test(head)) return
    const [, , word, lineBreak] = heredocOpening.exec(head) ?? []
    if (word && lineBreak) beginHeredoc(word, lineBreak)
    else if (meansHeredoc.test(head)) fail(`${head.trimEnd()} must be followed by lines of text`, head)
    else return leaveHead()
    head = ''
  }
  const leaveHead = () => {
    const begun = head
    head = ''
    beginRaw()
    feed(begun, 0, begun.length)
  }
  /** Reads the first character of a value; returns how many it took. */
  const begin = (first: string): number => {
    if (head || (first === '<' && closeMark === undefined)) readHead(first)
    else if (isSpace(first)) {
      beginLook()
      return 0
    } else if (isQuote(first) && !isList) beginQuoted(first)
    else {
      if (/[[{]/.test(first) && mayBeJson) json = createJsonContent(options)
      else beginRaw()
      return 0
    }
    return 1
  }
  const beginLook = () => {
    isLooking = true
    const isClosed = json !== undefined || form === 'quoted'
    look.begin(isClosed || (text !== undefined && isScalar), isClosed)
  }
  const readContent = (content: ValueContent, chunk: string, from: number, to: number): number => {
    const at = content.feed(chunk, from, to)
    if (content.status() === 'failed') fail(content.error(), content.unread())
    else if (content.status() === 'over') {
      beginLook()
      const behind = content.unread()
      feed(behind, 0, behind.length)
    }
    return at
  }
  const settle = (follow: Follow) => {
    isLooking = false
    if (isArguments && follow !== 'end') leaveArguments()
    else if (follow === 'text') goOn()
    else finish(follow)
  }
  /** The value was not over. */
  const goOn = () => {
    const behind = look.text()
    if (json) return fail('something else behind the JSON value', behind)
    // Without a content yet this was the space before it.
    const rest = text ? behind.slice(text.resume(behind, look.textChars())) : behind.replace(/^[ \t\r\n]+/, '')
    if (text?.status() === 'failed') fail(text.error(), text.unread() + behind)
    else feed(rest, 0, rest.length)
  }
  const finish = (follow: 'next' | 'end') => {
    const content = json ?? text ?? beginRaw()
    const isProven = follow === 'next' || isArguments || closeMark === undefined || look.unreadChars() === 0
    if (!isProven && !content.end(false)) return fail(content.error(), look.text())
    const comma = follow === 'end' && form === 'raw' ? look.valueText() : ''
    if (comma) text?.resume(comma, comma.length)
    if (follow === 'end') unreadChars = look.unreadChars()
    status = follow
    close(content, look.text())
  }
  const close = (content: ValueContent, behind: string) => {
    content.close()
    if (content.status() === 'failed') fail(content.error(), behind)
  }
  /** What follows the arguments is none of ours, and so no excuse for a bracket that is missing. */
  const leaveArguments = () => {
    const behind = look.text()
    if (!json?.end(true)) return fail(json?.error() ?? '', behind)
    unreadChars = behind.length
    status = 'end'
  }
  const feed = (chunk: string, from: number, to: number): number => {
    let at = from
    while (at < to && status === 'reading') {
      const content = json ?? text
      if (isLooking) {
        at = look.feed(chunk, at, to)
        const follow = look.found()
        if (follow) settle(follow)
      } else if (content) at = readContent(content, chunk, at, to)
      else at += begin(chunk.charAt(at))
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
    /** Where the call ends: how many of the characters taken last are not the call's. */
    giveBack: () => unreadChars,
    /** No more text comes. True if the value is whole. */
    end(isCut: boolean): boolean {
      while (status === 'reading' && (head !== '' || (isLooking && look.end() === 'text'))) {
        if (head === '') settle('text')
        else if (meansHeredoc.test(head)) return false
        else leaveHead()
      }
      if (status !== 'reading') return status === 'end'
      const content = json ?? text ?? beginRaw()
      if (isLooking) unreadChars = look.unreadChars()
      if (!(isArguments && isLooking) && !content.end(isCut)) return false
      if (isLooking) settle('end')
      else close(content, '')
      return !hasFailed()
    },
  }
}
