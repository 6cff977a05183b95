import { isQuote } from '../characters.js'
import type { Cursor, Reading } from '../cursor.js'
import { unescapeQuoted } from './read-quoted.js'

/** Nobody looks further ahead than this before text is taken. */
export const MAX_AHEAD_CHARS = 2048

/** Gives what stands so many characters ahead, as soon as that is enough, or all that is looked at. */
export function* peek(cursor: Cursor, isEnough: (ahead: string) => boolean, from = 0): Reading<string> {
  for (;;) {
    const start = cursor.at + from
    const ahead = cursor.text.slice(start, start + MAX_AHEAD_CHARS)
    if (cursor.isOver || ahead.length === MAX_AHEAD_CHARS || isEnough(ahead)) return ahead
    yield
  }
}

export const firstLine = (text: string) => /^[^\n]*/.exec(text)?.[0] ?? ''

/** Where in a line its text begins. */
export const columnOf = (line: string) => line.search(/\S|$/)

/** The borders of a document, and a fence around it. */
export const border = /^(?:---(?:\s.*)?|\.\.\.|```\w*)$/

const quotedKey = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')\s*:/

/** The key with which a text begins, and where it ends: behind a colon, which needs a space unless the key is in quotes. */
export function findKey(text: string): { readonly name: string; readonly end: number } | undefined {
  const quote = text.charAt(0)
  const [quoted, double, single = ''] = quotedKey.exec(text) ?? []
  if (quoted !== undefined) return { name: unescapeQuoted(double ?? single, quote), end: quoted.length }
  const at = isQuote(quote) ? -1 : text.search(/:(?:\s|$)/)
  const name = text.slice(0, Math.max(at, 0)).trim()
  return name && !/(?<!\S)#/.test(name) ? { name, end: at + 1 } : undefined
}

/** The key of a text that looks like an entry, and not like prose: it is in quotes, or a single word. */
export function entryName(text: string): string | undefined {
  const name = findKey(text)?.name
  return name !== undefined && (isQuote(text.charAt(0)) || /^[^\s<>"'`]+$/.test(name)) ? name : undefined
}
