import { noteAtKey, noteRepair } from '../text/cursor.js'
import { hasFreeTexts } from '../values/list-text.js'
import { scalarAsJson } from '../values/scalar.js'
import { CONTAINER, JsonType, type Shape } from '../values/shape.js'
import type { AfterValue, PairMarks, Pairs } from './after-value.js'
import { isDamagedMark, isGluedKey, isLikeKey } from './misnamed-key.js'

// What is recorded while pairs are read (decision 75). Each function is called where the text is
// taken. In each picture `|` is the cursor.

/** A value without quotes that is being read, and what it has contained so far. */
export interface PlainValue {
  readonly put: (text: string) => void
  /** The value is a list without brackets: `a, b`. */
  readonly isList: boolean
  /** The schema allows JSON: `[1, 2]`. */
  readonly mayBeJson: boolean
  readonly shape: Shape
  /** Its first characters. */
  head: string
  /** Its last characters, enough to see a close tag: `x y</tool_call>`. */
  tail: string
  /** `body=first\nsecond` */
  spansLines: boolean
  /** How long it is. */
  chars: number
  /** How many times whitespace was between two words. */
  spaces: number
  /** `say "hi`: a double quote is open. */
  isInQuotes: boolean
  /** A key was found in it. It is recorded once. */
  hadKey: boolean
}

const EDGE_CHARS = 64

export const createPlainValue = (
  put: (text: string) => void,
  isList: boolean,
  shape: Shape,
): PlainValue => ({
  put,
  isList,
  shape,
  mayBeJson: !isList && (shape.types & CONTAINER) !== 0,
  head: '',
  tail: '',
  spansLines: false,
  chars: 0,
  spaces: 0,
  isInQuotes: false,
  hadKey: false,
})

/** Puts a piece of a value, and keeps what its edges show. */
export function putPlain(value: PlainValue, text: string): void {
  if (value.head.length < EDGE_CHARS) value.head = (value.head + text).slice(0, EDGE_CHARS)
  value.tail = (value.tail + text).slice(-EDGE_CHARS)
  value.chars += text.length
  value.spansLines ||= text.includes('\n')
  if (text.includes('"') && text.split('"').length % 2 === 0) value.isInQuotes = !value.isInQuotes
  value.put(text)
}

// Keys.

/** `city="Paris"|, "days": 3` Records how a key is written and separated, if not as `| days=`. */
export function notePair(pairs: Pairs, found: AfterValue): void {
  const { cursor, parenthesis, marks, seenKeys } = pairs
  const { separator = '', hasColon = false, hasQuotes = false, hasSpace = false } = found
  const isFirst = seenKeys.size === 0
  if (found.isRespelt) noteAtKey(cursor, 'other-key-spelling', found.path.join('.'))
  if (hasColon || hasQuotes || (marks.isJson && isFirst)) noteRepair(cursor, 'other-notation')
  // In parentheses commas are part of the notation.
  if (separator.includes(',') && !parenthesis) noteRepair(cursor, 'extra-comma')
  if (separator === '' && !isFirst) noteRepair(cursor, 'missing-space')
  if (hasSpace && !hasColon) noteSpaceAtSign(pairs)
}

/** `city |= Rome`, `city= |Rome` In other notations whitespace around a sign is usual. */
export function noteSpaceAtSign({ cursor, parenthesis, hasColons = false }: Pairs): void {
  if (!parenthesis && !hasColons) noteRepair(cursor, 'extra-space')
}

/** The keys that the tool has and that were not given. */
const missingKeys = ({ shape, seenKeys }: Pairs): readonly string[] =>
  shape.propertyNames.filter(key => !seenKeys.has(key))

const isLikeMissingKey = (pairs: Pairs, word: string): boolean =>
  missingKeys(pairs).some(key => isLikeKey(word, key) || isLikeKey(firstName(word), key))

/** `profile.name` is in `profile`. */
const firstName = (word: string) => /^[^.]*/.exec(word)?.[0] ?? ''

/**
 * `city=New York| unit=metric` Records a word before a sign that may be a key which the tool has
 * (decision 17). Any other word is text: `1 + x = 2`.
 */
export function noteWordBeforeSign(pairs: Pairs, value: PlainValue, word: string): void {
  if (value.hadKey || value.head.trim() === '') return
  const isKey =
    // `tags=a| tags=b`
    (value.isList && pairs.seenKeys.has(word)) ||
    isLikeMissingKey(pairs, word) ||
    isSplitKey(pairs, value, word) ||
    isKeyAfterWord(pairs, value, word) ||
    isAfterCallMark(pairs, value)
  if (!isKey) return
  value.hadKey = true
  noteRepair(pairs.cursor, 'key-in-value')
}

/** `un| its=metric` Whitespace or a comma in a key. `city=days| = 3` is text. */
function isSplitKey(pairs: Pairs, { tail }: PlainValue, word: string): boolean {
  const before = /[^\s,]*$/.exec(tail)?.[0] ?? ''
  if (word === '' && before === tail) return false
  return before !== '' && missingKeys(pairs).includes(before + word)
}

/**
 * `city=Paris| zone=CET` Between tags only a single word has no quotes, so a key that the tool does
 * not have may follow. `a x=1` is text.
 */
function isKeyAfterWord({ marks, shape }: Pairs, { head }: PlainValue, word: string): boolean {
  if (marks.isLine || shape.propertyNames.length === 0) return false
  return singleWord.test(head) && keyWord.test(word) && !shape.propertyNames.includes(word)
}

const singleWord = /^[^\s=]{2,63}$/
const keyWord = /^[\p{L}_][\p{L}\p{N}_.-]{1,63}$/u

/** `city=Lima@get_time| zone=` The line break before the next call is missing. */
function isAfterCallMark({ marks, isTool }: Pairs, { tail }: PlainValue): boolean {
  const [, name] = /[^\s@]@([^\s@]+)$/.exec(tail) ?? []
  return marks.isLine && name !== undefined && isTool?.(name) === true
}

/** `days=3|\nunit=metric` The line of the call is over, and the next one begins with a key. */
export function noteKeyAfterEnd(pairs: Pairs, { wordBeforeSign: word }: AfterValue): void {
  if (word !== undefined && isLikeMissingKey(pairs, word)) {
    noteRepair(pairs.cursor, 'key-after-arguments')
  }
}

// The edges of a value without quotes.

/** `city=New York|` Records what shows at the edges of a value that another may have been meant. */
export function notePlainEnd(pairs: Pairs, value: PlainValue, found: AfterValue): void {
  const { cursor, marks } = pairs
  const { isList, spaces } = value
  noteKeyAtEdge(pairs, value, found)
  if (isPythonWord(value)) noteRepair(cursor, 'python-word')
  if (isOddListOfOne(value)) noteRepair(cursor, 'odd-list-of-one')
  if (isOddPlain(pairs, value)) noteRepair(cursor, 'odd-word')
  else if (!marks.isLine && !isList && spaces > 0) noteRepair(cursor, 'bare-word')
  if (hasMarkAtEdge(marks, value, found)) noteRepair(cursor, 'markup-at-edge')
  const isOpen = found.type === 'end' && !found.isClosed && !found.hasClosing && !marks.isLine
  if (isOpen && mayEndWithProse(value)) noteRepair(cursor, 'text-after-value')
}

/** `flag=True|` where the schema has a boolean, `flag=None|` where it has null. */
function isPythonWord({ head, shape, isList }: PlainValue): boolean {
  const word = head.trim()
  if (isList || !/^(?:true|false|none)$/i.test(word) || /^[tf]/.test(word)) return false
  return /^(?:true|false|null)$/.test(scalarAsJson(word, 'raw', shape))
}

function noteKeyAtEdge(pairs: Pairs, value: PlainValue, found: AfterValue): void {
  const { cursor } = pairs
  const { head, tail, hadKey } = value
  // `city=New York days|</call>` Between tags this is a key without a value.
  const [, lastWord = ''] = /\s(\S+)$/.exec(tail) ?? []
  const isKey = !pairs.marks.isLine && missingKeys(pairs).includes(lastWord)
  if (isKey) noteRepair(cursor, 'missing-value')
  if (hadKey) return
  const [, firstWord = ''] = /^([^\s=]+)=/.exec(head) ?? []
  const isGlued =
    // `city=Parisdays=3|`, but not `note=mydays=3|`
    missingKeys(pairs).some(key => isGluedKey(firstWord, key, MIN_GLUED_CHARS)) ||
    // `city=New York days3|`
    missingKeys(pairs).some(key => isKeyAndValue(pairs.shape, key, lastWord)) ||
    // `city=New York un|\nits=metric`
    (found.type === 'end' && isSplitKey(pairs, value, found.wordBeforeSign ?? '\n'))
  if (isGlued) noteRepair(cursor, 'key-in-value')
}

const MIN_GLUED_CHARS = 3

/** `days3`, `dry_runtrue`, `unitsmetric`: the sign between a key and its value is missing. */
function isKeyAndValue(shape: Shape, key: string, word: string): boolean {
  if (key.length < 3 || !word.startsWith(key)) return false
  const rest = word.slice(key.length)
  const { types, values } = shape.property(key)
  if (types & CONTAINER && /^=?[[{]/.test(rest)) return true
  if (types & JsonType.string) return values?.has(JSON.stringify(rest)) === true
  return /^(?:true|false|null|-?[\d.]+)$/i.test(rest)
}

/** `==Paris`, `Paris"`, `e"Paris"`, `a]`, `Lima@`: a sign at an edge that a value hardly has. */
function isOddPlain({ marks }: Pairs, value: PlainValue): boolean {
  const { head, tail, isList, isInQuotes } = value
  // `city==Paris|`
  if (head.startsWith('=')) return true
  // `zone=["a|</call>"]`
  if (value.mayBeJson && isOpenJson(head, tail)) return true
  if (isList && isOddList(head, tail)) return true
  // `city=Lima@|\nget_time`
  if (marks.isLine && /[^\s@]@$/.test(tail)) return true
  // `memo=rent"|`, but not `size=15"|`
  if (isInQuotes && tail.endsWith('"') && !/^[\d.'x -]+"$/.test(tail)) return true
  if (marks.isLine || isList) return false
  // `city=e"Paris"|`
  if (/^[^\s"']["']/.test(head) && value.chars > 2 && tail.endsWith(head.charAt(1))) return true
  return closesNoQuote(tail)
}

/** `i["a","b"]`, `a, b]`, but not `*.{js,ts}`: a list with one sign wrong at an edge. */
const isOddList = (head: string, tail: string) =>
  /^[^\s[{"'][[{]["']/.test(head) || (/[\]}]$/.test(tail) && !/[[{]/.test(tail))

/** `tags="a,b"|`, `tags="None"|`: one text in quotes that may be a list or nothing. */
function isOddListOfOne({ head, chars, isList, shape }: PlainValue): boolean {
  if (!isList || head.length < chars || !hasFreeTexts(shape)) return false
  return /^\s*(["'])(?:(?:(?!\1).)*,(?:(?!\1).)*|None|null)\1\s*$/.test(head)
}

/** `["a`, `{"a": "b`: JSON that does not end with its bracket. */
const isOpenJson = (head: string, tail: string) =>
  (head.startsWith('[') && !/\]\s*$/.test(tail)) || (head.startsWith('{') && !/\}\s*$/.test(tail))

/** `who said "a"?'`: a single quote at the end, and none before it. */
const closesNoQuote = (tail: string) => tail.indexOf("'") === tail.length - 1 && tail.length > 1

/** `<END`, `x<<END`, `<<<END`, `<x<END`: the beginning of a heredoc, with one sign wrong. */
const damagedHeredoc = /^(?:\S<<|<|<<<|<.<|<<\S)["']?[A-Z][A-Z\d_]+["']?$/

/** `Lima/call>|`, `Lima</cal>l|`, `Lima<|</call>`, `Lima/|<call>`: a damaged mark at the end. */
function hasMarkAtEdge(marks: PairMarks, { head, tail }: PlainValue, found: AfterValue): boolean {
  if (marks.isLine) return damagedHeredoc.test(head)
  const { open, close } = marks
  if (found.type === 'end' && !found.isClosed && found.chars === 0 && tail.endsWith('/'))
    return true
  const end = tail.trimEnd()
  if (end.endsWith(open.charAt(0)) && end.length > 1) return true
  const lengths = [close.length - 1, close.length, close.length + 1]
  return lengths.some(chars => end.length > chars && isDamagedMark(end.slice(-chars), close))
}

/** More words than a name or a title has (decision 22). */
const MAX_CLEAN_SPACES = 4

/** `city=Paris I will look.|` Without a close mark, a text of several words may be prose. */
function mayEndWithProse({ head, tail, spaces }: PlainValue): boolean {
  if (spaces === 0) return false
  return spaces > MAX_CLEAN_SPACES || /[.!?]\s/.test(head) || /[.!?:]$/.test(tail)
}

// The end of a call.

/** `city="Paris"|` The text or the next call follows without a close mark. */
export function noteCallEnd({ cursor, marks, parenthesis }: Pairs, found: AfterValue): void {
  if (parenthesis && !found.hasClosing) noteRepair(cursor, 'missing-bracket')
  if (!marks.isLine && !found.isClosed) noteRepair(cursor, 'missing-close')
}
