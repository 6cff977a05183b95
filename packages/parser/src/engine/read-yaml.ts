import type { ArgumentWriter } from './argument-writer.js'
import type { CallPort } from './body.js'
import { isQuote } from './characters.js'
import type { Cursor, Reading } from './cursor.js'
import { CUT, malformed, type Problem } from './events.js'
import { createMarkSearch, lookAhead, readMark, readUpTo } from './marks.js'
import { readJson } from './read-json.js'
import { ANY_KIND, Kind, type Shape } from './shape.js'
import { jsonEscapes, unescaped } from './string-escape.js'
import { putText, Token } from './value-token.js'

/** No more of a line than this is looked at before it is taken. */
const MAX_AHEAD_CHARS = 2048
/** Nesting beyond this is refused, as it is in JSON. */
const MAX_DEPTH = 512

/** `|` or `>`, with a digit and a sign. */
const blockHeader = /^([|>])(?=[-+]?([1-9]?))[1-9]?([-+]?)[1-9]?$/

/** Where in a line its text begins. */
export const columnOf = (line: string) => line.search(/\S|$/)

/** True for a line that means nothing between arguments: a comment, the border of a document, a fence around it. */
export const isIdle = (text: string) => /^(?:$|#|(?:---(?:\s.*)?|\.\.\.|```\w*)$)/.test(text)

const escapes = { ...jsonEscapes, whole: /\\(?:(x[\da-fA-F]{2}|u[\da-fA-F]{4})|.)/gs }

/** What a text in quotes stands for. */
const unquoted = (source: string, quote: string) =>
  quote === '"' ? unescaped(source, escapes) : source.replaceAll("''", "'")

const quotedKey = /^(["'])((?:(?!\1)[^\\]|\\.)*)\1\s*:/
const plainKey = /^([^"'#\s](?:(?!\s#).)*?)\s*:(?=\s|$)/
const word = /^[\p{L}\p{N}_$][\p{L}\p{N}_$./-]*$/u

/** The key with which a text begins, and where it ends: behind a colon, which needs a space unless the key is in quotes. */
export function findKey(text: string) {
  const [quoted, quote = '', source = ''] = quotedKey.exec(text) ?? []
  if (quoted) return { name: unquoted(source, quote), end: quoted.length, isWord: true }
  const [plain, name = ''] = plainKey.exec(text) ?? []
  // Several words may well be prose.
  return plain ? { name, end: plain.length, isWord: word.test(name) } : undefined
}

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
  if (!(kinds & Kind.boolean) || kinds & Kind.string || !/^(?:yes|no|on|off)$/i.test(text)) return undefined
  return /^(?:yes|on)$/i.test(text) ? 'true' : 'false'
}

/** True for a bracket that begins a list or an object; where the schema wants a text it is one. */
function opensFlow(text: string, { kinds }: Shape): boolean {
  const structures = text.startsWith('[') ? Kind.array : text.startsWith('{') ? Kind.object | Kind.array : 0
  return structures !== 0 && (!(kinds & Kind.string) || (kinds & structures) !== 0)
}

/**
 * Reads the YAML that models write into an object that was begun, up to behind the close tag of the call that holds it: mappings and
 * lists by indentation, scalars in a line, blocks, brackets, comments. Scalars are typed by the schema and not by their looks. Anchors,
 * tags and complex keys are plain text. Gives the reason why it could not be read to its end, and then stands before what could not.
 */
export function* readYaml(
  cursor: Cursor,
  { tools, maxHeldChars }: CallPort,
  { put, expected, mayHaveKey }: ArgumentWriter,
  closeTag: string,
): Reading<Problem | undefined> {
  /** The mappings and lists that are open, outermost first, and where in a line their entries begin; the first argument tells that of the root. */
  const root = { column: -1, isList: false }
  const open = [root]
  /** What stands in the line at hand, where the cursor is, and where in the line that is. */
  let text = ''
  let column = 0
  /** The value of the last key or dash may stand below it. */
  let isPending = false
  let problem: Problem | undefined
  const lineEnd = createMarkSearch(['\n'])
  const textEnd = createMarkSearch(['\n', closeTag])

  const isAtEnd = () => cursor.isOver && cursor.at === cursor.text.length
  const isAtBreak = () => cursor.text.charAt(cursor.at) === '\n'
  const fail = (message: string) => {
    // Of a line that was cut nobody can tell why it cannot be read.
    const isCut = cursor.isOver && cursor.isCut && !cursor.text.includes('\n', cursor.at)
    problem = isCut || isAtEnd() ? CUT : malformed(message)
  }
  const top = () => open.at(-1) ?? root
  const close = () => put(open.pop()?.isList ? Token.endArray : Token.endObject, '')
  /** Puts what the schema has for nothing where a value was left out. */
  const endPending = () => {
    if (isPending && expected().kinds & Kind.null) put(Token.literal, 'null')
    else if (isPending) putText(Token.beginRaw, '', put)
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
      const line = yield* peekLine(0)
      text = line.trim()
      column = columnOf(line)
      // At the end of the text nothing may be missing but the close tag, or its end.
      const isOver = cursor.isOver && cursor.at + line.length === cursor.text.length && closeTag.startsWith(text)
      if (isOver || closes(line)) {
        cursor.at += column + Math.min(closeTag.length, text.length)
        if (!closes(line) && (cursor.isCut || isPending)) problem = CUT
        return false
      }
      if (!isPending && tools.has(/^<([^\s/>]*)/.exec(text)?.[1] ?? '')) return false
      cursor.at += column
      const isInside = root.column >= 0 && column > top().column
      if (!isIdle(text) || (isInside && /^[^#]/.test(text))) {
        if (!isBelow && root.column >= 0) fail('text behind a value')
        return !problem
      }
      yield* readUpTo(cursor, lineEnd, maxHeldChars)
    }
  }

  /** Whether a close tag that is indented like the block above it ends the call: then no arguments follow. */
  function* isBlockClosed(indent: number): Reading<boolean> {
    const ahead = yield* lookAhead(cursor, MAX_AHEAD_CHARS, each => /^\n[^\n]*\n\s*\S[^\n]*\n/.test(each))
    const [, tag = '', ...below] = ahead.split('\n')
    const next = below.find(line => line.trim() !== '') ?? ''
    const isArgument = isDash(next.trim()) || closes(next) || findKey(next.trim())?.isWord === true
    return tag.trim() === closeTag && !isArgument && columnOf(next) < indent
  }
  /** Reads a block from its header on: lines that are indented by more than its key. The first that is not blank tells how far. */
  function* readBlock([, style, digit, sign]: readonly string[]): Reading {
    let indent = digit ? top().column + Number(digit) : undefined
    /** Line breaks since the last text. That of the header does not count. */
    let breaks = -1
    let last = ''
    put(Token.beginQuoted, '')
    yield* readUpTo(cursor, lineEnd, maxHeldChars)
    for (;;) {
      const next = yield* peekLine(1)
      const isBlank = next.trim() === ''
      if (!isBlank) indent ??= columnOf(next) > top().column ? columnOf(next) : Infinity
      if (isAtBreak()) breaks++
      if (!isAtBreak() || (!isBlank && columnOf(next) < (indent ?? 0))) break
      if (closes(next) && (yield* isBlockClosed(indent ?? 0))) break
      cursor.at++
      const line = yield* readUpTo(cursor, lineEnd, maxHeldChars)
      const words = line.slice(indent ?? line.length, line.endsWith('\r') ? -1 : undefined)
      if (words === '') continue
      // Where lines are folded one break is a space, and the first of several means nothing. A line that begins with space is not folded.
      const isFolded = style === '>' && /^\S/.test(last) && /^\S/.test(words)
      put(Token.text, (isFolded ? '\n'.repeat(breaks - 1) || ' ' : '\n'.repeat(breaks)) + words)
      last = words
      breaks = 0
    }
    if (cursor.isCut && isAtEnd()) return
    const kept = sign === '+' ? breaks : sign === '-' || last === '' ? 0 : Math.min(breaks, 1)
    put(Token.text, '\n'.repeat(Math.max(kept, 0)))
    put(Token.endText, '')
  }
  /** Reads a text in quotes, from the first to behind the other. There is none before a close tag at the beginning of a line. */
  function* readQuoted(quote: string): Reading {
    const search = createMarkSearch([quote, `\n${closeTag}`])
    put(Token.beginQuoted, '')
    cursor.at++
    for (;;) {
      const piece = yield* readUpTo(cursor, search, maxHeldChars)
      const isQuoted = (yield* readMark(cursor, [quote])) !== ''
      const isEscaped = quote === '"' ? /(?<!\\)(?:\\\\)*\\$/.test(piece) : (yield* readMark(cursor, [quote])) !== ''
      put(Token.text, unquoted(isQuoted && isEscaped ? piece + quote : piece, quote))
      if (!isQuoted) return fail('quotes that are not closed')
      if (!isEscaped) return put(Token.endText, '')
    }
  }
  /** Reads text without quotes, which the close tag ends. */
  function* readPlain(): Reading {
    const shape = expected()
    const words = withoutComment((yield* readUpTo(cursor, textEnd, maxHeldChars)).trim(), shape)
    if (cursor.isCut && isAtEnd()) return
    const constant = constantOf(words, shape)
    if (constant === undefined) putText(Token.beginRaw, words, put)
    else put(Token.literal, constant)
  }

  /** Reads a scalar, or what stands in brackets. */
  function* readValue(): Reading {
    const header = blockHeader.exec(text)
    const first = text.charAt(0)
    if (header) yield* readBlock(header)
    else if (isQuote(first)) yield* readQuoted(first)
    else if (opensFlow(text, expected())) {
      problem = yield* readJson(cursor, put, { mayHaveKey, ends: [closeTag], isYaml: true })
    } else yield* readPlain()
  }
  /** Reads a value that stands behind a dash or in a line of its own: a mapping or a list begins with it, unless it is a scalar. */
  function* readNode(): Reading {
    const shape = expected()
    const isList = isDash(text)
    const isText = (shape.kinds & Kind.string) !== 0 && !(shape.kinds & Kind.object)
    const isScalar = isText || opensFlow(text, shape) || !findKey(text)
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
    // A list may stand below its key without being indented.
    const isBelow = column > top().column || (column === top().column && isItem && !top().isList)
    if (isPending && isBelow) {
      isPending = false
      yield* readNode()
      continue
    }
    endPending()
    while (open.length > 1 && (column < top().column || (column === top().column && top().isList && !isItem))) close()
    if (root.column < 0) root.column = column
    if (column !== top().column || top().isList !== isItem) fail('a line that does not fit those before it')
    else yield* readEntry(isItem)
  }
  if (!problem) endPending()
  while (!problem && open.length) close()
  return problem
}
