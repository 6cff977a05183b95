import { isQuote, isSpace, isWordPart, isWordStart, wordAt } from './characters.js'
import type { Cursor, Reading } from './cursor.js'
import type { Problem } from './events.js'
import { isAtMark, startsMark } from './match-marks.js'
import { type Container, createNesting } from './nesting.js'
import { createQuotedString } from './quoted-string.js'
import { Token, type ValueSink } from './value-token.js'

export interface ReadJsonOptions {
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
  /** Asked behind each value: true if what follows is not to be read. */
  readonly isEnough?: (() => boolean) | undefined
  /**
   * Whether a value that lacks only its closing brackets at the end of the text is made whole; a string or a number that was cut never
   * is. Otherwise it is unless the model was stopped.
   */
  readonly mayClose?: boolean | undefined
}

/** Nesting beyond this is refused: no tool's arguments need it, and consumers that recurse would overflow. */
const MAX_DEPTH = 512
/** Bare keys and words mean nothing until they are whole; so much of one is held. */
const MAX_WORD_CHARS = 4096

const literal = /^(?:[-+]?(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:[eE][-+]?\d+)?|true|false|null|True|False|None)$/
const isLiteral = (word: string) => literal.test(word.trimEnd())
/** Longer words are not tested at each of their quotes: that would be quadratic. */
const MAX_LITERAL_CHARS = 64
const isPrefix = (word: string) => word.length <= 2 && /^(?:[rbuf]|rb|br|rf|fr)$/i.test(word)
const isCloser = (char: string) => char === '}' || char === ']' || char === ')'
/** What begins a comment behind a word; `http://` has no space. */
const comments = [' //', ' /*', '\t//', '\t/*']

/** Reads on from one place, and gives the next one; undefined where more text is needed, or nothing is left to be read. */
type Place = () => Place | undefined

/**
 * Reads JSON as models write it from its first character on, and gives the reason why it could not be read to its end. The cursor then
 * stands behind the value, or before what could not be read. Whenever the sink is told that a value is over, it stands behind that.
 *
 * Beyond JSON it takes: single quotes, bare keys and words, missing, doubled and trailing commas, comments, raw newlines
 * and unknown escapes in strings, an unescaped quote inside a string, closing brackets that are missing or crossed.
 *
 * It reads the arguments of a Python call too, from behind `(` to the matching `)`. The call is an object, all values are
 * literals, and tuples and sets are lists:
 *
 *     city='Paris', opts={'unit': "c", 'tags': ('a', r'\d')}, **{'odd key': None})
 */
export function* readJson(cursor: Cursor, sink: ValueSink, options: ReadJsonOptions): Reading<Problem | undefined> {
  const { maxHeldChars, ends = [], otherEnds = [], mayHaveKey = () => true, quoteMark = '', python } = options
  const isPython = python !== undefined
  const openers = isPython ? '[{(' : '[{'
  const wordEnds = isPython ? ',)]}\n' : ',]}\n'
  const maxWordChars = Math.min(maxHeldChars, MAX_WORD_CHARS)
  const quoteMarks = quoteMark ? [quoteMark] : []
  const wordMarks = [...quoteMarks, ...ends, ...(isPython ? [] : comments)]
  const behindMarks = [...quoteMarks, ...ends, ...otherEnds]
  let isDone = false
  let problem: Problem | undefined
  /** What ends the comment that is being passed over. */
  let commentEnd = ''
  /** The quoted key, or the first item of a set or a tuple, as far as it was read. */
  let key = ''
  let isKey = false
  /** How much of a bare word has been looked at. */
  let wordChars = 0
  /** Where the last quote mark ended. */
  let markEnd = -1

  const put: ValueSink = (token, text) => {
    sink(token, text)
    const isEnd =
      token === Token.endObject || token === Token.endArray || token === Token.endText || token === Token.literal
    if (isEnd && options.isEnough?.()) isDone = true
  }
  const nesting = createNesting(put)
  const { top, settle, assign } = nesting
  const string = createQuotedString({
    ...{ cursor, nesting, isPython, ends, mayHaveKey, quoteMark },
    put(piece) {
      if (isKey) key += piece
      else sink(Token.text, piece)
    },
  })

  const fail = (message: string): undefined => {
    problem = { code: 'malformed-arguments', message }
  }
  const failAt = (char: string, wanted: string) => fail(`${JSON.stringify(char)} where ${wanted} should be`)
  /** Passes over space and comments; gives the next character, or nothing where the text ends. */
  const peek = (): string => {
    const { text } = cursor
    for (;;) {
      if (commentEnd) {
        const end = text.indexOf(commentEnd, cursor.at)
        cursor.at = end < 0 ? Math.max(cursor.at, text.length + 1 - commentEnd.length) : end + commentEnd.length
        if (end < 0) return ''
        commentEnd = ''
      }
      while (isSpace(text.charAt(cursor.at))) cursor.at++
      const char = text.charAt(cursor.at)
      const behind = text.charAt(cursor.at + 1)
      if (char !== '/' || isPython) return char
      if (behind !== '/' && behind !== '*') return behind || cursor.isOver ? char : ''
      cursor.at += 2
      commentEnd = behind === '/' ? '\n' : '*/'
    }
  }
  /** Whether one of the marks stands there; undefined as long as the text does not tell. */
  const isAt = (marks: readonly string[], at = cursor.at) => isAtMark(cursor.text.slice(at), marks)
  const isAtQuoteMark = (at = cursor.at) => quoteMark !== '' && cursor.text.startsWith(quoteMark, at)

  /** Where to go on behind a comma. */
  const next = () => (assign() ? readKey : readValue)
  const push = (container: Container) => {
    if (nesting.depth() === MAX_DEPTH) return fail(`nested deeper than ${MAX_DEPTH} levels`)
    cursor.at++
    nesting.push(container)
    return next()
  }
  const open = (char: string) => {
    if (char === '[') return push({ closer: ']', kind: 'list' })
    return push({ closer: char === '{' ? '}' : ')', kind: isPython ? 'unclear' : 'object' })
  }
  /** Closes the container with this bracket, and whatever is still open inside it. */
  const close = (closer: string) => {
    if (!nesting.mayClose(closer)) return fail(`a closing ${closer} without its opening one`)
    cursor.at++
    for (let closed = ''; closed !== closer && !isDone; nesting.pop()) closed = top().closer
    isDone ||= nesting.depth() === 0
    return readAfter
  }
  const mayClose = () => options.mayClose ?? !cursor.isCut
  const closeAll = (): undefined => {
    while (!isDone && nesting.depth() > 0) nesting.pop()
    isDone = true
  }
  const putKey = (name: string) =>
    nesting.putKey(name) ? readValue : fail(`the argument ${JSON.stringify(name)} is given twice`)
  /** The value of the only parameter may stand without its name. */
  const beginPositional = () => {
    nesting.beginCall()
    return python?.positionalKey === undefined ? fail('an argument without a name') : putKey(python.positionalKey)
  }
  const beginString = (key: boolean, prefix = '') => {
    isKey = key
    if (!isKey) sink(Token.beginQuoted, '')
    cursor.at += prefix.length
    string.begin({ isKey, isRaw: /r/i.test(prefix) })
    return readString
  }

  // Each stands where its picture shows the cursor (|).
  /** `{"a": |1` `[|1` */
  const readValue: Place = () => {
    const char = peek()
    const isInList = top().kind === 'list'
    if (char === '') return undefined
    if (openers.includes(char)) return open(char)
    if (nesting.depth() === 0) return fail('neither an object nor a list')
    if (isQuote(char)) return beginString(false)
    if (isInList && isCloser(char)) return close(char)
    if (isInList && char === ',') {
      cursor.at++
      return readValue
    }
    if (/[=,:)\]}]/.test(char)) return fail('a value is missing')
    const isMark = isAt(quoteMarks)
    if (isMark === undefined) return undefined
    wordChars = 0
    return isMark ? beginString(false) : readWord
  }
  /** `{|"a": 1` `{"a": 1, |` `f(|a=1`, or before the first item of a set or a tuple. */
  const readKey: Place = () => {
    const char = peek()
    const { kind } = top()
    if (char === '') return undefined
    if (isCloser(char)) return close(char)
    if (kind === 'call' && char === '*') return readSpread
    if (char === ',') {
      cursor.at++
      return readKey
    }
    if (kind === 'call' && !isWordStart(char)) return beginPositional()
    key = ''
    if (isQuote(char)) return beginString(true)
    if (isWordPart(char)) return readBareKey
    if (kind === 'unclear' && openers.includes(char)) {
      settle('list')
      return open(char)
    }
    const isMark = isAt(quoteMarks)
    if (isMark === undefined) return undefined
    return isMark ? beginString(true) : failAt(char, 'a key')
  }
  /** `f(|**{…}` */
  const readSpread: Place = () => {
    const char = peek()
    if (char === '') return undefined
    if (char === '{') return push({ closer: '}', kind: 'spread' })
    if (char !== '*') return fail('a * that is not before a dictionary')
    cursor.at++
    return readSpread
  }
  /** `{|ab: 1` `f(|ab=1` */
  const readBareKey: Place = () => {
    const { text } = cursor
    const word = wordAt(text, cursor.at)
    let at = cursor.at + word.length
    if (isPython && isPrefix(word) && isQuote(text.charAt(at))) {
      const isArgument = top().kind === 'call'
      return !isArgument || beginPositional() ? beginString(!isArgument, word) : undefined
    }
    while (isSpace(text.charAt(at))) at++
    if (at - cursor.at > maxWordChars) return fail('a key that is too long')
    return at < text.length ? endKey(word, at, Token.literal) : undefined
  }
  /** `{"a"|: 1` */
  const readBehindKey: Place = () => {
    const char = peek()
    if (char === '') return undefined
    if (!isPython || !isQuote(char)) return endKey(key, cursor.at, Token.text)
    // Python makes one of two strings in a row.
    string.join()
    return readString
  }
  /** The character at this index tells whether it is a key at all, or an item, or an argument without a name. */
  const endKey = (name: string, at: number, token: Token) => {
    const char = cursor.text.charAt(at)
    const { kind, closer } = top()
    const isItem = kind === 'unclear' && (char === ',' || char === closer)
    if (char === assign()) {
      if (kind === 'unclear') settle('object')
      const place = putKey(name)
      if (place) cursor.at = at + 1
      return place
    }
    if (isItem) settle(char === ')' ? 'value' : 'list')
    if (isItem || (kind === 'call' && isLiteral(name) && beginPositional())) return putItem(name, token)
    if (problem) return undefined
    if (kind === 'object') {
      sink(Token.key, name)
      cursor.at = at
    }
    return failAt(char, assign())
  }
  const putItem = (item: string, token: Token) => {
    if (token === Token.literal) return putWord(item)
    sink(Token.beginQuoted, '')
    sink(Token.text, item)
    put(Token.endText, '')
    return readAfter
  }
  /** `"ab|c"`, a key too. */
  const readString: Place = () => {
    const state = string.read()
    const excessChars = key.length - maxHeldChars
    if (excessChars > 0) {
      cursor.at -= excessChars
      return fail('a key that is too long')
    }
    if (state === 'open') return readString
    if (state === undefined) return undefined
    if (state === 'torn') return fail('a string without its closing quote')
    if (isKey) return readBehindKey
    if (quoteMark && cursor.text.endsWith(quoteMark, cursor.at)) markEnd = cursor.base + cursor.at
    put(Token.endText, '')
    return readAfter
  }
  /** `{"a": |True` */
  const readWord: Place = () => {
    const { text, at } = cursor
    for (; at + wordChars < text.length; wordChars++) {
      const char = text.charAt(at + wordChars)
      const word = text.slice(at, at + wordChars)
      if (wordEnds.includes(char)) return putWord(word)
      if (isQuote(char) && wordChars < MAX_LITERAL_CHARS && isLiteral(word)) return putWord(word)
      if (isPython && isQuote(char) && isPrefix(word)) return beginString(false, word)
      if (isPython && '=([{'.includes(char)) return fail('neither a literal nor a word')
      if (wordChars > maxWordChars) return fail('a bare value that is too long')
      const isMark = startsMark(char, wordMarks) && isAt(wordMarks, at + wordChars)
      if (isMark === undefined && !cursor.isOver) return undefined
      if (isMark && (isSpace(char) || (isLiteral(word) && !isAtQuoteMark(at + wordChars)))) return putWord(word)
      if (isMark) return fail('a value that is not whole')
    }
    const rest = text.slice(at)
    return cursor.isOver && mayClose() && isLiteral(rest) ? putWord(rest) : undefined
  }
  const putWord = (source: string) => {
    const word = source.trimEnd()
    cursor.at += word.length
    put(Token.literal, word)
    return readAfter
  }
  /** `{"a": 1|` A missing comma is no obstacle; but right behind a quote mark a word shows that the mark opened a text. */
  const readAfter: Place = () => {
    const char = peek()
    if (char === '') return endText()
    if (isCloser(char)) return close(char)
    if (char === ',') {
      cursor.at++
      return next()
    }
    const isFree = !isPython && cursor.base + cursor.at !== markEnd
    if (isFree && (isQuote(char) || isWordStart(char) || (!assign() && /[[{\d-]/.test(char)))) return next()
    const isMark = isAt(behindMarks)
    if (isMark === false) return failAt(char, 'a comma or a closing bracket')
    if (isAtQuoteMark()) return next()
    if (isMark) return closeAll()
    // The text may end with the beginning of a mark, but a single character proves nothing.
    return cursor.text.length - cursor.at > 1 ? endText() : undefined
  }
  /** No more text comes behind a value: it may lack only its closing brackets. */
  const endText = (): undefined => {
    if (!cursor.isOver || !mayClose()) return
    cursor.at = cursor.text.length
    closeAll()
  }

  if (isPython) nesting.push({ closer: ')', kind: 'call' })
  for (let place: Place = next(); ; ) {
    const then = place()
    if (isDone || problem) return problem
    if (then) place = then
    else if (cursor.isOver) {
      cursor.at = cursor.text.length
      return { code: 'cut-call', message: 'the text ended inside the arguments' }
    } else yield
  }
}
