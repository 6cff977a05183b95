import { type Cursor, createRun, type Reading, type Run } from './cursor.js'
import { isJson } from './is-json.js'
import { skip } from './marks.js'
import { readJson } from './read-json.js'
import { kindOfJson, mayBecomeScalar, SCALAR_PROBE_CHARS, type ScalarSource, scalarAsJson } from './scalar.js'
import { Kind, type Shape } from './shape.js'
import { Token, type ValueSink } from './value-token.js'

/**
 * Writes value tokens as JSON text, typed by the schema as it goes. What it has written never changes afterwards: where the
 * type of a value is in doubt the value is held until it is whole. Numbers are copied digit by digit and no JavaScript
 * value is ever built, so nothing is rounded and no key is special.
 */
export interface ArgumentWriter {
  readonly put: ValueSink
  /** The shape of the value that comes next. */
  expected(): Shape
  /** False for a key that the schema of the object being written forbids. */
  mayHaveKey(key: string): boolean
  /** Takes what has been written since the last time. */
  take(): string
  /** True once the outermost value is written. */
  isWhole(): boolean
  /** Why a value could not be read (text that should hold JSON and does not), or undefined. */
  error(): string | undefined
}

interface Frame {
  readonly isObject: boolean
  /** Narrows as the members of a union are told apart. */
  shape: Shape
  /** How many values or keys it holds so far. */
  count: number
  /** The key whose value comes next. */
  key: string
  /** An array that we opened around a single value, because the schema wants an array. */
  readonly isWrapper: boolean
}

// What is done with the text being written.
const STREAM = 1 // it is a string, and flows out as it comes
const HOLD = 2 // its type does not show yet
const BROKEN = 3 // it cannot be read: it is copied out as it stands, and the call is reported

const STRUCTURE = Kind.object | Kind.array

export function createArgumentWriter(root: Shape, maxHeldChars: number): ArgumentWriter {
  let out = ''
  const frames: Frame[] = []
  let isWhole = false
  let mode = STREAM
  let isQuoted = false
  let held = ''
  /** The text holds JSON, which is written as such; its strings may hold JSON again. */
  let inner: { readonly run: Run<string | undefined>; readonly writer: ArgumentWriter } | undefined
  /** The first half of a surrogate pair that a chunk boundary has cut in two. */
  let highSurrogate = ''
  let error: string | undefined

  const top = () => frames[frames.length - 1]
  const expected = (): Shape => {
    const frame = top()
    if (!frame) return root
    return frame.isObject ? frame.shape.property(frame.key) : frame.shape.item(frame.count)
  }
  /** Called before any value: the comma, and a list around a single value where only a list will do. */
  const beginValue = (kind: number): Shape => {
    const shape = expected()
    const frame = top()
    if (frame && !frame.isObject && frame.count++ > 0) out += ','
    if (!(shape.kinds & Kind.array) || shape.kinds & kind || kind === Kind.array) return shape
    out += '['
    frames.push({ isObject: false, shape, count: 1, key: '', isWrapper: true })
    return shape.item(0)
  }
  const endValue = () => {
    while (top()?.isWrapper) {
      frames.pop()
      out += ']'
    }
    if (frames.length === 0) isWhole = true
  }
  const open = (isObject: boolean) => {
    const shape = beginValue(isObject ? Kind.object : Kind.array)
    out += isObject ? '{' : '['
    frames.push({ isObject, shape, count: 0, key: '', isWrapper: false })
  }
  const close = (bracket: string) => {
    frames.pop()
    out += bracket
    endValue()
  }
  const putScalar = (text: string, source: ScalarSource) => {
    const wanted = expected()
    const shape = beginValue(kindOfJson(scalarAsJson(text, source, wanted)))
    const json = scalarAsJson(text, source, shape)
    const frame = top()
    // What a member of a union says of itself (`"type": "circle"`) tells which member it is.
    if (frame?.isObject && shape.values) frame.shape = frame.shape.narrow(frame.key, json)
    out += json
    endValue()
  }
  const beginString = () => {
    mode = STREAM
    beginValue(Kind.string)
    out += '"'
  }
  const putString = (piece: string) => {
    const text = highSurrogate + piece
    highSurrogate = /[\ud800-\udbff]$/.exec(text)?.[0] ?? ''
    out += escapeJsonString(highSurrogate ? text.slice(0, -1) : text)
  }
  const takeHeld = () => {
    const text = held
    held = ''
    return text
  }
  const breakOff = (message: string, rest: string) => {
    error ??= message
    mode = BROKEN
    out += rest
  }
  /** A text is a string once it can be nothing else, and an object or a list by its bracket; all else shows at its end. */
  const decide = (beginning: string) => {
    const shape = expected()
    const { kinds, values } = shape
    const bracket = /^\s*([[{]|$)/.exec(beginning)?.[1]
    if (!(kinds & Kind.string)) {
      const wantsObject = kinds & Kind.object || (kinds & Kind.array && shape.item(0).kinds & Kind.object)
      if ((bracket === '[' && kinds & Kind.array) || (bracket === '{' && wantsObject)) beginInner(takeHeld())
    } else if (!values && !mayBecomeScalar(beginning) && !(kinds & STRUCTURE && bracket !== undefined)) {
      const text = takeHeld()
      beginString()
      putString(text)
    }
  }
  const hold = (piece: string) => {
    const isShort = held.length < SCALAR_PROBE_CHARS
    held += piece
    if (isShort) decide(held.slice(0, SCALAR_PROBE_CHARS))
    if (held.length <= maxHeldChars) return
    breakOff(`a value of more than ${maxHeldChars} characters whose type shows only at its end`, takeHeld())
  }
  const beginInner = (text: string) => {
    const writer = createArgumentWriter(beginValue(kindOfJson(text.trimStart())), maxHeldChars)
    inner = { run: createRun(cursor => readWhole(cursor, writer)), writer }
    putInner(Token.text, text)
  }
  const putInner: ValueSink = (token, text) => {
    if (!inner) return
    const { run, writer } = inner
    if (token === Token.text) run.feed(text)
    else run.end(false)
    out += writer.take()
    error ??= writer.error()
    const problem = run.result()
    if (problem !== undefined) breakOff(problem, run.unread())
    if (run.isDone()) inner = undefined
    if (token !== Token.text) endValue()
  }
  /** Writes a text that was held to its end. */
  const endHeld = () => {
    const text = takeHeld()
    const { kinds } = expected()
    const isEmpty = text.trim() === ''
    if (isEmpty && !(kinds & Kind.string) && (kinds & Kind.object || (kinds & Kind.array && !isQuoted))) {
      open((kinds & Kind.object) !== 0)
      close(kinds & Kind.object ? '}' : ']')
    } else if (!isQuoted && kinds & STRUCTURE && /^\s*[[{]/.test(text) && isJson(text)) {
      beginInner(text)
      putInner(Token.endText, '')
    } else putScalar(text, isQuoted ? 'quoted' : 'raw')
  }

  const mayHaveKey = (key: string) => {
    const shape = top()?.shape
    return !shape || shape.isOpen || shape.propertyNames.includes(key)
  }
  const putKey = (name: string) => {
    const frame = top()
    if (!frame) return
    out += `${frame.count++ > 0 ? ',' : ''}${JSON.stringify(name)}:`
    frame.key = name
  }
  const beginText = (quoted: boolean) => {
    isQuoted = quoted
    const { kinds, values } = expected()
    const mayBeString = (kinds & Kind.string) !== 0
    if (mayBeString && !values && (quoted || kinds === Kind.string)) beginString()
    else mode = HOLD
  }
  const putText = (piece: string) => {
    if (mode === STREAM) putString(piece)
    else if (mode === HOLD) hold(piece)
    else out += piece
  }
  const endText = () => {
    if (mode === STREAM) {
      out += `${escapeJsonString(highSurrogate)}"`
      highSurrogate = ''
      endValue()
    } else if (mode !== BROKEN) endHeld()
  }

  const takers: Readonly<Record<Token, (text: string) => void>> = {
    [Token.beginObject]: () => open(true),
    [Token.endObject]: () => close('}'),
    [Token.beginArray]: () => open(false),
    [Token.endArray]: () => close(']'),
    [Token.key]: putKey,
    [Token.beginQuoted]: () => beginText(true),
    [Token.beginRaw]: () => beginText(false),
    [Token.text]: putText,
    [Token.endText]: endText,
    [Token.literal]: text => putScalar(text, 'bare'),
  }

  return {
    put: (token, text) => (inner ? putInner(token, text) : takers[token](text)),
    expected,
    mayHaveKey,
    take() {
      const taken = out
      out = ''
      return taken
    },
    isWhole: () => isWhole,
    error: () => error,
  }
}

/** Reads a text that is JSON from end to end; gives the reason why it is not. */
function* readWhole(cursor: Cursor, { put, mayHaveKey }: ArgumentWriter): Reading<string | undefined> {
  const problem = yield* readJson(cursor, put, { mayHaveKey })
  if (!problem) yield* skip(cursor)
  return problem?.message ?? (cursor.at < cursor.text.length ? 'text behind the JSON value' : undefined)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that JSON cannot hold raw
const mustEscape = /["\\\u0000-\u001f\ud800-\udfff]/

/** JSON's string escaping without the quotes; a lone surrogate is escaped too, since UTF-8 cannot carry it. */
function escapeJsonString(text: string): string {
  return mustEscape.test(text) ? JSON.stringify(text).slice(1, -1) : text
}
