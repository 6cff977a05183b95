import { isQuote, isSpace } from './characters.js'

/** Reads a word without quotes in loose JSON: a number, a constant, or text up to what must be markup. */
export interface BareWord {
  begin(char: string): void
  /** Takes one more character; says why the word is over, once it is. */
  read(char: string): BareWordEnd | undefined
  text(): string
  /** It is a number or a constant as it stands. */
  isLiteral(): boolean
}

/**
 * `character`: the one read last does not belong to it. `comment`: it and the one before begin a comment. `too-long`: no
 * word has so many characters. Otherwise the end mark that was read behind the word.
 */
export type BareWordEnd = { readonly type: 'character' | 'comment' | 'too-long' } | { type: 'mark'; mark: string }

const wholeLiteral = /^(?:[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|true|false|null|True|False|None)$/

export function createBareWord(ends: readonly string[], maxHeldChars: number): BareWord {
  const markChars = Math.max(0, ...ends.map(end => end.length))
  let held = ''
  /** As much of its end as a mark may take; looking at all of a long word each time would be quadratic. */
  let tail = ''
  /** The last character was a space. */
  let isSpaceSeen = false
  /** … and then came a slash. */
  let isSlashSeen = false

  const text = () => held.trimEnd()
  const isLiteral = () => wholeLiteral.test(text())
  const findMark = (char: string): BareWordEnd | undefined => {
    tail = (tail + char).slice(-markChars)
    const mark = ends.find(end => tail.endsWith(end))
    if (mark === undefined) return undefined
    held = held.slice(0, -mark.length)
    return { type: 'mark', mark }
  }
  return {
    begin(char) {
      held = char
      tail = char
      isSpaceSeen = false
      isSlashSeen = false
    },
    read(char) {
      // Two slashes behind space begin a comment; `http://` has no space.
      if (isSlashSeen && (char === '/' || char === '*')) {
        held = held.slice(0, -1)
        return { type: 'comment' }
      }
      isSlashSeen = char === '/' && isSpaceSeen
      if (/[,}\]\n]/.test(char) || (isQuote(char) && held.length < 64 && isLiteral())) return { type: 'character' }
      if (held.length >= maxHeldChars) return { type: 'too-long' }
      held += char
      isSpaceSeen = isSpace(char)
      return markChars ? findMark(char) : undefined
    },
    text,
    isLiteral,
  }
}
