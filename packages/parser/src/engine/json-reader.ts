import { type BareWordEnd, createBareWord } from './bare-word.js'
import { isQuote, isSpace, isWordPart, isWordStart } from './characters.js'
import { createComment } from './comment.js'
import { createMarkSearch, type MarkSearch } from './mark-search.js'
import { matchMarks } from './match-marks.js'
import { createQuoteLook } from './quote-look.js'
import { createQuotedString } from './quoted-string.js'
import type { Reader } from './reader.js'
import { jsonEscapes } from './string-escape.js'
import { Token, type ValueSink } from './value-token.js'

/**
 * A resumable reader of JSON as models write it. It can stop and go on at any character, sees each character a bounded
 * number of times, and tells a sink what it reads.
 *
 * Beyond JSON it takes: single quotes, bare keys and words, missing, doubled and trailing commas, comments, raw newlines
 * and unknown escapes in strings, an unescaped quote inside a string, closing brackets that are missing or crossed.
 */
export interface JsonReader extends Reader {
  /**
   * Says that no more input comes. Returns true if the value is whole. With `mayClose` a value that lacks only its
   * closing brackets is made whole; a string or a number that was cut never is.
   */
  end(mayClose: boolean): boolean
  /** Makes the `feed` that is under way return behind the character at hand. For use by the sink. */
  pause(): void
  /** How many characters behind that place had been looked at, and were read with it. */
  readSincePause(): number
  /** The failure stands behind a whole value: `repair` can close what is open, for a text that is known to end there. */
  isRepairable(): boolean
  repair(): boolean
}

/** Nesting beyond this is refused: no tool's arguments need it, and consumers that recurse would overflow. */
const MAX_DEPTH = 512

// Where the reader stands. The pictures show the cursor (|) at a typical place.
const VALUE = 0 //       {"a": |1        [|1
const KEY = 1 //         {|"a": 1        {"a": 1,|
const BARE_KEY = 2 //    {a|b: 1
const COLON = 3 //       {"a"|: 1
const STRING = 4 //      "ab|c"          (a key too)
const MARK = 5 //        {a: <esc|ape>   is that the format's own quote mark?
const BARE = 6 //        {"a": Tr|ue
const AFTER = 7 //       {"a": 1|
const COMMENT = 8 //     /|/ comment
const MARKED = 9 //      <escape>ab|c<escape>
const DONE = 10
const FAILED = 11

export interface JsonReaderOptions {
  readonly maxHeldChars: number
  /**
   * The marks that may follow the value. One behind a quote proves that the string is over; one behind a bare word ends it,
   * and one inside a string that has held a quote which was not escaped, for the rest would be swallowed otherwise.
   */
  readonly ends?: readonly string[] | undefined
  /** Whether a key belongs to the object being read; asked behind a string that has held such a quote. */
  readonly mayHaveKey?: ((key: string) => boolean) | undefined
  /** A mark of several characters in place of quotes. Text between two of them is not escaped. */
  readonly quoteMark?: string | undefined
}

export function createJsonReader(
  sink: ValueSink,
  { maxHeldChars, ends = [], mayHaveKey = () => true, quoteMark = '' }: JsonReaderOptions,
): JsonReader {
  let state = VALUE
  /** The open containers, outermost first: true for an object, false for an array. */
  const containers: boolean[] = []
  const bareWord = createBareWord(quoteMark ? [...ends, quoteMark] : ends, maxHeldChars)
  /** The pieces of the key or mark being read: these mean nothing until they are whole. */
  let held = ''
  /** True while the string being read is a key. */
  let isKey = false
  const quoteLook = createQuoteLook({ ends, maxHeldChars, mayHaveKey, quoteMark })
  const string = createQuotedString({
    put: piece => putText(piece),
    escapes: jsonEscapes,
    hasTriples: false,
    look: {
      ...quoteLook,
      begin: isDoubtful => quoteLook.begin({ isInObject: inObject(), depth: containers.length, isDoubtful }),
    },
  })
  /** The text between two quote marks, until something follows it. */
  let marked: MarkSearch | undefined
  const comment = createComment()
  /** Where to go on after a comment, or where a quote mark may stand. */
  let resume = VALUE
  let error = ''
  let unread = ''
  let isRepairable = false
  let isPaused = false
  let readSincePause = 0
  /** The beginning of an end mark inside a string that has held a quote which was not escaped, or behind a quote. */
  let maybeEnd = ''

  const fail = (message: string) => {
    isRepairable = state === AFTER
    state = FAILED
    error = message
  }
  const inObject = () => containers[containers.length - 1] === true
  const open = (isObject: boolean) => {
    if (containers.length === MAX_DEPTH) return fail(`nested deeper than ${MAX_DEPTH} levels`)
    containers.push(isObject)
    sink(isObject ? Token.beginObject : Token.beginArray, '')
    state = isObject ? KEY : VALUE
  }
  /** Closes the innermost container of this sort, and whatever is still open inside it. */
  const close = (isObject: boolean) => {
    if (!containers.includes(isObject)) return fail(`a closing ${isObject ? '}' : ']'} without its opening one`)
    for (let wasObject: boolean | undefined; wasObject !== isObject; ) {
      wasObject = containers.pop()
      sink(wasObject ? Token.endObject : Token.endArray, '')
    }
    state = containers.length ? AFTER : DONE
  }
  const beginString = (char: string, key: boolean) => {
    isKey = key
    held = ''
    if (!key) sink(Token.beginQuoted, '')
    string.begin(char, { isKey })
    state = STRING
  }
  const putText = (piece: string) => {
    if (!isKey) sink(Token.text, piece)
    else if (held.length + piece.length > maxHeldChars) fail('a key that is too long')
    else held += piece
  }
  const beginComment = () => {
    comment.begin()
    resume = state
    state = COMMENT
  }
  const beginBare = (char: string) => {
    bareWord.begin(char)
    state = BARE
  }
  const endBare = () => {
    sink(Token.literal, bareWord.text())
    state = AFTER
  }
  const leaveBare = (end: BareWordEnd, char: string) => {
    if (end.type === 'too-long') return fail('a bare value that is too long')
    if (end.type === 'mark') {
      const isWhole = end.mark !== quoteMark && bareWord.isLiteral()
      unread = end.mark === quoteMark ? bareWord.text() + quoteMark : end.mark
      if (isWhole) endBare()
      return fail(isWhole ? 'a closing bracket is missing' : 'a value that is not whole')
    }
    endBare()
    if (end.type === 'comment') beginComment()
    step(char)
  }
  const mayBeMark = (char: string) => {
    if (char !== quoteMark.charAt(0)) return false
    held = char
    resume = state
    state = MARK
    return true
  }
  const readMark = (char: string) => {
    held += char
    if (held === quoteMark) {
      beginString(quoteMark, resume !== VALUE && inObject())
      marked = createMarkSearch([quoteMark], putText)
      state = MARKED
    } else if (!quoteMark.startsWith(held)) {
      state = resume
      if (resume === VALUE) {
        beginBare(held.charAt(0))
        return readAgain(held.slice(1))
      }
      unread = held
      fail(`${JSON.stringify(held)} where a key or a closing bracket should be`)
    }
  }
  const readMarked = (chunk: string, from: number, to: number): number => {
    // A key is held; where it gets too long must not depend on where a chunk ends.
    const at = marked?.feed(chunk, from, isKey ? from + 1 : to) ?? to
    if (!marked?.found()) return at
    endString()
    if (isKey) marked = undefined
    return at
  }
  const endString = () => {
    sink(isKey ? Token.key : Token.endText, held)
    state = isKey ? COLON : AFTER
  }
  const leaveString = () => {
    if (string.isOver()) endString()
    const again = string.takeAgain()
    if (again) readAgain(again)
  }
  const readAgain = (text: string) => {
    let at = 0
    // The sink may have asked for a pause at the very quote behind which this was looked at.
    let wasPaused = isPaused
    if (wasPaused) readSincePause = text.length
    while (at < text.length && state < DONE) {
      at = feed(text, at, text.length)
      if (!isPaused || wasPaused) continue
      wasPaused = true
      readSincePause = text.length - at
    }
    isPaused = wasPaused
    if (state === DONE) unread = text.slice(at)
    // The innermost reading saw the failure at its very place.
    if (state === FAILED && at < text.length) unread += text.slice(at)
  }
  /** A character where a value may begin. */
  const readValue = (char: string) => {
    if (isSpace(char)) return
    if (char === '{') open(true)
    else if (char === '[') open(false)
    else if (containers.length === 0) fail('neither an object nor a list')
    else if (isQuote(char)) beginString(char, false)
    else if (char === ']' && !inObject()) close(false)
    else if (char === '}' && !inObject()) close(true)
    else if (char === ',' && !inObject()) return
    else if (char === '/') beginComment()
    else if (char === '}' || char === ']' || char === ',' || char === ':') fail('a value is missing')
    else if (!mayBeMark(char)) beginBare(char)
  }
  /** A character where a key may begin. */
  const readKey = (char: string) => {
    if (isSpace(char) || char === ',') return
    if (isQuote(char)) beginString(char, true)
    else if (char === '}') close(true)
    else if (char === ']') close(false)
    else if (char === '/') beginComment()
    else if (isWordPart(char)) {
      held = char
      state = BARE_KEY
    } else if (!mayBeMark(char)) fail(`${JSON.stringify(char)} where a key should be`)
  }
  /** A character behind a value. A missing comma is no obstacle, but right behind a quote mark a word shows that it opened a text. */
  const readAfter = (char: string) => {
    const isBehindMark = marked !== undefined
    marked = undefined
    if (isSpace(char)) return
    if (char === ',') state = inObject() ? KEY : VALUE
    else if (char === '}') close(true)
    else if (char === ']') close(false)
    else if (char === '/') beginComment()
    else if (!isBehindMark && (isQuote(char) || isWordStart(char) || (!inObject() && /[[{\d-]/.test(char)))) {
      state = inObject() ? KEY : VALUE
      step(char)
    } else if (!mayBeMark(char)) fail(`${JSON.stringify(char)} where a comma or a closing bracket should be`)
  }
  /** Takes one character in any state but STRING, which is read in slices. */
  const step = (char: string) => {
    switch (state) {
      case VALUE:
        return readValue(char)
      case KEY:
        return readKey(char)
      case AFTER:
        return readAfter(char)
      case MARK:
        return readMark(char)
      case BARE_KEY:
        if (isWordPart(char)) {
          if (held.length > maxHeldChars) fail('a key that is too long')
          held += char
          return
        }
        sink(Token.key, held)
        state = COLON
        return step(char)
      case COLON:
        if (char === ':') state = VALUE
        else if (!isSpace(char)) fail(`${JSON.stringify(char)} where a colon should be`)
        return
      case BARE: {
        const end = bareWord.read(char)
        if (end) leaveBare(end, char)
        return
      }
      case COMMENT: {
        const isComment = comment.read(char)
        if (isComment) state = resume
        else if (isComment === false) fail('a lone /')
      }
    }
  }
  const readString = (chunk: string, from: number, to: number): number => {
    // A key is held until it is whole, so it must end somewhere; and a string with a loose quote must be watched.
    const at = string.feed(chunk, from, isKey || string.hasInnerQuote() ? from + 1 : to)
    leaveString()
    return at
  }
  /** Reads a string that has gone wrong once, keeping an eye on the end marks. */
  const readDoubtful = (char: string) => {
    maybeEnd += char
    let match = matchMarks(maybeEnd, ends)
    while (match === 'none') {
      const first = maybeEnd.charAt(0)
      maybeEnd = maybeEnd.slice(1)
      if (state === STRING) readString(first, 0, 1)
      else step(first)
      match = maybeEnd ? matchMarks(maybeEnd, ends) : 'maybe'
    }
    if (match === 'maybe') return
    unread = maybeEnd
    fail('a string without its closing quote')
  }

  const feed = (chunk: string, from: number, to: number): number => {
    let i = from
    isPaused = false
    while (i < to && state < DONE && !isPaused) {
      if (state === STRING && string.isInText() && string.hasInnerQuote() && ends.length)
        readDoubtful(chunk.charAt(i++))
      else if (state === STRING) i = readString(chunk, i, to)
      else if (state === MARKED) i = readMarked(chunk, i, to)
      else step(chunk.charAt(i++))
    }
    if (state === FAILED && unread === '') unread = chunk.charAt(i - 1)
    return i
  }

  return {
    feed,
    pause() {
      isPaused = true
      readSincePause = 0
    },
    readSincePause: () => readSincePause,
    end(mayClose) {
      isPaused = false
      if (state === STRING && string.end()) leaveString()
      if (state === BARE && mayClose && bareWord.isLiteral()) endBare()
      // Only behind a whole value: a comma or an opening bracket says that more was to come.
      if (mayClose && state === AFTER) while (containers.length) close(inObject())
      return state === DONE
    },
    isRepairable: () => isRepairable,
    repair() {
      if (!isRepairable) return false
      while (containers.length) close(inObject())
      return true
    },
    status: () => (state === DONE ? 'done' : state === FAILED ? 'failed' : 'reading'),
    error: () => error,
    unread: () => unread,
  }
}
