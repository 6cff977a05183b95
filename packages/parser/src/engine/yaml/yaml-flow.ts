import { isQuote, isSpace } from '../characters.js'
import { Token, type ValueSink } from '../value-token.js'
import { createYamlQuoted, type YamlQuoted } from './yaml-quoted.js'

export interface YamlFlowOptions {
  readonly sink: ValueSink
  /** Puts what stands for a value that was left out. */
  readonly putEmpty: () => void
  readonly maxDepth: number
  readonly maxHeldChars: number
}

// What may come next.
const VALUE = 0 //  [|a        {a: |1
const KEY = 1 //    {|a: 1
const COLON = 2 //  {"a"|: 1
const AFTER = 3 //  ["a"|,
const DONE = 4
const FAILED = 5

export type YamlFlow = ReturnType<typeof createYamlFlow>

/**
 * Reads a value that has an end of its own, as YAML has it: a text in quotes, or a list or an object in brackets. Those are JSON, but
 * quotes are not needed, an empty value is none, and what follows `#` is a comment. Resumable at any character.
 */
export function createYamlFlow({ sink, putEmpty, maxDepth, maxHeldChars }: YamlFlowOptions) {
  let state = VALUE
  /** The open brackets, outermost first: true for an object. */
  const brackets: boolean[] = []
  /** The text without quotes, or the key in quotes, that is being read. */
  let held = ''
  let quoted: YamlQuoted | undefined
  let isComment = false
  /** Behind a space `#` begins a comment. */
  let previous = ' '
  let error = ''

  const fail = (message: string) => {
    error = message
    state = FAILED
  }
  const inObject = () => brackets[brackets.length - 1] === true
  const hold = (text: string) => {
    held += text
    if (held.length > maxHeldChars) fail('a key or a word that is too long')
  }
  const open = (isObject: boolean) => {
    if (brackets.length === maxDepth) return fail('nested too deeply')
    brackets.push(isObject)
    sink(isObject ? Token.beginObject : Token.beginArray, '')
    state = isObject ? KEY : VALUE
  }
  const endValue = () => {
    state = brackets.length ? AFTER : DONE
  }
  const endKey = (name: string) => {
    sink(Token.key, name)
    held = ''
    state = COLON
  }
  /** A comma or a closing bracket. */
  const endEntry = (char: string) => {
    if (state === COLON || (state === VALUE && inObject())) putEmpty()
    if (char === ',') state = inObject() ? KEY : VALUE
    else if (inObject() !== (char === '}')) fail(`a closing ${char} without its opening one`)
    else {
      sink(brackets.pop() ? Token.endObject : Token.endArray, '')
      endValue()
    }
  }
  const beginQuoted = (quote: string) => {
    if (state === VALUE) sink(Token.beginQuoted, '')
    quoted = createYamlQuoted(state === KEY ? hold : text => sink(Token.text, text), quote)
  }
  const endQuoted = () => {
    quoted = undefined
    if (state === KEY) return endKey(held)
    sink(Token.endText, '')
    endValue()
  }
  const endPlain = () => {
    const lines = held.split('\n').map(line => line.trim())
    const text = lines.filter(line => line).join(' ')
    if (state === KEY) return endKey(text)
    sink(Token.literal, text)
    held = ''
    endValue()
  }
  const readPlain = (char: string) => {
    // `{http://a: 1}`: a colon inside a word is part of it.
    const isKeyOver = state === KEY && previous === ':' && char !== '/'
    const isOver = isKeyOver || /[,\]}]/.test(char) || (char === '#' && isSpace(previous))
    if (!isOver) return hold(char)
    if (isKeyOver) held = held.slice(0, -1)
    endPlain()
    if (isKeyOver) state = VALUE
    read(char)
  }
  const read = (char: string) => {
    if (isSpace(char)) return
    if (char === '#' && isSpace(previous)) isComment = true
    else if (/[,\]}]/.test(char)) endEntry(char)
    else if (char === ':' && state === COLON) state = VALUE
    else if (state === COLON) fail(`${JSON.stringify(char)} where a colon should be`)
    else if (state === AFTER) fail(`${JSON.stringify(char)} where a comma or a closing bracket should be`)
    else if (isQuote(char)) beginQuoted(char)
    else if (state === KEY && /[[{:]/.test(char)) fail(`${JSON.stringify(char)} where a key should be`)
    else if (char === '[' || char === '{') open(char === '{')
    else hold(char)
  }

  return {
    feed(chunk: string, from: number, to: number): number {
      let at = from
      while (at < to && state < DONE) {
        if (quoted) {
          // A key is held, so it must end somewhere; that place must not depend on the chunk.
          at = quoted.feed(chunk, at, state === KEY ? at + 1 : to)
          if (quoted.isDone() && state < DONE) endQuoted()
          previous = ''
          continue
        }
        const char = chunk.charAt(at++)
        if (isComment) isComment = char !== '\n'
        else if (held) readPlain(char)
        else read(char)
        previous = char
      }
      return at
    },
    isDone: () => state === DONE,
    isFailed: () => state === FAILED,
    error: () => error,
    /** No more text comes. True if the value is whole. */
    end() {
      if (brackets.length === 0 && quoted?.end()) endQuoted()
      return state === DONE
    },
  }
}
