import { isQuote } from '../characters.js'
import { matchMarks } from '../match-marks.js'

export interface PairLookOptions {
  /** What closes the call, and what opens another and so ends this one. Without them the call ends with its line. */
  readonly marks: { readonly open: string; readonly close: string } | undefined
  /** True for a key that the tool has and that has not been given yet. */
  readonly isOpenKey: (key: string) => boolean
}

/** Where is looked. */
export interface LookPlace {
  /** What stands there: a text, a value that can hold no text, so that less will do as proof, or one that is over by itself. */
  readonly behind: 'text' | 'scalar' | 'closed'
  /** The pairs stand in parentheses. */
  readonly isInParentheses: boolean
  /** No more text comes. */
  readonly isOver: boolean
}

/** What follows a value, and how many characters that takes. */
export type Follow =
  /** The value goes on. These characters need no second look. */
  | { readonly type: 'text'; readonly chars: number }
  /** Another pair comes. */
  | { readonly type: 'next'; readonly chars: number; readonly key: string }
  /** This was the last one. A comma separates only what another pair follows, and so belongs to the value. */
  | { readonly type: 'end'; readonly chars: number; readonly comma: string }

/** What is longer is no space between two pairs. */
export const MAX_LOOK_CHARS = 512
const keyAndSpace = /^(?:(["'])([^"'\r\n]{1,256})\1|([\w$.\-\u0080-\uffff]{1,256}))([ \t]*)/
const openQuotedKey = /^["'][^"'\r\n]{0,256}$/

/**
 * Tells where a value ends that has no end of its own, such as the `New York` of `location=New York units=metric`: looks at
 * what follows. Undefined as long as that cannot be told.
 */
export function createPairLook({ marks, isOpenKey }: PairLookOptions) {
  // How keys were written so far: who writes `a = x` does so for the next key too.
  let hasColons = false
  let hasSpaces = false
  const bounds = marks ? [marks.close, marks.open] : []
  const lineEndOf = (text: string) => (marks ? -1 : text.search(/[\r\n]/))

  return (text: string, { behind, isInParentheses, isOver }: LookPlace): Follow | undefined => {
    const isSure = behind !== 'text'
    const [run = ''] = /^[ \t\r\n,]*/.exec(text) ?? []
    const [closed = ''] = (isInParentheses && /^\)[ \t\r\n]*/.exec(text.slice(run.length))) || []
    const rest = text.slice(run.length + closed.length)
    const lineEnd = lineEndOf(run)
    const endAt = (chars: number): Follow => ({
      type: 'end',
      chars,
      comma: isSure ? '' : (/.*,|/s.exec(run)?.[0] ?? ''),
    })
    /** What follows is none of ours. Behind a line that is over, and behind the pairs' own parenthesis, no text goes on. */
    const refuse = (): Follow => {
      if (lineEnd >= 0) return endAt(lineEnd)
      return closed && isSure ? endAt(run.length + 1) : { type: 'text', chars: Math.max(1, run.length) }
    }
    const wait = () => (isOver || text.length >= MAX_LOOK_CHARS ? refuse() : undefined)

    if (lineEndOf(closed) >= 0) return endAt(run.length + lineEndOf(closed))
    if (lineEnd >= 0 && /\n[^\n]*\n/.test(run)) return refuse()
    if (rest === '') return isOver && (closed || lineEnd < 0) ? endAt(run.length + (closed ? 1 : 0)) : wait()
    const match = matchMarks(rest, bounds)
    // At the end of the text a single character of a mark proves nothing.
    if (match === 'maybe')
      return isOver && rest.length > 1 && marks?.close.startsWith(rest) ? endAt(text.length) : wait()
    if (match !== 'none') {
      if (marks && rest.startsWith(marks.close)) return endAt(run.length + closed.length + marks.close.length)
      return endAt(closed ? run.length + 1 : 0)
    }
    const isLoose = isSure && lineEnd < 0
    const mayBeKey = !closed && (isQuote(rest.charAt(0)) ? behind === 'closed' && run !== '' : isSure || run !== '')
    const [whole = '', quote, quoted, bare, space = ''] = (mayBeKey && keyAndSpace.exec(rest)) || []
    const sign = rest.charAt(whole.length)
    if (!whole) return mayBeKey && openQuotedKey.test(rest) ? wait() : refuse()
    if (space && !(isLoose || hasSpaces)) return refuse()
    if (sign === '') return wait()
    const key = quoted ?? bare ?? ''
    const isSign = sign === '=' || (sign === ':' && (isLoose || hasColons))
    if (!isSign || !(isOpenKey(key) || (isLoose && sign === '=' && !quote))) return refuse()
    hasColons ||= sign === ':'
    hasSpaces ||= space !== '' && !quote
    return { type: 'next', chars: run.length + whole.length + 1, key }
  }
}
