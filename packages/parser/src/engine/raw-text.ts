import { isSpace } from './characters.js'
import type { ChunkReader } from './reader.js'
import { Token, type ValueSink } from './value-token.js'

/**
 * Reads raw text up to the mark that closes it, giving it out as it comes. Nothing is escaped in raw text, so a close mark
 * counts only if what stands behind it can follow it. Resumable at any character; each one is seen a bounded number of times.
 *
 * A line break right at the beginning belongs to the markup, and then so does one right before the close mark.
 */
export interface RawText extends ChunkReader {
  isDone(): boolean
  /** The stop mark before which the text ended without a close mark, with all that was read behind it. */
  stopped(): string | undefined
  /** What was read behind the close mark to make sure of it: the reader's to read again. */
  behind(): string
  /** No more text comes. True if that leaves a close mark at the very end, which then needs no proof. */
  end(): boolean
}

export interface RawTextOptions {
  readonly sink: ValueSink
  /** The mark that closes the text, such as `</path>`. */
  readonly close: string
  /** The mark that opens it, without its end, such as `<path`: where the text holds it, a close mark may be the inner one's. */
  readonly open: string
  /** What ends the call, such as `</write_file>`, or begins the next text: one without a close mark must not swallow it. */
  readonly stops: readonly string[]
  /** Whether what begins with `behind` proves that the text ended before a stop mark. */
  readonly canStop: (behind: string, stop: string, hasInnerClose: boolean) => boolean | undefined
  /** The text may be a CDATA section; its beginning has not been read yet. */
  readonly maySection?: boolean | undefined
  /** Line breaks are never markup. */
  readonly isVerbatim?: boolean | undefined
  /** The text is a CDATA section, whose beginning has been read. */
  readonly isSection?: boolean
  readonly maxHeldChars: number
  /** Whether what begins with `behind` can follow the close mark; undefined as long as that cannot be told. */
  readonly canFollow: (behind: string, hasInnerOpen: boolean) => boolean | undefined
}

export const SECTION_START = '<![CDATA['
const SECTION_END = ']]>'

// Where the reader stands.
const TEXT = 0 //           <path>a.h|tml</path>
const LOOK = 1 //           <path>a.html</pa|th>        is this the end?
const SECTION = 2 //        <![CDATA[a.h|tml]]>
const AFTER_SECTION = 3 //  <![CDATA[a.html]]>|</path>
const DONE = 4
const STOPPED = 5

export function createRawText(options: RawTextOptions): RawText {
  const { sink, close, open, stops, isSection = false, maxHeldChars, canFollow, canStop } = options
  let state = isSection ? SECTION : options.maySection ? AFTER_SECTION : TEXT
  let hasSection = isSection
  let isAtStart = !isSection && !options.isVerbatim
  /** The text began with a line break; then one is held back wherever it may be the last. */
  let isBlock = false
  let heldBreak = ''
  let hasInnerOpen = false
  let hasInnerClose = false
  /** What may be the close mark, and what follows it; in a section, what may be its end. */
  let look = ''
  /** Where `look` goes on behind the close mark, and behind the space that follows it. */
  let closedAt = -1
  let behindAt = -1
  /** The stop mark that was found. */
  let stop: string | undefined
  /** The space behind a section. */
  let gap = ''

  const put = (piece: string) => {
    let text = piece
    if (isAtStart && text) {
      isAtStart = false
      isBlock = text.startsWith('\n')
      if (isBlock) text = text.slice(1)
    }
    if (isBlock) {
      text = heldBreak + text
      heldBreak = text.endsWith('\n') ? '\n' : ''
      if (heldBreak) text = text.slice(0, -1)
    }
    if (text) sink(Token.text, text)
  }
  const judge = (behind: string) => {
    const isStop = stop !== undefined
    const verdict = isStop ? canStop(behind, stop ?? '', hasInnerClose) : canFollow(behind, hasInnerOpen)
    if (verdict === true) state = isStop ? STOPPED : DONE
    if (verdict !== false) return
    hasInnerClose ||= !isStop
    reject()
  }
  /** It was text. Its first character goes out, and the rest is read again: the true end may be in it. */
  const reject = () => {
    const rest = look.slice(1)
    put(look.charAt(0))
    look = ''
    state = TEXT
    feed(rest, 0, rest.length)
  }
  const readLook = (char: string) => {
    look += char
    if (closedAt < 0) {
      if (look === close || stops.includes(look)) {
        closedAt = look.length
        stop = look === close ? undefined : look
        judge('')
      } else if (look.startsWith(open) && look.length > open.length) {
        if (isSpace(char) || char === '>') hasInnerOpen = true
        reject()
      } else if (![close, open, ...stops].some(mark => mark.startsWith(look))) reject()
      return
    }
    if (behindAt < 0) {
      if (look.length - closedAt > maxHeldChars) state = DONE
      if (isSpace(char)) return
      behindAt = look.length - 1
    }
    judge(look.slice(behindAt))
  }
  const readSection = (char: string) => {
    look += char
    if (look.endsWith(SECTION_END)) {
      put(look.slice(0, -SECTION_END.length))
      look = ''
      state = AFTER_SECTION
    } else if (look.length > 2) {
      put(look.slice(0, -2))
      look = look.slice(-2)
    }
  }
  /** Space around a section is markup; another section, or text, goes on with it. */
  const readAfterSection = (char: string) => {
    if (look === '' && isSpace(char) && gap.length < maxHeldChars) {
      gap += char
      return
    }
    look += char
    if (look === SECTION_START && (gap === '' || !hasSection)) {
      look = ''
      gap = ''
      hasSection = true
      isAtStart = false
      state = SECTION
    } else if (look === SECTION_START || !SECTION_START.startsWith(look)) {
      const rest = look.startsWith('<') && hasSection ? look : gap + look
      look = ''
      gap = ''
      state = TEXT
      feed(rest, 0, rest.length)
    }
  }
  const feed = (chunk: string, from: number, to: number): number => {
    let at = from
    while (at < to && state < DONE) {
      if (state === LOOK) readLook(chunk.charAt(at++))
      else if (state === SECTION) readSection(chunk.charAt(at++))
      else if (state === AFTER_SECTION) readAfterSection(chunk.charAt(at++))
      else {
        const found = chunk.indexOf(close.charAt(0), at)
        const end = found < 0 || found >= to ? to : found
        if (end > at) put(chunk.slice(at, end))
        at = end
        if (end === to) break
        state = LOOK
        look = ''
        closedAt = -1
        behindAt = -1
      }
    }
    return at
  }

  return {
    feed,
    isDone: () => state === DONE,
    stopped: () => (state === STOPPED ? look : undefined),
    behind: () => (closedAt < 0 ? '' : look.slice(closedAt)),
    end: () =>
      state === DONE ||
      (state === AFTER_SECTION && hasSection) ||
      (state === LOOK && closedAt >= 0 && stop === undefined),
  }
}
