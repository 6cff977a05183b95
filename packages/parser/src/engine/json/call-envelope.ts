import type { ArgumentWriter } from '../argument-writer.js'
import type { CallSectionMarks } from '../call-section.js'
import { CUT, type Problem } from '../events.js'
import type { CallOutput } from '../grammar.js'
import type { Cursor, Reading } from '../text/cursor.js'
import { peek } from '../text/read-marks.js'
import { type Verdict, verdictOf } from '../text/verdict.js'
import { createValueRecorder, Token, type ValueRecorder, type ValueSink } from '../values/tokens.js'
import { createJsonReader } from './read-json.js'

/** How sure it is that a JSON object behind a mark is a call. */
export interface EnvelopeGrammar extends CallSectionMarks {
  /**
   * The mark proves nothing by itself (a ```json fence, a bare brace): only a declared tool's name
   * together with arguments makes a call, and any key that an envelope does not have makes it data.
   */
  readonly isWeakMark?: boolean | undefined
  /**
   * The object's key is the tool and its value the arguments: `{"get_weather": {…}}`. The usual
   * envelope is read too.
   */
  readonly isKeyedByName?: boolean | undefined
}

/** Whether there was a call, and what is wrong with it. */
export type EnvelopeResult = { readonly isCall: boolean; readonly problem?: Problem | undefined }

const nameKeys = new Set(['name', 'tool_name', 'function_name'])
const argumentKeys = new Set([
  'arguments',
  'parameters',
  'args',
  'params',
  'input',
  'tool_input',
  'function_arguments',
])
/**
 * Keys that may hold the envelope itself (`{"type": "function", "function": {"name": …}}`), or just
 * the name.
 */
const wrapperKeys = new Set(['function', 'tool', 'tool_call', 'function_call'])
const ignoredKeys = new Set(['type', 'id', 'index', 'tool_call_id', 'call_id'])
/** By these a model says that it calls nothing. */
const noCallNames = new Set(['no_function', 'directly-answer', 'directly_answer'])
const isEnvelopeKey = (key: string) =>
  nameKeys.has(key) || argumentKeys.has(key) || wrapperKeys.has(key) || ignoredKeys.has(key)

/** A key behind the arguments, such as an id, and its value, or where that is a bracket. */
const idlePair = /^\s*,\s*(["'])\w{1,64}\1\s*:\s*(?:(?:"[^"\n]{0,256}"|[\w.+-]{1,64})\s*[,}]|[[{])/

/**
 * Whether the object around the arguments goes on behind them: prose may follow where its brace is
 * missing.
 */
const hasMoreKeys = (after: string): Verdict => {
  const char = after.trimStart().charAt(0)
  if (char && char !== ',') return verdictOf(char === '}')
  return idlePair.test(after) || /^[\s,]+\}/.test(after) ? 'yes' : 'wait'
}

/**
 * Reads `{"name": …, "arguments": …}` from behind its brace, key by key and in any order, and opens
 * the call as soon as its tool is known. What stands behind the arguments cannot change the call
 * any more.
 */
export function* readEnvelope(
  cursor: Cursor,
  output: CallOutput,
  grammar: EnvelopeGrammar,
): Reading<EnvelopeResult> {
  const { endMarks, openMarks, isWeakMark = false, isKeyedByName } = grammar
  const { tools, maxHeldChars, rewind } = output
  /** An object that is no envelope holds the arguments of the tool that is forced. */
  const { forcedToolName } = tools
  const isForced = forcedToolName !== undefined
  const forcedShape = tools.shapeOf(forcedToolName ?? '')
  const isOwn = (key: string) => isForced && forcedShape.propertyNames.includes(key)
  let writer: ArgumentWriter | undefined
  /**
   * Around the arguments an object that has its name needs no more keys; behind it another may
   * follow.
   */
  const expectsKey = (key: string, levelsUp: number) =>
    writer?.expectsKey(key, levelsUp) ??
    (!levelsUp || (isEnvelopeKey(key) && (!writer || levelsUp === json.depth())))
  const json = createJsonReader(cursor, {
    endMarks,
    weakEndMarks: openMarks,
    expectsKey,
    rewind,
  })
  let name: string | undefined
  let isRejected = false
  let hasArguments = false
  /** Arguments that came before the name. */
  let argumentsBeforeName: ValueRecorder | undefined
  /** Keys that are no envelope's: the arguments, if there are no others. */
  const unknownKeys = createValueRecorder()

  const reject = () => {
    isRejected = true
    json.pause()
  }
  const open = () => {
    writer ??= output.beginCall(name ?? forcedToolName ?? '')
    return writer.put
  }
  /**
   * Takes the arguments of the tool whose name the key is, if they are an object or there is such a
   * tool.
   */
  const keyedSink: ValueSink = (token, text) => {
    if (!writer && token !== Token.beginObject && !tools.has(name ?? '')) reject()
    else open()(token, text)
  }
  /** The object holds the arguments themselves: all that was read of them, and all that follows. */
  const bareSink = () => {
    const put = open()
    put(Token.beginObject, '')
    unknownKeys.replay(put)
    return put
  }
  const isFull = () =>
    (argumentsBeforeName?.heldChars() ?? 0) + unknownKeys.heldChars() > maxHeldChars
  const useName = (text: string) => {
    // One that could not be read to its end has run on into the arguments.
    name = (json.problem() ? text.replace(/[",{].*/s, '') : text).trim()
    if (isForced) return
    // Whoever names no tools lets the envelope alone prove a call.
    const isDoubtful =
      noCallNames.has(name) || (isWeakMark && tools.names().length > 0 && !tools.isForced)
    if (name === '' || (isDoubtful && !tools.has(name))) return reject()
    if (!isWeakMark) open()
    argumentsBeforeName?.replay(open())
    hasArguments = argumentsBeforeName !== undefined
  }
  /** The key is the tool's name, and its value the arguments. */
  const isNamedBy = (key: string) =>
    isKeyedByName &&
    name === undefined &&
    !argumentsBeforeName &&
    (tools.has(key) || (!isForced && !isEnvelopeKey(key)))

  const keys: string[] = []
  /**
   * An object that has had none but the forced tool's own keys may be its bare arguments; an
   * envelope may begin with such keys, too.
   */
  let mayBeBareArguments = isForced
  while (!json.problem() && !isRejected && json.depth() > 0) {
    if (hasArguments && (yield* peek(cursor, hasMoreKeys)) !== 'yes') break
    yield* json.read((_, text) => keys.push(text))
    const key = keys.pop()
    if (key === undefined) continue
    const depth = json.depth()
    let sink: ValueSink | undefined
    let isBare = false
    if (isNamedBy(key)) {
      name = key
      sink = keyedSink
    } else if (
      mayBeBareArguments &&
      (!isEnvelopeKey(key) || (isOwn(key) && !nameKeys.has(key) && !ignoredKeys.has(key)))
    ) {
      // Some other object, in prose around the answer, has no key of the tool's.
      isBare = isOwn(key) || forcedShape.isOpen || unknownKeys.heldChars() > 0
      if (isBare) unknownKeys.put(Token.key, key)
      else reject()
    } else if (hasArguments || (ignoredKeys.has(key) && !(mayBeBareArguments && isOwn(key))))
      yield* json.read(() => {})
    else if (nameKeys.has(key) || wrapperKeys.has(key)) {
      const value = createValueRecorder()
      let text = ''
      let isInside = false
      yield* json.read((token, piece) => {
        text += piece
        value.put(token, piece)
        isInside = token === Token.beginObject && wrapperKeys.has(key)
        if (isInside) json.pause()
        else if (
          name === undefined &&
          !isOwn(key) &&
          (token === Token.beginObject || token === Token.beginArray)
        )
          reject()
      })
      const isName = !isInside && name === undefined
      // A forced tool may have an argument `name`: it is the envelope's only if it holds the tool's
      // name.
      if (isName && isOwn(key) && text.trim() !== forcedToolName) {
        unknownKeys.put(Token.key, key)
        value.replay(unknownKeys.put)
      } else if (isName && !isRejected && json.problem()?.code !== 'cut-call') useName(text)
    } else if (argumentKeys.has(key) && (name !== undefined || isForced)) sink = open()
    else if (isWeakMark && !isForced && !argumentKeys.has(key)) reject()
    else {
      const recorder = argumentKeys.has(key) ? createValueRecorder() : unknownKeys
      if (recorder === unknownKeys) unknownKeys.put(Token.key, key)
      else argumentsBeforeName = recorder
      yield* json.read((token, text) => {
        recorder.put(token, text)
        if (isFull()) json.pause()
      })
      // What holds too much is no call without a tool; with one, the keys beside it are the
      // arguments.
      isBare = isFull() && (writer !== undefined || isForced)
      if (isFull() && !isBare) reject()
    }
    mayBeBareArguments &&= isOwn(key) && name === undefined
    if (isBare) sink = bareSink()
    if (!sink) continue
    yield* json.read(sink, isBare ? depth - 1 : depth)
    hasArguments = !json.problem()
  }
  if (hasArguments || isRejected) return { isCall: !isRejected, problem: undefined }
  // At the end of the text an object without its brace may lack the arguments too.
  const endsMidObject =
    cursor.isFinal && cursor.at === cursor.text.length && cursor.text.charAt(cursor.at - 1) !== '}'
  const problem = json.problem() ?? (endsMidObject ? CUT : undefined)
  // `{}` and `{"name": "Bob"}` are not answers to a forced choice.
  const isKnown = name !== undefined && tools.has(name)
  const isNamed = isWeakMark ? tools.isForced === true && isKnown : name !== undefined
  const isCall = isForced ? isKnown || unknownKeys.heldChars() > 0 : isNamed
  if (isCall && !problem) bareSink()(Token.endObject, '')
  return { isCall: writer !== undefined, problem }
}
