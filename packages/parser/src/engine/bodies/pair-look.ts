import type { Cursor, Reading } from '../cursor.js'
import { isAtMark, peek } from '../marks.js'

/** What opens and closes a call. A line is closed by its break. */
export interface PairMarks {
  readonly open: string
  readonly close: string
  readonly isLine: boolean
}

/** What stands before a place: the name, a text, or a value that is over or can hold no text, so that less will do as proof. */
type Behind = 'name' | 'text' | 'value'

/** What follows: more text, a bracket around the arguments, another pair, or the end of the call. */
export interface Follow {
  readonly type: 'text' | 'parenthesis' | 'object' | 'pair' | 'end'
  /** How many characters it takes. Those of a text need no second look. */
  readonly chars: number
  readonly key: string
  /** Only the end of the text tells so. */
  readonly isAtEnd?: boolean
}

/** Looks at what stands at the cursor, and takes nothing. */
export type PairLook = (behind: Behind) => Reading<Follow>

/** What is longer is no space between two pairs. */
const MAX_LOOK_CHARS = 512
const keyAndSpace = /^(?:(["'])([^"'\r\n]{1,256})\1|([\w$.\-\u0080-\uffff]{1,256}))([ \t]*)/
const openQuotedKey = /^["'][^"'\r\n]{0,256}$/

/**
 * Tells where a value ends that has no end of its own, such as the `New York` of `location=New York units=metric`, by what
 * follows. `isOpenKey`: the tool has such a key, and it was not given yet.
 */
export function createPairLook(
  cursor: Cursor,
  { open, close, isLine }: PairMarks,
  isOpenKey: (key: string) => boolean,
): PairLook {
  let isInParentheses = false
  // How keys were written so far: who writes `a = x` does so for the next key too.
  let hasColons = false
  let hasSpaces = false
  const lineEndOf = (text: string) => (isLine ? text.search(/[\r\n]/) : -1)
  const found = (type: Follow['type'], chars: number, key = ''): Follow => ({ type, chars, key })

  /** Gives undefined as long as more text may tell. */
  const look = (text: string, behind: Behind): Follow | undefined => {
    const isSure = behind !== 'text'
    const [run = ''] = /^[ \t\r\n,]*/.exec(text) ?? []
    const [closed = ''] = (isInParentheses && /^\)[ \t\r\n]*/.exec(text.slice(run.length))) || []
    const rest = text.slice(run.length + closed.length)
    const lineEnd = lineEndOf(run)
    const ended = found('end', run.length + (closed ? 1 : 0))
    /** What follows is none of ours. Behind a line that is over, and behind the pairs' own parenthesis, no text goes on. */
    const refuse = () => {
      if (lineEnd >= 0) return found('end', lineEnd)
      return closed && isSure ? ended : found('text', Math.max(1, run.length))
    }
    const wait = (atEnd = refuse()) => {
      if (text.length >= MAX_LOOK_CHARS) return refuse()
      return cursor.isOver ? { ...atEnd, isAtEnd: true } : undefined
    }

    if (lineEndOf(closed) >= 0) return found('end', run.length + lineEndOf(closed))
    if (lineEnd >= 0 && /\n[^\n]*\n/.test(run)) return refuse()
    if (rest === '') return wait(closed || lineEnd < 0 ? ended : undefined)
    if (rest.startsWith(close)) return found('end', text.length - rest.length + close.length)
    const isMark = isAtMark(rest, [close, open])
    if (isMark) return closed ? ended : found('end', 0)
    // At the end of the text a single character of a mark proves nothing.
    if (isMark === undefined) return wait(rest.length > 1 ? found('end', text.length) : undefined)

    const first = rest.charAt(0)
    if (behind === 'name' && first === '{') return found('object', run.length)
    if (behind === 'name' && first === '(' && !isInParentheses) {
      isInParentheses = true
      return found('parenthesis', run.length + 1)
    }
    const isLoose = isSure && lineEnd < 0
    const mayBeKey = !closed && (isSure || (run !== '' && /[^"']/.test(first)))
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
    return found('pair', run.length + whole.length + 1, key)
  }

  return function* (behind) {
    const follow = yield* peek(cursor, text => look(text.slice(0, MAX_LOOK_CHARS), behind))
    return follow ?? found('end', 0)
  }
}
