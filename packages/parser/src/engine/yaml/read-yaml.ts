import type { ArgumentWriter } from '../argument-writer.js'
import type { CallPort } from '../body.js'
import { isQuote, isSpace } from '../characters.js'
import type { Cursor, Reading } from '../cursor.js'
import { CUT, malformed, type Problem } from '../events.js'
import { createMarkSearch, lookAhead, readMark, readNextMark, readUpTo, skip } from '../marks.js'
import { ANY_KIND, Kind, type Shape } from '../shape.js'
import { putText, Token } from '../value-token.js'
import { columnOf, findKey, foldedBreaks, isIdle, unquoted } from './yaml-line.js'

/** No more of a line than this is looked at before it is taken. */
const MAX_AHEAD_CHARS = 2048
/** Nesting beyond this is refused, as it is in JSON. */
const MAX_DEPTH = 512

/** `|` or `>`, with a digit and a sign. */
const blockHeader = /^([|>])(?=[-+]?([1-9]?))[1-9]?([-+]?)[1-9]?$/

const isDash = (text: string) => /^-(?:\s|$)/.test(text)

/**
 * A line without its comment. Where a text is wanted `#` needs a space behind it too: a model that writes `fix #12` or
 * `#fff` there means no comment.
 */
function withoutComment(line: string, { kinds, values }: Shape): string {
  const at = line.search(kinds & Kind.string && !values ? /(?<!\S)#(?!\S)/ : /(?<!\S)#/)
  return at < 0 ? line : line.slice(0, at).trim()
}

/** YAML's other words for true, false and null, where the schema wants nothing else. */
function constantOf(text: string, { kinds }: Shape): string | undefined {
  if (text === '~' && kinds & Kind.null && kinds !== ANY_KIND) return 'null'
  if (!(kinds & Kind.boolean) || kinds & Kind.string) return undefined
  if (/^(?:yes|on)$/i.test(text)) return 'true'
  return /^(?:no|off)$/i.test(text) ? 'false' : undefined
}

/** True for a bracket that begins a list or an object; where the schema wants a text it is one. */
function opensFlow(char: string, { kinds }: Shape): boolean {
  if (char !== '[' && char !== '{') return false
  return !(kinds & Kind.string) || (kinds & (char === '[' ? Kind.array : Kind.object | Kind.array)) !== 0
}

/**
 * Reads the YAML that models write into an object that was begun, up to behind the close tag of the call that holds it: mappings and
 * lists by indentation, plain, quoted and block scalars, brackets, comments. Scalars are typed by the schema and not by their looks. Anchors,
 * tags and complex keys are plain text. Gives the reason why it could not be read to its end, and then stands before what could not.
 */
export function* readYaml(
  cursor: Cursor,
  { tools, maxHeldChars }: CallPort,
  { put, expected }: ArgumentWriter,
  closeTag: string,
): Reading<Problem | undefined> {
  /** The mappings and lists that are open, outermost first, and where in a line their entries begin. */
  const open: { readonly column: number; readonly isList: boolean }[] = []
  /** What stands in the line at hand, where the cursor is, and where in the line that is. */
  let text = ''
  let column = 0
  /** How many lines the last text is above that. */
  let breaks = 0
  /** The value of the last key or dash may stand below it. */
  let isPending = false
  /** A text without quotes may go on below. */
  let isTextOpen = false
  let problem: Problem | undefined
  const lineEnd = createMarkSearch(['\n'])
  const textEnd = createMarkSearch(['\n', closeTag])
  const wordEnd = createMarkSearch([',', ']', '}', '\n', ' # ', closeTag])
  const keyEnd = createMarkSearch([',', ']', '}', '\n', ':', closeTag])

  const isAtEnd = () => cursor.isOver && cursor.at === cursor.text.length
  const isAtBreak = () => cursor.text.charAt(cursor.at) === '\n'
  const fail = (message: string) => {
    problem = isAtEnd() ? CUT : malformed(message)
  }
  /** The innermost of them. */
  const top = () => open.at(-1) ?? { column: -1, isList: false }
  const close = () => put(open.pop()?.isList ? Token.endArray : Token.endObject, '')
  const endText = () => {
    if (isTextOpen) put(Token.endText, '')
    isTextOpen = false
  }
  /** Puts what stands for a value that was left out: null where that is allowed, else what the schema has for nothing. */
  const endPending = () => {
    const { kinds } = expected()
    const isNull = kinds & Kind.null || !(kinds & (Kind.string | Kind.object | Kind.array))
    if (isPending && isNull) put(Token.literal, 'null')
    else if (isPending) putText(kinds & Kind.string ? Token.beginQuoted : Token.beginRaw, '', put)
    isPending = false
  }

  const closes = (line: string) => line.trimStart().startsWith(closeTag)
  /** A line that begins so many characters ahead: what is looked at of it, or less if it begins with the close tag. */
  function* peekLine(from: number): Reading<string> {
    const ahead = yield* lookAhead(cursor, MAX_AHEAD_CHARS, each => each.includes('\n') || closes(each), from)
    return ahead.split('\n', 1)[0] ?? ''
  }
  /** Goes to the next line that means something; false at the end of the call, or where there is no line. */
  function* nextLine(): Reading<boolean> {
    for (;;) {
      const isBelow = (yield* readMark(cursor, ['\n'])) !== ''
      if (isBelow) breaks++
      const line = yield* peekLine(0)
      text = line.trim()
      column = columnOf(line)
      // At the end of the text nothing may be missing but the close tag, or its end.
      const isOver = cursor.isOver && cursor.at + line.length === cursor.text.length && closeTag.startsWith(text)
      if (isOver || closes(line)) {
        cursor.at += column + Math.min(closeTag.length, text.length)
        if (text !== '') endText()
        if (!closes(line) && (cursor.isCut || isPending)) problem = CUT
        return false
      }
      if (!isPending && tools.has(/^<([^\s/>]*)/.exec(text)?.[1] ?? '')) return false
      const isInside = open.length > 0 && column > top().column
      if (!isIdle(text) || (isInside && /^[^#]/.test(text))) {
        if (!isBelow && open.length) fail('text behind a value')
        return !problem
      }
      yield* readUpTo(cursor, lineEnd, maxHeldChars)
    }
  }

  /** Reads a line of text without quotes, which the close tag ends. It may go on in lines that are indented by more than its key. */
  function* readPlain(): Reading {
    const shape = expected()
    const line = yield* readUpTo(cursor, textEnd, maxHeldChars)
    if (cursor.isCut && isAtEnd()) return
    const words = withoutComment(line.trim(), shape)
    const constant = isTextOpen ? undefined : constantOf(words, shape)
    if (constant !== undefined) return put(Token.literal, constant)
    if (isTextOpen) put(Token.text, foldedBreaks(breaks))
    else put(Token.beginRaw, '')
    put(Token.text, words)
    isTextOpen = true
    breaks = 0
  }

  /** Whether a close tag that is indented like the block above it ends the call: then no arguments follow. */
  function* isBlockClosed(indent: number): Reading<boolean> {
    const ahead = yield* lookAhead(cursor, MAX_AHEAD_CHARS, each => /^\n[^\n]*\n\s*\S[^\n]*\n/.test(each))
    const [, tag = '', ...below] = ahead.split('\n')
    const next = below.find(line => line.trim() !== '') ?? ''
    const words = next.trim()
    const isArgument = isDash(words) || closes(words) || findKey(words)?.isWord === true
    return tag.trim() === closeTag && !isArgument && columnOf(next) < indent
  }
  /** Reads a block from its header on: lines that are indented by more than its key. The first that is not blank tells how far. */
  function* readBlock([, style, digit, sign]: readonly string[]): Reading {
    const { column: parent } = top()
    let indent = digit ? parent + Number(digit) : undefined
    let last = ''
    put(Token.beginQuoted, '')
    yield* readUpTo(cursor, lineEnd, maxHeldChars)
    // The line break behind the header does not count.
    for (breaks = -1; ; ) {
      const next = yield* peekLine(1)
      const isBlank = next.trim() === ''
      if (!isBlank) indent ??= columnOf(next) > parent ? columnOf(next) : Infinity
      if (isAtBreak()) breaks++
      if (!isAtBreak() || (!isBlank && columnOf(next) < (indent ?? 0))) break
      if (closes(next) && (yield* isBlockClosed(indent ?? 0))) break
      cursor.at++
      const line = yield* readUpTo(cursor, lineEnd, maxHeldChars)
      const words = line.slice(indent ?? line.length, line.endsWith('\r') ? -1 : undefined)
      if (words === '') continue
      // A line that begins with space is not folded with its neighbours.
      const isFolded = style === '>' && /^\S/.test(last) && /^\S/.test(words)
      put(Token.text, (isFolded ? foldedBreaks(breaks) : '\n'.repeat(breaks)) + words)
      last = words
      breaks = 0
    }
    if (cursor.isCut && isAtEnd()) return
    const kept = sign === '+' ? breaks : sign === '-' || last === '' ? 0 : Math.min(breaks, 1)
    put(Token.text, '\n'.repeat(Math.max(kept, 0)))
    put(Token.endText, '')
  }

  /** Reads a text in quotes, from the first to behind the other. There is none before a close tag at the beginning of a line. */
  function* readQuoted(): Reading<string> {
    const quote = cursor.text.charAt(cursor.at++)
    const search = createMarkSearch([quote, `\n${closeTag}`])
    const pieces: string[] = []
    for (let left = maxHeldChars; ; ) {
      const piece = yield* readUpTo(cursor, search, left)
      pieces.push(piece)
      left = Math.max(left - piece.length - 1, 0)
      if (!(yield* readMark(cursor, [quote]))) fail('quotes that are not closed')
      const isEscaped = quote === '"' ? /(?<!\\)(?:\\\\)*\\$/.test(piece) : (yield* readMark(cursor, [quote])) !== ''
      if (problem || !isEscaped) return unquoted(pieces.join(quote), quote)
    }
  }
  /** Reads a list or an object in brackets: JSON in which quotes and commas may be missing, and `# ` begins a comment. */
  function* readFlow(): Reading {
    const closers: string[] = []
    const here = () => cursor.text.charAt(cursor.at)
    do {
      const isComment = yield* readNextMark(cursor, ['# '], char => isSpace(char) || char === ',')
      if (isComment) {
        yield* readUpTo(cursor, lineEnd, maxHeldChars)
        continue
      }
      const closer = closers.at(-1)
      if (closer && here() === closer) {
        cursor.at++
        put(closers.pop() === '}' ? Token.endObject : Token.endArray, '')
        continue
      }
      if (closer === '}') {
        const key = isQuote(here()) ? yield* readQuoted() : yield* readUpTo(cursor, keyEnd, maxHeldChars)
        put(Token.key, key.trim())
        if (!(yield* readNextMark(cursor, [':']))) return fail('a key without its colon')
        yield* skip(cursor)
      }
      const char = here()
      if (char === '[' || char === '{') {
        if (closers.length === MAX_DEPTH) return fail(`nested deeper than ${MAX_DEPTH} levels`)
        cursor.at++
        put(char === '[' ? Token.beginArray : Token.beginObject, '')
        closers.push(char === '[' ? ']' : '}')
      } else if (isQuote(char)) putText(Token.beginQuoted, yield* readQuoted(), put)
      else {
        const word = (yield* readUpTo(cursor, wordEnd, maxHeldChars)).trim()
        if (word === '') return fail('brackets that are not closed')
        put(Token.literal, word)
      }
    } while (closers.length && !problem)
  }

  /** Reads a scalar, or what stands in brackets. */
  function* readValue(): Reading {
    const first = text.charAt(0)
    const header = blockHeader.exec(text)
    if (opensFlow(first, expected())) yield* readFlow()
    else if (header) yield* readBlock(header)
    else if (isQuote(first)) {
      put(Token.beginQuoted, '')
      put(Token.text, yield* readQuoted())
      if (!problem) put(Token.endText, '')
    } else yield* readPlain()
  }
  /** Reads a value that stands behind a dash or in a line of its own: a mapping or a list begins with it, unless it is a scalar. */
  function* readNode(): Reading {
    const shape = expected()
    const isList = isDash(text)
    const isText = (shape.kinds & Kind.string) !== 0 && !(shape.kinds & Kind.object)
    const isScalar = isText || opensFlow(text.charAt(0), shape) || /^[|>]/.test(text) || !findKey(text)
    if (isScalar && !isList) return yield* readValue()
    if (open.length === MAX_DEPTH) return fail(`nested deeper than ${MAX_DEPTH} levels`)
    put(isList ? Token.beginArray : Token.beginObject, '')
    open.push({ column, isList })
    yield* readEntry(isList)
  }
  /** Reads the entry that begins here, as far as it stands in this line. */
  function* readEntry(isItem: boolean): Reading {
    const key = isItem ? undefined : findKey(text)
    if (!isItem && !key) return fail('text without a key')
    if (key) put(Token.key, key.name)
    const rest = text.slice(key?.end ?? 1).trimStart()
    const width = text.length - rest.length
    cursor.at += width
    column += width
    text = withoutComment(rest.split(closeTag, 1)[0] ?? '', expected())
    isPending = text === ''
    if (!isPending) yield* isItem ? readNode() : readValue()
  }

  while (!problem && (yield* nextLine())) {
    const isItem = isDash(text)
    if (isTextOpen && column > top().column) {
      if (/^[^\s:]+:(?:\s|$)/.test(text)) fail('a key that is indented by too much')
      else yield* readPlain()
      continue
    }
    cursor.at += column
    endText()
    // A list may stand below its key without being indented.
    const isBelow = column > top().column || (column === top().column && isItem && !top().isList)
    if (isPending && isBelow) {
      isPending = false
      yield* readNode()
      continue
    }
    endPending()
    while (open.length > 1 && (column < top().column || (column === top().column && top().isList && !isItem))) close()
    if (!open.length) open.push({ column, isList: false })
    if (column !== top().column || top().isList !== isItem) fail('a line that does not fit those before it')
    else yield* readEntry(isItem)
  }
  if (!problem) {
    endText()
    endPending()
    do close()
    while (open.length)
  }
  // Of a line that was cut nobody can tell why it cannot be read.
  const isLastLine = cursor.isOver && !cursor.text.includes('\n', cursor.at)
  return problem && cursor.isCut && isLastLine ? CUT : problem
}
