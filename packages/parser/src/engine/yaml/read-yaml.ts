import type { ArgumentWriter } from '../argument-writer.js'
import { CUT, malformed, type Problem } from '../events.js'
import type { CallOutput } from '../grammar.js'
import { readJson } from '../json/read-json.js'
import { jsonEscapes, unescaped } from '../json/string-escape.js'
import { beginArguments, type FallibleReading, type TagCall } from '../tags/calls-in-tags.js'
import { isQuote } from '../text/characters.js'
import type { Cursor, Reading } from '../text/cursor.js'
import { peekText, readMark, readUpTo } from '../text/read-marks.js'
import { ANY_TYPE, CONTAINER, JsonType, type Shape } from '../values/shape.js'
import { putText, Token } from '../values/tokens.js'

/** `|` or `>`, with a digit and a sign. */
const blockHeader = /^([|>])(?=[-+]?([1-9]?))[1-9]?([-+]?)[1-9]?$/

/** Where in a line its text begins. */
export const columnOf = (line: string) => line.search(/\S|$/)

/**
 * True for a line that means nothing between arguments: a comment, the border of a document, a
 * fence around it.
 */
export const isIgnorableLine = (text: string) =>
  /^(?:$|#|(?:---(?:\s.*)?|\.\.\.|```\w*)$)/.test(text)

const escapes = { ...jsonEscapes, whole: /\\(?:(x[\da-fA-F]{2}|u[\da-fA-F]{4})|.)/gs }

/** What a text in quotes stands for. */
const unquoted = (source: string, quote: string) =>
  quote === '"' ? unescaped(source, escapes) : source.replaceAll("''", "'")

const keyAndColon = /^(?:(["'])((?:(?!\1)[^\\]|\\.)*)\1\s*:|([^"'#\s](?:(?!\s#).)*?):(?=\s|$))/
const word = /^[\p{L}\p{N}_$][\p{L}\p{N}_$./-]*$/u

/**
 * The key with which a text begins, and where it ends: behind a colon, which needs a space unless
 * the key is in quotes.
 */
export function findKey(text: string) {
  const [whole, quote = '', source = '', written] = keyAndColon.exec(text) ?? []
  const plain = written?.trimEnd()
  // Several words may well be prose.
  const isWord = plain === undefined || word.test(plain)
  return whole ? { name: plain ?? unquoted(source, quote), end: whole.length, isWord } : undefined
}

const isDash = (text: string) => /^-(?:\s|$)/.test(text)

/**
 * How far inside a line stands: by its column, and an item is inside of a key at the same column.
 */
const depthOf = ({ column, text }: Pick<Yaml, 'column' | 'text'>) =>
  2 * column + (isDash(text) ? 1 : 0)
const isListAt = (depth: number) => depth % 2 === 1
/** Behind the last line, and around the first. */
const NO_DEPTH = -2
/**
 * Entries that are indented by more than this are refused: whenever text comes it is handed down
 * through all levels.
 */
const MAX_COLUMN = 256

/**
 * A line without its comment. Where a text is wanted `#` needs a space behind it too: a model that
 * writes `fix #12` or `#fff` there means no comment.
 */
function withoutComment(line: string, { types, values }: Shape): string {
  const at = line.search(types & JsonType.string && !values ? /(?<!\S)#(?!\S)/ : /(?<!\S)#/)
  return at < 0 ? line : line.slice(0, at).trim()
}

/**
 * True for a bracket that begins a list or an object; where the schema wants nothing but text it is
 * text.
 */
const opensFlow = (text: string, { types }: Shape) =>
  /^[[{]/.test(text) && (!(types & JsonType.string) || (types & CONTAINER) !== 0)

/** A reader of YAML, and where it stands. */
interface Yaml {
  readonly cursor: Cursor
  readonly output: CallOutput
  readonly writer: ArgumentWriter
  readonly closeTag: string
  /** The arguments that the tool has, and those that were given. */
  readonly names: readonly string[]
  readonly given: Set<string>
  /** How far inside the arguments stand; the first one tells. */
  rootDepth: number
  /** What stands in the line at hand, where the cursor is, and where in the line that is. */
  text: string
  column: number
  /**
   * The argument before this one was a block, or left out: lines that were to be its text would be
   * taken for arguments.
   */
  isAfterBlock: boolean
  problem?: Problem | undefined
}

const isAtEnd = ({ cursor }: Yaml) => cursor.isFinal && cursor.at === cursor.text.length
const startsWithCloseTag = ({ closeTag }: Yaml, line: string) =>
  line.trimStart().startsWith(closeTag)
const isEntry = (yaml: Yaml, line: string) =>
  isDash(line.trim()) || startsWithCloseTag(yaml, line) || findKey(line.trim())?.isWord === true
const readLine = ({ cursor, output }: Yaml) => readUpTo(cursor, ['\n'], output.maxHeldChars)

function fail(yaml: Yaml, message: string): void {
  const { cursor } = yaml
  // Of a line that was cut nobody can tell why it cannot be read.
  const isCut = cursor.isFinal && cursor.isTruncated && !cursor.text.includes('\n', cursor.at)
  yaml.problem = isCut || isAtEnd(yaml) ? CUT : malformed(message)
}

/** Puts what the schema has for nothing where a value was left out. */
function putEmptyValue({ put, expected }: ArgumentWriter): void {
  if (expected().types & JsonType.null) put(Token.literal, 'null')
  else putText(Token.beginUntyped, '', put)
}

/**
 * A line that begins so many characters ahead: what is looked at of it, or less if it begins with
 * the close tag.
 */
function* peekLine(yaml: Yaml, from: number): Reading<string> {
  const isEnough = (ahead: string) => ahead.includes('\n') || startsWithCloseTag(yaml, ahead)
  const ahead = yield* peekText(yaml.cursor, isEnough, from)
  return ahead.split('\n', 1)[0] ?? ''
}

/**
 * Goes to the next line that means something, behind an entry at this depth; or to the end of the
 * call, which has none.
 */
function* nextLine(yaml: Yaml, depth: number, isPending = false): Reading {
  const { cursor, closeTag } = yaml
  const isFirst = depth === NO_DEPTH
  yaml.text = ''
  yaml.column = -1
  while (!yaml.problem) {
    const isBelow = (yield* readMark(cursor, ['\n'])) !== ''
    const line = yield* peekLine(yaml, 0)
    const text = line.trim()
    const column = columnOf(line)
    // At the end of the text nothing may be missing but the close tag, or its end.
    const isOver =
      cursor.isFinal && cursor.at + line.length === cursor.text.length && closeTag.startsWith(text)
    if (isOver || startsWithCloseTag(yaml, line)) {
      cursor.at += column + Math.min(closeTag.length, text.length)
      if (!startsWithCloseTag(yaml, line) && (cursor.isTruncated || isPending)) yaml.problem = CUT
      return
    }
    if (!isPending && yaml.output.tools.has(/^<([^\s/>]*)/.exec(text)?.[1] ?? '')) return
    cursor.at += column
    if (!isIgnorableLine(text) || (!isFirst && 2 * column > depth && /^[^#]/.test(text))) {
      yaml.text = text
      yaml.column = column
      return isBelow || isFirst ? undefined : fail(yaml, 'text behind a value')
    }
    yield* readLine(yaml)
  }
}

/**
 * Whether a close tag that is indented like the block above it ends the call: then no arguments
 * follow.
 */
function* isBlockClosed(yaml: Yaml, indent: number): Reading<boolean> {
  const ahead = yield* peekText(yaml.cursor, each => /^\n[^\n]*\n\s*\S[^\n]*\n/.test(each))
  const [, tag = '', ...below] = ahead.split('\n')
  const next = below.find(line => line.trim() !== '') ?? ''
  return tag.trim() === yaml.closeTag && !isEntry(yaml, next) && columnOf(next) < indent
}

/** Whether a line is an argument of the tool that was not given yet. */
function isNewArgument({ names, given }: Yaml, line: string): boolean {
  const name = findKey(line.trim())?.name
  return name !== undefined && names.includes(name) && !given.has(name)
}

/**
 * Reads a block from its header on: lines that are indented by more than its key. The first that is
 * not blank tells how far. One that is an argument's and not indented at all goes on to the next
 * argument, or to the close tag, which must not be missing then.
 */
function* readBlock(yaml: Yaml, depth: number, [, style, digit, sign]: readonly string[]): Reading {
  const { cursor } = yaml
  const { put } = yaml.writer
  const column = Math.floor(depth / 2)
  const isArgument = depth === yaml.rootDepth
  let indent = digit ? column + Number(digit) : undefined
  /** Line breaks since the last text. That of the header does not count. */
  let breaks = -1
  let last = ''
  put(Token.beginQuoted, '')
  yield* readLine(yaml)
  for (;;) {
    const next = yield* peekLine(yaml, 1)
    const isBlank = next.trim() === ''
    if (!isBlank)
      indent ??= columnOf(next) > column ? columnOf(next) : isArgument ? column : Infinity
    if (cursor.text.charAt(cursor.at) !== '\n') break
    breaks++
    if (!isBlank && columnOf(next) < (indent ?? 0)) break
    if (indent === column && isNewArgument(yaml, next)) break
    if (
      startsWithCloseTag(yaml, next) &&
      (indent === column || (yield* isBlockClosed(yaml, indent ?? 0)))
    )
      break
    if (indent === column && last === '' && next.startsWith('```'))
      return fail(yaml, 'a fence in place of a block')
    cursor.at++
    const line = yield* readLine(yaml)
    const words = line.slice(indent ?? line.length, line.endsWith('\r') ? -1 : undefined)
    if (words === '') continue
    // Where lines are folded one break is a space, and the first of several means nothing. A line
    // that begins with space is not folded.
    const isFolded = style === '>' && /^\S/.test(last) && /^\S/.test(words)
    put(Token.text, (isFolded ? '\n'.repeat(breaks - 1) || ' ' : '\n'.repeat(breaks)) + words)
    last = words
    breaks = 0
  }
  if (isAtEnd(yaml) && (cursor.isTruncated || indent === column))
    return fail(yaml, 'a block without an end')
  const kept = sign === '+' ? breaks : sign === '-' || last === '' ? 0 : Math.min(breaks, 1)
  put(Token.text, '\n'.repeat(Math.max(kept, 0)))
  put(Token.endText, '')
}

/**
 * Reads a text in quotes, from the first to behind the other. There is none before a close tag at
 * the beginning of a line.
 */
function* readQuoted(yaml: Yaml, quote: string): Reading {
  const { cursor, output, closeTag } = yaml
  const { put } = yaml.writer
  const stops = [quote, `\n${closeTag}`]
  put(Token.beginQuoted, '')
  cursor.at++
  for (;;) {
    const piece = yield* readUpTo(cursor, stops, output.maxHeldChars)
    const isQuoted = (yield* readMark(cursor, [quote])) !== ''
    const isEscaped =
      quote === '"' ? /(?<!\\)(?:\\\\)*\\$/.test(piece) : (yield* readMark(cursor, [quote])) !== ''
    put(Token.text, unquoted(isQuoted && isEscaped ? piece + quote : piece, quote))
    if (!isQuoted) return fail(yaml, 'quotes that are not closed')
    if (!isEscaped) return put(Token.endText, '')
  }
}

/**
 * Reads text without quotes, up to the close tag or a line that is not indented by more than what
 * it belongs to, or looks like an entry.
 */
function* readPlain(yaml: Yaml, depth: number, shape: Shape): Reading<string> {
  const { cursor, closeTag, output } = yaml
  const stops = ['\n', closeTag]
  let words = ''
  for (let breaks = ''; ; cursor.at++) {
    const line = withoutComment((yield* readUpTo(cursor, stops, output.maxHeldChars)).trim(), shape)
    words += line && words && (breaks || ' ')
    words += line
    breaks = line ? '' : `${breaks}\n`
    // The lines of code are not to be joined.
    if (
      cursor.text.charAt(cursor.at) !== '\n' ||
      !words ||
      /[:;{}]$/.test(line) ||
      words.length > output.maxHeldChars
    )
      return words
    const next = yield* peekLine(yaml, 1)
    const text = next.trim()
    if (text && (isIgnorableLine(text) || isEntry(yaml, next) || 2 * columnOf(next) <= depth))
      return words
  }
}

/** `"climate change" 2024` or `"a "b" c"`: in a line that has more behind the second quote. */
const quotesAndMore = /^(?:"(?:[^"\\]|\\.)+"|'(?:[^']|'')+'(?!'))\s*[^\s#]/
/** The same where the line stands in quotes itself: that inside of it opens something. */
const looseQuotes = /^(["'])((?:(?!\1).)*\1\S.*)\1$/

/** Reads a scalar, or what stands in brackets. */
function* readYamlValue(yaml: Yaml, depth: number): Reading {
  const { cursor, text, closeTag } = yaml
  const { put, expected, expectsKey } = yaml.writer
  const shape = expected()
  const header = blockHeader.exec(text)
  yaml.isAfterBlock = header !== null
  if (header) return yield* readBlock(yaml, depth, header)
  const isPart = (shape.types & JsonType.string) !== 0 && quotesAndMore.test(text)
  if (isQuote(text.charAt(0)) && !isPart) return yield* readQuoted(yaml, text.charAt(0))
  if (opensFlow(text, shape)) {
    yaml.problem = yield* readJson(cursor, put, {
      expectsKey,
      endMarks: [closeTag],
      isYaml: true,
    })
    return
  }
  const plain = yield* readPlain(yaml, depth, shape)
  if (cursor.isTruncated && isAtEnd(yaml)) return
  const words = isPart ? plain.replace(looseQuotes, '$2') : plain
  const isYamlBoolean =
    shape.types & JsonType.boolean &&
    !(shape.types & JsonType.string) &&
    /^(?:yes|no|on|off)$/i.test(words)
  if (words === '~' && shape.types & JsonType.null && shape.types !== ANY_TYPE)
    put(Token.literal, 'null')
  else
    putText(
      isPart ? Token.beginQuoted : Token.beginUntyped,
      isYamlBoolean ? String(/^(?:yes|on)$/i.test(words)) : words,
      put,
    )
}

/**
 * Reads the value of an entry at this depth, and goes to the next line. It may be a mapping or a
 * list, which begin in this line.
 */
function* readNode(yaml: Yaml, depth: number, mayNest: boolean): Reading {
  const { text } = yaml
  const { put, expected } = yaml.writer
  const shape = expected()
  const isList = mayNest && isDash(text)
  const isText = (shape.types & JsonType.string) !== 0 && !(shape.types & JsonType.object)
  const isMapping = mayNest && !isText && !opensFlow(text, shape) && findKey(text) !== undefined
  if (!isList && !isMapping) {
    yield* readYamlValue(yaml, depth)
    return yield* nextLine(yaml, depth)
  }
  if (yaml.column > MAX_COLUMN) return fail(yaml, `indented by more than ${MAX_COLUMN} columns`)
  put(isList ? Token.beginArray : Token.beginObject, '')
  yield* readEntries(yaml, depthOf(yaml), depth)
}

/** Lines that were to be a text must not become arguments. */
function checkArgument(
  yaml: Yaml,
  { name, isWord }: NonNullable<ReturnType<typeof findKey>>,
): void {
  const { names, given, isAfterBlock } = yaml
  if (given.has(name)) fail(yaml, `the argument ${JSON.stringify(name)} is given twice`)
  else if (!names.includes(name) && (!isWord || (isAfterBlock && names.length)))
    fail(yaml, 'text that is not indented')
  given.add(name)
}

/**
 * Reads the entries of a mapping or a list that was begun, up to a line that belongs to the entry
 * around it.
 */
function* readEntries(yaml: Yaml, depth: number, outerDepth: number): Reading {
  const { cursor } = yaml
  const { put, expected } = yaml.writer
  const isList = isListAt(depth)
  while (!yaml.problem && depthOf(yaml) === depth) {
    const { text } = yaml
    const key = isList ? undefined : findKey(text)
    if (!isList && !key) return fail(yaml, 'text without a key')
    if (key && depth === yaml.rootDepth) checkArgument(yaml, key)
    if (yaml.problem) return
    if (key) put(Token.key, key.name)
    const rest = text.slice(key?.end ?? 1).trimStart()
    const width = text.length - rest.length
    cursor.at += width
    yaml.column += width
    yaml.text = withoutComment(rest.split(yaml.closeTag, 1)[0] ?? '', expected())
    const isBelow = yaml.text === ''
    yaml.isAfterBlock = isBelow
    if (isBelow) yield* nextLine(yaml, depth, true)
    if (!isBelow || depthOf(yaml) > depth) yield* readNode(yaml, depth, isBelow || isList)
    else if (!yaml.problem) putEmptyValue(yaml.writer)
  }
  if (!yaml.problem && depthOf(yaml) > outerDepth)
    fail(yaml, 'a line that does not fit those before it')
  if (!yaml.problem) put(isList ? Token.endArray : Token.endObject, '')
}

/**
 * Reads the YAML that models write, up to behind the close tag of the call that holds it: mappings
 * and lists by indentation, scalars in a line, blocks, brackets, comments. Scalars are typed by the
 * schema and not by their looks. Anchors, tags and complex keys are plain text. Gives the reason
 * why it could not be read to its end, and then stands before what could not.
 */
export function* readYaml(cursor: Cursor, output: CallOutput, call: TagCall): FallibleReading {
  const [closeTag = ''] = call.ends
  const names = call.shape.propertyNames
  const start = { rootDepth: NO_DEPTH, text: '', column: 0, isAfterBlock: false }
  const yaml: Yaml = {
    cursor,
    output,
    writer: call.commit(),
    closeTag,
    names,
    given: beginArguments(call),
    ...start,
  }
  yield* nextLine(yaml, NO_DEPTH)
  yaml.rootDepth = Math.max(2 * yaml.column, 0)
  if (!yaml.problem) yield* readEntries(yaml, yaml.rootDepth, NO_DEPTH)
  return yaml.problem
}
