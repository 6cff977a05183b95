import { isQuote, isSpace, isWordStart, quotedAt, wordAt } from './characters.js'
import type { Cursor, Reading } from './cursor.js'
import { CUT, malformed, type Problem } from './events.js'
import { isAtMark, startsMark } from './match-marks.js'
import type { Container } from './quote-look.js'
import { createQuotedString } from './quoted-string.js'
import { jsonEscapes, pythonEscapes, unescaped } from './string-escape.js'
import { nestingOf, Token, type ValueSink } from './value-token.js'

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
/** Keys, bare words and comments mean nothing until they are whole; so much of one is held. */
const MAX_WORD_CHARS = 1024

const literal = /^(?:[-+]?(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:[eE][-+]?\d+)?|true|false|null|True|False|None)$/
const isLiteral = (word: string) => literal.test(word.trimEnd())
const isPrefix = (word: string) => /^(?:[rbuf]|rb|br|rf|fr)$/i.test(word)
const isCloser = (char: string) => char === '}' || char === ']' || char === ')'
/** What begins a comment behind a word; `http://` has no space. */
const comments = [' //', ' /*', ' # ', '\t//', '\t/*']
const space = /[ \n\r\t]*/y
const spaceOrCommas = /[ \n\r\t,]*/y

/** The bracket of a dictionary, a set, a tuple or a value in parentheses, its first item unless that is in brackets too, and what follows that. */
const firstItem = /^.\s*((?:[rbuf]{0,2}("""|'''|"|')(?:\\.|(?!\2)[^\\])*\2\s*)+|[\w.+-]+\s*)?([^\s"'\w.+-])/is

/** `call`: the arguments of a Python call; `spread`: `**{…}`, whose pairs are arguments too; `value`: one in parentheses. */
const kinds = {
  object: { assign: ':', begin: Token.beginObject, end: Token.endObject },
  list: { assign: '', begin: Token.beginArray, end: Token.endArray },
  // A call begins with its first argument: without one it may be prose.
  call: { assign: '=', begin: undefined, end: Token.endObject },
  spread: { assign: ':', begin: undefined, end: undefined },
  value: { assign: '', begin: undefined, end: undefined },
} as const
type Kind = keyof typeof kinds

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
export function* readJson(
  cursor: Cursor,
  sink: ValueSink,
  options: ReadJsonOptions = {},
): Reading<Problem | undefined> {
  const { ends = [], otherEnds = [], mayHaveKey = () => true, quoteMark = '', python, isYaml = false } = options
  const isPython = python !== undefined
  const openers = isPython ? '[{(' : '[{'
  const wordEnds = isPython ? ',)]}\n' : ',]}\n'
  const quoteMarks = quoteMark ? [quoteMark] : []
  const wordMarks = [...quoteMarks, ...ends, ...(isPython ? [] : comments)]
  const behindMarks = [...quoteMarks, ...ends, ...otherEnds]
  /** What is open, outermost first. */
  const containers: (Container & { readonly kind: Kind })[] = []
  const top = () => containers[containers.length - 1]
  let isDone = false
  let problem: Problem | undefined
  let key = ''
  /** The arguments that a Python call has got. */
  const given = new Set<string>()
  let hasCall = false
  /** How much of a bare word has been looked at. */
  let wordChars = 0
  /** Where the last quote mark ended. */
  let markEnd = -1

  const put: ValueSink = (token, text) => {
    sink(token, text)
    const isEnd = token === Token.key || token === Token.literal || (nestingOf[token] ?? 0) < 0
    if (isEnd && options.isEnough?.()) isDone = true
  }
  const putText = (piece: string) => sink(Token.text, piece)
  const string = createQuotedString({ cursor, put: putText, containers, isPython, ends, mayHaveKey, quoteMark, isYaml })

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
      if (comment === undefined)
        return /^(?:\/(?:$|[/*])|#(?:$| ))/.test(ahead) && ahead.length < MAX_WORD_CHARS ? '' : char
      cursor.at += comment.length
    }
  }
  /** Whether one of the marks stands there; undefined as long as the text does not tell. */
  const isAt = (marks: readonly string[], at = cursor.at) => isAtMark(cursor.text.slice(at), marks)
  const isAtQuoteMark = (at = cursor.at) => quoteMark !== '' && cursor.text.startsWith(quoteMark, at)

  /** Where to go on behind a comma. */
  const next = () => (top()?.assign ? readKey : readValue)
  const push = (closer: string, kind: Kind) => {
    const { assign, begin } = kinds[kind]
    containers.push({ closer, kind, assign })
    if (begin !== undefined) sink(begin, '')
    return next()
  }
  const kindOf = (opener: string): Kind | undefined => {
    if (opener === '[') return 'list'
    if (!isPython) return 'object'
    const ahead = cursor.text.slice(cursor.at, cursor.at + MAX_WORD_CHARS)
    const [isWhole, item, , behind] = firstItem.exec(ahead) ?? []
    if (!isWhole && ahead.length < MAX_WORD_CHARS) return undefined
    if (opener === '(') return !isWhole || (item && behind === ')') ? 'value' : 'list'
    return item && (behind === ',' || behind === '}') ? 'list' : 'object'
  }
  const open = (opener: string) => {
    const kind = kindOf(opener)
    if (kind === undefined) return undefined
    if (containers.length === MAX_DEPTH) return fail(`nested deeper than ${MAX_DEPTH} levels`)
    cursor.at++
    return push(opener === '[' ? ']' : opener === '{' ? '}' : ')', kind)
  }
  const closeTo = (depth: number) => {
    while (!isDone && containers.length > depth) {
      const kind = containers.pop()?.kind ?? 'value'
      const { end } = kinds[kind]
      if (kind === 'call') beginCall()
      if (end !== undefined) put(end, '')
    }
    isDone ||= depth === 0
    return readAfter
  }
  /** Closes the container with this bracket, and whatever is still open inside it. */
  const close = (closer: string) => {
    const depth = containers.findLastIndex(container => container.closer === closer)
    // Brackets and braces get crossed; a parenthesis that does so would end the call with what is left of its arguments.
    if (depth < 0 || (closer === ')' && top()?.closer !== closer))
      return fail(`a closing ${closer} without its opening one`)
    cursor.at++
    return closeTo(depth)
  }
  const mayClose = () => cursor.isOver && (options.mayClose ?? !(cursor.isCut || isYaml))
  const beginCall = () => {
    if (!hasCall) sink(Token.beginObject, '')
    hasCall = true
  }
  const putKey = (name: string) => {
    const kind = top()?.kind
    if (kind === 'call' || kind === 'spread') {
      if (given.has(name)) return fail(`the argument ${JSON.stringify(name)} is given twice`)
      given.add(name)
      beginCall()
    }
    put(Token.key, name)
    return readValue
  }
  /** The value of the only parameter may stand without its name. */
  const beginPositional = () => {
    beginCall()
    return python?.positionalKey === undefined ? fail('an argument without a name') : putKey(python.positionalKey)
  }
  const beginString = (prefix = '') => {
    sink(Token.beginQuoted, '')
    cursor.at += prefix.length
    string.begin(/r/i.test(prefix))
    return readString
  }

  // Each stands where its picture shows the cursor (|).
  /** `{"a": |1` `[|1` */
  const readValue: Place = () => {
    const isInList = top()?.kind === 'list'
    const char = peek(isInList ? spaceOrCommas : space)
    if (char === '') return undefined
    if (openers.includes(char)) return open(char)
    if (!top()) return fail('neither an object nor a list')
    if (isInList && isCloser(char)) return close(char)
    if (/[=,:)\]}]/.test(char)) return fail('a value is missing')
    const isString = isQuote(char) || isAt(quoteMarks)
    if (isString === undefined) return undefined
    wordChars = 0
    return isString ? beginString() : readWord
  }
  /** `{|"a": 1` `{"a": 1|,` `f(|a=1` */
  const readKey: Place = () => {
    const char = peek(spaceOrCommas)
    const isArgument = top()?.kind === 'call'
    if (char === '') return undefined
    if (isCloser(char)) return close(char)
    if (isArgument && char === '*') return readSpread()
    if (isArgument && !isWordStart(char)) return beginPositional()
    const ahead = cursor.text.slice(cursor.at, cursor.at + MAX_WORD_CHARS)
    const source = keyAt(ahead)
    if (source === undefined) return ahead.length < MAX_WORD_CHARS ? undefined : fail('a key that is too long')
    if (source === '') return failAt(char, 'a key')
    const isPrefixed = isPrefix(source) && isQuote(ahead.charAt(source.length))
    const behind = ahead.slice(source.length).trimStart().charAt(0)
    const isCut = !behind && !cursor.isOver && ahead.length < MAX_WORD_CHARS
    if (isArgument && isLiteral(source) && isCut) return undefined
    if (isArgument && (isPrefixed || (isLiteral(source) && behind !== '='))) return beginPositional()
    if (isArgument && given.has(source)) return putKey(source)
    if (isQuote(char)) key = unescaped(source.slice(1, -1), isPython ? pythonEscapes : jsonEscapes)
    else key = isAtQuoteMark() ? source.slice(quoteMark.length, -quoteMark.length) : source
    cursor.at += source.length
    return readAssign
  }
  /** The key at the beginning of a text, with its quotes; undefined as long as it is not whole. */
  const keyAt = (ahead: string): string | undefined => {
    if (isQuote(ahead.charAt(0))) return quotedAt(ahead, 0)
    const isMark = isAt(quoteMarks)
    const end = isMark ? ahead.indexOf(quoteMark, quoteMark.length) + quoteMark.length : wordAt(ahead, 0).length
    const isWhole = isMark ? end > quoteMark.length : end < ahead.length && isMark === false
    return isWhole ? ahead.slice(0, end) : undefined
  }
  /** `f(|**{…}` */
  const readSpread = () => {
    const isSpread = isAt(['**{'])
    if (isSpread === undefined) return undefined
    if (!isSpread) return fail('a * that is not before a dictionary')
    cursor.at += 3
    return push('}', 'spread')
  }
  /** `{"a"|: 1` `f(a|=1` */
  const readAssign: Place = () => {
    const char = peek()
    const { kind, assign } = top() ?? {}
    if (char === '') return undefined
    if (char !== assign) {
      if (kind === 'object') sink(Token.key, key)
      return failAt(char, `${assign}`)
    }
    cursor.at++
    return putKey(key)
  }
  /** `"ab|c"` */
  const readString: Place = () => {
    const state = string.read()
    if (state === undefined) return undefined
    if (state === 'open') return readString
    if (state === 'torn') return fail('a string without its closing quote')
    if (quoteMark && cursor.text.endsWith(quoteMark, cursor.at)) markEnd = cursor.base + cursor.at
    put(Token.endText, '')
    return readAfter
  }
  /** `{"a": |True` */
  const readWord: Place = () => {
    const { text, at } = cursor
    const word = () => text.slice(at, at + wordChars)
    for (; at + wordChars < text.length; wordChars++) {
      const char = text.charAt(at + wordChars)
      if (wordEnds.includes(char)) return endWord(word())
      if (isQuote(char) && isLiteral(word())) return endWord(word())
      if (isPython && isQuote(char) && isPrefix(word())) return beginString(word())
      if (isPython && '=([{'.includes(char)) return fail('neither a literal nor a word')
      if (wordChars > MAX_WORD_CHARS) return fail('a bare value that is too long')
      const isMark = startsMark(char, wordMarks) && isAt(wordMarks, at + wordChars)
      if (isMark === undefined && !cursor.isOver) return undefined
      if (isMark && (isSpace(char) || (isLiteral(word()) && !isAtQuoteMark(at + wordChars)))) return endWord(word())
      if (isMark) return fail('a value that is not whole')
    }
    return mayClose() && isLiteral(word()) ? endWord(word()) : undefined
  }
  const endWord = (source: string) => {
    const word = source.trimEnd()
    cursor.at += word.length
    put(Token.literal, word)
    return readAfter
  }
  /** `{"a": 1|` A missing comma is no obstacle; but right behind a quote mark a word shows that the mark opened a text. */
  const readAfter: Place = () => {
    const char = peek()
    if (char === '') return mayClose() ? closeTo(0) : undefined
    if (isCloser(char)) return close(char)
    const isFree = !isPython && cursor.base + cursor.at !== markEnd
    const isNext = isQuote(char) || isWordStart(char) || (!top()?.assign && /[[{\d-]/.test(char))
    if (char === ',' || (isFree && isNext) || isAtQuoteMark()) return next()
    const isMark = isAt(behindMarks)
    if (isMark && !isYaml) return closeTo(0)
    if (isMark !== undefined) return failAt(char, 'a comma or a closing bracket')
    // The text ends with the beginning of a mark; but a single character proves nothing.
    if (!mayClose() || cursor.text.length - cursor.at === 1) return undefined
    cursor.at = cursor.text.length
    return closeTo(0)
  }

  if (isPython) push(')', 'call')
  if (options.hasBegun) push('}', 'object')
  for (let place: Place = next(); ; ) {
    const then = place()
    if (isDone || problem) return problem
    if (then) place = then
    else if (cursor.isOver) {
      cursor.at = cursor.text.length
      return CUT
    } else yield
  }
}
