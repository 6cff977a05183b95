import type { ArgumentWriter } from '../argument-writer.js'
import type { CallPort } from '../body.js'
import type { Cursor, Reading } from '../cursor.js'
import { CUT, type Problem } from '../events.js'
import { peek } from '../marks.js'
import { createJsonReader } from '../read-json.js'
import { createValueRecorder, putText, Token, type ValueRecorder, type ValueSink } from '../value-token.js'
import type { MarkupOptions } from './markup.js'

/** How sure it is that a JSON object behind a mark is a call. */
export interface EnvelopeGrammar extends MarkupOptions {
  /**
   * The mark proves nothing by itself (a ```json fence, a bare brace): only a declared tool's name together with arguments
   * makes a call, and any key that an envelope does not have makes it data.
   */
  readonly isWeak?: boolean | undefined
  /** The object's key is the tool and its value the arguments: `{"get_weather": {…}}`. The usual envelope is read too. */
  readonly isKeyedByName?: boolean | undefined
  /** Names by which a model says that it calls nothing. */
  readonly noCallNames?: readonly string[] | undefined
}

const MAX_SPACE_CHARS = 1024
const nameKeys = new Set(['name', 'tool_name', 'function_name'])
const argumentKeys = new Set(['arguments', 'parameters', 'args', 'params', 'input', 'tool_input'])
/** Keys that may hold the envelope itself (`{"type": "function", "function": {"name": …}}`), or just the name. */
const wrapperKeys = new Set(['function', 'tool', 'tool_call', 'function_call'])
const idleKeys = new Set(['type', 'id', 'index', 'tool_call_id', 'call_id'])
const isEnvelopeKey = (key: string) =>
  nameKeys.has(key) || argumentKeys.has(key) || wrapperKeys.has(key) || idleKeys.has(key)

/** Whether the object around the arguments goes on behind them: prose may follow where its brace is missing. */
const goesOn = (behind: string): boolean | undefined => {
  const char = behind.slice(0, MAX_SPACE_CHARS).trimStart().charAt(0)
  return char || behind.length >= MAX_SPACE_CHARS ? char === ',' || char === '}' : undefined
}

/**
 * Reads `{"name": …, "arguments": …}` from behind its brace, key by key and in any order, and opens the call as soon as its tool is
 * known. What stands behind the arguments cannot change the call any more.
 */
export function* readEnvelope(
  cursor: Cursor,
  port: CallPort,
  { ends, opens, isWeak = false, isKeyedByName, noCallNames = [] }: EnvelopeGrammar,
): Reading<{ readonly isCall: boolean; readonly problem: Problem | undefined }> {
  const { tools, maxHeldChars } = port
  /** An object that is no envelope holds the arguments of the tool that is forced. */
  const { forcedName } = tools
  const isForced = forcedName !== undefined
  let writer: ArgumentWriter | undefined
  const json = createJsonReader(cursor, { ends, otherEnds: opens, mayHaveKey: key => writer?.mayHaveKey(key) ?? true })
  let name: string | undefined
  let isRejected = false
  let hasArguments = false
  /** Arguments that came before the name. */
  let early: ValueRecorder | undefined
  /** Keys that are no envelope's: the arguments, if there are no others. */
  let loose = createValueRecorder()

  const ignore: ValueSink = () => {}
  const reject = () => {
    isRejected = true
  }
  const open = () => {
    writer ??= port.open(name ?? forcedName ?? '')
    return writer.put
  }
  const beginBare = () => {
    const put = open()
    put(Token.beginObject, '')
    loose.replay(put)
    return put
  }
  /** Takes the arguments. Those that are null are none; of a key that may be a tool's name, only an object can be the arguments. */
  const argumentSink = (isNamedByKey = false): ValueSink => {
    let put: ValueSink | undefined
    return (token, text) => {
      if (!put && isNamedByKey && token !== Token.beginObject && !tools.has(name ?? '')) return reject()
      const isNone = !put && token === Token.literal && (text === 'null' || text === 'None')
      put ??= open()
      if (!isNone) return put(token, text)
      put(Token.beginObject, '')
      put(Token.endObject, '')
    }
  }
  function* readArguments(sink: ValueSink, depth = json.depth()): Reading {
    hasArguments = (yield* json.read(sink, depth)) === undefined
  }
  /** The object holds the arguments themselves: all that was read of them, and all that follows. */
  const readBare = () => readArguments(beginBare(), json.depth() - 1)
  /** If too much is held it was no call without a name; with one, the keys beside it are the arguments. */
  function* record(recorder: ValueRecorder): Reading {
    const depth = json.depth()
    const isFull = () => (early?.heldChars() ?? 0) + loose.heldChars() > maxHeldChars
    yield* json.read(recorder.put, depth, isFull)
    if (isFull() && writer) yield* readArguments(beginBare(), depth - 1)
    else if (isFull()) reject()
  }
  /** `"name": |"f"` `"function": |{"name": …` */
  function* readName(key: string): Reading<string> {
    let text = ''
    let isInside = false
    const sink: ValueSink = (token, piece) => {
      text += piece
      if (token === Token.beginObject && wrapperKeys.has(key)) isInside = true
      else if (name === undefined && (token === Token.beginObject || token === Token.beginArray)) reject()
    }
    const problem = yield* json.read(sink, json.depth(), () => isInside || isRejected)
    if (!problem && !isInside) name ??= text.trim()
    return text
  }
  const useName = (written: string) => {
    const isUnknown = !tools.has(written)
    // Whoever names no tools lets the envelope alone prove a call.
    const isDoubtful = noCallNames.includes(written) || (isWeak && tools.names().length > 0)
    if (written === '' || (isUnknown && isDoubtful)) reject()
    else if (early) {
      early.replay(argumentSink())
      hasArguments = true
    } else if (!isWeak) open()
  }
  /** The first key of a forced tool's object, which may be the bare arguments. */
  function* readFirst(key: string): Reading {
    const { propertyNames, isOpen } = tools.shapeOf(forcedName ?? '')
    const isOwn = propertyNames.includes(key)
    if (!isOwn && isEnvelopeKey(key)) return yield* readMember(key)
    // Some other object, in prose around the answer.
    if (!isOwn && !isOpen) return reject()
    loose.put(Token.key, key)
    if (nameKeys.has(key)) {
      // The tool has an argument `name`: it is the envelope's only if it holds the tool's name.
      putText(Token.beginQuoted, yield* readName(key), loose.put)
      const isEnvelope = name === forcedName
      if (isEnvelope) loose = createValueRecorder()
      if (isEnvelope || name === undefined) return
      name = undefined
    }
    yield* readBare()
  }
  /** The key is the tool's name, and its value the arguments. */
  const isNamedBy = (key: string) =>
    isKeyedByName && name === undefined && !early && (tools.has(key) || (!isForced && !isEnvelopeKey(key)))
  function* readMember(key: string): Reading {
    const isName = nameKeys.has(key) || wrapperKeys.has(key)
    if (hasArguments) yield* json.read(ignore)
    else if (isNamedBy(key)) {
      name = key
      yield* readArguments(argumentSink(true))
    } else if (idleKeys.has(key)) yield* json.read(ignore)
    else if (argumentKeys.has(key) && (name !== undefined || isForced)) yield* readArguments(argumentSink())
    else if (argumentKeys.has(key)) {
      early = createValueRecorder()
      yield* record(early)
    } else if (isName) {
      yield* readName(key)
      if (name !== undefined && !isForced && !writer) useName(name)
    } else if (isWeak) reject()
    else {
      loose.put(Token.key, key)
      yield* record(loose)
    }
  }

  const keys: string[] = []
  let failure: Problem | undefined
  for (let isFirst = isForced; !failure && !isRejected && json.depth() > 0; ) {
    if (hasArguments && !(yield* peek(cursor, goesOn))) break
    failure = yield* json.read((_, text) => keys.push(text))
    const key = keys.pop()
    if (key === undefined) continue
    yield* isFirst && !isNamedBy(key) ? readFirst(key) : readMember(key)
    isFirst = false
  }
  if (hasArguments || isRejected) return { isCall: !isRejected, problem: undefined }
  // At the end of the text an object without its brace may lack the arguments too.
  const isTorn = cursor.isOver && cursor.at === cursor.text.length && cursor.text.charAt(cursor.at - 1) !== '}'
  const problem = failure ?? (isTorn ? CUT : undefined)
  const isCall = isForced || (name !== undefined && (!isWeak || tools.isForced === true))
  if (isCall && !problem) beginBare()(Token.endObject, '')
  return { isCall: writer !== undefined, problem }
}
