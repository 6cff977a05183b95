import type { ChunkReader } from '../reader.js'
import { createStringEscape, type EscapeRules } from '../string-escape.js'

/**
 * The scalars of YAML that may go on over several lines: quoted ones, and blocks behind `|` or `>`. Each can stop and go on
 * at any character and gives its text out as it comes.
 */
export type PutText = (text: string) => void

/** Space at the end of a line is held, since it may be markup; no more than this of it. */
const MAX_HELD_SPACE = 4096
/** A close tag with more space around it than this is text. */
const MAX_TAG_SPACE = 64

const yamlEscapes: EscapeRules = {
  texts: {
    ...{ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\u0007', e: '\u001b', 0: '\0', '\t': '\t' },
    ...{ '"': '"', "'": "'", '/': '/', '\\': '\\', ' ': ' ', _: '\u00a0', N: '\u0085', L: '\u2028', P: '\u2029' },
  },
  openNumber: /^(?:x[\da-fA-F]?|u[\da-fA-F]{0,3}|U[\da-fA-F]{0,7})$/,
}

const isBlank = (char: string) => char === ' ' || char === '\t' || char === '\r'

/** A scalar in quotes, behind the first one. A line break in it is a space, and blank lines are line breaks. */
export interface YamlQuoted extends ChunkReader {
  isDone(): boolean
  /** No more text comes. True if the quote was closed. */
  end(): boolean
}

export function createYamlQuoted(put: PutText, quote: string): YamlQuoted {
  const stringEscape = createStringEscape(yamlEscapes)
  let isDone = false
  /** A single quote was read: the end, or the first of two that stand for one. */
  let isQuoteSeen = false
  let isEscaped = false
  /** Nothing but the backslash has been read of an escape. */
  let isEscapeFresh = false
  let space = ''
  /** Line breaks since the last text; behind a backslash they join what stands around them. */
  let breaks = 0
  let isJoined = false

  const flush = () => {
    if (isJoined || breaks > 1) put('\n'.repeat(isJoined ? breaks : breaks - 1))
    else if (breaks === 1) put(' ')
    else if (space) put(space)
    space = ''
    breaks = 0
    isJoined = false
  }
  const holdSpace = (text: string) => {
    if (breaks > 0 || isJoined) return
    space += text
    if (space.length <= MAX_HELD_SPACE) return
    put(space.slice(0, -MAX_HELD_SPACE))
    space = space.slice(-MAX_HELD_SPACE)
  }
  const readEscape = (char: string) => {
    if (isEscapeFresh && char === '\r') return
    if (isEscapeFresh && char === '\n') {
      isEscaped = false
      isJoined = true
      return
    }
    isEscapeFresh = false
    const text = stringEscape.read(char)
    if (text === undefined) return
    isEscaped = false
    put(text)
    if (stringEscape.isUnread()) feed(char, 0, 1)
  }
  /** Reads characters that mean nothing but themselves; returns where they end. */
  const readText = (chunk: string, from: number, to: number): number => {
    let end = from
    while (end < to && chunk[end] !== quote && chunk[end] !== '\n' && (chunk[end] !== '\\' || quote === "'")) end++
    let first = from
    let last = end
    while (first < end && isBlank(chunk.charAt(first))) first++
    while (last > first && isBlank(chunk.charAt(last - 1))) last--
    holdSpace(chunk.slice(from, first))
    if (last > first) {
      flush()
      put(chunk.slice(first, last))
      holdSpace(chunk.slice(last, end))
    }
    return end
  }
  const readMark = (char: string) => {
    if (char === '\n') {
      space = ''
      breaks++
      return
    }
    flush()
    if (char === '\\') {
      isEscaped = true
      isEscapeFresh = true
    } else if (quote === '"') isDone = true
    else isQuoteSeen = true
  }
  const feed = (chunk: string, from: number, to: number): number => {
    let at = from
    while (at < to && !isDone) {
      const char = chunk.charAt(at)
      if (isEscaped) {
        at++
        readEscape(char)
      } else if (isQuoteSeen) {
        isQuoteSeen = false
        isDone = char !== quote
        if (isDone) break
        put(quote)
        at++
      } else {
        at = readText(chunk, at, to)
        if (at < to) readMark(chunk.charAt(at++))
      }
    }
    return at
  }

  return {
    feed,
    isDone: () => isDone,
    end: () => isDone || isQuoteSeen,
  }
}

/** A quoted scalar at a place where a key may stand: the colon behind it tells. */
export interface QuotedKey {
  read(char: string): void
  /** `text`: no colon follows, or it goes on in the next line, as no key does. */
  status(): 'reading' | 'key' | 'text'
  text(): string
  /** No more text comes. True if that makes it a text. */
  end(): boolean
}

export function createQuotedKey(quote: string): QuotedKey {
  let text = ''
  let status: 'reading' | 'key' | 'text' = 'reading'
  const quoted = createYamlQuoted(piece => {
    text += piece
  }, quote)
  return {
    read(char) {
      if (!quoted.isDone() && char !== '\n' && quoted.feed(char, 0, char.length) > 0) return
      if (char === ':') status = 'key'
      else if (char === '\n' || !isBlank(char)) status = 'text'
    },
    status: () => status,
    text: () => text,
    end() {
      if (quoted.end()) status = 'text'
      return status === 'text'
    },
  }
}

/**
 * Lines that are indented by more than what holds them:
 *
 *     content: |
 *       if (a < b) {
 *         return
 *
 * A line that is indented by less ends it. A line that holds nothing but the call's close tag is doubtful: the caller says
 * whether it was text.
 */
export interface YamlBlock extends ChunkReader {
  status(): 'reading' | 'done' | 'doubtful'
  /** What was read of the line that is not part of it. */
  unread(): string
  /** The doubtful line was text. */
  resume(): void
  /** How far a line must be indented to belong to it. */
  indent(): number
  /** Gives out the line breaks at the end, as far as they count. */
  close(): void
  /** No more text comes. */
  end(): void
}

export interface YamlBlockOptions {
  readonly put: PutText
  /** `|` or `>`, with a digit and a sign. */
  readonly header: string
  readonly parentIndent: number
  readonly closeTag: string
}

export const blockHeader = /^[|>](?:[1-9][-+]?|[-+][1-9]?)?(?:[ \t]+#.*)?$/

export function createYamlBlock({ put, header, parentIndent, closeTag }: YamlBlockOptions): YamlBlock {
  const isFolded = header.startsWith('>')
  const chomping = /^.\d?([-+])/.exec(header)?.[1]
  const digit = /^.[-+]?(\d)/.exec(header)?.[1]
  /** Told by the first line, if not by the header. */
  let indent = digit === undefined ? undefined : Math.max(parentIndent, 0) + Number(digit)
  let status: 'reading' | 'done' | 'doubtful' = 'reading'
  /** The beginning of a line, as long as it is nothing but indentation. */
  let head: string | undefined = ''
  let width = 0
  let hasSpaces = false
  let unread = ''
  let breaks = 0
  let hasContent = false
  /** The line being read, and the one before it, begin with space: such lines are not folded. */
  let isSpaced = false
  let wasSpaced = false
  /** The line being read has given something out. */
  let isLineBegun = false
  /** What may be the close tag, or a carriage return that may belong to the line break. */
  let look: string | undefined = ''

  const putLine = (text: string) => {
    if (text === '') return
    if (!isLineBegun) {
      isLineBegun = true
      wasSpaced = isSpaced
      isSpaced = isBlank(text.charAt(0))
      const isFold = isFolded && hasContent && !isSpaced && !wasSpaced
      if (breaks) put(isFold && breaks === 1 ? ' ' : '\n'.repeat(isFold ? breaks - 1 : breaks))
      hasContent = true
      breaks = 0
    }
    put(text)
  }
  const endLine = () => {
    breaks++
    head = ''
    width = 0
    hasSpaces = false
    look = ''
    isLineBegun = false
  }
  const beginLine = (char: string, from: number): number => {
    indent ??= width
    if (width < indent || indent <= parentIndent) {
      unread = head + char
      status = 'done'
      return from + 1
    }
    head = undefined
    return from
  }
  const readHead = (char: string, from: number): number => {
    if (char === '\n') endLine()
    else if (char === '\r') head += char
    else if (char === ' ' || (char === '\t' && (indent !== undefined || !hasSpaces))) {
      head += char
      hasSpaces ||= char === ' '
      width++
      if (width === indent && indent > parentIndent) head = undefined
    } else return beginLine(char, from)
    return from + 1
  }
  /** The beginning of a line that may be the close tag; space around it does not count. */
  const readLook = (char: string) => {
    const text = (look ?? '') + char
    const bare = text.trimStart()
    if (char === '\n' && bare.trimEnd() === closeTag) {
      look = text
      status = 'doubtful'
    } else if (char !== '\n' && text.length <= closeTag.length + MAX_TAG_SPACE && mayBeTag(bare)) look = text
    else {
      look = undefined
      readRest(text, 0, text.length)
    }
  }
  const mayBeTag = (bare: string) => closeTag.startsWith(bare) || bare.trimEnd() === closeTag
  /** A carriage return at the end of a line belongs to the line break. */
  let heldReturn = ''
  const readRest = (chunk: string, from: number, to: number): number => {
    const found = chunk.indexOf('\n', from)
    const end = found < 0 || found >= to ? to : found
    const isReturn = end > from && chunk[end - 1] === '\r'
    const text = chunk.slice(from, isReturn ? end - 1 : end)
    if (text || isReturn) {
      putLine(heldReturn + text)
      heldReturn = isReturn ? '\r' : ''
    }
    if (end === to) return end
    heldReturn = ''
    endLine()
    return end + 1
  }

  return {
    feed(chunk, from, to) {
      let at = from
      while (at < to && status === 'reading') {
        if (head !== undefined) at = readHead(chunk.charAt(at), at)
        else if (look !== undefined) readLook(chunk.charAt(at++))
        else at = readRest(chunk, at, to)
      }
      return at
    },
    status: () => status,
    unread: () => unread,
    resume() {
      const text = look ?? ''
      look = undefined
      status = 'reading'
      readRest(text, 0, text.length)
    },
    indent: () => indent ?? parentIndent + 1,
    close() {
      if (chomping === '+' && breaks) put('\n'.repeat(breaks))
      else if (chomping !== '-' && hasContent && breaks > 0) put('\n')
    },
    end() {
      if (head !== undefined) return
      if (look?.trim() === closeTag) status = 'doubtful'
      else if (look !== undefined) putLine(look)
      else putLine(heldReturn)
    },
  }
}
