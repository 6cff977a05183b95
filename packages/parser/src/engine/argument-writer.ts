import { malformed, type Problem } from './events.js'
import type { JsonSyntax } from './json/json-syntax.js'
import { readJson } from './json/read-json.js'
import type { Cursor, Reading } from './text/cursor.js'
import { skip } from './text/read-marks.js'
import { type RunningReader, startReader } from './text/run.js'
import {
  isJson,
  mayBecomeScalar,
  SCALAR_PROBE_CHARS,
  type ScalarSource,
  scalarAsJson,
  typeOfJson,
} from './values/scalar.js'
import { CONTAINER, JsonType, type Shape } from './values/shape.js'
import { Token, type ValueSink } from './values/tokens.js'

interface Frame {
  readonly isObject: boolean
  /** Narrows as the members of a union are told apart. */
  shape: Shape
  /** How many values or keys it contains so far. */
  count: number
  /** The key whose value comes next, and all that it has had. */
  key: string
  readonly keys: Set<string>
  readonly closer: string
}

const startsContainer = (text: string) => (typeOfJson(text.trimStart()) & CONTAINER) !== 0

export type ArgumentWriter = ReturnType<typeof createArgumentWriter>

/**
 * Writes value tokens as JSON text, typed by the schema as it goes. What it has written never
 * changes afterwards: where the type of a value is in doubt the value is held until it is whole.
 * Numbers are copied digit by digit and no JavaScript value is ever built, so nothing is rounded
 * and no key is special.
 */
export function createArgumentWriter(root: Shape, maxHeldChars: number) {
  let out = ''
  const frames: Frame[] = []
  let isComplete = false
  /** The end of the list that is put around a single value, where the schema wants a list. */
  let wrapperEnd = ''
  /**
   * The type of the text being written does not show yet; otherwise it is a string, and flows out
   * as it comes.
   */
  let isHeld = false
  let isQuoted = false
  let held = ''
  /**
   * Reads the text being written, which holds JSON. A text in that JSON may hold JSON again: it is
   * read once it is whole.
   */
  let nestedJson: RunningReader<string | undefined> | undefined
  /** The first half of a surrogate pair that a chunk boundary has cut in two. */
  let highSurrogate = ''
  /** Why a value could not be read. All text after it is copied as it is. */
  let error: Problem | undefined

  const top = () => frames[frames.length - 1]
  /** The shape of the value that comes next. */
  const expected = (): Shape => {
    const frame = top()
    if (!frame) return root
    return frame.isObject ? frame.shape.property(frame.key) : frame.shape.item(frame.count)
  }
  /**
   * Called before any value: the comma, and a list around a single value where only a list will do.
   */
  const beginValue = (kind: number): Shape => {
    const shape = expected()
    const frame = top()
    if (frame && !frame.isObject && frame.count++ > 0) out += ','
    const isAlone = shape.types & JsonType.array && !(shape.types & kind) && kind !== JsonType.array
    wrapperEnd = isAlone ? ']' : ''
    if (isAlone) out += '['
    return isAlone ? shape.item(0) : shape
  }
  const endValue = (end: string) => {
    out += end
    if (frames.length === 0) isComplete = true
  }
  const open = (isObject: boolean) => {
    const shape = beginValue(isObject ? JsonType.object : JsonType.array)
    out += isObject ? '{' : '['
    frames.push({
      isObject,
      shape,
      count: 0,
      key: '',
      keys: new Set(),
      closer: (isObject ? '}' : ']') + wrapperEnd,
    })
  }
  const close = () => endValue(frames.pop()?.closer ?? '')
  const putKey = (name: string) => {
    const frame = top()
    if (!frame) return
    out += `${frame.count++ > 0 ? ',' : ''}${JSON.stringify(name)}:`
    frame.key = name
    frame.keys.add(name)
  }
  const putScalar = (text: string, source: ScalarSource) => {
    const shape = beginValue(typeOfJson(scalarAsJson(text, source, expected())))
    const json = scalarAsJson(text, source, shape)
    const frame = top()
    // What a member of a union says of itself (`"type": "circle"`) tells which member it is.
    if (frame?.isObject && shape.values && !wrapperEnd)
      frame.shape = frame.shape.narrow(frame.key, json)
    // Arguments that are null are none.
    endValue((frame || json !== 'null' ? json : '{}') + wrapperEnd)
  }
  const putString = (piece: string) => {
    const text = highSurrogate + piece
    highSurrogate = /[\ud800-\udbff]$/.exec(text)?.[0] ?? ''
    out += escapeJsonString(highSurrogate ? text.slice(0, -1) : text)
  }
  const fail = (message: string, rest: string): void => {
    error ??= malformed(message)
    out += rest
  }

  /**
   * True for a text that is an object or a list, as its bracket tells where no string will do. A
   * list takes a single object, too.
   */
  const isContainer = (beginning: string) => {
    const shape = expected()
    const { types } = shape
    const kind = typeOfJson(beginning.trimStart())
    if (types & JsonType.string || !(kind & CONTAINER)) return false
    return (types & kind) !== 0 || (types & JsonType.array && shape.item(0).types & kind) !== 0
  }
  /**
   * A text is a string once it can be nothing else, and an object or a list by its bracket; all
   * else shows at its end.
   */
  const decide = (beginning: string) => {
    const { types, values } = expected()
    const mayBeElse = () =>
      mayBecomeScalar(beginning) || (types & CONTAINER && startsContainer(beginning))
    if (
      types & JsonType.string &&
      !values &&
      (isQuoted || types === JsonType.string || !mayBeElse())
    ) {
      isHeld = false
      beginValue(JsonType.string)
      out += '"'
      putString(held)
    } else if (!nestedJson && isContainer(beginning)) beginInner(held)
  }
  const beginText = (quoted: boolean) => {
    isQuoted = quoted
    isHeld = true
    held = ''
    decide('')
  }
  const putText = (piece: string) => {
    if (!isHeld) return putString(piece)
    const isShort = held.length < SCALAR_PROBE_CHARS
    held += piece
    if (isShort) decide(held.slice(0, SCALAR_PROBE_CHARS))
    if (isHeld && !error && held.length > maxHeldChars)
      fail(`a value of more than ${maxHeldChars} characters whose type shows only at its end`, held)
  }
  const endText = () => {
    if (isHeld) return endHeld(held)
    endValue(`${escapeJsonString(highSurrogate)}"${wrapperEnd}`)
    highSurrogate = ''
  }
  const endHeld = (text: string) => {
    const { types } = expected()
    const isEmpty = text.trim() === ''
    if (
      isEmpty &&
      !(types & JsonType.string) &&
      (types & JsonType.object || (types & JsonType.array && !isQuoted))
    ) {
      open((types & JsonType.object) !== 0)
      close()
    } else if (
      isContainer(text) ||
      (!isQuoted && types & CONTAINER && startsContainer(text) && isJson(text))
    ) {
      const outer = nestedJson
      beginInner(text)
      put(Token.endText, '')
      nestedJson = outer
    } else putScalar(text, isQuoted ? 'quoted' : 'raw')
  }
  const beginInner = (text: string) => {
    held = ''
    nestedJson = startReader(cursor => readNestedJson(cursor, putToken, expectsKey))
    put(Token.text, text)
  }
  const putInner = (run: RunningReader<string | undefined>, token: Token, text: string) => {
    if (token === Token.text) run.feed(text)
    else run.end(false)
    if (!run.isDone()) return
    nestedJson = undefined
    const problem = run.result()
    if (problem !== undefined) fail(problem, run.unread())
  }

  const handlers: Readonly<Record<Token, (text: string) => void>> = {
    [Token.beginObject]: () => open(true),
    [Token.endObject]: close,
    [Token.beginArray]: () => open(false),
    [Token.endArray]: close,
    [Token.key]: putKey,
    [Token.beginQuoted]: () => beginText(true),
    [Token.beginUntyped]: () => beginText(false),
    [Token.text]: putText,
    [Token.endText]: endText,
    [Token.literal]: text => putScalar(text, 'bare'),
  }
  const putToken: ValueSink = (token, text) => {
    if (error) out += text
    else handlers[token](text)
  }
  const put: ValueSink = (token, text) =>
    nestedJson ? putInner(nestedJson, token, text) : putToken(token, text)
  /**
   * Whether a key is to be expected in the object being written, or in one so many levels around
   * it; in a list, in its next item. Where the schema declares keys, no others are.
   */
  const expectsKey = (key: string, levelsUp: number) => {
    const frame = frames.at(-1 - levelsUp)
    if (!frame) return undefined
    const { propertyNames, isOpen } = frame.isObject ? frame.shape : frame.shape.item(frame.count)
    return (propertyNames.length > 0 ? propertyNames.includes(key) : isOpen) && !frame.keys.has(key)
  }

  return {
    put,
    expected,
    expectsKey,
    /** Takes what has been written since the last time. */
    take() {
      const taken = out
      out = ''
      return taken
    },
    /** True once the outermost value is written. */
    isComplete: () => isComplete,
    error: () => error,
    /** Copies what cannot be read, and all after it. */
    fail,
  }
}

/** Reads a text that is JSON from end to end; returns the reason if it is not. */
function* readNestedJson(
  cursor: Cursor,
  put: ValueSink,
  expectsKey: JsonSyntax['expectsKey'],
): Reading<string | undefined> {
  const problem = yield* readJson(cursor, put, { expectsKey })
  if (!problem) yield* skip(cursor)
  return (
    problem?.message ??
    (cursor.at < cursor.text.length ? 'unexpected text after the JSON value' : undefined)
  )
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that JSON cannot hold raw
const mustEscape = /["\\\u0000-\u001f\ud800-\udfff]/

/**
 * JSON's string escaping without the quotes; a lone surrogate is escaped too, since UTF-8 cannot
 * carry it.
 */
function escapeJsonString(text: string): string {
  return mustEscape.test(text) ? JSON.stringify(text).slice(1, -1) : text
}
