import { isSpace } from './characters.js'
import { createMarkSearch } from './old-mark-search.js'
import type { ChunkReader } from './reader.js'

/**
 * Reads raw text up to the mark that closes it, giving it out as it comes. Nothing is escaped in raw text, so a close mark
 * counts only if what stands behind it can follow it. Resumable at any character; each one is seen a bounded number of times.
 *
 * A line break right at the beginning belongs to the markup, and then so does one right before the close mark.
 */
export interface RawText extends ChunkReader {
  /** The mark that ended the text: its close mark, or a stop mark before which that is missing. */
  ended(): string | undefined
  /** What was read behind that mark to make sure of it: the reader's to read again. */
  behind(): string
  /** No more text comes. True if that leaves a close mark at the very end, which then needs no proof. */
  end(): boolean
}

export interface RawTextOptions {
  /** The text begins. `isSection`: it is a CDATA section. */
  readonly begin: (isSection: boolean) => void
  readonly put: (piece: string) => void
  /** The mark that closes the text, such as `</path>`. */
  readonly close: string
  /** The mark that opens it, without its end, such as `<path`: where the text holds it, a close mark may be the inner one's. */
  readonly open?: string | undefined
  /** What ends the call, such as `</write_file>`, or begins the next text: one without a close mark must not swallow it. */
  readonly stops: readonly string[]
  /** Whether what begins with `behind` can follow the close mark; undefined as long as that cannot be told. */
  readonly canFollow: (behind: string, hasInnerOpen: boolean) => boolean | undefined
  /** Whether what begins with `behind` proves that the text ended before a stop mark. */
  readonly canStop: (behind: string, stop: string, hasInnerClose: boolean) => boolean | undefined
  /** The text may be a CDATA section. */
  readonly maySection: boolean
  /** Line breaks are never markup. */
  readonly isVerbatim: boolean
  readonly maxHeldChars: number
}

const SECTION_START = '<![CDATA['
const SECTION_END = ']]>'

// Where the reader stands.
const AROUND = 0 //  <path>|<![CDATA[a.html]]>|</path>
const TEXT = 1 //    <path>a.h|tml</path>              <![CDATA[a.h|tml]]>
const BEHIND = 2 //  <path>a.html</path>|              is this the end?
const ENDED = 3

export function createRawText(options: RawTextOptions): RawText {
  const { begin, put, close, open, stops, maxHeldChars, canFollow, canStop } = options
  let state = options.maySection ? AROUND : TEXT
  let hasSection = false
  let isAtStart = !options.isVerbatim
  /** The text began with a line break; then one is held back wherever it may be the last. */
  let isBlock = false
  let heldBreak = ''
  let hasInnerOpen = false
  let hasInnerClose = false
  /** The mark that may be the end. */
  let mark = ''
  /** The space around a section, or behind that mark; and what stands behind the space. */
  let space = ''
  let look = ''

  const putText = (piece: string) => {
    let text = piece
    if (isAtStart) {
      isAtStart = false
      isBlock = text.startsWith('\n')
      if (isBlock) text = text.slice(1)
    }
    if (isBlock) {
      text = heldBreak + text
      heldBreak = text.endsWith('\n') ? '\n' : ''
      if (heldBreak) text = text.slice(0, -1)
    }
    if (text) put(text)
  }
  const opens = open === undefined ? [] : ['>', ' ', '\n', '\t', '\r'].map(char => open + char)
  const textSearch = createMarkSearch([close, ...stops, ...opens], putText)
  let search = textSearch
  const takeLook = () => {
    const text = space + look
    space = ''
    look = ''
    return text
  }
  const readAgain = (text: string) => {
    feed(text, 0, text.length)
  }
  /** Space around a section is markup; another section, or text, goes on with it. */
  const readAround = (char: string) => {
    if (look === '' && isSpace(char) && space.length < maxHeldChars) {
      space += char
      return
    }
    look += char
    const maySection = space === '' || !hasSection
    if (maySection && look !== SECTION_START && SECTION_START.startsWith(look)) return
    const isSection = maySection && look === SECTION_START
    if (!hasSection) begin(isSection)
    if (isSection || (hasSection && look.startsWith('<'))) space = ''
    state = TEXT
    hasSection ||= isSection
    const text = takeLook()
    if (!isSection) return readAgain(text)
    isAtStart = false
    search = createMarkSearch([SECTION_END], putText)
  }
  const endSearch = (found: string) => {
    if (found === SECTION_END) {
      search = textSearch
      state = AROUND
      return
    }
    mark = found
    state = BEHIND
    if (!opens.includes(found)) return judge()
    hasInnerOpen = true
    reject()
  }
  const judge = () => {
    const isClose = mark === close
    const verdict = isClose ? canFollow(look, hasInnerOpen) : canStop(look, mark, hasInnerClose)
    if (verdict || space.length > maxHeldChars) state = ENDED
    else if (verdict === false) {
      hasInnerClose ||= isClose
      reject()
    }
  }
  /** It was text. Its first character goes out, and the rest is read again: the true end may be in it. */
  const reject = () => {
    state = TEXT
    putText(mark.charAt(0))
    readAgain(mark.slice(1) + takeLook())
  }
  const readBehind = (char: string) => {
    if (look === '' && isSpace(char)) space += char
    else look += char
    judge()
  }
  const feed = (chunk: string, from: number, to: number): number => {
    let at = from
    while (at < to && state < ENDED) {
      if (state === AROUND) readAround(chunk.charAt(at++))
      else if (state === BEHIND) readBehind(chunk.charAt(at++))
      else {
        at = search.feed(chunk, at, to)
        const found = search.found()
        if (found !== undefined) endSearch(found)
      }
    }
    return at
  }

  if (state === TEXT) begin(false)
  return {
    feed,
    ended: () => (state === ENDED ? mark : undefined),
    behind: () => space + look,
    end: () => (state === BEHIND && mark === close) || (state === AROUND && hasSection),
  }
}
