import { isQuote } from '../characters.js'
import { silentShape } from '../shape.js'
import { trimBlank, withoutComment } from './yaml-line.js'
import { createYamlQuoted } from './yaml-quoted.js'

/** The key with which a text begins, and where it ends: behind a colon, which needs a space unless the key is in quotes. */
export function findKey(text: string): { readonly name: string; readonly end: number } | undefined {
  const first = text.charAt(0)
  if (!isQuote(first)) {
    const at = text.search(/:(?:\s|$)/)
    const name = trimBlank(text.slice(0, Math.max(at, 0)))
    return name && withoutComment(name, silentShape) === name ? { name, end: at + 1 } : undefined
  }
  let name = ''
  const quoted = createYamlQuoted(piece => {
    name += piece
  }, first)
  const at = quoted.feed(text, 1, text.length)
  const colon = quoted.isDone() ? /^[ \t\r]*:/.exec(text.slice(at)) : null
  return colon ? { name, end: at + colon[0].length } : undefined
}
