import { isQuote, isSpace } from '../characters.js'
import type { Reader } from '../reader.js'
import { Token, type ValueSink } from '../value-token.js'
import { createYamlQuoted, type YamlQuoted } from './yaml-scalar.js'

/**
 * Reads a value that has an end of its own, as YAML has it: a text in quotes, or a list or an object in brackets. Those are JSON, but
 * quotes are not needed, an empty value is none, and what follows `#` is a comment. Resumable at any character.
 */
export interface YamlFlow extends Omit<Reader, 'unread'> {
  /** No more text comes. True if the value is whole. */
  end(): boolean
}

export interface YamlFlowOptions {
  readonly sink: ValueSink
  /** Puts what stands for a value that was left out. */
  readonly putEmpty: () => void
  readonly maxDepth: number
  readonly maxHeldChars: number
}

// Where the reader stands.
const VALUE = 0 //      [|a        {a: |1
const KEY = 1 //        {|a: 1
const PLAIN = 2 //      [a|b
const PLAIN_KEY = 3 //  {a|b: 1
const KEY_COLON = 4 //  {a:|
const AFTER_KEY = 5 //  {"a"|: 1
const QUOTED = 6 //     ["a|b"
const AFTER = 7 //      ["a"|,
const COMMENT = 8
const DONE = 9
const FAILED = 10

export function createYamlFlow({ sink, putEmpty, maxDepth, maxHeldChars }: YamlFlowOptions): YamlFlow {
  let state = VALUE
  /** The open brackets, outermost first: true for an object. */
  const brackets: boolean[] = []
  let held = ''
  let quoted: YamlQuoted | undefined
  let isKey = false
  let error = ''
  /** The last character was a space, so that `#` begins a comment. */
  let isSpaceSeen = true
  let resume = VALUE

  const fail = (message: string) => {
    error = message
    state = FAILED
  }
  const inObject = () => brackets[brackets.length - 1] === true
  const open = (isObject: boolean) => {
    if (brackets.length === maxDepth) return fail('nested too deeply')
    brackets.push(isObject)
    sink(isObject ? Token.beginObject : Token.beginArray, '')
    state = isObject ? KEY : VALUE
  }
  const close = (char: string) => {
    if (inObject() !== (char === '}')) return fail(`a closing ${char} without its opening one`)
    sink(brackets.pop() ? Token.endObject : Token.endArray, '')
    state = brackets.length ? AFTER : DONE
  }
  const beginQuoted = (quote: string, key: boolean) => {
    isKey = key
    held = ''
    if (!key) sink(Token.beginQuoted, '')
    const put = key ? hold : (text: string) => sink(Token.text, text)
    quoted = createYamlQuoted(put, quote)
    state = QUOTED
  }
  const hold = (text: string) => {
    held += text
    if (held.length > maxHeldChars) fail('a key or a word that is too long')
  }
  const endQuoted = () => {
    quoted = undefined
    if (!isKey) sink(Token.endText, '')
    else sink(Token.key, held)
    state = isKey ? AFTER_KEY : brackets.length ? AFTER : DONE
  }
  const beginPlain = (char: string, then: number) => {
    held = char
    state = then
  }
  /** Several lines of a plain scalar are one. */
  const takePlain = () =>
    held
      .split('\n')
      .map(line => line.trim())
      .filter(line => line)
      .join(' ')
  const comment = (then: number) => {
    resume = then
    state = COMMENT
  }
  const endPlain = () => {
    sink(Token.literal, takePlain())
    state = AFTER
  }
  const endPlainKey = () => {
    sink(Token.key, takePlain())
    state = AFTER_KEY
  }
  /** A comma or a bracket behind a key: the value was left out. */
  const endEmpty = (char: string) => {
    putEmpty()
    state = AFTER
    step(char)
  }

  const readValue = (char: string) => {
    if (isSpace(char)) return
    if (char === '#' && isSpaceSeen) comment(VALUE)
    else if (char === '[' || char === '{') open(char === '{')
    else if (char === ',' || char === ']' || char === '}') {
      if (inObject()) endEmpty(char)
      else if (char !== ',') close(char)
    } else if (isQuote(char)) beginQuoted(char, false)
    else beginPlain(char, PLAIN)
  }
  const readKey = (char: string) => {
    if (isSpace(char) || char === ',') return
    if (char === '#' && isSpaceSeen) comment(KEY)
    else if (char === '}' || char === ']') close(char)
    else if (isQuote(char)) beginQuoted(char, true)
    else if (/[[{:]/.test(char)) fail(`${JSON.stringify(char)} where a key should be`)
    else beginPlain(char, PLAIN_KEY)
  }
  const readPlain = (char: string) => {
    const isCommented = char === '#' && isSpaceSeen
    if (char !== ',' && char !== ']' && char !== '}' && !isCommented) return hold(char)
    endPlain()
    step(char)
  }
  const readPlainKey = (char: string) => {
    if (char === ':') state = KEY_COLON
    else if (char === ',' || char === '}') {
      endPlainKey()
      step(char)
    } else if (/[[\]{]/.test(char)) fail(`${JSON.stringify(char)} in a key`)
    else hold(char)
  }
  const readAfterKey = (char: string) => {
    if (isSpace(char)) return
    if (char === ':') state = VALUE
    else if (char === ',' || char === '}') endEmpty(char)
    else fail(`${JSON.stringify(char)} where a colon should be`)
  }
  const readAfter = (char: string) => {
    if (isSpace(char)) return
    if (char === ',') state = inObject() ? KEY : VALUE
    else if (char === '}' || char === ']') close(char)
    else if (char === '#' && isSpaceSeen) comment(AFTER)
    else fail(`${JSON.stringify(char)} where a comma or a closing bracket should be`)
  }
  const readKeyColon = (char: string) => {
    // `{http://a: 1}`: a colon inside a word is part of it.
    if (char === '/') {
      state = PLAIN_KEY
      return hold(':/')
    }
    endPlainKey()
    state = VALUE
    step(char)
  }
  const readComment = (char: string) => {
    if (char === '\n') state = resume
  }
  const readers: Readonly<Record<number, (char: string) => void>> = {
    [VALUE]: readValue,
    [KEY]: readKey,
    [PLAIN]: readPlain,
    [PLAIN_KEY]: readPlainKey,
    [KEY_COLON]: readKeyColon,
    [AFTER_KEY]: readAfterKey,
    [AFTER]: readAfter,
    [COMMENT]: readComment,
  }
  const step = (char: string) => readers[state]?.(char)

  return {
    feed(chunk, from, to) {
      let at = from
      while (at < to && state < DONE) {
        if (quoted) {
          // A key is held, so it must end somewhere; that place must not depend on the chunk.
          at = quoted.feed(chunk, at, isKey ? at + 1 : to)
          if (quoted.isDone() && state < DONE) endQuoted()
          isSpaceSeen = false
          continue
        }
        const char = chunk.charAt(at++)
        step(char)
        isSpaceSeen = isSpace(char)
      }
      return at
    },
    status: () => (state === DONE ? 'done' : state === FAILED ? 'failed' : 'reading'),
    error: () => error,
    end() {
      if (brackets.length === 0 && quoted?.end()) endQuoted()
      return state === DONE
    },
  }
}
