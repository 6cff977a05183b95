import { isQuote } from '../characters.js'
import { matchMarks } from '../match-marks.js'

/** `text`: the value goes on. `next`: another pair comes. `end`: this was the last one. */
export type Follow = 'text' | 'next' | 'end'

export interface PairLookOptions {
  /** What closes the call, and what opens another and so ends this one. Without them the call ends with its line. */
  readonly marks: { readonly open: string; readonly close: string } | undefined
  /** The pairs stand in parentheses. */
  readonly isInParentheses: () => boolean
  /** True for a key that the tool has and that has not been given yet. */
  readonly isOpenKey: (key: string) => boolean
  readonly maxHeldChars: number
}

/** What is taken at once: what may stand between two pairs, a word, or a single character. */
const piece = /[ \t\r\n,]+|[\w$.-]+|[^]/y
const isBetweenPairs = (text: string) => /^[ \t\r\n,]/.test(text)
const emptyLine = /\n[^\n]*\n/
const keyAndSpace = /^(?:(["'])([^"'\r\n]{1,256})\1|([\p{L}\p{N}_$.-]{1,256}))([ \t]*)/u
const openQuotedKey = /^["'][^"'\r\n]{0,256}$/

export type PairLook = ReturnType<typeof createPairLook>

/**
 * Tells where a value ends that has no end of its own, such as the `New York` of `location=New York units=metric`: looks at
 * what follows, until it is clear.
 */
export function createPairLook({ marks, isInParentheses, isOpenKey, maxHeldChars }: PairLookOptions) {
  const bounds = marks ? [marks.close, marks.open] : []
  const firstChars = bounds.map(mark => `\\${mark.charAt(0)}`).join('')
  let isSure = false
  let isClosed = false
  /** The space and the commas behind the value, and what stands behind them. */
  let run = ''
  let rest = ''
  let found: Follow | undefined
  let key = ''
  /** Where the call ends: how much of what was looked at belongs to it. */
  let callChars = 0
  // How keys were written so far: who writes `a = x` does so for the next key too.
  let hasColons = false
  let hasSpaces = false

  const chars = () => run.length + rest.length
  const lineEndOf = (text: string) => (marks ? -1 : text.search(/[\r\n]/))
  const parenthesis = () => (isInParentheses() && /^\)[ \t\r\n]*/.exec(rest)?.[0]) || ''
  const endAt = (size: number): Follow => {
    callChars = size
    return 'end'
  }
  /** What follows is none of ours. Behind a line that is over, and behind the pairs' own parenthesis, the value cannot go on. */
  const refuse = (): Follow => {
    const lineEnd = lineEndOf(run)
    if (lineEnd >= 0) return endAt(lineEnd)
    return parenthesis() && isSure ? endAt(run.length + 1) : 'text'
  }
  /** What follows; undefined as long as that cannot be told. */
  const judge = (): Follow | undefined => {
    const closed = parenthesis()
    const lineEnd = lineEndOf(closed)
    if (lineEnd >= 0) return endAt(run.length + lineEnd)
    if (!marks && emptyLine.test(run)) return refuse()
    const behind = rest.slice(closed.length)
    const match = matchMarks(behind, bounds)
    if (behind === '' || match === 'maybe') return undefined
    if (match === 'none') return closed ? refuse() : judgeKey()
    if (marks && behind.startsWith(marks.close)) return endAt(run.length + closed.length + match.length)
    return endAt(closed ? run.length + 1 : 0)
  }
  const judgeKey = (): Follow | undefined => {
    const isLoose = isSure && lineEndOf(run) < 0
    const mayStart = isQuote(rest.charAt(0)) ? isClosed && run !== '' : isSure || run !== ''
    const match = mayStart ? keyAndSpace.exec(rest) : null
    if (!match) return mayStart && openQuotedKey.test(rest) ? undefined : refuse()
    const [whole, quote, quoted, bare, space] = match
    if (space && !(isLoose || hasSpaces)) return refuse()
    const sign = rest.charAt(whole.length)
    if (sign === '') return undefined
    key = quoted ?? bare ?? ''
    const isSign = sign === '=' || (sign === ':' && (isLoose || hasColons))
    if (!isSign || !(isOpenKey(key) || (isLoose && sign === '=' && !quote))) return refuse()
    hasColons ||= sign === ':'
    hasSpaces ||= space !== '' && !quote
    return 'next'
  }

  return {
    /** The characters at which a value may end. */
    stops: () => new RegExp(`[ \\t\\r\\n,${firstChars}${isInParentheses() ? ')' : ''}]`, 'g'),
    /**
     * Begins to look. `sure`: the value can hold no text (it is a number, or a closing quote stood there), so that less will do
     * as proof. `closed`: it is over by itself, and a quote may open a key.
     */
    begin(sure: boolean, closed: boolean) {
      isSure = sure
      isClosed = closed
      run = ''
      rest = ''
      found = undefined
    },
    /** Takes a little more; returns the index behind it. */
    feed(chunk: string, from: number, to: number): number {
      piece.lastIndex = from
      const [taken = ''] = piece.exec(chunk) ?? []
      const text = taken.slice(0, Math.min(to - from, maxHeldChars + 1 - chars()))
      if (rest || !isBetweenPairs(text)) rest += text
      else run += text
      // Space alone tells nothing, unless it is an empty line.
      if (rest || (!marks && text.includes('\n'))) found = judge()
      if (chars() > maxHeldChars) found ??= refuse()
      return from + text.length
    },
    /** What follows the value. Undefined as long as it cannot be told. */
    found: () => found,
    /** No more characters come: what it comes to then. */
    end(): Follow {
      const closed = parenthesis()
      const behind = rest.slice(closed.length)
      if (behind === '' && (closed || lineEndOf(run) < 0)) return endAt(run.length + (closed ? 1 : 0))
      // A single character of a mark proves nothing, and half a key is no key.
      return behind.length > 1 && marks?.close.startsWith(behind) ? endAt(chars()) : refuse()
    },
    /** All that was looked at. */
    text: () => run + rest,
    /** Where that was found to be text: how much of it needs no second look. */
    textChars: () => Math.max(1, run.length),
    /** Where the call ends: what still belongs to the value. A comma separates only what another pair follows. */
    valueText: () => (isSure ? '' : run.slice(0, run.lastIndexOf(',') + 1)),
    /** Where the call ends: how much of it does not belong to the call. */
    unreadChars: () => chars() - callChars,
    /** The key of the pair that follows. */
    key: () => key,
  }
}
