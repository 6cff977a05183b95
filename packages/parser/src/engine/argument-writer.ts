import { malformed, type Problem } from './events.js'
import type { JsonSyntax } from './json/json-syntax.js'
import { readJson } from './json/read-json.js'
import type { RepairCode } from './repairs.js'
import type { Cursor, Reading } from './text/cursor.js'
import { skip } from './text/read-marks.js'
import { type RunningReader, startReader } from './text/run.js'
import {
  calculate,
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
  /** `]` if a list was put around the value being written: the schema wants a list, and one value came. */
  wrapperEnd: string
  /** The beginning of that single value. */
  single: string
  /**
   * The type of the text being written is not clear yet, so the text is in `held`. Otherwise it is a
   * string, and is written as it comes.
   */
  isHeld: boolean
  held: string
  /** The text being written is in quotes. */
  isQuoted: boolean
  /** The text being written is a list in a notation of its own, so it is not judged as JSON. */
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
    lacks: key => root.propertyNames.includes(key) && !writing.rootKeys.has(key),
    path: () => pathOf(writing),
    isComplete: () => writing.isComplete,
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
  if (frame.keys.has(key)) return false
  const { propertyNames, isOpen } = frame.isObject ? frame.shape : frame.shape.item(frame.count)
  return propertyNames.length > 0 ? propertyNames.includes(key) : isOpen
}

/**
 * Writes what comes before a value: a comma, and the bracket of a list around a single value if the
 * schema allows only a list. Returns the shape of the value.
 */
function beginValue(writing: Writing, type: number): Shape {
  const shape = expected(writing)
  const frame = writing.frames.at(-1)
  if (frame && !frame.isObject && frame.count++ > 0) writing.out += ','
  const wantsList = (shape.types & JsonType.array) !== 0
  // `"tags": |"a"` where the schema says list.
  const isSingle = wantsList && type !== JsonType.array && (shape.types & type) === 0
  writing.wrapperEnd = isSingle ? ']' : ''
  if (!isSingle) return shape
  writing.out += '['
  writing.single = ''
  return shape.item(0)
}

/** How much of a single value is looked at. */
const SINGLE_CHARS = 64
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

function openFrame(writing: Writing, isObject: boolean): void {
  const shape = beginValue(writing, isObject ? JsonType.object : JsonType.array)
  noteSingle(writing)
  writing.out += isObject ? '{' : '['
  const closer = (isObject ? '}' : ']') + writing.wrapperEnd
  writing.frames.push({ isObject, shape, count: 0, key: '', keys: new Set(), closer })
}

function closeFrame(writing: Writing): void {
  const closer = writing.frames.pop()?.closer ?? ''
  endValue(writing, closer)
}

function putKey(writing: Writing, name: string): void {
  const frame = writing.frames.at(-1)
  if (!frame) return
  if (frame.count++ > 0) writing.out += ','
  writing.out += `${JSON.stringify(name)}:`
  frame.key = name
  frame.keys.add(name)
  if (writing.frames.length === 1) writing.rootKeys.add(name)
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
  const type = typeOfJson(scalarAsJson(text, source, expected(writing)))
  const shape = beginValue(writing, type)
  const json = scalarAsJson(text, source, shape)
  const frame = writing.frames.at(-1)
  // `"type": "circle"`: what a member of a union says of itself shows which member it is.
  if (frame?.isObject && shape.values && !writing.wrapperEnd)
    frame.shape = frame.shape.narrow(frame.key, json)
  // `"arguments": null`: no arguments.
  const written = !frame && json === 'null' ? '{}' : json
  writing.single = text.slice(0, SINGLE_CHARS)
  noteSingle(writing)
  endValue(writing, written + writing.wrapperEnd)
}

// Texts that come in pieces.

function beginText(writing: Writing, isQuoted: boolean, isBareList = false): void {
  beginOffset(writing)
  writing.isQuoted = isQuoted
  writing.isBareList = isBareList
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
  noteSingle(writing)
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
  const type = typeOfJson(beginning.trimStart())
  if (shape.types & JsonType.string || !(type & CONTAINER)) return false
  if (shape.types & type) return true
  return (shape.types & JsonType.array) !== 0 && (shape.item(0).types & type) !== 0
}

const startsContainer = (text: string) => (typeOfJson(text.trimStart()) & CONTAINER) !== 0

function putString(writing: Writing, piece: string): void {
  if (writing.wrapperEnd && writing.single.length < SINGLE_CHARS) {
    writing.single = (writing.single + piece).slice(0, SINGLE_CHARS)
  }
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
