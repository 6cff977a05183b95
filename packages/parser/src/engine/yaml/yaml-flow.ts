import { isQuote } from '../characters.js'
import { Token, type ValueSink } from '../value-token.js'
import { isBlank, trimBlank } from './yaml-line.js'
import { createYamlQuoted } from './yaml-quoted.js'
import type { YamlStructure } from './yaml-structure.js'

// What was read of a key or a value.
const NOTHING = 0 //  [|a      {a:| 1
const WORD = 1 //     [a| b    {a|: 1
const WHOLE = 2 //    ["a"|    [[1]|

/** Where a word ends; a colon inside of a key is part of it in `{http://a: 1}`. */
const wordEnd = /[,\]}]|[ \t\r]#/g
const keyEnd = /[,\]}]|[ \t\r]#|:(?!\/)/g

/**
 * Reads a list or an object in brackets, line by line: the first from behind its bracket. Tells where it ends in the line, or
 * fails, or that it goes on in the next (-1). It is JSON, but quotes are not needed, an empty value is none, and what follows
 * `#` is a comment.
 */
export function createYamlFlow(put: ValueSink, structure: YamlStructure, maxHeldChars: number) {
  const { fail } = structure
  const outerDepth = structure.depth() - 1
  let state = NOTHING
  /** A word or a text in quotes: a key, if a colon follows. */
  let held: string | undefined
  let isQuoted = false
  let readQuoted: ((line: string, from: number) => number) | undefined

  const isAtKey = () => structure.isMapping() && !structure.isPending()
  const hold = (text: string) => {
    held = (held ?? '') + text
    if (held.length > maxHeldChars) fail('a value in brackets that is too long')
  }
  const begin = () => {
    state = NOTHING
    held = undefined
    isQuoted = false
  }
  const putKey = () => {
    put(Token.key, held ?? '')
    structure.setPending(true)
    begin()
  }
  const putValue = (text: string) => {
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
    begin()
    if (char === ',') return
    if (structure.isMapping() !== (char === '}')) return fail(`a closing ${char} without its opening one`)
    structure.pop()
    state = WHOLE
  }
  const beginQuoted = (quote: string) => {
    held = ''
    isQuoted = true
    readQuoted = createYamlQuoted(hold, quote, () => {
      readQuoted = undefined
      state = WHOLE
    })
  }
  const readText = (line: string, from: number): number => {
    const end = readQuoted?.(line, from) ?? -1
    return end < 0 ? line.length : end
  }
  const readWord = (line: string, from: number): number => {
    const ends = isAtKey() ? keyEnd : wordEnd
    ends.lastIndex = from
    const end = ends.exec(line)?.index ?? line.length
    hold((held ? ' ' : '') + trimBlank(line.slice(from, end)))
    state = WORD
    return end
  }
  /** Reads what begins at a character that is no space; returns where that ends. */
  const read = (line: string, at: number): number => {
    const char = line.charAt(at)
    if (char === '#' && (at === 0 || isBlank(line[at - 1]))) {
      if (state === WORD) state = WHOLE
      return line.length
    }
    if (/[,\]}]/.test(char)) endEntry(char)
    else if (char === ':' && held !== undefined && isAtKey()) putKey()
    else if (state === WORD) return readWord(line, at)
    else if (state === WHOLE || (isAtKey() && /[[{:]/.test(char))) fail(`${JSON.stringify(char)} where it cannot stand`)
    else if (char === '[' || char === '{') structure.push(char === '{', structure.indent())
    else if (isQuote(char)) {
      beginQuoted(char)
      return readText(line, at + 1)
    } else return readWord(line, at)
    return at + 1
  }

  return (line: string, from: number): number => {
    let start = from
    let at = readQuoted ? readText(line, from) : from
    while (at < line.length && structure.depth() > outerDepth && !structure.error()) {
      start = at
      at = isBlank(line[at]) ? at + 1 : read(line, at)
    }
    if (structure.error()) return start
    return structure.depth() > outerDepth ? -1 : at
  }
}
