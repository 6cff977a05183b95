import { isQuote, isSpace, isWordPart, isWordStart } from './characters.js'
import { createPythonQuoteLook } from './python-quote-look.js'
import { createQuotedString } from './quoted-string.js'
import type { Reader } from './reader.js'
import { kindOfJson, scalarAsJson } from './scalar.js'
import { Kind, silentShape } from './shape.js'
import { pythonEscapes } from './string-escape.js'
import { createValueRecorder, Token, type ValueRecorder, type ValueSink } from './value-token.js'

/**
 * A resumable reader of the arguments of a Python call, from behind `(` to the matching `)`:
 *
 *     city='Paris', opts={'unit': "c", 'tags': ('a', r'\d')}, **{'odd key': None})
 *
 * All values are literals. Tuples and sets are lists; dictionaries and the call itself are objects. Beyond Python it takes
 * bare words, raw line breaks in strings, an unescaped quote inside a string, and closing brackets that are missing.
 */
export interface PythonReader extends Reader {
  /** No more text comes. True if the arguments are whole; with `mayClose` they may lack closing brackets. */
  end(mayClose: boolean): boolean
}

export interface PythonReaderOptions {
  readonly sink: ValueSink
  readonly maxHeldChars: number
  /** Marks that may follow the call, besides what may follow one in a list. */
  readonly ends: readonly string[]
  /** The parameter that an argument without a name is for. */
  readonly positionalKey: string | undefined
  /** Tells whether a key belongs to the call; it is asked behind a string that holds unescaped quotes. */
  mayHaveKey(key: string): boolean
}

const MAX_DEPTH = 512

// Where the reader stands.
const ARG = 0 //       f(|a=1         f(a=1,| b=2
const WORD = 1 //      f(ci|ty='x'
const ASSIGN = 2 //    f(city |='x'
const STARS = 3 //     f(*|*{'a': 1})
const VALUE = 4 //     f(a=|1         [|1
const KEY = 5 //       {|'a': 1       {'a': 1,|
const BARE_KEY = 6 //  {1|2: 1
const COLON = 7 //     {'a'|: 1
const STRING = 8 //    'ab|c'
const BARE = 9 //      f(a=Tr|ue
const AFTER = 10 //    f(a=1|
const DONE = 11
const FAILED = 12

/** What is open: its closing bracket, and what it turns out to be. */
interface Container {
  readonly closer: ')' | ']' | '}'
  /** `brace`: a dictionary or a set. `paren`: a tuple, or a value in parentheses. `spread`: `**{…}`, whose pairs are arguments. */
  kind: 'call' | 'list' | 'dict' | 'spread' | 'brace' | 'paren'
  /** What stands in parentheses, until it shows whether that is a tuple. */
  readonly recorder?: ValueRecorder
  readonly outer?: { readonly sink: ValueSink; readonly recording: ValueRecorder | undefined }
}

const constantOrNumber = /^(?:[-+]?(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:[eE][-+]?\d+)?|true|false|null|True|False|None)$/
/** The length first: a long word that is tested at each quote would be put together each time. */
const isStringPrefix = (word: string) => word.length <= 2 && /^(?:[rbuf]|rb|br|rf|fr)$/i.test(word)

export function createPythonReader(options: PythonReaderOptions): PythonReader {
  const { maxHeldChars, positionalKey } = options
  let sink = options.sink
  /** Where the tokens go while it is open whether a parenthesis is a tuple. */
  let recording: ValueRecorder | undefined
  let state = ARG
  let top: Container = { closer: ')', kind: 'call' }
  const containers: Container[] = [top]
  const given = new Set<string>()
  let hasBegun = false
  /** An argument's name, whose value has not begun. */
  let pendingKey: string | undefined
  /** The key, bare word or name being read. */
  let held = ''
  let hasStars = false
  /** The string being read is a key, and so is held; or the first item of a set. */
  let isKey = false
  const look = createPythonQuoteLook(options)
  const string = createQuotedString({
    put: text => putText(text),
    escapes: pythonEscapes,
    hasTriples: true,
    look: {
      ...look,
      begin: isDoubtful => look.begin({ closer: top.closer, isCall: top.kind === 'call', isDoubtful }),
    },
  })
  let error = ''
  let unread = ''

  const fail = (message: string) => {
    state = FAILED
    error = message
  }
  const begin = () => {
    if (!hasBegun) sink(Token.beginObject, '')
    hasBegun = true
  }
  const putArgumentKey = (key: string) => {
    if (given.has(key)) return fail(`the argument ${JSON.stringify(key)} is given twice`)
    given.add(key)
    begin()
    sink(Token.key, key)
  }
  const beginPositional = () => {
    state = VALUE
    begin()
    if (positionalKey === undefined) fail('an argument without a name')
    else putArgumentKey(positionalKey)
    return error === ''
  }
  const hold = (char: string) => {
    if (held.length >= maxHeldChars) return fail('a name or a bare value that is too long')
    held += char
  }

  const push = (container: Container) => {
    if (containers.length === MAX_DEPTH) return fail(`nested deeper than ${MAX_DEPTH} levels`)
    containers.push(container)
    top = container
    const isPaired = container.kind === 'brace' || container.kind === 'spread'
    state = isPaired ? KEY : VALUE
    if (container.kind === 'list') sink(Token.beginArray, '')
    if (!container.recorder) return
    recording = container.recorder
    sink = recording.put
  }
  const open = (char: string) => {
    if (char === '[') push({ closer: ']', kind: 'list' })
    else if (char === '{') push({ closer: '}', kind: 'brace' })
    else push({ closer: ')', kind: 'paren', recorder: createValueRecorder(), outer: { sink, recording } })
  }
  /** A brace or a parenthesis has shown what it is. */
  const settle = (kind: 'list' | 'dict' | 'value') => {
    if (top.outer) {
      sink = top.outer.sink
      recording = top.outer.recording
    }
    if (kind !== 'value') {
      top.kind = kind
      sink(kind === 'list' ? Token.beginArray : Token.beginObject, '')
    }
    top.recorder?.replay(sink)
  }
  const close = (closer: string) => {
    if (!containers.some(container => container.closer === closer))
      return fail(`a closing ${closer} without its opening one`)
    for (let closed = ''; closed !== closer; ) {
      closed = top.closer
      // Without a comma the parentheses only hold a value; without anything they are an empty tuple.
      if (top.kind === 'paren') settle(top.recorder?.heldChars() ? 'value' : 'list')
      if (top.kind === 'brace') settle('dict')
      if (top.kind === 'call') begin()
      if (top.kind === 'list') sink(Token.endArray, '')
      if (top.kind === 'dict' || top.kind === 'call') sink(Token.endObject, '')
      containers.pop()
      const outer = containers[containers.length - 1]
      if (outer) top = outer
    }
    state = containers.length ? AFTER : DONE
  }

  const beginString = (char: string, prefix: string, key: boolean) => {
    isKey = key
    held = ''
    if (!key) sink(Token.beginQuoted, '')
    string.begin(char, { isKey, isRaw: /r/i.test(prefix) })
    state = STRING
  }
  const putText = (text: string) => {
    if (!isKey) sink(Token.text, text)
    else if (held.length + text.length > maxHeldChars) fail('a key that is too long')
    else held += text
  }
  const leaveString = () => {
    if (string.isOver()) {
      state = isKey ? COLON : AFTER
      if (!isKey) sink(Token.endText, '')
    }
    const again = string.takeAgain()
    if (again) readAgain(again)
  }
  const endBare = () => {
    sink(Token.literal, held.trimEnd())
    state = AFTER
  }

  /** A character where an argument may begin. */
  const readArgument = (char: string) => {
    if (isSpace(char) || char === ',') return
    if (char === ')') return close(char)
    if (isWordStart(char) || char === '*') {
      held = char === '*' ? '' : char
      hasStars = false
      state = char === '*' ? STARS : WORD
      return
    }
    if (beginPositional()) readValue(char)
  }
  const readAssign = (char: string) => {
    if (isSpace(char)) return
    if (char === '=') {
      pendingKey = held
      state = VALUE
      return
    }
    if (!constantOrNumber.test(held)) return fail('a word that is no value')
    const word = held
    if (!beginPositional()) return
    sink(Token.literal, word)
    state = AFTER
    readAfter(char)
  }
  /** A character where a value may begin. */
  const readValue = (char: string) => {
    if (isSpace(char)) return
    if (pendingKey !== undefined) {
      if (/[=,:)\]}]/.test(char)) return fail('a value is missing')
      putArgumentKey(pendingKey)
      pendingKey = undefined
      if (error !== '') return
    }
    if (isQuote(char)) beginString(char, '', false)
    else if (/[[{(]/.test(char)) open(char)
    else if (top.kind !== 'dict' && top.kind !== 'spread' && char === top.closer) close(char)
    else if (/[=,:)\]}]/.test(char)) fail('a value is missing')
    else {
      held = char
      state = BARE
    }
  }
  const readBare = (char: string) => {
    if (/[,)\]}\n]/.test(char)) {
      endBare()
      return readAfter(char)
    }
    if (isQuote(char) && isStringPrefix(held)) return beginString(char, held, false)
    if (/[=([{]/.test(char)) {
      unread = held + char
      return fail('neither a literal nor a word')
    }
    hold(char)
  }
  /** A character where the key of a dictionary, or the first item of a set, may begin. */
  const readKey = (char: string) => {
    if (isSpace(char) || char === ',') return
    if (char === '}') close(char)
    else if (isQuote(char)) beginString(char, '', true)
    else if (/[[{(]/.test(char) && top.kind === 'brace') {
      settle('list')
      open(char)
    } else if (isWordPart(char)) {
      held = char
      isKey = false
      state = BARE_KEY
    } else fail(`${JSON.stringify(char)} where a key should be`)
  }
  const readColon = (char: string) => {
    if (isSpace(char)) return
    if (isKey && isQuote(char)) {
      // Python makes one of two strings in a row.
      state = STRING
      return string.join(char)
    }
    if (char === ':') {
      if (top.kind === 'brace') settle('dict')
      state = VALUE
      return top.kind === 'spread' ? putArgumentKey(held) : sink(Token.key, held)
    }
    if (top.kind !== 'brace' || (char !== ',' && char !== '}')) {
      return fail(`${JSON.stringify(char)} where a colon should be`)
    }
    settle('list')
    if (isKey) {
      sink(Token.beginQuoted, '')
      sink(Token.text, held)
      sink(Token.endText, '')
    } else sink(Token.literal, held)
    state = AFTER
    readAfter(char)
  }
  /** A character behind a value. */
  const readAfter = (char: string) => {
    if (isSpace(char)) return
    if (/[)\]}]/.test(char)) return close(char)
    if (char !== ',') return fail(`${JSON.stringify(char)} where a comma or a closing bracket should be`)
    if (top.kind === 'paren') settle('list')
    state = top.kind === 'call' ? ARG : top.kind === 'list' ? VALUE : KEY
  }
  const readStars = (char: string) => {
    if (char === '*' && !hasStars) hasStars = true
    else if (char === '{' && hasStars) push({ closer: '}', kind: 'spread' })
    else if (!isSpace(char)) fail('a * that is not before a dictionary')
  }
  const readWord = (char: string) => {
    if (isWordPart(char)) return hold(char)
    if (isQuote(char) && isStringPrefix(held)) {
      if (beginPositional()) beginString(char, held, false)
      return
    }
    state = ASSIGN
    readAssign(char)
  }
  const readBareKey = (char: string) => {
    if (isWordPart(char)) return hold(char)
    if (isQuote(char) && isStringPrefix(held)) return beginString(char, held, true)
    state = COLON
    readColon(char)
  }

  const readers: Readonly<Record<number, (char: string) => void>> = {
    [ARG]: readArgument,
    [WORD]: readWord,
    [ASSIGN]: readAssign,
    [STARS]: readStars,
    [VALUE]: readValue,
    [KEY]: readKey,
    [BARE_KEY]: readBareKey,
    [COLON]: readColon,
    [BARE]: readBare,
    [AFTER]: readAfter,
  }
  /** Takes one character in any state but STRING, which is read in slices. */
  const step = (char: string) => readers[state]?.(char)
  const readString = (chunk: string, from: number, to: number): number => {
    // What is held is bounded, and where the bound is passed must not depend on where a chunk ends.
    const at = string.feed(chunk, from, isKey || recording ? from + 1 : to)
    leaveString()
    return at
  }
  const feed = (chunk: string, from: number, to: number): number => {
    let i = from
    while (i < to && state < DONE) {
      if (state === STRING) i = readString(chunk, i, to)
      else step(chunk.charAt(i++))
      if (recording && recording.heldChars() > maxHeldChars && state < DONE) {
        fail(`more than ${maxHeldChars} characters in parentheses`)
      }
    }
    if (state === FAILED && unread === '') unread = chunk.charAt(i - 1)
    return i
  }
  const readAgain = (text: string) => {
    const at = feed(text, 0, text.length)
    if (state >= DONE) unread += text.slice(at)
  }

  return {
    feed,
    end(mayClose) {
      if (state === STRING && string.end()) leaveString()
      else if (state === BARE && mayClose && constantOrNumber.test(held.trimEnd())) endBare()
      // Only behind a whole value: a comma or an opening bracket says that more was to come.
      if (mayClose && state === AFTER) while (state === AFTER) close(top.closer)
      return state === DONE
    },
    status: () => (state === DONE ? 'done' : state === FAILED ? 'failed' : 'reading'),
    error: () => error,
    unread: () => unread,
  }
}

const numberShape = { ...silentShape, kinds: Kind.number }

/** Puts `1_000`, `007`, `+5`, `.5` and `0x1f` as JSON has them. Anything else stays what it was. */
export function pythonNumberAsJson(word: string): string {
  if (/^0[xob][\da-f_]+$/i.test(word)) {
    const digits = word.replaceAll('_', '').toLowerCase()
    return /^0(?:x|o[0-7]+$|b[01]+$)/.test(digits) ? BigInt(digits).toString() : word
  }
  const json = scalarAsJson(word.replace(/(?<=\d)_(?=\d)/g, ''), 'bare', numberShape)
  return kindOfJson(json) === Kind.number ? json : word
}
