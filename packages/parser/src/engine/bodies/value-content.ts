import { createJsonReader } from '../json-reader.js'
import type { ChunkReader } from '../reader.js'
import { createStringEscape } from '../string-escape.js'
import { createValueRecorder, Token, type ValueSink } from '../value-token.js'

/**
 * The content of a value in one of the ways in which it may be written. It stops wherever the value may be over; what
 * follows decides that, and is not the content's business.
 */
export interface ValueContent extends ChunkReader {
  /** `over`: the value may end here. `failed`: it cannot be read. */
  status(): ContentStatus
  /** True for a content that has an end of its own, such as a closing quote. */
  readonly hasEnd: boolean
  /** The value was not over, and this text, which need not be looked at again, belongs to it. */
  resume(text: string): void
  /** The value is over. */
  close(): void
  /** Nothing comes that proves the end. True if the value is whole all the same. */
  end(isCut: boolean): boolean
  /** Why it cannot be read, or is not whole. */
  error(): string
  /** What was read, but stands behind the value or could not be read. */
  unread(): string
}

export type ContentStatus = 'open' | 'over' | 'failed'

export interface ContentOptions {
  readonly sink: ValueSink
  /** What closes the call. Without it the call ends with its line. */
  readonly closeMark: string | undefined
  readonly maxHeldChars: number
  /** See the JSON reader. */
  readonly mayHaveKey?: ((key: string) => boolean) | undefined
}

/** Text without quotes, up to where the value ends. */
export function createRawContent({ sink }: ContentOptions, mayEndAt: (char: string) => boolean): ValueContent {
  let status: ContentStatus = 'open'
  /** Between tags a line break is a doubt, as long as no close tag says that all of it was meant. */
  let hasLines = false
  sink(Token.beginRaw, '')

  return {
    hasEnd: false,
    feed(chunk, from, to) {
      let at = from
      while (at < to && !mayEndAt(chunk.charAt(at))) at++
      if (at < to) status = 'over'
      if (at > from) sink(Token.text, chunk.slice(from, at))
      return at
    },
    status: () => status,
    resume(text) {
      status = 'open'
      hasLines ||= text.includes('\n')
      if (text) sink(Token.text, text)
    },
    close: () => sink(Token.endText, ''),
    end: isCut => !isCut && !hasLines,
    error: () => 'several lines without quotes, and no close mark behind them',
    unread: () => '',
  }
}

/** Puts a list without brackets, `a, b, c`; or the text as it is, if it is none. */
export function putList(text: string, sink: ValueSink, maxHeldChars: number): void {
  const items = createValueRecorder()
  const reader = createJsonReader(items.put, { maxHeldChars })
  const list = `[${text}]`
  const isRead = reader.feed(list, 0, list.length) === list.length && reader.status() === 'done'
  if (isRead) items.replay(sink)
  else putText(Token.beginRaw, text, sink)
}

export function putText(begin: Token, text: string, sink: ValueSink): void {
  sink(begin, '')
  if (text) sink(Token.text, text)
  sink(Token.endText, '')
}

/** A list without brackets. It is held until it is whole. */
export function createListContent(options: ContentOptions, mayEndAt: (char: string) => boolean): ValueContent {
  const { sink, maxHeldChars } = options
  let text = ''
  const collect: ValueSink = (_, piece) => {
    text += piece
  }
  const raw = createRawContent({ ...options, sink: collect }, mayEndAt)
  const isTooLong = () => text.length > maxHeldChars
  return {
    ...raw,
    status: () => (isTooLong() ? 'failed' : raw.status()),
    close: () => putList(text, sink, maxHeldChars),
    error: () => (isTooLong() ? `a list of more than ${maxHeldChars} characters` : raw.error()),
    unread: () => (isTooLong() ? text : ''),
  }
}

/**
 * A string in quotes. A quote inside it that was not escaped is known by what follows; such a string may not hold the end of its
 * call as well, for it is more likely that a quote was forgotten and the string swallows what comes next.
 */
export function createQuotedContent(options: ContentOptions, quote: string): ValueContent {
  const { sink, closeMark = '\n', maxHeldChars } = options
  const stringEscape = createStringEscape()
  // A text may go on in the next line, but an apostrophe is not likely to have meant that.
  let isDoubtful = options.closeMark === undefined && quote === "'"
  let status: ContentStatus = 'open'
  let isEscaped = false
  /** The last characters, in which the close mark may begin; then all from the mark on, as long as that can be held. */
  let recent: string | undefined = ''
  let hasMark = false
  sink(Token.beginQuoted, '')

  const read = (char: string) => {
    if (isEscaped) {
      const text = stringEscape.read(char)
      if (text === undefined) return
      isEscaped = false
      if (text) sink(Token.text, text)
      if (stringEscape.isUnread()) read(char)
    } else if (char === '\\') isEscaped = true
    else if (char === quote) status = 'over'
    else sink(Token.text, char)
  }
  const watch = (piece: string) => {
    if (recent === undefined) return
    const text: string = recent + piece
    const at = hasMark ? 0 : text.indexOf(closeMark)
    hasMark = at >= 0
    recent = hasMark ? text.slice(at) : text.slice(1 - closeMark.length || text.length)
    if (recent.length > maxHeldChars) recent = undefined
    if (hasMark && isDoubtful) status = 'failed'
  }
  return {
    hasEnd: true,
    feed(chunk, from, to) {
      let at = from
      while (at < to && status === 'open') {
        const start = at
        if (!isEscaped && !isDoubtful) while (at < to && chunk[at] !== quote && chunk[at] !== '\\') at++
        const isPlain = at > start
        if (!isPlain) at++
        const piece = chunk.slice(start, at)
        watch(piece)
        if (isPlain) sink(Token.text, piece)
        else if (status === 'open') read(piece)
      }
      return at
    },
    status: () => status,
    resume(text) {
      status = hasMark ? 'failed' : 'open'
      isDoubtful = true
      sink(Token.text, quote + text)
    },
    close: () => sink(Token.endText, ''),
    end: () => status === 'over',
    error: () => 'a quoted value without its closing quote',
    unread: () => (status === 'failed' ? (recent ?? '') : ''),
  }
}

/** An object or a list, as JSON. */
export function createJsonContent(options: ContentOptions): ValueContent {
  const { sink, closeMark = '\n', maxHeldChars, mayHaveKey } = options
  const reader = createJsonReader(sink, { maxHeldChars, ends: [closeMark], mayHaveKey })
  let isRefused = false
  return {
    hasEnd: true,
    feed: (chunk, from, to) => reader.feed(chunk, from, to),
    status() {
      if (reader.status() === 'reading') return 'open'
      return !isRefused && reader.status() === 'done' ? 'over' : 'failed'
    },
    resume() {
      isRefused = true
    },
    close() {},
    end: isCut => reader.end(!isCut),
    error: () => reader.error() || 'something else behind the JSON value',
    unread: () => (isRefused ? '' : reader.unread()),
  }
}
