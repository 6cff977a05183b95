import { isQuote, isSpace, isWordPart, isWordStart, wordAt } from './characters.js'
import type { Cursor, Reading } from './cursor.js'
import type { Problem } from './events.js'
import { isAtMark, startsMark } from './match-marks.js'
import { type ContainerKind, createNesting } from './nesting.js'
import { createQuotedString } from './quoted-string.js'
import { nestingOf, Token, type ValueSink } from './value-token.js'

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
  /** Asked behind each key and each value: true if what follows is not to be read. */
  readonly isEnough?: (() => boolean) | undefined
  /** The brace of the object was read already. */
  readonly hasBegun?: boolean | undefined
  /**
   * Whether a value that lacks only its closing brackets at the end of the text is made whole; a string or a number that was cut never
   * is. Otherwise it is unless the model was stopped.
   */
  readonly mayClose?: boolean | undefined
}

/** Nesting beyond this is refused: no tool's arguments need it, and consumers that recurse would overflow. */
const MAX_DEPTH = 512
/** Bare words and comments mean nothing until they are whole; so much of one is held. */
const MAX_WORD_CHARS = 1024
/** Longer words are not tested at each of their quotes: that would be quadratic. */
const MAX_LITERAL_CHARS = 64

const literal = /^(?:[-+]?(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:[eE][-+]?\d+)?|true|false|null|True|False|None)$/
const isLiteral = (word: string) => literal.test(word.trimEnd())
const isPrefix = (word: string) => word.length <= 2 && /^(?:[rbuf]|rb|br|rf|fr)$/i.test(word)
const isCloser = (char: string) => char === '}' || char === ']' || char === ')'
/** What begins a comment behind a word; `http://` has no space. */
const comments = [' //', ' /*', '\t//', '\t/*']
const space = /[ \n\r\t]*/y
const spaceOrCommas = /[ \n\r\t,]*/y
const comment = /\/\/[^\n]*\n|\/\*.*?\*\//sy

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
  const quoteMarks = quoteMark ? [quoteMark] : []
  const wordMarks = [...quoteMarks, ...ends, ...(isPython ? [] : comments)]
  const behindMarks = [...quoteMarks, ...ends, ...otherEnds]
  let isDone = false
  let problem: Problem | undefined
  /** What is read as a key; or the first item of a set or a tuple, or an argument without a name. */
  let key = ''
  /** The string being read is a key, or the key that was read is a string. */
  let isQuotedKey = false
  /** The arguments that a Python call has got. */
  const given = new Set<string>()
  /** How much of a bare word has been looked at. */
  let wordChars = 0
  /** Where the last quote mark ended. */
  let markEnd = -1

  const put: ValueSink = (token, text) => {
    sink(token, text)
    const isEnd = token === Token.key || token === Token.literal || (nestingOf[token] ?? 0) < 0
    if (isEnd && options.isEnough?.()) isDone = true
  }
  const nesting = createNesting(put)
  const { top, settle, assign } = nesting
  const string = createQuotedString({
    ...{ cursor, nesting, isPython, ends, mayHaveKey, quoteMark },
    put(piece) {
      if (isQuotedKey) key += piece
      else sink(Token.text, piece)
    },
  })

  const fail = (message: string): undefined => {
    problem = { code: 'malformed-arguments', message }
  }
  const failAt = (char: string, wanted: string) => fail(`${JSON.stringify(char)} where ${wanted} should be`)
  /** Passes over space and comments; gives the next character, or nothing where the text ends. */
  const peek = (skipped = space): string => {
    const { text } = cursor
    for (;;) {
      skipped.lastIndex = cursor.at
      skipped.test(text)
      cursor.at = skipped.lastIndex
      const char = text.charAt(cursor.at)
      if (char !== '/' || isPython) return char
      comment.lastIndex = cursor.at
      if (comment.test(text)) cursor.at = comment.lastIndex
      else
        return /^\/(?:$|[/*])/.test(text.slice(cursor.at, cursor.at + 2)) && text.length - cursor.at <= MAX_WORD_CHARS
          ? ''
          : char
    }
  }
  /** Whether one of the marks stands there; undefined as long as the text does not tell. */
  const isAt = (marks: readonly string[], at = cursor.at) => isAtMark(cursor.text.slice(at), marks)
  const isAtQuoteMark = (at = cursor.at) => quoteMark !== '' && cursor.text.startsWith(quoteMark, at)

  /** Where to go on behind a comma. */
  const next = () => (assign() ? readKey : readValue)
  const push = (closer: string, kind: ContainerKind) => {
    if (nesting.depth() === MAX_DEPTH) return fail(`nested deeper than ${MAX_DEPTH} levels`)
    cursor.at++
    nesting.push(closer, kind)
    return next()
  }
  const open = (char: string) => {
    if (char === '[') return push(']', 'list')
    return push(char === '{' ? '}' : ')', isPython ? 'unclear' : 'object')
  }
  const closeTo = (depth: number) => {
    while (!isDone && nesting.depth() > depth) nesting.pop()
    isDone ||= depth === 0
    return readAfter
  }
  /** Closes the container with this bracket, and whatever is still open inside it. */
  const close = (closer: string) => {
    const depth = nesting.depthBehind(closer)
    if (depth === undefined) return fail(`a closing ${closer} without its opening one`)
    cursor.at++
    return closeTo(depth)
  }
  const mayClose = () => cursor.isOver && (options.mayClose ?? !cursor.isCut)
  const putKey = (name: string) => {
    const { kind } = top()
    if (kind === 'call' || kind === 'spread') {
      if (given.has(name)) return fail(`the argument ${JSON.stringify(name)} is given twice`)
      given.add(name)
      nesting.beginCall()
    }
    put(Token.key, name)
    return readValue
  }
  /** The value of the only parameter may stand without its name. */
  const beginPositional = () => {
    nesting.beginCall()
    return python?.positionalKey === undefined ? fail('an argument without a name') : putKey(python.positionalKey)
  }
  const beginString = (isKey: boolean, prefix = '') => {
    isQuotedKey = isKey
    key = ''
    if (!isKey) sink(Token.beginQuoted, '')
    cursor.at += prefix.length
    string.begin({ isKey, isRaw: /r/i.test(prefix) })
    return readString
  }
  const endString = () => {
    put(Token.endText, '')
    return readAfter
  }
  const putWord = (source: string) => {
    put(Token.literal, source.trimEnd())
    return readAfter
  }

  // Each stands where its picture shows the cursor (|).
  /** `{"a": |1` `[|1` */
  const readValue: Place = () => {
    const isInList = top().kind === 'list'
    const char = peek(isInList ? spaceOrCommas : space)
    if (char === '') return undefined
    if (openers.includes(char)) return open(char)
    if (nesting.depth() === 0) return fail('neither an object nor a list')
    if (isInList && isCloser(char)) return close(char)
    if (/[=,:)\]}]/.test(char)) return fail('a value is missing')
    const isString = isQuote(char) || isAt(quoteMarks)
    if (isString === undefined) return undefined
    wordChars = 0
    return isString ? beginString(false) : readWord
  }
  /** `{|"a": 1` `{"a": 1|,` `f(|a=1`, or before the first item of a set or a tuple. */
  const readKey: Place = () => {
    const char = peek(spaceOrCommas)
    const { kind } = top()
    if (char === '') return undefined
    if (isCloser(char)) return close(char)
    if (kind === 'call' && char === '*') return readSpread
    if (kind === 'call' && !isWordStart(char)) return beginPositional()
    if (isWordPart(char)) return readBareKey
    if (kind === 'unclear' && openers.includes(char)) {
      settle('list')
      return open(char)
    }
    const isString = isQuote(char) || isAt(quoteMarks)
    if (isString === undefined) return undefined
    return isString ? beginString(true) : failAt(char, 'a key')
  }
  /** `f(|**{…}` */
  const readSpread: Place = () => {
    const isSpread = isAt(['**{'])
    if (isSpread === undefined) return undefined
    if (!isSpread) return fail('a * that is not before a dictionary')
    cursor.at += 2
    return push('}', 'spread')
  }
  /** `{|ab: 1` `f(|ab=1` */
  const readBareKey: Place = () => {
    const word = wordAt(cursor.text, cursor.at)
    const char = cursor.text.charAt(cursor.at + word.length)
    if (word.length > MAX_WORD_CHARS) return fail('a key that is too long')
    if (char === '') return undefined
    if (isPython && isQuote(char) && isPrefix(word)) {
      const isArgument = top().kind === 'call'
      return !isArgument || beginPositional() ? beginString(!isArgument, word) : undefined
    }
    cursor.at += word.length
    key = word
    isQuotedKey = false
    return readAssign
  }
  /** `{"a"|: 1` `f(a|=1` */
  const readAssign: Place = () => {
    const char = peek()
    const { kind, closer } = top()
    if (char === '') return undefined
    if (char === assign()) {
      if (kind === 'unclear') settle('object')
      cursor.at++
      return putKey(key)
    }
    if (kind === 'unclear' && (char === ',' || char === closer)) {
      settle(char === ')' ? 'value' : 'list')
      return putItem()
    }
    if (kind === 'call' && isLiteral(key)) return beginPositional() && putItem()
    if (isPython && isQuotedKey && isQuote(char)) {
      // Python makes one of two strings in a row.
      string.join()
      return readString
    }
    if (kind === 'object') sink(Token.key, key)
    return failAt(char, assign())
  }
  /** What was read as a key is a value. */
  const putItem = () => {
    if (!isQuotedKey) return putWord(key)
    sink(Token.beginQuoted, '')
    sink(Token.text, key)
    return endString()
  }
  /** `"ab|c"`, a key too. */
  const readString: Place = () => {
    const state = string.read()
    const excessChars = key.length - maxHeldChars
    if (excessChars > 0) {
      cursor.at -= excessChars
      return fail('a key that is too long')
    }
    if (state === undefined) return undefined
    if (state === 'open') return readString
    if (state === 'torn') return fail('a string without its closing quote')
    if (isQuotedKey) return readAssign
    if (quoteMark && cursor.text.endsWith(quoteMark, cursor.at)) markEnd = cursor.base + cursor.at
    return endString()
  }
  /** `{"a": |True` */
  const readWord: Place = () => {
    const { text, at } = cursor
    const word = () => text.slice(at, at + wordChars)
    for (; at + wordChars < text.length; wordChars++) {
      const char = text.charAt(at + wordChars)
      if (wordEnds.includes(char)) return endWord(word())
      if (isQuote(char) && wordChars < MAX_LITERAL_CHARS && isLiteral(word())) return endWord(word())
      if (isPython && isQuote(char) && isPrefix(word())) return beginString(false, word())
      if (isPython && '=([{'.includes(char)) return fail('neither a literal nor a word')
      if (wordChars > MAX_WORD_CHARS) return fail('a bare value that is too long')
      const isMark = startsMark(char, wordMarks) && isAt(wordMarks, at + wordChars)
      if (isMark === undefined && !cursor.isOver) return undefined
      if (isMark && (isSpace(char) || (isLiteral(word()) && !isAtQuoteMark(at + wordChars)))) return endWord(word())
      if (isMark) return fail('a value that is not whole')
    }
    return mayClose() && isLiteral(word()) ? endWord(word()) : undefined
  }
  const endWord = (word: string) => {
    cursor.at += word.trimEnd().length
    return putWord(word)
  }
  /** `{"a": 1|` A missing comma is no obstacle; but right behind a quote mark a word shows that the mark opened a text. */
  const readAfter: Place = () => {
    const char = peek()
    if (char === '') return mayClose() ? closeTo(0) : undefined
    if (isCloser(char)) return close(char)
    const isFree = !isPython && cursor.base + cursor.at !== markEnd
    const isNext = isQuote(char) || isWordStart(char) || (!assign() && /[[{\d-]/.test(char))
    if (char === ',' || (isFree && isNext) || isAtQuoteMark()) return next()
    const isMark = isAt(behindMarks)
    if (isMark) return closeTo(0)
    if (isMark === false) return failAt(char, 'a comma or a closing bracket')
    // The text ends with the beginning of a mark; but a single character proves nothing.
    if (!mayClose() || cursor.text.length - cursor.at === 1) return undefined
    cursor.at = cursor.text.length
    return closeTo(0)
  }

  if (isPython) nesting.push(')', 'call')
  if (options.hasBegun) nesting.push('}', 'object')
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
