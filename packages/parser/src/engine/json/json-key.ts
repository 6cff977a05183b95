import { isQuote, markedAt, quotedAt, withoutMarkdown, wordAt } from '../text/characters.js'
import { matchMarks } from '../text/read-marks.js'
import type { Dialect } from './dialect.js'
import { unescaped } from './string-escape.js'

/** A key, or a value where a key may be: `f(|city=…` `f(|True)`. */
export interface FoundKey {
  /** The key without quotes and escapes. */
  readonly name: string
  /** The key as it was written. */
  readonly source: string
  /** How many characters it takes, with the whitespace after it. */
  readonly chars: number
  /** The character after it: `:` or `=`, if it is a key. */
  readonly next: string
}

/**
 * `{|"city": "Paris"` `{|city:` `{|<|"|>city<|"|>:` Looks at the key at the beginning of a text, and
 * at the character after it. Undefined if no key can begin there.
 */
export function findKey(ahead: string, dialect: Dialect): FoundKey | 'wait' | undefined {
  const { quoteMark, escapes } = dialect
  // `"city": |`
  if (isQuote(ahead.charAt(0))) {
    const quoted = quotedAt(ahead, 0)
    if (quoted === undefined) return 'wait'
    return withNext(ahead, quoted, unescaped(withoutMarkdown(quoted.slice(1, -1)), escapes))
  }
  // `<|"|>city<|"|>: |`
  const isMarked = quoteMark ? matchMarks(ahead, [quoteMark]) : 'no'
  if (isMarked === 'yes') {
    const marked = markedAt(ahead, quoteMark)
    if (marked === undefined) return 'wait'
    return withNext(ahead, marked, marked.slice(quoteMark.length, -quoteMark.length))
  }
  // `city: |`: a key without quotes (decision 60).
  const word = wordAt(ahead, 0)
  if (word) return withNext(ahead, word, withoutMarkdown(word))
  return isMarked === 'wait' ? 'wait' : undefined
}

function withNext(ahead: string, source: string, name: string): FoundKey | 'wait' {
  const rest = ahead.slice(source.length).trimStart()
  if (rest === '') return 'wait'
  return { name, source, chars: ahead.length - rest.length, next: rest.charAt(0) }
}
