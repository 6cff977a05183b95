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

/** Reads `{"name": …, "arguments": …}` key by key, in any order, and opens the call as soon as its tool is known. */
export function createCallEnvelope(port: CallPort, grammar: EnvelopeGrammar) {
  const { isWeak = false, isKeyedByName, noCallNames = [] } = grammar
  /** An object that is no envelope holds the arguments of the tool that is forced. */
  const { forcedName } = port.tools
  const isForced = forcedName !== undefined
  /** Whoever names no tools lets the envelope alone prove a call. */
  const isKnown = (toolName: string) => port.tools.has(toolName) || port.tools.names().length === 0
  let isRejected = false
  let name: string | undefined
  let writer: ArgumentWriter | undefined
  let hasArguments = false
  /** Arguments that came before the name. */
  let early: ValueRecorder | undefined
  /** Keys that are no envelope's: the arguments, if there are no others. */
  let loose: ValueRecorder | undefined
  /** A forced tool's object may be the bare arguments; its first key decides. */
  let isUndecided = isForced
  let isBare = false

  /** Where the value of the current key goes, and what is done behind it; undefined between values. */
  let target: ValueSink | undefined
  let afterValue = () => {}
  let nesting = 0
  /** How many objects are open around it. */
  let depth = 0
  /** The value may be the envelope itself. */
  let isWrapper = false

  const commit = () => {
    writer ??= port.open(name ?? forcedName ?? '')
    return writer
  }
  const beginValue = (sink: ValueSink, then = () => {}) => {
    target = sink
    nesting = 0
    afterValue = then
  }
  const ignore: ValueSink = () => {}
  const reject = () => {
    isRejected = true
  }
  const readName: ValueSink = (token, text) => {
    if (token === Token.text) name = (name ?? '') + text
    else if (token === Token.literal) name = text
    else if (token === Token.beginObject || token === Token.beginArray) reject()
  }
  const afterName = () => {
    name = name?.trim() ?? ''
    if (isForced) return
    const isNoCall = noCallNames.includes(name) && !port.tools.has(name)
    if (name === '' || (isWeak && !isKnown(name)) || isNoCall) reject()
    else if (early) replayEarly()
    else if (!isWeak) commit()
  }
  /** Takes the arguments. Those that are null are none; of a key that may be a tool's name, only an object can be the arguments. */
  const argumentSink = (isNamedByKey = false): ValueSink => {
    let sink: ValueSink | undefined
    return (token, text) => {
      if (!sink && isNamedByKey && token !== Token.beginObject && !port.tools.has(name ?? '')) return reject()
      const isNone = !sink && token === Token.literal && (text === 'null' || text === 'None')
      sink ??= commit().put
      if (!isNone) return sink(token, text)
      sink(Token.beginObject, '')
      sink(Token.endObject, '')
    }
  }
  const acceptArguments = () => {
    hasArguments = true
  }
  const replayEarly = () => {
    early?.replay(argumentSink())
    early = undefined
    acceptArguments()
  }
  const beginArguments = () => {
    if (hasArguments) return beginValue(ignore)
    if (name === undefined && !isForced) {
      early = createValueRecorder()
      return beginValue(early.put)
    }
    commit()
    beginValue(argumentSink(), acceptArguments)
  }
  const beginLoose = (key: string) => {
    loose ??= createValueRecorder()
    loose.put(Token.key, key)
    beginValue(loose.put)
  }
  /** The object holds the arguments themselves: all that was read of them, and all that follows. */
  const startBare = () => {
    isBare = true
    name = forcedName ?? name
    const sink = commit().put
    sink(Token.beginObject, '')
    loose?.replay(sink)
    loose = undefined
  }
  /** `{x}` is no object: the arguments begin with the first value. */
  const putBare: ValueSink = (token, text) => {
    startBare()
    put(token, text)
  }
  /** The first key of a forced tool's object: is this an envelope, or the arguments themselves? */
  const decideForm = (key: string) => {
    isUndecided = false
    const shape = port.tools.shapeOf(forcedName ?? '')
    const isOwn = shape.propertyNames.includes(key)
    if (!isOwn && isEnvelopeKey(key)) return readKey(key)
    // Some other object, in prose around the answer.
    if (!isOwn && !shape.isOpen) return reject()
    beginLoose(key)
    if (!nameKeys.has(key)) return beginValue(putBare)
    // The tool has an argument `name`: it is the envelope's only if it holds the tool's name.
    const keep = target
    beginValue(
      (token, text) => {
        readName(token, text)
        keep?.(token, text)
      },
      () => {
        if (name?.trim() === forcedName) loose = undefined
        else startBare()
      },
    )
  }
  /** The key is the tool's name, and its value the arguments. */
  const isNamedBy = (key: string) =>
    isKeyedByName && name === undefined && !early && (port.tools.has(key) || (!isForced && !isEnvelopeKey(key)))
  const readKey = (key: string) => {
    isWrapper = wrapperKeys.has(key)
    const isName = nameKeys.has(key) || isWrapper
    if (isNamedBy(key)) {
      name = key
      isWrapper = false
      beginValue(argumentSink(true), acceptArguments)
    } else if (isUndecided) decideForm(key)
    else if (argumentKeys.has(key)) beginArguments()
    else if (isName && name === undefined) beginValue(readName, afterName)
    else if (isName || idleKeys.has(key) || hasArguments) beginValue(ignore)
    else if (isWeak) reject()
    else beginLoose(key)
  }

  /** Too much is held: without a name it was no call; with one, the keys beside it are the arguments. */
  const keepBound = () => {
    if ((early?.heldChars() ?? 0) + (loose?.heldChars() ?? 0) <= port.maxHeldChars) return
    if (writer) startBare()
    else reject()
  }

  const put: ValueSink = (token, text) => {
    if (isRejected) return
    if (isBare) return commit().put(token, text)
    // The envelope goes on one level deeper.
    if (isWrapper && nesting === 0 && token === Token.beginObject) target = undefined
    if (!target) {
      depth += nestingOf[token] ?? 0
      if (token === Token.key) readKey(text)
      return
    }
    nesting += nestingOf[token] ?? 0
    target(token, text)
    keepBound()
    if (nesting > 0 || isBare) return
    target = undefined
    afterValue()
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
      if (!writer && !isForced && ((isWeak && !port.tools.isForced) || name === undefined)) return reject()
      if (early) return replayEarly()
      startBare()
      commit().put(Token.endObject, '')
    },
  }
}
