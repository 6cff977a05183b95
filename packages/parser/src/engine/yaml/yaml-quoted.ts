import { createStringEscape, type EscapeRules } from '../string-escape.js'
import { skipBlank, trimBlank } from './yaml-line.js'

/** Space at the end of a line is held, since it may be markup; no more than this of it. */
const MAX_HELD_SPACE = 4096

const yamlEscapes: EscapeRules = {
  texts: {
    ...{ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\u0007', e: '\u001b', 0: '\0', '\t': '\t' },
    ...{ '"': '"', "'": "'", '/': '/', '\\': '\\', ' ': ' ', _: '\u00a0', N: '\u0085', L: '\u2028', P: '\u2029' },
  },
  openNumber: /^(?:x[\da-fA-F]?|u[\da-fA-F]{0,3}|U[\da-fA-F]{0,7})$/,
}

export type YamlQuoted = ReturnType<typeof createYamlQuoted>

/**
 * Reads a scalar in quotes, behind the first one, and gives its text out as it comes. A line break in it is a space, and blank
 * lines are line breaks.
 */
export function createYamlQuoted(put: (text: string) => void, quote: string) {
  const stringEscape = createStringEscape(yamlEscapes)
  let isDone = false
  /** A single quote was read: the end, or the first of two that stand for one. */
  let isQuoteSeen = false
  let isEscaped = false
  /** Nothing but the backslash has been read of an escape. */
  let isEscapeFresh = false
  let space = ''
  /** Line breaks since the last text; a backslash before the first of them joins what stands around it. */
  let breaks = 0
  let isJoined = false

  const flush = () => {
    const gap = breaks ? '\n'.repeat(breaks - 1) || (isJoined ? '' : ' ') : space
    if (gap) put(gap)
    space = ''
    breaks = 0
    isJoined = false
  }
  const holdSpace = (text: string) => {
    if (breaks > 0) return
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
      breaks = 1
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
    const bare = skipBlank(chunk.slice(from, end))
    holdSpace(chunk.slice(from, end - bare.length))
    if (bare) {
      const text = trimBlank(bare)
      flush()
      put(text)
      holdSpace(bare.slice(text.length))
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
    isEscaped = char === '\\'
    isEscapeFresh = isEscaped
    isDone = char === '"'
    isQuoteSeen = char === "'"
  }
  const feed = (chunk: string, from: number, to: number): number => {
    let at = from
    while (at < to && !isDone) {
      if (isEscaped) readEscape(chunk.charAt(at++))
      else if (isQuoteSeen) {
        isQuoteSeen = false
        isDone = chunk[at] !== quote
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
    /** No more text comes. True if the quote was closed. */
    end: () => isDone || isQuoteSeen,
  }
}
