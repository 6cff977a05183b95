import { isQuote, isSpace, isWordPart, isWordStart } from './characters.js'
import { isAtMark } from './match-marks.js'
import { type Container, createNesting } from './nesting.js'
import { createQuotedString } from './quoted-string.js'
import type { Reader } from './reader.js'
import { Token, type ValueSink } from './value-token.js'

/**
 * A resumable reader of JSON as models write it. It can stop and go on at any character, sees each character a bounded
 * number of times, and tells a sink what it reads.
 *
 * Beyond JSON it takes: single quotes, bare keys and words, missing, doubled and trailing commas, comments, raw newlines
 * and unknown escapes in strings, an unescaped quote inside a string, closing brackets that are missing or crossed.
 *
 * It reads the arguments of a Python call too, from behind `(` to the matching `)`. The call is an object, all values are
 * literals, and tuples and sets are lists:
 *
 *     city='Paris', opts={'unit': "c", 'tags': ('a', r'\d')}, **{'odd key': None})
 */
export interface JsonReader extends Reader {
  /**
   * Says that no more input comes. Returns true if the value is whole. With `mayClose` a value that lacks only its
   * closing brackets is made whole; a string or a number that was cut never is.
   */
  end(mayClose: boolean): boolean
  /** Makes the `feed` that is under way return behind the character at hand. For use by the sink. */
  pause(): void
  /** How many characters behind that place have been looked at; undefined unless it has just been paused. */
  pausedBefore(): number | undefined
}

/** Nesting beyond this is refused: no tool's arguments need it, and consumers that recurse would overflow. */
const MAX_DEPTH = 512

// Where the reader stands. The pictures show the cursor (|) at a typical place.
const VALUE = 0 //       {"a": |1        [|1
const KEY = 1 //         {|"a": 1        {"a": 1,|       f(|a=1
const COLON = 2 //       {"a"|: 1        f(a |=1
const AFTER = 3 //       {"a": 1|
const BARE_KEY = 4 //    {a|b: 1         f(a|b=1
const STRING = 5 //      "ab|c"          (a key too)
const MARK = 6 //        {a: <esc|ape>   is that the format's own quote mark?
const BARE = 7 //        {"a": Tr|ue
const COMMENT = 8 //     /|/ comment
const DONE = 9
const FAILED = 10

const literal = /^(?:[-+]?(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:[eE][-+]?\d+)?|true|false|null|True|False|None)$/
const isLiteral = (word: string) => literal.test(word.trimEnd())
/** What begins a comment behind a word; `http://` has no space. */
const comments = [' //', ' /*', '\t//', '\t/*']
const isCloser = (char: string) => char === '}' || char === ']' || char === ')'
/** Longer words are not tested at each of their quotes: that would be quadratic. */
const MAX_LITERAL_CHARS = 64

export interface JsonReaderOptions {
  readonly maxHeldChars: number
  /**
   * The marks that may follow the value. One behind a value closes what is open; one behind a quote proves that the string is
   * over; one behind a bare word ends it, and one inside a string that has held a quote which was not escaped, for the rest
   * would be swallowed otherwise.
   */
  readonly ends?: readonly string[] | undefined
  /** Marks that may follow too, but prove nothing inside a string or a word. */
  readonly otherEnds?: readonly string[] | undefined
  /** Whether a key belongs to the object being read; asked behind a string that has held such a quote. */
  readonly mayHaveKey?: ((key: string) => boolean) | undefined
  /** A mark of several characters in place of quotes. Text between two of them is not escaped. */
  readonly quoteMark?: string | undefined
  /** The arguments of a Python call are read; one without a name is for this parameter. */
  readonly python?: { readonly positionalKey: string | undefined }
}

export function createJsonReader(
  sink: ValueSink,
  { maxHeldChars, ends = [], otherEnds = [], mayHaveKey = () => true, quoteMark = '', python }: JsonReaderOptions,
): JsonReader {
  const isPython = python !== undefined
  const openers = isPython ? '[{(' : '[{'
  const wordEnds = isPython ? ',)]}\n' : ',]}\n'
  const notValues = isPython ? '=,:)]}' : ',:]}'
  const quoteMarks = quoteMark ? [quoteMark] : []
  const wordMarks = [...quoteMarks, ...ends, ...(isPython ? [] : comments)]
  const behindMarks = [...quoteMarks, ...ends, ...otherEnds]
  const tailChars = Math.max(1, ...wordMarks.map(mark => mark.length))
  let state = isPython ? KEY : VALUE
  const nesting = createNesting(sink)
  const { top, settle, assign } = nesting
  if (isPython) nesting.push({ closer: ')', kind: 'call' })
  /** `**` stands before a dictionary of arguments. */
  let isSpread = false
  /** The key, bare word, mark or comment being read: these mean nothing until they are whole. */
  let held = ''
  /** As much of a word's end as a mark may take; looking at all of a long word each time would be quadratic. */
  let tail = ''
  /** True while the string being read is a key. */
  let isKey = false
  /** Nothing stands between a quote mark and the character at hand. */
  let isBehindMark = false
  const string = createQuotedString({
    ...{ nesting, isPython, ends, maxHeldChars, mayHaveKey, quoteMark },
    put: piece => (isKey ? hold(piece) : sink(Token.text, piece)),
    readAgain: text => readAgain(text),
  })
  /** Where to go on after a comment, or where a quote mark may stand. */
  let resume = VALUE
  /** The character being read, and what is to be read before the next. */
  let current = ''
  let pending = ''
  let error = ''
  let unread = ''
  let isPaused = false

  const fail = (message: string, rest = current) => {
    state = FAILED
    error = message
    unread = rest
  }
  const readAgain = (text: string) => {
    pending = text + pending
  }
  /** Where to go on behind a comma. */
  const next = () => (assign() ? KEY : VALUE)
  const push = (container: Container) => {
    if (nesting.depth() === MAX_DEPTH) return fail(`nested deeper than ${MAX_DEPTH} levels`)
    nesting.push(container)
    state = next()
  }
  const open = (char: string) => {
    if (char === '[') push({ closer: ']', kind: 'list' })
    else push({ closer: char === '{' ? '}' : ')', kind: isPython ? 'unclear' : 'object' })
  }
  const close = (closer: string) => {
    if (nesting.close(closer)) state = nesting.depth() ? AFTER : DONE
    else fail(`a closing ${closer} without its opening one`)
  }
  const closeAll = () => {
    while (nesting.depth()) close(top().closer)
  }
  const hold = (piece: string) => {
    if (held.length + piece.length > maxHeldChars) fail('a key or a bare value that is too long', piece.slice(-1))
    else held += piece
  }
  const putKey = (key: string) => {
    if (!nesting.putKey(key)) fail(`the argument ${JSON.stringify(key)} is given twice`, key + assign())
  }
  /** The value of the only parameter may stand without its name. */
  const beginPositional = () => {
    nesting.beginCall()
    state = VALUE
    if (python?.positionalKey === undefined) fail('an argument without a name')
    else putKey(python.positionalKey)
    return state === VALUE
  }
  const beginString = (quote: string, key: boolean, prefix = '') => {
    isKey = key
    held = ''
    if (!key) sink(Token.beginQuoted, '')
    string.begin(quote, { isKey, isRaw: /r/i.test(prefix) })
    state = STRING
  }
  const isPrefixed = (char: string) =>
    isPython && isQuote(char) && held.length <= 2 && /^(?:[rbuf]|rb|br|rf|fr)$/i.test(held)
  const leaveString = () => {
    if (string.isTorn()) return fail('a string without its closing quote', '')
    if (!string.isOver()) return
    if (!isKey) sink(Token.endText, '')
    state = isKey ? COLON : AFTER
  }
  /** Between the values a comment may stand, the format's own quote mark, or what closes all. */
  const beginOther = (char: string) => {
    resume = state
    held = ''
    state = char === '/' && !isPython ? COMMENT : MARK
    readers[state]?.(char)
  }
  const beginBare = (char: string) => {
    held = char
    tail = char
    state = BARE
  }
  const endBare = () => {
    sink(Token.literal, held.trimEnd())
    state = AFTER
  }

  /** A character where a value may begin. */
  const readValue = (char: string) => {
    const isInList = top().kind === 'list'
    if (openers.includes(char)) open(char)
    else if (nesting.depth() === 0) fail('neither an object nor a list')
    else if (isQuote(char)) beginString(char, false)
    else if (isInList && char === ',') return
    else if (isInList && isCloser(char)) close(char)
    else if (notValues.includes(char)) fail('a value is missing')
    else beginOther(char)
  }
  /** A character where a key may begin, or the first item of a set or a tuple. */
  const readKey = (char: string) => {
    const { kind } = top()
    if (char === ',') return
    if (kind === 'call' && char === '*') isSpread = true
    else if (isSpread) {
      if (char !== '{') return fail('a * that is not before a dictionary')
      isSpread = false
      push({ closer: '}', kind: 'spread' })
    } else if (isCloser(char)) close(char)
    else if (kind === 'call' && !isWordStart(char)) {
      if (beginPositional()) readValue(char)
    } else if (isQuote(char)) beginString(char, true)
    else if (isWordPart(char)) {
      held = char
      state = BARE_KEY
    } else if (kind === 'unclear' && openers.includes(char)) {
      settle('list')
      open(char)
    } else beginOther(char)
  }
  const readBareKey = (char: string) => {
    if (isWordPart(char)) return hold(char)
    const isArgument = top().kind === 'call'
    isKey = false
    state = COLON
    if (!isPrefixed(char)) step(char)
    else if (!isArgument || beginPositional()) beginString(char, !isArgument, held)
  }
  const readColon = (char: string) => {
    const { kind, closer } = top()
    if (char === assign()) {
      if (kind === 'unclear') settle('object')
      state = VALUE
      putKey(held)
    } else if (isKey && isPython && isQuote(char)) {
      // Python makes one of two strings in a row.
      state = STRING
      string.join(char)
    } else if (kind === 'unclear' && (char === ',' || char === closer)) {
      settle(char === ')' ? 'value' : 'list')
      endItem(char)
    } else if (kind === 'call' && isLiteral(held)) {
      if (beginPositional()) endItem(char)
    } else {
      if (kind === 'object') putKey(held)
      fail(`${JSON.stringify(char)} where ${assign()} should be`)
    }
  }
  /** What was held as a key is a value. */
  const endItem = (char: string) => {
    if (isKey) {
      sink(Token.beginQuoted, '')
      sink(Token.text, held)
      sink(Token.endText, '')
      state = AFTER
    } else endBare()
    step(char)
  }
  /** A character behind a value. A missing comma is no obstacle, but right behind a quote mark a word shows that it opened a text. */
  const readAfter = (char: string) => {
    const isFree = !isPython && !isBehindMark
    isBehindMark = false
    if (char === ',') state = next()
    else if (isCloser(char)) close(char)
    else if (isFree && (isQuote(char) || isWordStart(char) || (next() === VALUE && /[[{\d-]/.test(char)))) {
      state = next()
      step(char)
    } else beginOther(char)
  }
  const readMark = (char: string) => {
    held += char
    const isMark = isAtMark(held, resume === AFTER ? behindMarks : quoteMarks)
    if (isMark === undefined) return
    state = resume
    if (held === quoteMark) {
      beginString(quoteMark, resume !== VALUE && next() === KEY)
      isBehindMark = !isKey
    } else if (isMark) {
      readAgain(held)
      closeAll()
    } else if (resume === VALUE) {
      readAgain(held.slice(1))
      beginBare(held.charAt(0))
    } else {
      const wanted = resume === KEY ? 'a key' : 'a comma or a closing bracket'
      fail(`${JSON.stringify(held)} where ${wanted} should be`, held)
    }
  }
  const readBare = (char: string) => {
    if (wordEnds.includes(char) || (isQuote(char) && held.length < MAX_LITERAL_CHARS && isLiteral(held))) {
      endBare()
      return step(char)
    }
    if (isPrefixed(char)) return beginString(char, false, held)
    if (isPython && /[=([{]/.test(char)) return fail('neither a literal nor a word', held + char)
    hold(char)
    tail = (tail + char).slice(-tailChars)
    const mark = wordMarks.find(each => tail.endsWith(each))
    if (mark === undefined) return
    const word = held.slice(0, -mark.length)
    if (mark === quoteMark) return fail('a quote mark behind a word', held)
    if (!isLiteral(word) && !comments.includes(mark)) return fail('a value that is not whole', mark)
    held = word
    endBare()
    readAgain(mark)
  }
  const readComment = (char: string) => {
    if (held.length < 2) {
      held += char
      tail = ''
      if (held.length === 2 && !/[/*]/.test(char)) fail('a lone /', held)
      return
    }
    tail = tail.slice(-1) + char
    if (held === '//' ? char === '\n' : tail === '*/') state = resume
  }

  const readers = [readValue, readKey, readColon, readAfter, readBareKey, undefined, readMark, readBare, readComment]
  /** Takes one character in any state but STRING, which is read in slices. */
  const step = (char: string) => {
    if (state > AFTER || !isSpace(char)) readers[state]?.(char)
    else isBehindMark = false
  }
  const read = (chunk: string, from: number, to: number): number => {
    current = chunk.charAt(from)
    if (state !== STRING) {
      step(current)
      return from + 1
    }
    // A key is held until it is whole, so it must end somewhere.
    const at = string.read(chunk, from, isKey ? Math.min(to, from + maxHeldChars - held.length + 1) : to)
    leaveString()
    return at
  }
  const readSome = (chunk: string, from: number, to: number): number => {
    let at = from
    while (at < to && !pending && !isPaused && state < DONE) at = read(chunk, at, to)
    return at
  }
  const feed = (chunk: string, from: number, to: number): number => {
    let at = from
    isPaused = false
    while ((pending || at < to) && !isPaused && state < DONE) {
      if (pending) {
        const text = pending
        pending = ''
        const taken = readSome(text, 0, text.length)
        pending += text.slice(taken)
      } else at = readSome(chunk, at, to)
    }
    return at
  }

  return {
    feed,
    pause() {
      isPaused = true
    },
    pausedBefore: () => (isPaused ? pending.length : undefined),
    end(mayClose) {
      string.end()
      if (state === STRING) leaveString()
      feed('', 0, 0)
      if (state === BARE && mayClose && isLiteral(held)) endBare()
      // The beginning of an end mark; a single character proves nothing.
      if (state === MARK && resume === AFTER && held.length > 1) state = AFTER
      // Only behind a whole value: a comma or an opening bracket says that more was to come.
      if (mayClose && state === AFTER) closeAll()
      return state === DONE
    },
    status: () => (state === DONE ? 'done' : state === FAILED ? 'failed' : 'reading'),
    error: () => error,
    unread: () => unread + pending,
  }
}
