import { isQuote } from '../characters.js'
import { Token, type ValueSink } from '../value-token.js'
import { isBlank, trimBlank } from './yaml-line.js'
import { readQuoted } from './yaml-quoted.js'
import type { YamlStructure } from './yaml-structure.js'

/** Where a word ends; a colon inside of a key is part of it in `{http://a: 1}`. */
const wordEnd = /[,\]}]|[ \t\r]#/g
const keyEnd = /[,\]}]|[ \t\r]#|:(?!\/)/g

/**
 * Reads a list or an object in brackets, line by line: the first from behind its bracket. Tells where it ends in the line or
 * fails, or that it goes on in the next (-1). It is JSON, but quotes are not needed, an empty value is none, and what follows
 * `#` is a comment. A text in it stands in one line.
 */
export function createYamlFlow(put: ValueSink, structure: YamlStructure) {
  const { fail } = structure
  const outerDepth = structure.depth() - 1
  /** What was read last: a word or a text in quotes, which is a key if a colon follows; or brackets. */
  let held: string | undefined
  let isQuoted = false
  let isClosed = false

  const isAtKey = () => structure.isMapping() && !structure.isPending()
  const putKey = () => {
    put(Token.key, held ?? '')
    held = undefined
    structure.setPending(true)
  }
  const putValue = (text: string) => {
    held = undefined
    structure.setPending(false)
    if (!isQuoted) return put(Token.literal, text)
    put(Token.beginQuoted, '')
    put(Token.text, text)
    put(Token.endText, '')
  }
  /** A comma or a closing bracket. */
  const endEntry = (char: string) => {
    if (held !== undefined && isAtKey()) putKey()
    if (held !== undefined) putValue(held)
    structure.putMissing()
    isClosed = char !== ','
    if (isClosed && structure.isMapping() !== (char === '}')) fail(`a closing ${char} without its opening one`)
    else if (isClosed) structure.pop()
  }
  const readScalar = (line: string, from: number): number => {
    const first = line.charAt(from)
    isQuoted = isQuote(first)
    if (isQuoted) {
      const { text, end } = readQuoted(line, from + 1, first)
      held = text
      if (end < 0) fail('quotes that are not closed')
      return end
    }
    const ends = isAtKey() ? keyEnd : wordEnd
    ends.lastIndex = from
    const end = ends.exec(line)?.index ?? line.length
    held = trimBlank(line.slice(from, end))
    return end
  }
  /** Reads what begins at a character that is no space; returns where that ends. */
  const read = (line: string, at: number): number => {
    const char = line.charAt(at)
    if (char === '#' && (at === 0 || isBlank(line[at - 1]))) return line.length
    if (/[,\]}]/.test(char)) endEntry(char)
    else if (char === ':' && held !== undefined && isAtKey()) putKey()
    else if (held !== undefined || isClosed || (isAtKey() && /[[{:]/.test(char)))
      fail(`${JSON.stringify(char)} where it cannot stand`)
    else if (char === '[' || char === '{') structure.push(char === '{', structure.indent())
    else return readScalar(line, at)
    return at + 1
  }

  return (line: string, from: number): number => {
    let start = from
    let at = from
    while (at < line.length && structure.depth() > outerDepth && !structure.error()) {
      start = at
      at = isBlank(line[at]) ? at + 1 : read(line, at)
    }
    if (structure.error()) return start
    return structure.depth() > outerDepth ? -1 : at
  }
}
