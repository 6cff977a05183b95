import type { CallOutput } from '../grammar.js'
import type { Cursor, Reading } from '../text/cursor.js'
import { MAX_LOOKAHEAD_CHARS, matchMarks, peek } from '../text/read-marks.js'
import { JsonType, type Shape } from '../values/shape.js'

/** What opens and closes a call. A line is closed by its break. */
export interface PairMarks {
  readonly open: string
  readonly close: string
  readonly isLine: boolean
}

export const lineMarks: PairMarks = { open: '\n', close: '\n', isLine: true }

/** The pairs of a call that is being read. */
export interface Pairs {
  readonly marks: PairMarks
  readonly cursor: Cursor
  readonly maxHeldChars: number
  /** Sets the cursor back to where a call was over. */
  readonly rewind?: CallOutput['rewind']
  readonly shape: Shape
  /** The paths of all keys and objects so far. */
  readonly seenKeys: Set<string>
  /** What the pairs stand in, if they do. */
  readonly parenthesis: string
  /** How keys were written so far: who writes `a = x` does so for the next key too. */
  hasColons?: boolean
  hasSpaces?: boolean
}

/** What follows: more text, another pair, or the end of the call. */
export interface AfterValue {
  readonly type: 'text' | 'pair' | 'end'
  /** How many characters it takes. Those of a text need no second look. */
  readonly chars: number
  /** Where in the arguments the pair belongs. */
  readonly path: readonly string[]
  /** Only the end of the text tells so. */
  readonly isAtEnd?: boolean
}

const keyAndSpace =
  /^(?:(["'])([^"'\r\n]{1,256})\1|([\w$.\-\u0080-\u009f\u00a1-\u202e\u2030-\uffff]{1,256}))([ \t]*)/
/** Whitespace and commas between pairs. Models also write no-break spaces (U+00A0 and U+202F). */
const separators = /^[ \t\r\n,\u00a0\u202f]*/
const openQuotedKey = /^["'][^"'\r\n]{0,256}$/

const found = (
  type: AfterValue['type'],
  chars: number,
  path: readonly string[] = [],
): AfterValue => ({
  type,
  chars,
  path,
})

/**
 * Looks at what stands at the cursor, or so many characters ahead, and takes nothing. So it tells
 * where a value ends that has no end of its own, such as the `New York` of `location=New York
 * units=metric`. `isSure`: no text can go on here, so that less will do as proof.
 */
export function* peekAfterValue(
  pairs: Pairs,
  valueIsComplete: boolean,
  from = 0,
): Reading<AfterValue> {
  const follow = yield* peek(pairs.cursor, text => whatFollows(pairs, text, valueIsComplete), from)
  return follow ?? found('end', 0)
}

/** Tells what a text after a value is. */
function whatFollows(pairs: Pairs, text: string, valueIsComplete: boolean): AfterValue | 'wait' {
  const { open, close, isLine } = pairs.marks
  const lineEndOf = (space: string) => (isLine ? space.search(/[\r\n]/) : -1)
  const [run = ''] = separators.exec(text) ?? []
  const [closed = ''] = (pairs.parenthesis && /^\)[ \t\r\n]*/.exec(text.slice(run.length))) || []
  const rest = text.slice(run.length + closed.length)
  const lineEnd = lineEndOf(run)
  const ended = found('end', run.length + (closed ? 1 : 0))
  /**
   * What follows is none of ours. Behind a line that is over, and behind the pairs' own
   * parenthesis, no text goes on.
   */
  const notAPair = () => {
    if (lineEnd >= 0) return found('end', lineEnd)
    return closed && valueIsComplete ? ended : found('text', Math.max(1, run.length))
  }
  const wait = (atEnd = notAPair()): AfterValue | 'wait' => {
    if (text.length === MAX_LOOKAHEAD_CHARS) return notAPair()
    return pairs.cursor.isFinal ? { ...atEnd, isAtEnd: true } : 'wait'
  }

  if (lineEndOf(closed) >= 0) return found('end', run.length + lineEndOf(closed))
  if (lineEnd >= 0 && /\n[^\n]*\n/.test(run)) return notAPair()
  if (rest === '') return wait(closed || lineEnd < 0 ? ended : undefined)
  if (rest.startsWith(close)) return found('end', text.length - rest.length + close.length)
  const isMark = matchMarks(rest, [close, open])
  if (isMark === 'yes') return closed ? ended : found('end', 0)
  // At the end of the text a single character of a mark proves nothing.
  if (isMark === 'wait') return wait(rest.length > 1 ? found('end', text.length) : undefined)

  const isLoose = valueIsComplete && lineEnd < 0
  const mayBeKey = !closed && (valueIsComplete || (run !== '' && /^[^"']/.test(rest)))
  const [whole = '', quote, quoted, bare, space = ''] = (mayBeKey && keyAndSpace.exec(rest)) || []
  const sign = rest.charAt(whole.length)
  if (!whole) return mayBeKey && openQuotedKey.test(rest) ? wait() : notAPair()
  if (space && !(isLoose || pairs.hasSpaces)) return notAPair()
  if (sign === '') return wait()
  const path = pathOfKey(pairs.shape, quoted ?? bare ?? '')
  const isOpenKey =
    pairs.shape.propertyNames.includes(path[0] ?? '') && !pairs.seenKeys.has(path.join('\n'))
  // Below the name alone the keys may be written as in YAML.
  const mayHaveColon = isLoose || pairs.hasColons || (valueIsComplete && pairs.seenKeys.size === 0)
  const isSign = sign === '=' || (sign === ':' && mayHaveColon)
  if (!isSign || !(isOpenKey || (isLoose && sign === '=' && !quote))) return notAPair()
  pairs.hasColons ||= sign === ':'
  pairs.hasSpaces ||= space !== '' && !quote
  return found('pair', run.length + whole.length + 1, path)
}

/**
 * A key as a path into the arguments. A dot leads into an object that the schema declares; a key
 * that is declared with its dot, or that nobody declares, is what it is.
 */
function pathOfKey(shape: Shape, key: string): readonly string[] {
  const [, head, rest = ''] = /^([^.]+)\.(.*)/s.exec(key) ?? []
  if (head === undefined || shape.propertyNames.includes(key)) return [key]
  const inner = shape.property(head)
  const isDeclared = shape.propertyNames.includes(head) && (inner.types & JsonType.object) !== 0
  return isDeclared || inner.types === JsonType.object ? [head, ...pathOfKey(inner, rest)] : [key]
}
