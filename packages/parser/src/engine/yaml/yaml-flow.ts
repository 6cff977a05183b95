import { isQuote } from '../characters.js'
import { Token, type ValueSink } from '../value-token.js'
import { isBlank, trimBlank } from './yaml-line.js'
import { createYamlQuoted } from './yaml-quoted.js'

export interface YamlFlowOptions {
  readonly sink: ValueSink
  /** Puts what stands for a value that was left out. */
  readonly putEmpty: () => void
  readonly fail: (message: string, unread: string) => void
  readonly maxDepth: number
  readonly maxHeldChars: number
}

// What may come next.
const VALUE = 0 //  [|a        {a: |1
const KEY = 1 //    {|a: 1
const COLON = 2 //  {"a"|: 1
const AFTER = 3 //  ["a"|,

/** Where a word ends; a colon inside of a key is part of it in `{http://a: 1}`. */
const keyEnd = /[,\]}]|:(?!\/)|[ \t\r]#/g
const wordEnd = /[,\]}]|[ \t\r]#/g

/**
 * Reads a list or an object in brackets line by line, and tells where it ends in the line, or that it goes on in the next (-1).
 * It is JSON, but quotes are not needed, an empty value is none, and what follows `#` is a comment.
 */
export function createYamlFlow({ sink, putEmpty, fail, maxDepth, maxHeldChars }: YamlFlowOptions) {
  let state = VALUE
  /** The open brackets, outermost first: true for an object. */
  const brackets: boolean[] = []
  /** The word, or the key in quotes, that is being read: these mean nothing until they are whole. */
  let held = ''
  let quoted: ReturnType<typeof createYamlQuoted> | undefined
  let error = ''

  const inObject = () => brackets.at(-1) === true
  const open = (isObject: boolean) => {
    if (brackets.length === maxDepth) error = 'nested too deeply'
    brackets.push(isObject)
    sink(isObject ? Token.beginObject : Token.beginArray, '')
    state = isObject ? KEY : VALUE
  }
  const hold = (text: string) => {
    held += text
    if (held.length > maxHeldChars) error = 'a key or a word that is too long'
  }
  /** What is held is whole. */
  const putHeld = () => {
    sink(state === KEY ? Token.key : Token.literal, held)
    state = state === KEY ? COLON : AFTER
    held = ''
  }
  const beginQuoted = (quote: string) => {
    if (state === VALUE) sink(Token.beginQuoted, '')
    quoted = createYamlQuoted(state === KEY ? hold : text => sink(Token.text, text), quote)
  }
  const readQuoted = (line: string, from: number): number => {
    const end = quoted?.(line, from) ?? -1
    if (end < 0) return line.length
    quoted = undefined
    if (state === KEY) putHeld()
    else {
      sink(Token.endText, '')
      state = AFTER
    }
    return end
  }
  /** A comma or a closing bracket. */
  const endEntry = (char: string) => {
    if (state === COLON || (state === VALUE && inObject())) putEmpty()
    state = inObject() ? KEY : VALUE
    if (char === ',') return
    if (inObject() !== (char === '}')) error = `a closing ${char} without its opening one`
    sink(brackets.pop() ? Token.endObject : Token.endArray, '')
    state = AFTER
  }
  const readWord = (line: string, from: number): number => {
    const ends = state === KEY ? keyEnd : wordEnd
    ends.lastIndex = from
    const end = ends.exec(line)?.index ?? line.length
    hold((held && ' ') + trimBlank(line.slice(from, end)))
    return end
  }
  /** Reads what begins at a character that is no space; returns where that ends. */
  const read = (line: string, at: number): number => {
    const char = line.charAt(at)
    const isEnd = /[,\]}]/.test(char)
    const isComment = char === '#' && (at === 0 || isBlank(line[at - 1]))
    if (held && (isEnd || isComment || (char === ':' && state === KEY))) putHeld()
    if (isComment) return line.length
    if (isEnd) endEntry(char)
    else if (char === ':' && state === COLON) state = VALUE
    else if (state === COLON || state === AFTER) error = `${JSON.stringify(char)} where a value should be over`
    else if (held) return readWord(line, at)
    else if (isQuote(char)) {
      beginQuoted(char)
      return readQuoted(line, at + 1)
    } else if (state === KEY && /[[{:]/.test(char)) error = `${JSON.stringify(char)} where a key should be`
    else if (char === '[' || char === '{') open(char === '{')
    else return readWord(line, at)
    return at + 1
  }

  return (line: string, from: number): number => {
    let at = quoted ? readQuoted(line, from) : from
    while (at < line.length) {
      const start = at
      at = isBlank(line[at]) ? at + 1 : read(line, at)
      if (error) fail(error, line.slice(start))
      if (error || brackets.length === 0) return at
    }
    return -1
  }
}
