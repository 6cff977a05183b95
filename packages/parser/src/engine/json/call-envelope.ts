import type { ArgumentWriter } from '../argument-writer.js'
import type { CallSectionMarks } from '../call-section.js'
import { CUT, type Problem } from '../events.js'
import type { CallOutput, MarkStrength } from '../grammar.js'
import { withoutMarkdown } from '../text/characters.js'
import { type Cursor, noteRepair, type Reading } from '../text/cursor.js'
import { peek } from '../text/read-marks.js'
import { type Verdict, verdictOf } from '../text/verdict.js'
import type { Shape } from '../values/shape.js'
import { createValueRecorder, Token, type ValueRecorder, type ValueSink } from '../values/tokens.js'
import { withoutEscapedSpace } from './escaped-space.js'
import { createJsonReader, type JsonReader } from './json-reader.js'
import { noteArgumentAfterEnd, noteCut } from './json-repairs.js'
import { readPart } from './read-json.js'
import { isWholeAnswer, startsArguments } from './whole-answer.js'

/** How certain it is that a JSON object after a mark is a call. */
export interface EnvelopeGrammar extends CallSectionMarks {
  /**
   * How much the mark proves. After a `weak` one (a ```json fence, a bare brace) only the name of a
   * declared tool together with arguments makes a call, and any key that an envelope does not have
   * makes the object data (decisions 13 and 63).
   */
  readonly strength?: MarkStrength | undefined
  /**
   * The object's key is the tool and its value the arguments: `{"get_weather": {…}}`. The usual
   * envelope is read too.
   */
  readonly isKeyedByName?: boolean | undefined
  /**
   * `{"name": "get_weather", "city": "Paris"}`: the arguments may be beside the name, and a key may
   * be a tool. Only declared tools are called, with their own keys.
   */
  readonly isOtherShape?: boolean | undefined
  /** The keys that the format writes: `name`, `arguments`. Undefined if any envelope is its own. */
  readonly ownKeys?: ReadonlySet<string> | undefined
}

/** True if the mark proves nothing by itself: `{`. */
export const isWeak = ({ strength }: EnvelopeGrammar) => strength === 'weak'

/** Whether there was a call, and what is wrong with it. */
export type EnvelopeResult = { readonly isCall: boolean; readonly problem?: Problem | undefined }

/** What a key of the object means. */
export type KeyRole =
  /** `{"get_weather": {…}}`: the key is the tool. */
  | 'tool'
  /** `{"name": "get_weather"`, or a wrapper of the envelope: `{"function": {"name": …`. */
  | 'name'
  /** `{"name": "get_weather", "arguments": {…}` */
  | 'arguments'
  /** `{"arguments": {…}, "name": …`: the name has not come yet. */
  | 'early-arguments'
  /** `{"city": "Paris"}` of a forced tool, without an envelope. */
  | 'bare-argument'
  /** `{"name": "get_weather", "city": "Paris"`: an argument, if no key `arguments` comes. */
  | 'unknown'
  /** `{"id": "call_1"`, or any key after the arguments. */
  | 'ignored'
  /** `{"price": 5` after a weak mark: the object is data, not a call. */
  | 'foreign'

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
 * Keys that may contain the envelope itself (`{"type": "function", "function": {"name": …}}`), or
 * just the name.
 */
const wrapperKeys = new Set(['function', 'tool', 'tool_call', 'function_call'])
const ignoredKeys = new Set(['type', 'id', 'index', 'tool_call_id', 'call_id'])
const isEnvelopeKey = (key: string) =>
  nameKeys.has(key) || argumentKeys.has(key) || wrapperKeys.has(key) || ignoredKeys.has(key)

/** Names by which a model says that it calls nothing. */
const noCallNames = new Set(['no_function', 'directly-answer', 'directly_answer'])

/** An object that is being read, and what it has shown so far. */
export interface Envelope {
  readonly cursor: Cursor
  readonly output: CallOutput
  readonly grammar: EnvelopeGrammar
  /**
   * The arguments of the forced tool: an object that is not an envelope contains them. Undefined if
   * no single tool is forced.
   */
  readonly forcedShape: Shape | undefined
  readonly json: JsonReader
  /** The writer of the call. Undefined until it is certain that the object is one. */
  writer: ArgumentWriter | undefined
  /** The tool's name, as it was written. */
  name: string | undefined
  /** The object is not a call. */
  isRejected: boolean
  /** `{…}, |{…}` Another call comes right before it. */
  readonly isAfterCall: boolean
  /**
   * Its form alone makes it a call, even of an undeclared tool: it is all of the answer, or comes
   * right after another call.
   */
  isCallByForm: boolean
  /** The arguments were read to their end, so no other key can change the call. */
  hasArguments: boolean
  /** `{"arguments": {…}, |"name"`: arguments that are kept until the name comes. */
  argumentsBeforeName: ValueRecorder | undefined
  /** Keys that no envelope has, with their values: the arguments, if there are no others. */
  readonly unknownKeys: ValueRecorder
  /**
   * All keys so far are those of the forced tool, so they may be its bare arguments. An envelope
   * may begin with such keys, too.
   */
  mayBeBareArguments: boolean
}

/**
 * Reads `{"name": …, "arguments": …}` from after its brace, key by key and in any order, and begins
 * the call as soon as its tool is known. What follows the arguments cannot change the call
 * (decision 61). `needsProof`: after a weak mark only a declared tool is called.
 */
export function* readEnvelope(
  cursor: Cursor,
  output: CallOutput,
  grammar: EnvelopeGrammar,
  needsProof = true,
): Reading<EnvelopeResult> {
  const envelope = createEnvelope(cursor, output, grammar, !needsProof)
  const { json } = envelope
  while (!json.problem && !envelope.isRejected && json.open.length > 0) {
    if (envelope.hasArguments && (yield* peek(cursor, hasMoreKeys)) !== 'yes') {
      yield* noteEnvelopeEnd(envelope)
      break
    }
    const key = yield* readKey(envelope)
    if (key === undefined) continue
    const role = roleOf(envelope, key)
    if (role === 'foreign') reject(envelope)
    else yield* readMember(envelope, key, role)
    const isArgument = isForcedArgument(envelope, key) && envelope.name === undefined
    if (!isArgument) envelope.mayBeBareArguments = false
  }
  return endEnvelope(envelope)
}

export function createEnvelope(
  cursor: Cursor,
  output: CallOutput,
  grammar: EnvelopeGrammar,
  isAfterCall = false,
): Envelope {
  const { endMarks, openMarks } = grammar
  const { forcedToolName, shapeOf } = output.tools
  const isForced = forcedToolName !== undefined
  const envelope: Envelope = {
    cursor,
    output,
    grammar,
    forcedShape: isForced ? shapeOf(forcedToolName) : undefined,
    json: createJsonReader(cursor, {
      endMarks,
      weakEndMarks: openMarks,
      expectsKey: (key, levelsUp) => expectsKey(envelope, key, levelsUp),
      rewind: output.rewind,
    }),
    writer: undefined,
    name: undefined,
    isRejected: false,
    hasArguments: false,
    argumentsBeforeName: undefined,
    unknownKeys: createValueRecorder(),
    mayBeBareArguments: isForced,
    isAfterCall,
    isCallByForm: false,
  }
  return envelope
}

/**
 * Whether a key may follow a string with an unescaped quote, in the object that contains the
 * string, or in one so many levels around it (decision 9).
 */
function expectsKey({ writer, json }: Envelope, key: string, levelsUp: number): boolean {
  const isArgument = writer?.expectsKey(key, levelsUp)
  if (isArgument !== undefined) return isArgument
  // `{"name": "say "hi"|, "arguments":`: the string is in the envelope itself.
  if (levelsUp === 0) return true
  if (!isEnvelopeKey(key)) return false
  // `{"arguments": {"text": "say "hi"|}, "name":`
  if (!writer) return true
  // `{"name": "f", "arguments": {"text": "say "hi"|}}, {"name":`: the call needs no more keys, but
  // another call may follow.
  return levelsUp === json.open.length
}

/**
 * A key after the arguments, such as an id, with its value, or with the bracket that opens it:
 * `, "id": "call_1"}`, `, "meta": {`.
 */
const nextMember =
  /^\s*,\s*(["'])\w{1,64}\1\s*:\s*(?:(?:"[^"\n]{0,256}"|[\w.+-]{1,64})\s*[,}]|[[{])/

/** `"arguments": {…}|`: does the object around the arguments go on? */
export function hasMoreKeys(ahead: string): Verdict {
  const after = withoutEscapedSpace(ahead)
  const char = after.trimStart().charAt(0)
  // `{…}|}` or, where that brace is missing, prose: `{…}| I will now …`
  if (char && char !== ',') return verdictOf(char === '}')
  // `{…}|, "id": "call_1"}` or `{…}|,}`
  const isMember = nextMember.test(after) || /^[\s,]+\}/.test(after)
  return isMember ? 'yes' : 'wait'
}

/** `"arguments": {…}|</tool_call>` The brace of the envelope is missing. */
function* noteEnvelopeEnd({ cursor, json, writer }: Envelope): Reading {
  noteCut(json)
  if (writer) yield* noteArgumentAfterEnd(cursor, writer)
}

/** `{|"name":` Undefined if the object has no more keys. */
function* readKey({ json }: Envelope): Reading<string | undefined> {
  let key: string | undefined
  yield* readPart(json, (_, text) => {
    key = text
  })
  return key
}

type CallKeyRole = Exclude<KeyRole, 'foreign'>

/** `{"name": |"get_weather"` */
function readMember(envelope: Envelope, key: string, role: CallKeyRole): Reading {
  noteOtherKey(envelope, key, role)
  switch (role) {
    case 'ignored':
      // `"arguments": {…}, |"days": 3`
      if (envelope.writer?.lacks(key)) noteRepair(envelope.cursor, 'key-after-arguments')
      return readPart(envelope.json, () => {})
    case 'name':
      return readName(envelope, key)
    case 'tool':
      envelope.name = key
      return readArguments(envelope, createKeyedSink(envelope))
    case 'arguments':
      return readArguments(envelope, beginCall(envelope))
    case 'early-arguments':
      envelope.argumentsBeforeName = createValueRecorder()
      return keepValue(envelope, envelope.argumentsBeforeName)
    case 'unknown':
      envelope.unknownKeys.put(Token.key, key)
      return keepValue(envelope, envelope.unknownKeys)
    case 'bare-argument':
      envelope.unknownKeys.put(Token.key, key)
      return readBareArguments(envelope, envelope.json.open.length)
  }
}

/** `{"name": "f", |"parameters": {…}}` in a format that writes `arguments`. */
function noteOtherKey({ cursor, grammar }: Envelope, key: string, role: CallKeyRole): void {
  const isOfEnvelope = ['name', 'arguments', 'early-arguments', 'unknown'].includes(role)
  if (!isOfEnvelope || grammar.ownKeys === undefined || grammar.ownKeys.has(key)) return
  noteRepair(cursor, 'other-envelope')
}

/** Decides what a key means, by the keys before it. */
export function roleOf(envelope: Envelope, key: string): KeyRole {
  const { forcedShape, name, mayBeBareArguments } = envelope
  const isForced = forcedShape !== undefined
  // `{|"get_weather": {…}}`
  if (isToolKey(envelope, key)) return 'tool'
  // `{|"city": "Paris"}`
  if (mayBeBareArguments && isOnlyArgument(envelope, key)) {
    return canBeBareArgument(envelope, key) ? 'bare-argument' : 'foreign'
  }
  if (isIgnored(envelope, key)) return 'ignored'
  // `{|"name": "get_weather"` `{|"function": {"name": …`
  if (nameKeys.has(key) || wrapperKeys.has(key)) return 'name'
  if (argumentKeys.has(key)) {
    // `{"name": "get_weather", |"arguments": {…}` `{|"arguments": {…}, "name": …`
    return name !== undefined || isForced ? 'arguments' : 'early-arguments'
  }
  return isForced || mayBeArgument(envelope, key) ? 'unknown' : 'foreign'
}

/** Whether a key that no envelope has may be an argument: `{"name": "get_weather", |"city": "Paris"}`. */
function mayBeArgument({ grammar, output, name }: Envelope, key: string): boolean {
  if (!isWeak(grammar)) return true
  // `{|"price": 5}` in an answer.
  if (!grammar.isOtherShape || name === undefined) return false
  return output.tools.shapeOf(name).propertyNames.includes(key)
}

function isIgnored(envelope: Envelope, key: string): boolean {
  // `{"name": …, "arguments": {…}, |"id": …`
  if (envelope.hasArguments) return true
  // `{|"type": "function"`, unless the forced tool has an argument of that name.
  const isOwn = envelope.mayBeBareArguments && isForcedArgument(envelope, key)
  return ignoredKeys.has(key) && !isOwn
}

/** `{|"get_weather": {…}}` where keys are names of tools. An undeclared tool is a call, too. */
function isToolKey(envelope: Envelope, key: string): boolean {
  const { grammar, output, forcedShape, name, argumentsBeforeName } = envelope
  if (!grammar.isKeyedByName || name !== undefined || argumentsBeforeName) return false
  const { lookup } = output.tools
  if (lookup.find(key) === key) return true
  // `{|"name":` is a key of the envelope, also if a tool is called `Name`.
  if (isEnvelopeKey(key)) return false
  const isUndeclared = forcedShape === undefined && !grammar.isOtherShape
  return isUndeclared || lookup.find(key) !== undefined
}

/**
 * True for a key of the forced tool's arguments that is not the envelope's as well. A forced tool
 * may have an argument `name` or `type`: whose key that is, only the value or later keys show.
 */
function isOnlyArgument(envelope: Envelope, key: string): boolean {
  if (!isEnvelopeKey(key)) return true
  const isAmbiguous = nameKeys.has(key) || ignoredKeys.has(key)
  return isForcedArgument(envelope, key) && !isAmbiguous
}

/** False for `{|"price": 5}` in prose around the answer: the forced tool has no such argument. */
function canBeBareArgument(envelope: Envelope, key: string): boolean {
  const hasOthers = envelope.unknownKeys.heldChars() > 0
  return isForcedArgument(envelope, key) || envelope.forcedShape?.isOpen === true || hasOthers
}

/** True if the schema of the forced tool declares an argument of that name. */
const isForcedArgument = ({ forcedShape }: Envelope, key: string) =>
  forcedShape?.propertyNames.includes(key) === true

/** The value of a key that may contain the tool's name. */
interface NameValue {
  readonly key: string
  /** All text in it. */
  text: string
  readonly tokens: ValueRecorder
  /** `{"function": {|"name":`: the value is the envelope, and its keys come next. */
  isEnvelope: boolean
}

/** `{"name": |"get_weather"` `{"function": |{"name": …` */
function* readName(envelope: Envelope, key: string): Reading {
  const { json, output, unknownKeys } = envelope
  const value: NameValue = { key, text: '', tokens: createValueRecorder(), isEnvelope: false }
  yield* readPart(json, (token, text) => putNameToken(envelope, value, token, text))
  // `{"name":" get_weather"|`: a space in a name means nothing.
  json.shiftedKey = undefined
  if (value.isEnvelope || envelope.name !== undefined) return
  const { forcedToolName } = output.tools
  // `{"name": "Bob"|`: a forced tool may have an argument `name`. It is the envelope's key only if
  // its value is the tool's name.
  const isToolName = output.tools.lookup.find(value.text.trim()) === forcedToolName
  if (isForcedArgument(envelope, key) && !isToolName) {
    unknownKeys.put(Token.key, key)
    return value.tokens.replay(unknownKeys.put)
  }
  const isCut = json.problem?.code === 'cut-call'
  if (envelope.isRejected || isCut) return
  // `{"name": "timer"|, "parameters": {…}}`: no other form is a call of an undeclared tool.
  const isUndeclared = isWeak(envelope.grammar) && !output.tools.has(value.text.trim())
  const isFirst = json.open.length === 1 && envelope.unknownKeys.heldChars() === 0
  envelope.isCallByForm = isUndeclared && isFirst && (yield* hasForm(envelope))
  useName(envelope, value.text)
}

/** `{"name": "timer"|, "parameters": {…}}` Decides by the form of the object whether it is a call. */
function* hasForm({ cursor, output, isAfterCall }: Envelope): Reading<boolean> {
  if (!isAfterCall) return yield* isWholeAnswer(cursor, output, 'envelope')
  return (yield* peek(cursor, startsArguments)) === 'yes'
}

function putNameToken(envelope: Envelope, value: NameValue, token: Token, text: string): void {
  value.text += text
  value.tokens.put(token, text)
  value.isEnvelope = token === Token.beginObject && wrapperKeys.has(value.key)
  if (value.isEnvelope) envelope.json.isPaused = true
  if (value.isEnvelope || envelope.name !== undefined) return
  if (isForcedArgument(envelope, value.key)) return
  // `{"name": {|"first": …`: a name is a string, so this is not a call.
  if (token === Token.beginObject || token === Token.beginArray) reject(envelope)
}

/** `{"name": "get_weather"|` Begins the call, if the name is enough. */
function useName(envelope: Envelope, text: string): void {
  const { json, grammar, output, forcedShape, argumentsBeforeName } = envelope
  const { tools } = output
  // `{"name": "get_weather, "arguments": {…`: a name without its closing quote has run on into the
  // arguments.
  const written = (json.problem ? text.replace(/[",{].*/s, '') : text).trim()
  const name = tools.has(written) ? written : withoutMarkdown(written)
  if (name !== written) noteRepair(envelope.cursor, 'markdown-escape')
  envelope.name = name
  if (forcedShape) return
  // If no tools are declared, the envelope alone proves a call.
  const isProven = tools.names().length === 0 || tools.isForced || envelope.isCallByForm
  const needsTool = isWeak(grammar) && !isProven
  const isDoubtful = noCallNames.has(name) || needsTool
  const isNotATool = isDoubtful && !tools.has(name)
  if (name === '' || isNotATool) {
    reject(envelope)
    return
  }
  if (!isWeak(grammar)) beginCall(envelope)
  if (!argumentsBeforeName) return
  argumentsBeforeName.replay(beginCall(envelope))
  envelope.hasArguments = true
}

/** `"arguments": |{…}` Reads one value, and all of it is the call's arguments. */
function* readArguments(envelope: Envelope, sink: ValueSink, downTo?: number): Reading {
  yield* readPart(envelope.json, sink, downTo)
  envelope.hasArguments = !envelope.json.problem
}

/** `{"get_weather": |{…}}` An undeclared tool is called only with an object. */
function createKeyedSink(envelope: Envelope): ValueSink {
  return (token, text) => {
    const isCall = envelope.writer !== undefined || token === Token.beginObject
    if (isCall || envelope.output.tools.has(envelope.name ?? '')) beginCall(envelope)(token, text)
    else reject(envelope)
  }
}

/**
 * Keeps a value whose meaning a later key decides. One that is too long to be kept is an argument
 * if the tool is known: `{"name": "write_file", "content": "…|`.
 */
function* keepValue(envelope: Envelope, recorder: ValueRecorder): Reading {
  const { json, forcedShape } = envelope
  const depth = json.open.length
  yield* readPart(json, (token, text) => {
    recorder.put(token, text)
    if (isFull(envelope)) json.isPaused = true
  })
  if (!isFull(envelope)) return
  if (envelope.writer || forcedShape) yield* readBareArguments(envelope, depth)
  else reject(envelope)
}

const isFull = ({ argumentsBeforeName, unknownKeys, output }: Envelope) =>
  (argumentsBeforeName?.heldChars() ?? 0) + unknownKeys.heldChars() > output.maxHeldChars

/** `{"city": |"Paris", "days": 3}` The object at that depth is the arguments; reads all of it. */
const readBareArguments = (envelope: Envelope, depth: number): Reading =>
  readArguments(envelope, beginBareArguments(envelope), depth - 1)

/** Begins the call, and puts the unknown keys that were kept as the first of its arguments. */
function beginBareArguments(envelope: Envelope): ValueSink {
  const put = beginCall(envelope)
  put(Token.beginObject, '')
  envelope.unknownKeys.replay(put)
  return put
}

/** Begins the call, if it has not begun. Returns where its arguments go. */
function beginCall(envelope: Envelope): ValueSink {
  const { output, name } = envelope
  envelope.writer ??= output.beginCall(name ?? output.tools.forcedToolName ?? '')
  return envelope.writer.put
}

/** The object is not a call. */
function reject(envelope: Envelope): void {
  envelope.isRejected = true
  envelope.json.isPaused = true
}

/** `{"name": …, "arguments": {…}}|` */
function endEnvelope(envelope: Envelope): EnvelopeResult {
  if (envelope.isRejected) return { isCall: false, problem: undefined }
  if (envelope.hasArguments) return { isCall: true, problem: undefined }
  // `{"name": "get_weather"|`: without its brace the object may lack its arguments too
  // (decision 62).
  const isCut = endsMidObject(envelope.cursor)
  const problem = envelope.json.problem ?? (isCut ? CUT : undefined)
  if (!problem && isCallWithoutArguments(envelope)) {
    beginBareArguments(envelope)(Token.endObject, '')
  }
  return { isCall: envelope.writer !== undefined, problem }
}

/** True at the end of a text that does not end with a brace. */
const endsMidObject = ({ text, at, isFinal }: Cursor) =>
  isFinal && at === text.length && text.charAt(at - 1) !== '}'

/** Decides whether an object without a key `arguments` is a call: `{"name": "get_time"}|`. */
function isCallWithoutArguments({ output, grammar, name, forcedShape, unknownKeys }: Envelope) {
  const { tools } = output
  const isDeclared = name !== undefined && tools.has(name)
  // `{}` and `{"name": "Bob"}` do not answer a forced choice; `{"city": "Paris"}` does.
  if (forcedShape) return isDeclared || unknownKeys.heldChars() > 0
  // `{"name": "get_weather", "city": "Paris"}|`
  if (grammar.isOtherShape) return isDeclared && unknownKeys.heldChars() > 0
  // A bare `{"name": "get_time"}` may be data, unless the model must call a tool (decision 63).
  if (isWeak(grammar)) return tools.isForced === true && isDeclared
  return name !== undefined
}
