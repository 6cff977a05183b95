import { isQuote } from '../characters.js'
import { silentShape } from '../shape.js'
import { trimBlank, withoutComment } from './yaml-line.js'
import { readQuoted } from './yaml-quoted.js'

/** The key with which a text begins, and where it ends: behind a colon, which needs a space unless the key is in quotes. */
export function findKey(text: string): { readonly name: string; readonly end: number } | undefined {
  const quote = text.charAt(0)
  if (!isQuote(quote)) {
    const at = text.search(/:(?:\s|$)/)
    const name = trimBlank(text.slice(0, Math.max(at, 0)))
    return name && withoutComment(name, silentShape) === name ? { name, end: at + 1 } : undefined
  }
  const { text: name, end } = readQuoted(text, 1, quote)
  const colon = end < 0 ? null : /^[ \t\r]*:/.exec(text.slice(end))
  return colon ? { name, end: end + colon[0].length } : undefined
}

const word = /^[^\s<>"'`]+$/

/** The key of a text that looks like an entry, and not like prose: it is in quotes, a single word, or one of the tool's names. */
export function entryName(text: string, names: readonly string[]): string | undefined {
  const name = findKey(text)?.name
  return name !== undefined && (isQuote(text.charAt(0)) || word.test(name) || names.includes(name)) ? name : undefined
}
