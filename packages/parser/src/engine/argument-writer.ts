import { type Cursor, createRun, type Reading, type Run } from './cursor.js'
import { malformed, type Problem } from './events.js'
import type { JsonSyntax } from './json-syntax.js'
import { skip } from './marks.js'
import { readJson } from './read-json.js'
import {
  isJson,
  kindOfJson,
  mayBecomeScalar,
  SCALAR_PROBE_CHARS,
  type ScalarSource,
  scalarAsJson,
} from './scalar.js'
import { Kind, type Shape, STRUCTURE } from './shape.js'
import { Token, type ValueSink } from './value-token.js'

interface Frame {
  readonly isObject: boolean
  /** Narrows as the members of a union are told apart. */
  shape: Shape
  /** How many values or keys it holds so far. */
  count: number
  /** The key whose value comes next, and all that it has had. */
  key: string
  readonly keys: Set<string>
  readonly closer: string
}

const startsStructure = (text: string) => (kindOfJson(text.trimStart()) & STRUCTURE) !== 0

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
  let isWhole = false
  /** The end of the list that stands around a single value, where the schema wants a list. */
  let listEnd = ''
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
  let inner: Run<string | undefined> | undefined
  /** The first half of a surrogate pair that a chunk boundary has cut in two. */
  let highSurrogate = ''
  /** Why a value could not be read. All text behind it is copied as it stands. */
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
    const isAlone = shape.kinds & Kind.array && !(shape.kinds & kind) && kind !== Kind.array
    listEnd = isAlone ? ']' : ''
    if (isAlone) out += '['
    return isAlone ? shape.item(0) : shape
  }
  const endValue = (end: string) => {
    out += end
    if (frames.length === 0) isWhole = true
  }
  const open = (isObject: boolean) => {
    const shape = beginValue(isObject ? Kind.object : Kind.array)
    out += isObject ? '{' : '['
    frames.push({
      isObject,
      shape,
      count: 0,
      key: '',
      keys: new Set(),
      closer: (isObject ? '}' : ']') + listEnd,
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
    const shape = beginValue(kindOfJson(scalarAsJson(text, source, expected())))
    const json = scalarAsJson(text, source, shape)
    const frame = top()
    // What a member of a union says of itself (`"type": "circle"`) tells which member it is.
    if (frame?.isObject && shape.values && !listEnd)
      frame.shape = frame.shape.narrow(frame.key, json)
    // Arguments that are null are none.
    endValue((frame || json !== 'null' ? json : '{}') + listEnd)
  }
  const putString = (piece: string) => {
    const text = highSurrogate + piece
    highSurrogate = /[\ud800-\udbff]$/.exec(text)?.[0] ?? ''
    out += escapeJsonString(highSurrogate ? text.slice(0, -1) : text)
  }
  const breakOff = (message: string, rest: string): void => {
    error ??= malformed(message)
    out += rest
  }

  /**
   * True for a text that is an object or a list, as its bracket tells where no string will do. A
   * list takes a single object, too.
   */
  const isStructure = (beginning: string) => {
    const shape = expected()
    const { kinds } = shape
    const kind = kindOfJson(beginning.trimStart())
    if (kinds & Kind.string || !(kind & STRUCTURE)) return false
    return (kinds & kind) !== 0 || (kinds & Kind.array && shape.item(0).kinds & kind) !== 0
  }
  /**
   * A text is a string once it can be nothing else, and an object or a list by its bracket; all
   * else shows at its end.
   */
  const decide = (beginning: string) => {
    const { kinds, values } = expected()
    const mayBeElse = () =>
      mayBecomeScalar(beginning) || (kinds & STRUCTURE && startsStructure(beginning))
    if (kinds & Kind.string && !values && (isQuoted || kinds === Kind.string || !mayBeElse())) {
      isHeld = false
      beginValue(Kind.string)
      out += '"'
      putString(held)
    } else if (!inner && isStructure(beginning)) beginInner(held)
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
      breakOff(
        `a value of more than ${maxHeldChars} characters whose type shows only at its end`,
        held,
      )
  }
  const endText = () => {
    if (isHeld) return endHeld(held)
    endValue(`${escapeJsonString(highSurrogate)}"${listEnd}`)
    highSurrogate = ''
  }
  const endHeld = (text: string) => {
    const { kinds } = expected()
    const isEmpty = text.trim() === ''
    if (
      isEmpty &&
      !(kinds & Kind.string) &&
      (kinds & Kind.object || (kinds & Kind.array && !isQuoted))
    ) {
      open((kinds & Kind.object) !== 0)
      close()
    } else if (
      isStructure(text) ||
      (!isQuoted && kinds & STRUCTURE && startsStructure(text) && isJson(text))
    ) {
      const outer = inner
      beginInner(text)
      put(Token.endText, '')
      inner = outer
    } else putScalar(text, isQuoted ? 'quoted' : 'raw')
  }
  const beginInner = (text: string) => {
    held = ''
    inner = createRun(cursor => readWhole(cursor, putToken, mayHaveKey))
    put(Token.text, text)
  }
  const putInner = (run: Run<string | undefined>, token: Token, text: string) => {
    if (token === Token.text) run.feed(text)
    else run.end(false)
    if (!run.isDone()) return
    inner = undefined
    const problem = run.result()
    if (problem !== undefined) breakOff(problem, run.unread())
  }

  const takers: Readonly<Record<Token, (text: string) => void>> = {
    [Token.beginObject]: () => open(true),
    [Token.endObject]: close,
    [Token.beginArray]: () => open(false),
    [Token.endArray]: close,
    [Token.key]: putKey,
    [Token.beginQuoted]: () => beginText(true),
    [Token.beginRaw]: () => beginText(false),
    [Token.text]: putText,
    [Token.endText]: endText,
    [Token.literal]: text => putScalar(text, 'bare'),
  }
  const putToken: ValueSink = (token, text) => {
    if (error) out += text
    else takers[token](text)
  }
  const put: ValueSink = (token, text) =>
    inner ? putInner(inner, token, text) : putToken(token, text)
  /**
   * Whether a key is to be expected in the object being written, or in one so many levels around
   * it; in a list, in its next item. Where the schema declares keys, no others are.
   */
  const mayHaveKey = (key: string, levelsUp: number) => {
    const frame = frames.at(-1 - levelsUp)
    if (!frame) return undefined
    const { propertyNames, isOpen } = frame.isObject ? frame.shape : frame.shape.item(frame.count)
    return (propertyNames.length > 0 ? propertyNames.includes(key) : isOpen) && !frame.keys.has(key)
  }

  return {
    put,
    expected,
    mayHaveKey,
    /** Takes what has been written since the last time. */
    take() {
      const taken = out
      out = ''
      return taken
    },
    /** True once the outermost value is written. */
    isWhole: () => isWhole,
    error: () => error,
    /** What cannot be read is copied, and all behind it. */
    fail: breakOff,
  }
}

/** Reads a text that is JSON from end to end; gives the reason why it is not. */
function* readWhole(
  cursor: Cursor,
  put: ValueSink,
  mayHaveKey: JsonSyntax['mayHaveKey'],
): Reading<string | undefined> {
  const problem = yield* readJson(cursor, put, { mayHaveKey })
  if (!problem) yield* skip(cursor)
  return (
    problem?.message ?? (cursor.at < cursor.text.length ? 'text behind the JSON value' : undefined)
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
