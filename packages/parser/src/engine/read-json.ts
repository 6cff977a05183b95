import { isQuote, isWordStart, quotedAt, wordAt } from './characters.js'
import type { Cursor, Reading } from './cursor.js'
import { CUT, malformed, type Problem } from './events.js'
import { createCharFinder } from './mark-finder.js'
import { isAtMark } from './marks.js'
import { type Bracket, isStringOver } from './quote-look.js'
import { escapeAt, jsonEscapes, pythonEscapes, rawEscapes, unescaped } from './string-escape.js'
import { Token, type ValueSink } from './value-token.js'

export interface ReadJsonOptions {
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
  /** What stands in brackets in YAML is read: lists hold words, so that a comma ends a string; and no mark closes what is open. */
  readonly isYaml?: boolean | undefined
  /** The arguments of a Python call are read; one without a name is for this parameter. */
  readonly python?: { readonly positionalKey: string | undefined }
}

/** Nesting beyond this is refused: no tool's arguments need it, and consumers that recurse would overflow. */
const MAX_DEPTH = 512
/** Keys, bare words and comments mean nothing until they are whole; so much of one is held. */
const MAX_WORD_CHARS = 1024
/** What tells nothing up to so far behind a quote is not inside the string. */
const MAX_LOOK_CHARS = 1024

const literal = /^(?:[-+]?(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:[eE][-+]?\d+)?|true|false|null|True|False|None)$/
const isLiteral = (word: string) => literal.test(word.trimEnd())
const isPrefix = (word: string) => /^(?:[rbuf]|rb|br|rf|fr)$/i.test(word)
const isCloser = (char: string) => char === '}' || char === ']' || char === ')'
const space = /[ \n\r\t]*/y
const spaceOrCommas = /[ \n\r\t,]*/y
const wordStop = /[^\w.+-]/g
/** The first item of a tuple, unless it is in brackets too, and what follows that. */
const firstItem = /^\(\s*((?:[rbuf]{0,2}("|')(?:\\.|(?!\2)[^\\])*\2|[\w.+-]+)\s*)?([^\s"'\w.+-])/is
const findStopInDouble = createCharFinder(['"', '\\'])
const findStopInSingle = createCharFinder(["'", '\\'])

const object: Bracket = { closer: '}', assign: ':', begin: Token.beginObject, end: Token.endObject }
const list: Bracket = { closer: ']', assign: '', begin: Token.beginArray, end: Token.endArray }
const tuple: Bracket = { ...list, closer: ')' }
/** One value in parentheses is that value. */
const group: Bracket = { closer: ')', assign: '' }
const set: Bracket = { ...list, closer: '}' }
/** The arguments of a Python call. */
const call: Bracket = { ...object, closer: ')', assign: '=' }
/** `**{…}`, whose pairs are arguments too. */
const spread: Bracket = { closer: '}', assign: ':' }
const brackets = new Map(Object.entries({ '{': object, '[': list, '(': tuple }))

/** Reads on from one place, and gives the next one; undefined where more text is needed, or nothing is left to be read. */
type Place = () => Place | undefined

/**
 * Reads JSON as models write it from its first character on, and gives the reason why it could not be read to its end. The cursor then
 * stands behind the value, or before what could not be read.
 *
 * Beyond JSON it takes: single quotes, bare keys and words, missing, doubled and trailing commas, comments, raw newlines
 * and unknown escapes in strings, an unescaped quote inside a string, closing brackets that are missing or crossed.
 *
 * It reads the arguments of a Python call too, from behind `(` to the matching `)`. The call is an object, all values are
 * literals, and tuples and sets are lists:
 *
 *     city='Paris', opts={'unit': "c", 'tags': ('a', r'\d')}, **{'odd key': None})
 */
export function* readJson(
  cursor: Cursor,
  sink: ValueSink,
  options: ReadJsonOptions = {},
): Reading<Problem | undefined> {
  const { read, problem } = createJsonReader(cursor, options, options.python ? [call] : [])
  yield* read(sink, 0)
  return problem()
}

/** Reads the same piece by piece, for someone who looks at the keys. What is open already stands outermost first. */
export function createJsonReader(cursor: Cursor, options: ReadJsonOptions, open: Bracket[] = [object]) {
  const { ends = [], otherEnds = [], mayHaveKey = () => true, quoteMark = '', python, isYaml = false } = options
  const isPython = python !== undefined
  const quoteMarks = quoteMark ? [quoteMark] : []
  const wordMarks = [...quoteMarks, ...ends]
  const behindMarks = [...wordMarks, ...otherEnds]
  let problem: Problem | undefined
  let sink: ValueSink = () => {}
  /** What is read is over with the next key or value at this depth. */
  let level = 0
  let isPaused = false
  /** The arguments that a Python call has got. */
  const given = new Set<string>()
  /** What begins with the next key: a call without any may be prose, and a dictionary a set. */
  let pending: Token | undefined = isPython ? Token.beginObject : undefined
  /** Where the last quote mark ended. */
  let markEnd = -1
  /** What closes the string that is open, and what may stand in it that is not text. */
  let quote = ''
  let escapes = jsonEscapes
  let findStop = findStopInDouble
  /** It has held a quote that was not escaped. Then it must not swallow the end of the call. */
  let isDoubtful = false

  const top = () => open[open.length - 1]
  const putEnd: ValueSink = (token, text) => {
    if (open.length < level) return
    sink(token, text)
    isPaused ||= open.length === level
  }
  const fail = (message: string): undefined => {
    problem = malformed(message)
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
      if (!/[/#]/.test(char) || isPython) return char
      const ahead = text.slice(cursor.at, cursor.at + MAX_WORD_CHARS)
      const comment = /^(?:(?:\/\/|# )[^\n]*\n|\/\*.*?\*\/)/s.exec(ahead)?.[0]
      const isBegun = /^(?:\/(?:$|[/*])|#(?:$| ))/.test(ahead) && ahead.length < MAX_WORD_CHARS
      if (comment === undefined) return isBegun ? '' : char
      cursor.at += comment.length
    }
  }
  /** Whether one of the marks stands there; undefined as long as the text does not tell. */
  const isAt = (marks: readonly string[], at = cursor.at) => isAtMark(cursor.text.slice(at), marks)
  /** A value that lacks only its closing brackets at the end of the text is whole, unless the model was stopped. */
  const mayClose = () => cursor.isOver && !cursor.isCut && !isYaml

  const begin = () => {
    if (pending !== undefined) sink(pending, '')
    pending = undefined
  }
  /** Where to go on behind a comma. */
  const next = () => (top()?.assign ? readKey : readValue)
  const push = (bracket: Bracket) => {
    open.push(bracket)
    pending = bracket.begin ?? pending
    if (!isPython || !bracket.assign) begin()
    return next()
  }
  const closeTo = (depth: number) => {
    begin()
    while (open.length > depth) {
      const end = open.pop()?.end
      if (end !== undefined) putEnd(end, '')
    }
    return readAfter
  }
  /** Closes what this bracket closes, and whatever is still open inside it. */
  const close = (closer: string) => {
    const depth = open.findLastIndex(bracket => bracket.closer === closer)
    // Brackets and braces get crossed; a parenthesis that does so would end the call with what is left of its arguments.
    if (depth < 0 || (closer === ')' && top()?.closer !== closer))
      return fail(`a closing ${closer} without its opening one`)
    cursor.at++
    return closeTo(depth)
  }
  const putKey = (name: string) => {
    if (top() === call || top() === spread) {
      if (given.has(name)) return fail(`the argument ${JSON.stringify(name)} is given twice`)
      given.add(name)
    }
    begin()
    putEnd(Token.key, name)
    return readValue
  }
  /** The value of the only parameter may stand without its name. */
  const beginPositional = () => {
    begin()
    return python?.positionalKey === undefined ? fail('an argument without a name') : putKey(python.positionalKey)
  }

  /** Undefined outside of Python, and as long as the text does not tell. */
  const parentheses = () => {
    const ahead = cursor.text.slice(cursor.at, cursor.at + MAX_WORD_CHARS)
    const [isClear, item, , behind] = firstItem.exec(ahead) ?? []
    if (!isPython || !(isClear || ahead.length === MAX_WORD_CHARS)) return undefined
    return item && behind === ')' ? group : tuple
  }

  // Each stands where its picture shows the cursor (|).
  /** `{"a": |1` `[|1` */
  const readValue: Place = () => {
    const isInList = top()?.assign === ''
    const char = peek(isInList ? spaceOrCommas : space)
    if (char === '') return undefined
    const bracket = char === '(' ? parentheses() : brackets.get(char)
    if (bracket) {
      if (open.length === MAX_DEPTH) return fail(`nested deeper than ${MAX_DEPTH} levels`)
      cursor.at++
      return push(bracket)
    }
    if (char === '(' && isPython) return undefined
    if (!top()) return fail('neither an object nor a list')
    if (isInList && isCloser(char)) return close(char)
    if (/[=,:)\]}]/.test(char)) return fail('a value is missing')
    const isString = isQuote(char) || isAt(quoteMarks)
    if (isString === undefined) return undefined
    return isString ? beginString() : readWord
  }
  /** `{|"a": 1` `{"a": 1|,` `f(|a=1` */
  const readKey: Place = () => {
    const char = peek(spaceOrCommas)
    const isArgument = top() === call
    if (char === '') return undefined
    if (isCloser(char)) return close(char)
    if (isArgument && char === '*') return readSpread()
    if (isArgument && !isWordStart(char)) return beginPositional()
    const ahead = cursor.text.slice(cursor.at, cursor.at + MAX_WORD_CHARS)
    const source = keyAt(ahead)
    const rest = source === undefined ? '' : ahead.slice(source.length).trimStart()
    if (source === '') return failAt(char, 'a key')
    if (source === undefined || rest === '')
      return ahead.length < MAX_WORD_CHARS ? undefined : fail('a key that is too long')
    const assign = rest.charAt(0)
    if (assign !== top()?.assign) {
      const isValue = isLiteral(source) || (isPrefix(source) && isQuote(assign))
      if (isArgument && isValue) return beginPositional()
      const isSet = pending !== undefined && top() === object && /[,}]/.test(assign)
      if (!isSet) return failAt(assign, `${top()?.assign}`)
      open.pop()
      return push(set)
    }
    const quoteChars = isQuote(char) ? 1 : isAt(quoteMarks) ? quoteMark.length : 0
    const key = source.slice(quoteChars, source.length - quoteChars)
    const then = putKey(isQuote(char) ? unescaped(key, isPython ? pythonEscapes : jsonEscapes) : key)
    if (then) cursor.at += ahead.length - rest.length + 1
    return then
  }
  /** The key at the beginning of a text, with its quotes; undefined as long as it is not whole. */
  const keyAt = (ahead: string): string | undefined => {
    const isMarked = isAt(quoteMarks)
    if (isQuote(ahead.charAt(0))) return quotedAt(ahead, 0)
    if (!isMarked) return isMarked === false ? wordAt(ahead, 0) : undefined
    const end = ahead.indexOf(quoteMark, quoteMark.length)
    return end < 0 ? undefined : ahead.slice(0, end + quoteMark.length)
  }
  /** `f(|**{…}` */
  const readSpread = () => {
    const isSpread = isAt(['**{'])
    if (isSpread === undefined) return undefined
    if (!isSpread) return fail('a * that is not before a dictionary')
    cursor.at += 3
    return push(spread)
  }
  /** `{"a": |True` */
  const readWord: Place = () => {
    const { text, at } = cursor
    /** Brackets that are open in it: `*.{js,ts}`. */
    let depth = 0
    for (wordStop.lastIndex = at; wordStop.test(text) && wordStop.lastIndex - at <= MAX_WORD_CHARS; ) {
      const stop = wordStop.lastIndex - 1
      const char = text.charAt(stop)
      const word = text.slice(at, stop)
      const isEnd = depth === 0 && (',]}'.includes(char) || (char === ')' && isPython))
      if (isEnd || char === '\n') return endWord(word)
      if (isQuote(char) && isLiteral(word)) return endWord(word)
      if (isPython && isQuote(char) && isPrefix(word)) return beginString(word)
      if (isPython && '=([{'.includes(char)) return fail('neither a literal nor a word')
      if (/[[\]{}]/.test(char)) depth += brackets.has(char) ? 1 : -1
      // `http://` has no space before its slashes.
      if (!isPython && /^(?:[ \t][/][/*]| # )/.test(text.slice(stop))) return endWord(word)
      const isMark = isAt(wordMarks, stop)
      if (isMark === undefined && !cursor.isOver) return undefined
      if (!isMark) continue
      return isLiteral(word) && !isAt(quoteMarks, stop) ? endWord(word) : fail('a value that is not whole')
    }
    if (text.length - at >= MAX_WORD_CHARS) return fail('a bare value that is too long')
    return mayClose() && isLiteral(text.slice(at)) ? endWord(text.slice(at)) : undefined
  }
  const endWord = (source: string) => {
    const word = source.trimEnd()
    cursor.at += word.length
    putEnd(Token.literal, word)
    return readAfter
  }
  const beginString = (prefix = '') => {
    sink(Token.beginQuoted, '')
    cursor.at += prefix.length
    escapes = /r/i.test(prefix) ? rawEscapes : isPython ? pythonEscapes : jsonEscapes
    return openString
  }
  /** `|"abc"` */
  const openString: Place = () => {
    const { text, at } = cursor
    const char = text.charAt(at)
    const isTripled = isPython && isAt([char.repeat(3)])
    if (isTripled === undefined && !cursor.isOver) return undefined
    quote = isTripled ? char.repeat(3) : isQuote(char) ? char : quoteMark
    cursor.at += quote.length
    isDoubtful = false
    if (quote === quoteMark) findStop = createCharFinder([char])
    else findStop = char === '"' ? findStopInDouble : findStopInSingle
    // Python writes an empty string much more often than one that begins with a quote.
    return isPython && isTripled === false && text.startsWith(quote, cursor.at) ? endString() : readString
  }
  /** `"ab|c"` */
  const readString: Place = () => {
    const { text, at } = cursor
    const stop = findStop(text, at)
    if (stop !== at) return at < text.length ? putText((stop < 0 ? text.length : stop) - at) : undefined
    const char = text.charAt(at)
    // Of more than three quotes the last three close it.
    const isLonger = isPython && quote.length > 1 && isAt([quote + char])
    if (isLonger === undefined && !cursor.isOver) return undefined
    if (isLonger) return putText(1)
    if (quote.startsWith(char)) return quote.length === 1 ? readQuote() : readAt([quote], endString)
    if (char !== '\\') return readAt(ends, () => fail('a string without its closing quote'))
    const found = escapeAt(text, at, escapes)
    if (!found) return undefined
    return putText(found.source.length, found.text)
  }
  const putText = (chars: number, meant = cursor.text.slice(cursor.at, cursor.at + chars)) => {
    cursor.at += chars
    sink(Token.text, meant)
    return readString
  }
  const readAt = (marks: readonly string[], then: Place) => {
    const isMark = isAt(marks)
    if (isMark === undefined) return undefined
    return isMark ? then() : putText(1)
  }
  /** `'ab|', …` Is it over, or is that a quote inside it? */
  const readQuote = () => {
    const behind = cursor.text.slice(cursor.at + 1, cursor.at + 1 + MAX_LOOK_CHARS)
    const where = { bracket: top() ?? object, isOutermost: open.length === 1, isPython, isYaml, isDoubtful }
    const isOver = isStringOver(behind, { ...where, ends, mayHaveKey, quoteMark })
    if (isOver === undefined && behind.length < MAX_LOOK_CHARS && !cursor.isOver) return undefined
    if (isOver !== false) return endString()
    isDoubtful = true
    // In YAML two quotes stand for one.
    if (isYaml && behind.startsWith(quote)) cursor.at++
    findStop = createCharFinder([quote, '\\', ...ends.map(mark => mark.charAt(0))])
    return putText(1)
  }
  const endString = () => {
    cursor.at += quote.length
    if (quote === quoteMark) markEnd = cursor.base + cursor.at
    putEnd(Token.endText, '')
    return readAfter
  }
  /** `{"a": 1|` A missing comma is no obstacle; but right behind a quote mark a word shows that the mark opened a text. */
  const readAfter: Place = () => {
    const char = peek()
    if (char === '') return mayClose() ? closeTo(0) : undefined
    if (isCloser(char)) return close(char)
    const isFree = !isPython && cursor.base + cursor.at !== markEnd
    const isNext = isQuote(char) || isWordStart(char) || (!top()?.assign && /[[{\d-]/.test(char))
    if (char === ',' || (isFree && isNext) || isAt(quoteMarks)) return next()
    const isMark = isAt(behindMarks)
    if (isMark && !isYaml) return closeTo(0)
    if (isMark !== undefined) return failAt(char, 'a comma or a closing bracket')
    // The text ends with the beginning of a mark; but a single character proves nothing.
    if (!mayClose() || cursor.text.length - cursor.at === 1) return undefined
    cursor.at = cursor.text.length
    return closeTo(0)
  }

  let place: Place = next()
  const readFar = (isEnough: () => boolean): boolean => {
    while (!problem && !isPaused && open.length >= level && !isEnough()) {
      const then = place()
      if (then) place = then
      else if (cursor.isOver) problem ??= CUT
      else if (!problem) return false
    }
    return true
  }
  const depth = () => open.length
  return {
    depth,
    /** Why it could not be read on. */
    problem: () => problem,
    /** Reads the next key or the next value, and what is open around it down to a depth; or less, where that is enough. */
    read(to: ValueSink, downTo = depth(), isEnough = () => false): Reading {
      sink = to
      level = downTo
      isPaused = false
      return wait(() => readFar(isEnough))
    },
  }
}

/** Not a generator of each reader's own: V8 makes a hidden class for each such function, and that outlives the reader. */
function* wait(isDone: () => boolean): Reading {
  while (!isDone()) yield
}
