import { jsonEscapes, rawEscapes, unescaped } from '../json/string-escape.js'
import type { Verdict } from '../text/verdict.js'

/**
 * JSON that the model wrote as if it were inside a string: `[{\"id\": 1}]`. The first quote shows
 * it, since no JSON has a backslash before its first quote (decision 65).
 */
const escapedJson = /^\s*[[{][\s[{]*\\"/

/** The beginning of a text that may become that: `[{`, `[{\`. */
const escapedJsonStart = /^\s*(?:[[{][\s[{]*\\?)?$/

const outerEscapes = { ...jsonEscapes, whole: rawEscapes.whole }

/** Decides whether a value begins as escaped JSON. */
export function startsEscapedJson(text: string): Verdict {
  if (escapedJson.test(text)) return 'yes'
  return escapedJsonStart.test(text) ? 'wait' : 'no'
}

/** Removes one level of escapes from a text that comes in pieces. */
export interface Unescaper {
  readonly put: (text: string) => void
  /** A backslash at the end of the last piece: what it escapes has not come yet. */
  heldBackslash: string
}

export const createUnescaper = (put: (text: string) => void): Unescaper => ({
  put,
  heldBackslash: '',
})

export function putUnescaped(unescaper: Unescaper, piece: string): void {
  const text = unescaper.heldBackslash + piece
  unescaper.heldBackslash = endsWithOpenEscape(text) ? '\\' : ''
  const complete = text.slice(0, text.length - unescaper.heldBackslash.length)
  unescaper.put(unescaped(complete, outerEscapes))
}

/** Puts a backslash that nothing has followed. */
export function endUnescaper(unescaper: Unescaper): void {
  if (unescaper.heldBackslash) unescaper.put(unescaper.heldBackslash)
}

/** True for `a\`, false for `a\\`, which is an escaped backslash. */
const endsWithOpenEscape = (text: string) => /(?<!\\)(?:\\\\)*\\$/.test(text)
