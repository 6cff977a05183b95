import { isQuote } from '../characters.js'
import { createStringEscape } from '../string-escape.js'
import type { TextTaker } from './text-taker.js'
import type { ContentOptions, ValueContent } from './value-content.js'

export interface TextForm {
  /** What closes the text: a quote, or a line break and a word. Nothing closes raw text: it goes on until a pair follows. */
  readonly closing: string
  /** As much of that as stood before the text already. */
  readonly begun: string
  /** Where raw text may be over. */
  readonly stops: RegExp
}

export interface TextContent extends ValueContent {
  /** The value was not over. Takes as many characters of what follows as need no second look, and says how many. */
  resume(behind: string, sureChars: number): number
}

/**
 * Text that is raw, in quotes, or in lines of its own. A quote inside quotes that was not escaped is known by what follows;
 * such a string may not hold the end of its call as well, for it is more likely that a quote was forgotten and the string
 * swallows what comes next.
 */
export function createTextContent(
  taker: TextTaker,
  { closing, begun, stops }: TextForm,
  { closeMark, maxHeldChars }: Pick<ContentOptions, 'closeMark' | 'maxHeldChars'>,
): TextContent {
  const isQuoted = isQuote(closing)
  const endMark = closeMark ?? '\n'
  const stringEscape = createStringEscape()
  let status: 'open' | 'over' | 'failed' = 'open'
  let error = isQuoted ? 'a quoted value without its closing quote' : 'lines without the word that ends them'
  if (closing === '') error = 'several lines without quotes, and no close mark behind them'
  /** What may be the closing, and how much of it is markup even if it is not. */
  let held = begun
  let markupChars = begun.length
  let isEscaped = false
  /** Between tags a line break is a doubt, as long as no close tag says that all of it was meant. */
  let hasLines = false
  // A text may go on in the next line, but an apostrophe is not likely to have meant that.
  let isDoubtful = closeMark === undefined && closing === "'"
  /** The last characters, in which the end mark may begin; then all from the mark on, as long as that can be held. */
  let recent: string | undefined = isQuoted ? '' : undefined
  let hasMark = false

  const put = (piece: string) => {
    if (piece) taker.put(piece)
  }
  const release = () => {
    put(held.slice(markupChars))
    held = ''
    markupChars = 0
  }
  const watch = (piece: string) => {
    if (recent === undefined) return
    const text: string = recent + piece
    const at = hasMark ? 0 : text.indexOf(endMark)
    hasMark = at >= 0
    recent = hasMark ? text.slice(at) : text.slice(1 - endMark.length || text.length)
    if (recent.length > maxHeldChars) recent = undefined
    if (hasMark && isDoubtful) status = 'failed'
  }
  const readChar = (char: string) => {
    if (isEscaped) {
      const text = stringEscape.read(char)
      if (text === undefined) return
      isEscaped = false
      put(text)
      if (stringEscape.isUnread()) readChar(char)
    } else if (isQuoted && char === '\\') isEscaped = true
    else if (closing.startsWith(held + char)) {
      held += char
      if (held === closing) status = 'over'
    } else if (held) {
      release()
      readChar(char)
    } else put(char)
  }
  const nextStop = (chunk: string, from: number, to: number): number => {
    if (held || isEscaped || isDoubtful) return from
    stops.lastIndex = from
    return Math.min(stops.exec(chunk)?.index ?? to, to)
  }

  return {
    feed(chunk, from, to) {
      let at = from
      while (at < to && status === 'open') {
        const stop = nextStop(chunk, at, to)
        if (stop === at && closing === '') {
          status = 'over'
          break
        }
        const piece = chunk.slice(at, Math.max(stop, at + 1))
        watch(piece)
        if (stop > at) put(piece)
        else if (status === 'open') readChar(piece)
        at += piece.length
      }
      return at
    },
    status: () => status,
    resume(behind, sureChars) {
      status = hasMark ? 'failed' : 'open'
      isDoubtful = isQuoted
      release()
      if (closing) return 0
      hasLines ||= behind.slice(0, sureChars).includes('\n')
      put(behind.slice(0, sureChars))
      return sureChars
    },
    close() {
      const problem = taker.end()
      if (problem === undefined) return
      status = 'failed'
      error = problem
    },
    end: isCut => (closing ? status === 'over' : !isCut && !hasLines),
    error: () => error,
    unread: () => (status === 'failed' ? (recent ?? '') : ''),
  }
}
