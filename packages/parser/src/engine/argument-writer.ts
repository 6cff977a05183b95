import { malformed, type Problem } from './events.js'
import { givenTwice } from './failure.js'
import type { JsonSyntax } from './json/json-syntax.js'
import { readJson } from './json/read-json.js'
import type { RepairCode } from './repairs.js'
import type { Cursor, Reading } from './text/cursor.js'
import { skip } from './text/read-marks.js'
import { type RunningReader, startReader } from './text/run.js'
import { findDeclaredKey } from './values/declared-key.js'
import { splitListText } from './values/list-text.js'
import {
  calculate,
  hasExtraQuotes,
  isJson,
  mayBecomeScalar,
  SCALAR_PROBE_CHARS,
  type ScalarSource,
  scalarAsJson,
  typeOfJson,
} from './values/scalar.js'
import { CONTAINER, JsonType, type Shape } from './values/shape.js'
import { Token, type ValueSink } from './values/tokens.js'

/** Where the repairs of values are recorded. */
export interface RepairNotes {
  /** The place of the cursor in the whole text. */
  offset(): number
  note(code: RepairCode, offset: number): void
}

/** Takes value tokens and writes the arguments of a call as JSON text, typed by the schema. */
export interface ArgumentWriter {
  readonly put: ValueSink
  /** Returns the shape of the value that comes next. */
  expected(): Shape
  /**
   * Tells whether a key is to be expected in the object being written, or in one so many levels
   * around it; in a list, in its next item. If the schema declares keys, no others are expected.
   */
  expectsKey(key: string, levelsUp: number): boolean | undefined
  /** Takes what has been written since the last time. */
  take(): string
  /** Tells whether the tool has an argument of that name that was not written. */
  lacks(key: string): boolean
  /** The place of the value being written: `items[2].name`. Undefined outside of all arguments. */
  path(): string | undefined
  /** True once the outermost value is written. */
  isComplete(): boolean
  /** No more tokens come: writes a key that waits for its value. */
  finish(): void
  /** Returns why a value could not be read; undefined if all could be read. */
  error(): Problem | undefined
  /** Copies text that cannot be read, and all text after it. */
  fail(message: string, rest: string): void
}

/** An object or a list that is being written. */
interface Frame {
  readonly isObject: boolean
  /** Narrows as it becomes clear which member of a union it is. */
  shape: Shape
  /** How many values or keys it contains so far. */
  count: number
  /** The key whose value comes next. */
  key: string
  /** All keys so far. */
  readonly keys: Set<string>
  /** Those of them that were written in another way: `to_port` for `toPort`. */
  readonly renamedKeys: Set<string>
  readonly closer: string
}

/** Arguments that are being written. */
interface Writing {
  readonly root: Shape
  readonly maxHeldChars: number
  readonly notes: RepairNotes | undefined
  /** Where in the whole text the value being written begins. */
  valueOffset: number
  /** The JSON that was written and not taken yet. */
  out: string
  /** The open objects and lists, the outermost first. */
  readonly frames: Frame[]
  /** The arguments so far. */
  readonly rootKeys: Set<string>
  isComplete: boolean
  /** `,"tags":` A key that is not written if its value is null and its schema does not allow that. */
  pendingKey: string
  /** `]` if a list was put around the value being written: the schema wants a list, and one value came. */
  wrapperEnd: string
  /** That single value; '' if it is not a text. */
  single: string
  /**
   * The type of the text being written is not clear yet, so the text is in `held`. Otherwise it is a
   * string, and is written as it comes.
   */
  isHeld: boolean
  held: string
  /** The text being written is in quotes. */
  isQuoted: boolean
  /** The text being written, or the JSON that is read, is a list in a notation of its own, so it is not judged as JSON. */
  isBareList: boolean
  /**
   * Reads the text being written, which is JSON. A text in that JSON may be JSON again: it is read
   * once it is complete.
   */
  nestedJson: RunningReader<string | undefined> | undefined
  /** The first half of a surrogate pair that a chunk boundary has cut in two. */
  highSurrogate: string
  /** Why a value could not be read. All text after it is copied as it is. */
  error: Problem | undefined
}

/**
 * Makes a writer. What it has written never changes: if the type of a value is not clear, the value
 * is held until it is complete. Numbers are copied digit by digit and no JavaScript value is ever
 * built, so nothing is rounded and no key is special.
 */
export function createArgumentWriter(
  root: Shape,
  maxHeldChars: number,
  notes?: RepairNotes,
): ArgumentWriter {
  const writing: Writing = {
    root,
    maxHeldChars,
    notes,
    valueOffset: 0,
    out: '',
    frames: [],
    rootKeys: new Set(),
    isComplete: false,
    pendingKey: '',
    wrapperEnd: '',
    single: '',
    isHeld: false,
    held: '',
    isQuoted: false,
    isBareList: false,
    nestedJson: undefined,
    highSurrogate: '',
    error: undefined,
  }
  return {
    put: (token, text) => put(writing, token, text),
    expected: () => expected(writing),
    expectsKey: (key, levelsUp) => expectsKey(writing, key, levelsUp),
    take() {
      const taken = writing.out
      writing.out = ''
      return taken
    },
    lacks: key => lacks(writing, key),
    path: () => pathOf(writing),
    isComplete: () => writing.isComplete,
    finish: () => writePendingKey(writing),
    error: () => writing.error,
    fail: (message, rest) => fail(writing, message, rest),
  }
}

function put(writing: Writing, token: Token, text: string): void {
  if (writing.nestedJson) putNested(writing, writing.nestedJson, token, text)
  else putToken(writing, token, text)
}

function putToken(writing: Writing, token: Token, text: string): void {
  if (writing.error) writing.out += text
  else handlers[token](writing, text)
}

const handlers: Readonly<Record<Token, (writing: Writing, text: string) => void>> = {
  [Token.beginObject]: writing => openFrame(writing, true),
  [Token.endObject]: closeFrame,
  [Token.beginArray]: writing => openFrame(writing, false),
  [Token.endArray]: closeFrame,
  [Token.key]: putKey,
  [Token.beginQuoted]: writing => beginText(writing, true),
  [Token.beginUntyped]: writing => beginText(writing, false),
  [Token.text]: putText,
  [Token.endText]: endText,
  [Token.literal]: putLiteral,
  [Token.beginBareList]: writing => beginText(writing, false, true),
}

function fail(writing: Writing, message: string, rest: string): void {
  writePendingKey(writing)
  writing.error ??= malformed(message)
  writing.out += rest
}

/** A value begins at the cursor; values in a text that is JSON begin where that text does. */
function beginOffset(writing: Writing): void {
  if (!writing.nestedJson) writing.valueOffset = writing.notes?.offset() ?? 0
}

function note({ notes, valueOffset }: Writing, code: RepairCode): void {
  notes?.note(code, valueOffset)
}

// Objects and lists.

/** `items[2].name` */
function pathOf({ frames }: Writing): string | undefined {
  const path = frames.map(({ isObject, key, count }) =>
    isObject ? `.${key}` : `[${Math.max(0, count - 1)}]`,
  )
  const text = path.join('').replace(/^\./, '')
  return text === '' ? undefined : text
}

function expected({ root, frames }: Writing): Shape {
  const frame = frames.at(-1)
  if (!frame) return root
  return frame.isObject ? frame.shape.property(frame.key) : frame.shape.item(frame.count)
}

function expectsKey({ frames }: Writing, key: string, levelsUp: number): boolean | undefined {
  const frame = frames.at(-1 - levelsUp)
  if (!frame) return undefined
  const shape = frame.isObject ? frame.shape : frame.shape.item(frame.count)
  const { propertyNames, isOpen } = shape
  const declared = findDeclaredKey(shape, key, frame.keys)
  if (frame.keys.has(declared)) return false
  return propertyNames.length > 0 ? propertyNames.includes(declared) : isOpen
}

/**
 * Writes what comes before a value: a comma, and the bracket of a list around a single value if the
 * schema allows only a list. Returns the shape of the value.
 */
function beginValue(writing: Writing, type: number): Shape {
  const shape = expected(writing)
  const frame = writing.frames.at(-1)
  writePendingKey(writing)
  if (frame && !frame.isObject && frame.count++ > 0) writing.out += ','
  const wantsList = (shape.types & JsonType.array) !== 0
  // `"tags": |"a"` where the schema says list. Null is no item of it.
  const mayBeItem = type !== JsonType.array && type !== JsonType.null
  const isSingle = wantsList && mayBeItem && (shape.types & type) === 0
  writing.wrapperEnd = isSingle ? ']' : ''
  if (!isSingle) return shape
  writing.out += '['
  writing.single = ''
  return shape.item(0)
}

/** Text that a single item hardly has: brackets, quotes, commas, tags, or a word for nothing. */
const oddSingle = /^\s*(?:[[{"'(<>]|none\s*$|null\s*$)|[\],}]|<\//i

/** `"tags": "a"` where the schema says list: notes whether that is clear or looks like damage. */
function noteSingle(writing: Writing): void {
  if (!writing.wrapperEnd) return
  note(writing, oddSingle.test(writing.single) ? 'odd-list-of-one' : 'list-of-one')
}

function endValue(writing: Writing, end: string): void {
  writing.out += end
  if (writing.frames.length === 0) writing.isComplete = true
}

function lacks({ root, rootKeys }: Writing, key: string): boolean {
  const declared = findDeclaredKey(root, key, rootKeys)
  return root.propertyNames.includes(declared) && !rootKeys.has(declared)
}

function openFrame(writing: Writing, isObject: boolean): void {
  const shape = beginValue(writing, isObject ? JsonType.object : JsonType.array)
  noteSingle(writing)
  writing.out += isObject ? '{' : '['
  const closer = (isObject ? '}' : ']') + writing.wrapperEnd
  const keys = new Set<string>()
  const renamedKeys = new Set<string>()
  writing.frames.push({ isObject, shape, count: 0, key: '', keys, renamedKeys, closer })
}

function closeFrame(writing: Writing): void {
  writePendingKey(writing)
  const closer = writing.frames.pop()?.closer ?? ''
  endValue(writing, closer)
}

function putKey(writing: Writing, name: string): void {
  const frame = writing.frames.at(-1)
  if (!frame) return
  const key = renameKey(writing, frame, name)
  if (writing.error) return
  const comma = frame.count++ > 0 ? ',' : ''
  writing.pendingKey = `${comma}${JSON.stringify(key)}:`
  frame.key = key
  if (frame.keys.has(key)) noteKey(writing, 'repeated-key')
  frame.keys.add(key)
  if (writing.frames.length === 1) writing.rootKeys.add(key)
  if (key !== name) noteKey(writing, 'other-key-spelling')
  if (!mayLeaveOut(writing)) writePendingKey(writing)
}

/** `{|"to_port": "Cork"}` is `toPort` (decision 85). Both of them are too many. */
function renameKey(writing: Writing, { shape, keys, renamedKeys }: Frame, name: string): string {
  const key = findDeclaredKey(shape, name, keys)
  if (renamedKeys.has(key)) fail(writing, givenTwice(key), '')
  if (key !== name) renamedKeys.add(key)
  return key
}

function noteKey(writing: Writing, code: RepairCode): void {
  beginOffset(writing)
  note(writing, code)
}

function writePendingKey(writing: Writing): void {
  writing.out += writing.pendingKey
  writing.pendingKey = ''
}

/** True for a property that may be missing and may not be null. */
function mayLeaveOut({ frames }: Writing): boolean {
  const frame = frames.at(-1)
  if (!frame?.isObject || frame.shape.requiredNames.includes(frame.key)) return false
  return (frame.shape.property(frame.key).types & JsonType.null) === 0
}

// Numbers, booleans, null, and texts that are complete.

function putLiteral(writing: Writing, text: string): void {
  beginOffset(writing)
  const { types } = expected(writing)
  const wantsNumber = types & JsonType.number && !(types & JsonType.string)
  // `red=1/4` where a number is wanted.
  const number = wantsNumber ? calculate(text) : undefined
  if (number !== undefined) note(writing, 'arithmetic')
  putScalar(writing, number === undefined ? text : String(number), 'bare')
}

function putScalar(writing: Writing, text: string, source: ScalarSource): void {
  const wanted = expected(writing)
  const items = splitListText(text, wanted)
  const bareItems = items ? undefined : findBareItems(writing, text)
  const type = typeOfJson(scalarAsJson(text, source, wanted))
  if (items) putList(writing, items)
  else if (bareItems) putBareItems(writing, bareItems)
  else if (type === JsonType.null && mayLeaveOut(writing)) leaveOut(writing)
  else putWord(writing, text, source, type)
}

function putWord(writing: Writing, text: string, source: ScalarSource, type: number): void {
  const shape = beginValue(writing, type)
  const json = scalarAsJson(text, source, shape)
  const frame = writing.frames.at(-1)
  // `"type": "circle"`: what a member of a union says of itself shows which member it is.
  if (frame?.isObject && shape.values && !writing.wrapperEnd)
    frame.shape = frame.shape.narrow(frame.key, json)
  // `"arguments": null`: no arguments.
  const written = !frame && json === 'null' ? '{}' : json
  if (hasExtraQuotes(text, shape)) note(writing, 'extra-quotes')
  writing.single = text
  noteSingle(writing)
  endValue(writing, written + writing.wrapperEnd)
}

/** `"days": |"1, 2"` (decision 85) */
function putList(writing: Writing, items: readonly string[]): void {
  note(writing, 'list-in-text')
  openFrame(writing, false)
  putItems(writing, items)
  closeFrame(writing)
}

/** `days=|"1, 2"`: the items of a list without brackets. */
function findBareItems(writing: Writing, text: string): string[] | undefined {
  const frame = writing.frames.at(-1)
  const isBare = writing.nestedJson !== undefined && writing.isBareList
  return isBare && frame && !frame.isObject ? splitListText(text, frame.shape) : undefined
}

function putBareItems(writing: Writing, items: readonly string[]): void {
  note(writing, 'list-in-text')
  putItems(writing, items)
}

function putItems(writing: Writing, items: readonly string[]): void {
  for (const item of items) putScalar(writing, item, 'raw')
}

/** `"tags": |null` where the schema allows no null and requires no tags. */
function leaveOut(writing: Writing): void {
  note(writing, 'null-left-out')
  writing.pendingKey = ''
  const frame = writing.frames.at(-1)
  if (frame) frame.count--
}

// Texts that come in pieces.

function beginText(writing: Writing, isQuoted: boolean, isBareList = false): void {
  beginOffset(writing)
  writing.isQuoted = isQuoted
  if (!writing.nestedJson) writing.isBareList = isBareList
  writing.isHeld = true
  writing.held = ''
  decideType(writing, '')
}

function putText(writing: Writing, piece: string): void {
  if (!writing.isHeld) {
    putString(writing, piece)
    return
  }
  const wasShort = writing.held.length < SCALAR_PROBE_CHARS
  writing.held += piece
  if (wasShort) decideType(writing, writing.held.slice(0, SCALAR_PROBE_CHARS))
  const { isHeld, held, error, maxHeldChars } = writing
  if (isHeld && !error && held.length > maxHeldChars) {
    const message = `a value of more than ${maxHeldChars} characters whose type shows only at its end`
    fail(writing, message, held)
  }
}

function endText(writing: Writing): void {
  if (writing.isHeld) {
    endHeld(writing, writing.held)
    return
  }
  endValue(writing, `${escapeJsonString(writing.highSurrogate)}"${writing.wrapperEnd}`)
  writing.highSurrogate = ''
}

/**
 * Decides by the beginning of a text what it is: a string once it can be nothing else, an object or
 * a list by its bracket. All other types show at the end of the text.
 */
function decideType(writing: Writing, beginning: string): void {
  if (isString(writing, beginning)) {
    writing.isHeld = false
    beginValue(writing, JsonType.string)
    writing.out += '"'
    putString(writing, writing.held)
  } else if (!writing.nestedJson && isContainer(writing, beginning)) {
    beginNested(writing, writing.held)
  }
}

function isString(writing: Writing, beginning: string): boolean {
  const { types, values } = expected(writing)
  if (!(types & JsonType.string) || values) return false
  if (writing.isQuoted || types === JsonType.string) return true
  const mayBeContainer = (types & CONTAINER) !== 0 && startsContainer(beginning)
  return !mayBecomeScalar(beginning) && !mayBeContainer
}

/**
 * True for a text that is an object or a list, as its bracket shows if the schema allows no string.
 * Where a list is wanted, a single object will do: `{"id": 1}`.
 */
function isContainer(writing: Writing, beginning: string): boolean {
  const shape = expected(writing)
  const text = beginning.trimStart()
  // `cc=|("a", "b")`
  const isTuple = writing.isBareList && text.startsWith('(')
  const type = isTuple ? JsonType.array : typeOfJson(text)
  if (shape.types & JsonType.string || !(type & CONTAINER)) return false
  if (shape.types & type) return true
  return (shape.types & JsonType.array) !== 0 && (shape.item(0).types & type) !== 0
}

const startsContainer = (text: string) => (typeOfJson(text.trimStart()) & CONTAINER) !== 0

function putString(writing: Writing, piece: string): void {
  const text = writing.highSurrogate + piece
  writing.highSurrogate = /[\ud800-\udbff]$/.exec(text)?.[0] ?? ''
  writing.out += escapeJsonString(writing.highSurrogate ? text.slice(0, -1) : text)
}

/** Writes a text whose type shows only now that it is complete. */
function endHeld(writing: Writing, text: string): void {
  const { isQuoted } = writing
  const { types } = expected(writing)
  if (isEmptyContainer(text, types, isQuoted)) {
    openFrame(writing, (types & JsonType.object) !== 0)
    closeFrame(writing)
    return
  }
  const mayBeJson = !isQuoted && (types & CONTAINER) !== 0
  const isNested =
    isContainer(writing, text) || (mayBeJson && startsContainer(text) && isJson(text))
  if (!isNested) {
    putScalar(writing, text, isQuoted ? 'quoted' : 'raw')
    return
  }
  const outer = writing.nestedJson
  beginNested(writing, text)
  put(writing, Token.endText, '')
  writing.nestedJson = outer
}

/** `<filter></filter>` An empty text where the schema wants an object or a list. */
function isEmptyContainer(text: string, types: number, isQuoted: boolean): boolean {
  if (text.trim() !== '' || types & JsonType.string) return false
  return (types & JsonType.object) !== 0 || ((types & JsonType.array) !== 0 && !isQuoted)
}

// Texts that are JSON: `"filter": "{\"id\": 1}"`.

function beginNested(writing: Writing, text: string): void {
  if (writing.isQuoted) note(writing, 'json-in-string')
  writing.held = ''
  writing.nestedJson = startReader(cursor => {
    if (!writing.isBareList) cursor.onRepair = code => note(writing, code)
    return readNestedJson(
      cursor,
      (token, piece) => putToken(writing, token, piece),
      (key, levelsUp) => expectsKey(writing, key, levelsUp),
    )
  })
  put(writing, Token.text, text)
}

function putNested(
  writing: Writing,
  run: RunningReader<string | undefined>,
  token: Token,
  text: string,
): void {
  if (token === Token.text) run.feed(text)
  else run.end(false)
  if (!run.isDone()) return
  writing.nestedJson = undefined
  const problem = run.result()
  if (problem !== undefined) fail(writing, problem, run.unread())
}

/** Reads a text that is JSON from end to end; returns the reason if it is not. */
function* readNestedJson(
  cursor: Cursor,
  putValue: ValueSink,
  isKeyExpected: JsonSyntax['expectsKey'],
): Reading<string | undefined> {
  const problem = yield* readJson(cursor, putValue, { expectsKey: isKeyExpected })
  if (problem) return problem.message
  yield* skip(cursor)
  return cursor.at < cursor.text.length ? 'unexpected text after the JSON value' : undefined
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that JSON must escape
const mustEscape = /["\\\u0000-\u001f\ud800-\udfff]/

/**
 * JSON's string escaping without the quotes; a lone surrogate is escaped too, since UTF-8 cannot
 * carry it.
 */
function escapeJsonString(text: string): string {
  return mustEscape.test(text) ? JSON.stringify(text).slice(1, -1) : text
}
