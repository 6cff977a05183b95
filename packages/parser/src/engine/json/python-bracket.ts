import type { Verdict } from '../text/verdict.js'
import { type Bracket, group, object, set, tuple } from './json-syntax.js'

/**
 * The first item after a bracket, unless that is in brackets too, and the character after it:
 * `('a', …` `{1: …` `(r'\d')`.
 */
const firstItem =
  /^[({]\s*((?:[rbuf]{0,2}("|')(?:\\.|(?!\2)[^\\])*\2|[\w.+-]+)\s*)?([^\s"'\w.+-])/is

/** Decides what a bracket of Python opens. The first item in it, and what follows that, show it. */
export function findPythonBracket(ahead: string): Bracket | 'wait' {
  const found = firstItem.exec(ahead)
  if (!found) return 'wait'
  const [, item, , next = ''] = found
  // `(1)` is 1, `(1, 2)`, `()` and `([1])` are tuples (decision 66).
  if (ahead.startsWith('(')) return item && next === ')' ? group : tuple
  // `{1, 2}` and `{1}` are sets, `{1: 2}`, `{}` and `{**a}` are not.
  return item && /[,}]/.test(next) ? set : object
}

/** `(1, ` `("a",` `((` `([`: the beginning of a tuple in JSON, where `(555) 0199` is a text. */
const tupleStart =
  /^\(\s*(?:[([{]|(?:-?\d[\d.eE+-]*|true|false|null|True|False|None|(["'])(?:\\.|(?!\1)[^\\])*\1)\s*,)/s
/** The beginning of that. */
const partialTupleStart =
  /^\(\s*(?:-?(?:\d[\d.eE+-]*)?\s*|[a-zA-Z]{1,5}\s*|(["'])(?:\\.|(?!\1)[^\\])*(?:\\|\1\s*)?)$/s

/** Decides whether a parenthesis in JSON opens a tuple of Python (decision 85). */
export function startsTuple(ahead: string): Verdict {
  if (tupleStart.test(ahead)) return 'yes'
  return partialTupleStart.test(ahead) ? 'wait' : 'no'
}
