import { isJson } from './is-json.js'
import { createJsonReader, type JsonReader } from './json-reader.js'
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
const HOLD = 2 // its type is known only when it is whole
const PROBE = 3 // as HOLD, until it can be nothing but a string
const UNDECIDED = 4 // the schema wants an object or a list: does the text hold JSON?
const BROKEN = 5 // it cannot be read: it is copied out as it stands, and the call is reported

const STRUCTURE = Kind.object | Kind.array

export function createArgumentWriter(root: Shape, maxHeldChars: number): ArgumentWriter {
  let out = ''
  const frames: Frame[] = []
  let isWhole = false
  let mode = STREAM
  let isQuoted = false
  let held = ''
  /** JSON inside a text, whose strings may hold JSON again; and how many frames were open before it. */
  const nested: { readonly reader: JsonReader; readonly depth: number }[] = []
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
    highSurrogate = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : ''
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
  const hold = (piece: string) => {
    held += piece
    if (held.length > maxHeldChars) {
      breakOff(`a value of more than ${maxHeldChars} characters whose type shows only at its end`, takeHeld())
    }
  }
  /** Holds a text as long as it may be something else than a string. */
  const probe = (piece: string) => {
    const wasShort = held.length < SCALAR_PROBE_CHARS
    const beginning = wasShort ? (held + piece).slice(0, SCALAR_PROBE_CHARS) : ''
    const isStructure = expected().kinds & STRUCTURE && /^\s*(?:[[{]|$)/.test(beginning)
    if (!wasShort || isStructure || mayBecomeScalar(beginning)) return hold(piece)
    const text = takeHeld() + piece
    beginString()
    putString(text)
  }
  const readNested = (piece: string) => {
    const level = nested.length
    const reader = createJsonReader(sinkAt(level + 1), { maxHeldChars, mayHaveKey })
    nested.push({ reader, depth: frames.length })
    sinkAt(level)(Token.text, piece)
  }
  /** Takes the tokens of the source (0), or of JSON inside one of its texts. */
  const sinkAt =
    (level: number): ValueSink =>
    (token, text) => {
      const json = nested[level]
      if (!json) return takers[token](text)
      const { reader, depth } = json
      const taken = reader.feed(text, 0, text.length)
      const rest = reader.status() === 'done' ? reader.unread() + text.slice(taken) : ''
      if (reader.status() === 'failed') breakOff(reader.error(), text.slice(taken))
      else if (/\S/.test(rest)) breakOff('text behind the JSON value', rest)
      else if (token === Token.text) return
      else if (!reader.end(true)) error ??= 'the JSON inside a string is cut'
      nested.length = level
      frames.length = depth
      if (token !== Token.text) endValue()
    }
  /** Decides, at the first character that tells, whether a text holds the object or the list that the schema wants. */
  const decide = (piece: string) => {
    const first = /\S/.exec(piece)?.[0]
    if (!first) return hold(piece)
    const shape = expected()
    const wantsObject = shape.kinds & Kind.object || shape.item(0).kinds & Kind.object
    if ((first === '[' && shape.kinds & Kind.array) || (first === '{' && wantsObject)) {
      readNested(takeHeld() + piece)
    } else {
      mode = HOLD
      hold(piece)
    }
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
      const level = nested.length
      readNested(text)
      sinkAt(level)(Token.endText, '')
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
    else if (mayBeString) mode = values ? HOLD : PROBE
    else mode = kinds & STRUCTURE ? UNDECIDED : HOLD
  }
  const putText = (piece: string) => {
    if (mode === STREAM) putString(piece)
    else if (mode === HOLD) hold(piece)
    else if (mode === PROBE) probe(piece)
    else if (mode === UNDECIDED) decide(piece)
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
    put: sinkAt(0),
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that JSON cannot hold raw
const mustEscape = /["\\\u0000-\u001f\ud800-\udfff]/

/** JSON's string escaping without the quotes; a lone surrogate is escaped too, since UTF-8 cannot carry it. */
function escapeJsonString(text: string): string {
  return mustEscape.test(text) ? JSON.stringify(text).slice(1, -1) : text
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
