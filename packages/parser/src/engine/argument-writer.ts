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

const STRUCTURE = Kind.object | Kind.array

export function createArgumentWriter(root: Shape, maxHeldChars: number): ArgumentWriter {
  let out = ''
  const frames: Frame[] = []
  let isWhole = false
  /** The text that is being written. */
  let text: Run | undefined
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
  /** It cannot be read: it is copied out as it stands, and the call is reported. */
  function* breakOff(cursor: Cursor, message: string): Reading {
    error ??= message
    yield* readAll(cursor, piece => {
      out += piece
    })
  }
  function* readString(cursor: Cursor): Reading {
    beginValue(Kind.string)
    out += '"'
    yield* readAll(cursor, piece => {
      out += escapeJsonString(piece)
    })
    out += '"'
    endValue()
  }
  /** The text holds JSON, which is written as such; its strings may hold JSON again. */
  function* readInner(cursor: Cursor): Reading {
    const writer = createArgumentWriter(beginValue(kindOfJson(cursor.text.trimStart())), maxHeldChars)
    const sink: ValueSink = (token, piece) => {
      writer.put(token, piece)
      out += writer.take()
      error ??= writer.error()
    }
    const problem = yield* readJson(cursor, sink, { mayHaveKey: writer.mayHaveKey, mayClose: true })
    if (!problem) yield* skip(cursor)
    if (problem || cursor.at < cursor.text.length)
      yield* breakOff(cursor, problem?.message ?? 'text behind the JSON value')
    endValue()
  }
  /** A text is a string once it can be nothing else, and an object or a list by its bracket; all else shows at its end. */
  const readerOf = (beginning: string, isQuoted: boolean) => {
    const shape = expected()
    const { kinds, values } = shape
    const bracket = /^\s*([[{]|$)/.exec(beginning)?.[1]
    if (!(kinds & Kind.string)) {
      const wantsObject = kinds & Kind.object || (kinds & Kind.array && shape.item(0).kinds & Kind.object)
      return (bracket === '[' && kinds & Kind.array) || (bracket === '{' && wantsObject) ? readInner : undefined
    }
    const isCertain = isQuoted || kinds === Kind.string
    const mayBeOther = mayBecomeScalar(beginning) || (kinds & STRUCTURE && bracket !== undefined)
    return !values && (isCertain || !mayBeOther) ? readString : undefined
  }
  function* readText(cursor: Cursor, isQuoted: boolean): Reading {
    for (let seenChars = 0; ; ) {
      if (seenChars < SCALAR_PROBE_CHARS) {
        const beginning = cursor.text.slice(0, SCALAR_PROBE_CHARS)
        seenChars = beginning.length
        const read = readerOf(beginning, isQuoted)
        if (read) return yield* read(cursor)
      }
      if (cursor.isOver) return yield* endText(cursor, isQuoted)
      if (cursor.text.length > maxHeldChars) {
        const message = `a value of more than ${maxHeldChars} characters whose type shows only at its end`
        return yield* breakOff(cursor, message)
      }
      yield
    }
  }
  /** Writes a text that was held to its end. */
  function* endText(cursor: Cursor, isQuoted: boolean): Reading {
    const { kinds } = expected()
    const isEmpty = cursor.text.trim() === ''
    if (isEmpty && !(kinds & Kind.string) && (kinds & Kind.object || (kinds & Kind.array && !isQuoted))) {
      open((kinds & Kind.object) !== 0)
      close(kinds & Kind.object ? '}' : ']')
    } else if (!isQuoted && kinds & STRUCTURE && /^\s*[[{]/.test(cursor.text) && isJson(cursor.text))
      yield* readInner(cursor)
    else putScalar(cursor.text, isQuoted ? 'quoted' : 'raw')
  }
  const beginText = (isQuoted: boolean) => {
    text = createRun(cursor => readText(cursor, isQuoted))
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
  const takers: Readonly<Record<Token, (text: string) => void>> = {
    [Token.beginObject]: () => open(true),
    [Token.endObject]: () => close('}'),
    [Token.beginArray]: () => open(false),
    [Token.endArray]: () => close(']'),
    [Token.key]: putKey,
    [Token.beginQuoted]: () => beginText(true),
    [Token.beginRaw]: () => beginText(false),
    [Token.text]: piece => text?.feed(piece),
    [Token.endText]: () => text?.end(false),
    [Token.literal]: text => putScalar(text, 'bare'),
  }

  return {
    put: (token, text) => takers[token](text),
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

/** Gives out all of a text as it comes; but no half of a surrogate pair that a chunk boundary has cut in two. */
function* readAll(cursor: Cursor, put: (piece: string) => void): Reading {
  for (;;) {
    const { text, at, isOver } = cursor
    const end = isOver || !isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.length : text.length - 1
    cursor.at = end
    put(text.slice(at, end))
    if (isOver) return
    yield
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that JSON cannot hold raw
const mustEscape = /["\\\u0000-\u001f\ud800-\udfff]/

/** JSON's string escaping without the quotes; a lone surrogate is escaped too, since UTF-8 cannot carry it. */
function escapeJsonString(text: string): string {
  return mustEscape.test(text) ? JSON.stringify(text).slice(1, -1) : text
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
