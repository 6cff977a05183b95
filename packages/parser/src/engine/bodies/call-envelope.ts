import type { ArgumentWriter } from '../argument-writer.js'
import type { CallPort } from '../body.js'
import { createValueRecorder, nestingOf, Token, type ValueRecorder, type ValueSink } from '../value-token.js'

/** How sure it is that a JSON object behind a mark is a call. */
export interface EnvelopeGrammar {
  /**
   * The mark proves nothing by itself (a ```json fence, a bare brace): only a declared tool's name together with arguments
   * makes a call, and any key that an envelope does not have makes it data.
   */
  readonly isWeak?: boolean | undefined
  /** A call is what was asked for, so that a declared tool's name is enough. */
  readonly isForced?: boolean | undefined
  /** The tool that must be called whatever name is written; an object that is no envelope holds its arguments. */
  readonly forcedToolName?: string | undefined
  /** The object's key is the tool and its value the arguments: `{"get_weather": {…}}`. The usual envelope is read too. */
  readonly isKeyedByName?: boolean | undefined
  /** Names by which a model says that it calls nothing. */
  readonly noCallNames?: readonly string[] | undefined
}

const nameKeys = new Set(['name', 'tool_name', 'function_name'])
const argumentKeys = new Set(['arguments', 'parameters', 'args', 'params', 'input', 'tool_input'])
/** Keys that may hold the envelope itself (`{"type": "function", "function": {"name": …}}`), or just the name. */
const wrapperKeys = new Set(['function', 'tool', 'tool_call', 'function_call'])
const idleKeys = new Set(['type', 'id', 'index', 'tool_call_id', 'call_id'])
const isEnvelopeKey = (key: string) =>
  nameKeys.has(key) || argumentKeys.has(key) || wrapperKeys.has(key) || idleKeys.has(key)

type TokenReading = Generator<undefined, void, readonly [Token, string]>

/** Reads `{"name": …, "arguments": …}` key by key, in any order, and opens the call as soon as its tool is known. */
export function createCallEnvelope(port: CallPort, grammar: EnvelopeGrammar) {
  const { isWeak = false, isForced: isExpected = false, forcedToolName, isKeyedByName, noCallNames = [] } = grammar
  const { tools, maxHeldChars } = port
  const isForced = forcedToolName !== undefined
  /** Whoever names no tools lets the envelope alone prove a call. */
  const isKnown = (toolName: string) => tools.has(toolName) || tools.names().length === 0
  let isRejected = false
  let name: string | undefined
  let writer: ArgumentWriter | undefined
  let hasArguments = false
  /** Arguments that came before the name. */
  let early: ValueRecorder | undefined
  /** Keys that are no envelope's: the arguments, if there are no others. */
  let loose: ValueRecorder | undefined
  /** The object holds the arguments themselves. A forced tool's object may; its first key decides. */
  let isBare = false
  let isUndecided = isForced
  /** How many objects are open around the place. */
  let depth = 0

  const reject = () => {
    isRejected = true
  }
  const commit = () => {
    writer ??= port.open(forcedToolName ?? name ?? '')
    return writer
  }
  /** All that was read of the arguments, and all that follows, goes right to the call. */
  const startBare = () => {
    isBare = true
    const { put } = commit()
    put(Token.beginObject, '')
    loose?.replay(put)
    loose = undefined
  }
  /** Too much is held: without a name it was no call; with one, the keys beside it are the arguments. */
  const keepBound = () => {
    if ((early?.heldChars() ?? 0) + (loose?.heldChars() ?? 0) <= maxHeldChars) return
    if (writer) startBare()
    else reject()
  }
  /** Takes the arguments. Those that are null are none; of a key that may be a tool's name, only an object can be the arguments. */
  const argumentSink = (isNamedByKey = false): ValueSink => {
    let sink: ValueSink | undefined
    return (token, text) => {
      if (!sink && isNamedByKey && token !== Token.beginObject && !tools.has(name ?? '')) return reject()
      const isNone = !sink && token === Token.literal && (text === 'null' || text === 'None')
      sink ??= commit().put
      if (!isNone) return sink(token, text)
      sink(Token.beginObject, '')
      sink(Token.endObject, '')
    }
  }
  const replayEarly = () => {
    early?.replay(argumentSink())
    early = undefined
    hasArguments = true
  }
  const afterName = (written: string) => {
    name = written
    if (isForced) return
    const isNoCall = noCallNames.includes(name) && !tools.has(name)
    if (name === '' || (isWeak && !isKnown(name)) || isNoCall) reject()
    else if (early) replayEarly()
    else if (!isWeak) commit()
  }

  /** Takes a value to its end. */
  function* readValue(sink: ValueSink, first?: readonly [Token, string]): TokenReading {
    let [token, text] = first ?? (yield)
    for (let nesting = 0; ; [token, text] = yield) {
      nesting += nestingOf[token] ?? 0
      sink(token, text)
      keepBound()
      if (nesting === 0) return
    }
  }
  /** Takes a name, and tells of it. */
  function* readName(then: (written: string) => void, first?: readonly [Token, string]): TokenReading {
    let written = ''
    const put: ValueSink = (token, text) => {
      if (token === Token.text || token === Token.literal) written += text
      else if (token === Token.beginObject || token === Token.beginArray) reject()
      if (isUndecided) loose?.put(token, text)
    }
    yield* readValue(put, first)
    then(written.trim())
  }
  function* readArguments(): TokenReading {
    if (name === undefined && !isForced) {
      early = createValueRecorder()
      return yield* readValue(early.put)
    }
    commit()
    yield* readValue(argumentSink())
    hasArguments = true
  }
  const keepLoose = (key: string) => {
    loose ??= createValueRecorder()
    loose.put(Token.key, key)
    return loose.put
  }
  /** The first key of a forced tool's object that is not clearly an envelope's: are these the arguments themselves? */
  function* readFirst(key: string, isOwn: boolean): TokenReading {
    // Some other object, in prose around the answer.
    if (!isOwn && !tools.shapeOf(forcedToolName ?? '').isOpen) return reject()
    keepLoose(key)
    if (!nameKeys.has(key)) {
      // `{x}` is no object: the arguments begin with the first value.
      const [token, text] = yield
      startBare()
      return put(token, text)
    }
    // The tool has an argument `name`: it is the envelope's only if it holds the tool's name.
    yield* readName(written => {
      name = written
      if (name === forcedToolName) loose = undefined
      else startBare()
    })
    isUndecided = false
  }
  /** The key is the tool's name, and its value the arguments. */
  const isNamedBy = (key: string) =>
    isKeyedByName && name === undefined && !early && (tools.has(key) || (!isForced && !isEnvelopeKey(key)))
  function* readKey(key: string): TokenReading {
    const isOwn = isUndecided && tools.shapeOf(forcedToolName ?? '').propertyNames.includes(key)
    if (isNamedBy(key)) {
      name = key
      yield* readValue(argumentSink(true))
      hasArguments = true
      return
    }
    if (isUndecided && (isOwn || !isEnvelopeKey(key))) return yield* readFirst(key, isOwn)
    isUndecided = false
    if (wrapperKeys.has(key)) {
      const first = yield
      // The envelope goes on one level deeper.
      if (first[0] === Token.beginObject) yield* readKeys()
      else if (name === undefined) yield* readName(afterName, first)
      else yield* readValue(() => {}, first)
    } else if (nameKeys.has(key) && name === undefined) yield* readName(afterName)
    else if (argumentKeys.has(key) && !hasArguments) yield* readArguments()
    else if (isEnvelopeKey(key) || hasArguments) yield* readValue(() => {})
    else if (isWeak) reject()
    else yield* readValue(keepLoose(key))
  }
  function* readKeys(): TokenReading {
    depth++
    for (let [token, key] = yield; token === Token.key; [token, key] = yield) yield* readKey(key)
    depth--
  }
  const reading = readKeys()
  const put: ValueSink = (token, text) => {
    if (isBare) commit().put(token, text)
    else if (!isRejected) reading.next([token, text])
  }

  return {
    put,
    /** Whatever comes now cannot change the call any more. */
    isEnough: () => isRejected || hasArguments,
    depth: () => depth,
    /** The object turned out to be something else than a call. */
    isRejected: () => isRejected,
    /** The writer of the call's arguments, once the tool is known. */
    writer: () => writer,
    /** The object is over: makes the arguments of a call that has none. */
    finish() {
      if (isRejected || isBare || hasArguments) return
      if (!writer && !isForced && ((isWeak && !isExpected) || name === undefined)) return reject()
      if (early) return replayEarly()
      startBare()
      commit().put(Token.endObject, '')
    },
    /** The name that was written in place of the forced one. */
    otherName: () => (isForced && !isBare && name !== undefined && name !== forcedToolName ? name : undefined),
  }
}
