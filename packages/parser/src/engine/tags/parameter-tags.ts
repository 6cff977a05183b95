import { CUT, malformed } from '../events.js'
import { fail, failWith, givenTwice } from '../failure.js'
import type { CallGrammar, CallOutput } from '../grammar.js'
import { type Cursor, noteAtKey, noteRepair, type Reading } from '../text/cursor.js'
import {
  matchMarks,
  peek,
  peekNextMark,
  peekText,
  readNextMark,
  skip,
  take,
} from '../text/read-marks.js'
import type { Verdict } from '../text/verdict.js'
import { findDeclaredKey } from '../values/declared-key.js'
import { ANY_TYPE, JsonType, type Shape } from '../values/shape.js'
import { putText, Token, type ValueSink } from '../values/tokens.js'
import {
  type ArgumentTags,
  matchAttributeTags,
  matchNotation,
  type Notation,
} from './argument-notations.js'
import {
  isCallHead,
  readEnd,
  readHead,
  type TagCall,
  type TagCallGrammar,
  tagCalls,
} from './calls-in-tags.js'
import { type ElementGrammar, readElements } from './elements.js'
import {
  endsWithValueClose,
  matchOtherValueTag,
  startsWithCallAsKey,
  type ValueTagMarks,
} from './misplaced-marks.js'
import { splitAttributes } from './open-tag.js'
import { type RawMarks, readRawText } from './raw-text.js'
import {
  createHeldLists,
  endItems,
  type HeldLists,
  holdItems,
  mayGoOn,
  putHeldLists,
  readHeld,
  wantsList,
} from './repeated-lists.js'

/**
 * Calls in tags that contain the names of the tool and of its arguments, with each argument as raw
 * text:
 *
 *     <tool_call>
 *     <function=write_file>
 *     <parameter=path>
 *     a.ts
 *     </parameter>
 *     </function>
 *     </tool_call>
 */
export interface TaggedGrammar extends TagCallGrammar {
  /**
   * The tag of an argument: `<parameter=` key `>`, or `<parameter name="` key `"` attributes `>`,
   * or `<arg_key>` key `</arg_key>` `<arg_value>`.
   */
  readonly argument: ArgumentTags
  /** What the attributes of an argument's tag say about it: text, JSON, or nothing (undefined). */
  readonly isText?: ((attributes: string) => boolean | undefined) | undefined
  /** An argument that the schema does not type is text, even if it looks like JSON. */
  readonly untypedIsText?: boolean | undefined
}

/** The grammar with the marks of a value. */
type TaggedReading = TaggedGrammar & {
  readonly marks: RawMarks
  /** `<arg_value>`: the value has a tag of its own, after the one of its key. */
  readonly valueTag: string | undefined
}

/** The arguments of a call that are being read. */
interface Parameters {
  readonly cursor: Cursor
  readonly output: CallOutput
  readonly call: TagCall
  readonly grammar: TaggedReading
  /** The marks that can follow an argument. */
  readonly nextMarks: readonly string[]
  /** Close marks of arguments. Where no argument is open they mean nothing. */
  readonly strayCloses: readonly string[]
  readonly seenKeys: Set<string>
  /** The lists whose items are arguments of their own. */
  readonly held: HeldLists
}

/** The open tag of an argument. */
interface ParameterHead {
  readonly key: string
  /** The key as the model wrote it, with whitespace. */
  readonly writtenKey: string
  /** `string="true"`; '' if the tag has none. */
  readonly attributes: string
  /** The value has no tag of its own after its key, although the format writes one. */
  readonly lacksTag: boolean
  /** The tag has attributes, and the format has none. */
  readonly hasJunk?: boolean
}

/** An argument whose value comes next. */
interface ParameterValue {
  /** The declared key. */
  readonly key: string
  readonly head: ParameterHead
  readonly shape: Shape
  /** The value is an object with all arguments. */
  readonly wrapsAll: boolean
}

/** Reads the arguments of a call, and its end. */
export function* readParameterTags(
  cursor: Cursor,
  output: CallOutput,
  call: TagCall,
  grammar: TaggedReading,
): Reading {
  const { open, keyEnd, close } = grammar.argument
  const nextMarks = [open, ...call.writtenEnds, ...call.opens]
  const strayCloses = [close, keyEnd].filter(mark => mark.startsWith('</'))
  const seenKeys = new Set<string>()
  const put: ValueSink = (token, text) => call.beginCall().put(token, text)
  const held = createHeldLists(put, call.maxHeldChars)
  const shared = { cursor, output, call, grammar, seenKeys, held }
  const parameters: Parameters = { ...shared, nextMarks, strayCloses }
  for (;;) {
    const mark = yield* peekArgumentMark(parameters)
    const isFirst = seenKeys.size === 0
    if (mark === '' && isFirst) {
      const names = call.shape.propertyNames
      const notation = yield* peek(cursor, text => matchNotation(text, names))
      if (notation && notation !== 'unknown') return yield* readOther(parameters, notation)
    }
    if (mark !== open && !(yield* isCallAsKey(parameters, mark))) {
      putHeldLists(cursor, held)
      return yield* readEnd(cursor, call, isFirst, [open])
    }
    take(cursor, mark)
    if (mark !== open) noteRepair(cursor, 'other-mark', mark.length)
    yield* readParameter(parameters)
  }
}

/** `</arg_value>|<arg_key>` Returns the mark of the next argument, or of the end of the call. */
function* peekArgumentMark({ cursor, nextMarks, strayCloses }: Parameters): Reading<string> {
  for (;;) {
    const mark = yield* peekNextMark(cursor, [...nextMarks, ...strayCloses])
    if (!strayCloses.includes(mark) || nextMarks.includes(mark)) return mark
    // `<tool_call>get_weather|</arg_value><arg_key>`
    take(cursor, mark)
    noteRepair(cursor, 'extra-close', mark.length)
  }
}

/** `<function=write_file>|<path>a.ts</path>` Reads arguments in tags of another format. */
function* readOther(
  { cursor, output, call, grammar }: Parameters,
  notation: Exclude<Notation, 'unknown'>,
): Reading {
  noteRepair(cursor, 'other-notation')
  const form = { ...grammar, trimsBlockLayout: true, trimsUnclosed: true }
  if (notation === 'elements') {
    const elements: ElementGrammar = { ...form, bracket: '<', readsCdata: true }
    return yield* readElements(cursor, call, elements)
  }
  yield* readParameterTags(cursor, output, call, readingOf({ ...form, argument: notation }))
}

/** `<tool_call>f|<tool_call>city</arg_key>` */
function* isCallAsKey({ cursor, call, grammar }: Parameters, mark: string): Reading<boolean> {
  const marks = valueTagMarks(grammar)
  if (!marks || mark !== marks.callOpen) return false
  const names = call.shape.propertyNames
  return (yield* peek(cursor, text => startsWithCallAsKey(text, marks, names))) === 'yes'
}

/** The marks of a format like GLM's; undefined if its values have no tag of their own. */
function valueTagMarks({ argument, call, valueTag }: TaggedReading): ValueTagMarks | undefined {
  return valueTag === undefined ? undefined : { ...argument, valueTag, callOpen: call.open }
}

/** Reads an argument from the open mark on: `<parameter=|path>a.ts</parameter>`. */
function* readParameter(parameters: Parameters): Reading {
  const { cursor, call, seenKeys, held } = parameters
  const writer = call.beginCall()
  const head = yield* readParameterHead(parameters)
  if (head === 'no-value') return
  const key = findDeclaredKey(call.shape, head.key, seenKeys)
  const isRepeated = seenKeys.has(key)
  if (writer.isComplete() || (isRepeated && !mayGoOn(held, key))) fail(givenTwice(key))
  const wrapsAll = seenKeys.size === 0 && wrapsAllArguments(key, call.shape)
  if (!wrapsAll && seenKeys.size === 0) writer.put(Token.beginObject, '')
  seenKeys.add(key)
  noteAttributes(cursor, head.attributes, key)
  if (head.hasJunk) noteRepair(cursor, 'junk-in-tag')
  if (wrapsAll) noteRepair(cursor, 'other-notation')
  const shape = wrapsAll ? call.shape : call.shape.property(key)
  const value = { key, head, shape, wrapsAll }
  if (!wrapsAll && (yield* isItem(cursor, head, shape))) {
    return yield* readHeld(cursor, key, readHeldItem(parameters, value))
  }
  if (isRepeated) fail(givenTwice(key))
  if (!wrapsAll) writer.put(Token.key, head.key)
  yield* readParameterValue(parameters, value, writer.put)
}

/** `<parameter=tags>|a</parameter>`, but not `<parameter=tags>|["a"]</parameter>` (decision 14) */
function* isItem(cursor: Cursor, { attributes }: ParameterHead, shape: Shape): Reading<boolean> {
  if (!wantsList(shape)) return false
  if (attributes.endsWith('/')) return true
  const ahead = yield* peekText(cursor, text => /\S/.test(text))
  return /^\s*[^\s[]/.test(ahead)
}

/** Reads an item of a list: `<parameter=tags>|a</parameter>`. */
function* readHeldItem(parameters: Parameters, value: ParameterValue): Reading {
  const { held } = parameters
  const { put, list } = holdItems(held, value.key, value.head.key, value.shape)
  yield* readParameterValue(parameters, value, put)
  endItems(held, list)
}

/** Reads a value, unless its tag is closed itself: `<parameter name="path"/>`. */
function* readParameterValue(
  parameters: Parameters,
  value: ParameterValue,
  put: ValueSink,
): Reading {
  if (value.head.attributes.endsWith('/')) return putText(Token.beginUntyped, '', put)
  yield* readValue(parameters, value, put)
}

/** Reads the rest of an argument's open tag: `<parameter=|path>`. */
function* readParameterHead(parameters: Parameters): Reading<ParameterHead | 'no-value'> {
  const { cursor, output, grammar, nextMarks } = parameters
  const { keyEnd, headEnd } = grammar.argument
  const writtenKey = yield* readKey(parameters)
  const key = writtenKey.trim()
  const plain = { writtenKey, attributes: '', lacksTag: false }
  // `<parameter=path/>|`
  const isClosed = key.endsWith('/') && keyEnd === '>'
  if (isClosed) return { ...plain, key: key.slice(0, -1).trim(), attributes: '/' }
  if (headEnd === undefined) return { ...plain, ...splitKey(key, parameters) }
  // `<arg_key>city</arg_key>|<tool_call>Paris</arg_value>`
  if (yield* readOtherValueTag(parameters)) return { ...plain, key }
  // `<arg_key>city</arg_key>|</tool_call>`
  if (yield* peekNextMark(cursor, nextMarks)) {
    // Without a required argument the schema refuses the call, and the model is told.
    const isRequired = parameters.call.shape.requiredNames.includes(key)
    noteAtKey(cursor, isRequired ? 'missing-required' : 'missing-value', key)
    output.report(malformed(`the argument ${JSON.stringify(key)} has no value`))
    return 'no-value'
  }
  if (grammar.valueTag) {
    const lacksTag = !(yield* readValueTag(parameters, keyEnd, grammar.valueTag))
    return { ...plain, key, lacksTag }
  }
  const attributes = yield* readHead(cursor, headEnd)
  return { ...plain, key, attributes }
}

/** Reads a key: `<arg_key>|city</arg_key>`. */
function* readKey({ cursor, grammar }: Parameters): Reading<string> {
  const { keyEnd, close } = grammar.argument
  const marks = valueTagMarks(grammar)
  // `<arg_key>|city</arg_value><arg_value>`
  const isWrong = marks && (yield* peek(cursor, text => endsWithValueClose(text, marks))) === 'yes'
  const key = yield* readHead(cursor, isWrong ? close : keyEnd)
  if (isWrong) noteRepair(cursor, 'other-mark', close.length)
  return key
}

/** `<parameter=city type="string">|` Splits a key from attributes, which mean nothing. */
function splitKey(written: string, { call }: Parameters): { key: string; hasJunk?: boolean } {
  const { propertyNames } = call.shape
  const name = propertyNames.includes(written) ? written : splitAttributes(written)
  return propertyNames.includes(name) && name !== written
    ? { key: name, hasJunk: true }
    : { key: written }
}

/** `<arg_key>city</arg_key>|<tool_call>Paris</arg_value>` Reads another mark than `<arg_value>`. */
function* readOtherValueTag({ cursor, grammar }: Parameters): Reading<boolean> {
  const marks = valueTagMarks(grammar)
  if (!marks) return false
  yield* skip(cursor)
  const length = yield* peek(cursor, text => matchOtherValueTag(text, marks))
  if (!length) return false
  const hasAttributes = cursor.text.startsWith(`${marks.valueTag.slice(0, -1)} `, cursor.at)
  noteRepair(cursor, hasAttributes ? 'junk-in-tag' : 'other-mark')
  cursor.at += length
  return true
}

/**
 * Reads `|<arg_value>` after `<arg_key>city</arg_key>`. Models also leave it out: returns false then.
 */
function* readValueTag(
  { cursor, grammar }: Parameters,
  keyEnd: string,
  valueTag: string,
): Reading<boolean> {
  // `<arg_key>city</arg_key>|</arg_key>`: the key is closed twice.
  if (yield* readNextMark(cursor, [keyEnd])) noteRepair(cursor, 'extra-close')
  // `<arg_key>city</arg_key>|</arg_value><arg_value>`
  const { close } = grammar.argument
  const isStray = yield* peek(cursor, text => matchMarks(text, [close + valueTag]))
  if (isStray === 'yes') {
    take(cursor, close)
    noteRepair(cursor, 'extra-close', close.length)
  }
  // `|\n<arg_value>`: some servers write the line break as a backslash and an `n`.
  return (yield* readNextMark(cursor, [valueTag, `\\n${valueTag}`])) !== ''
}

/** `string="true"`, `type='object' /` */
const attributeList = /^\s*(?:[^\s="'<>]+=(?:"[^"]*"|'[^']*')\s*)*\/?$/

/** `<parameter name="city"|">` Records a text in an open tag that is not a list of attributes. */
function noteAttributes(cursor: Cursor, attributes: string, key: string): void {
  if (!attributeList.test(attributes)) noteAtKey(cursor, 'junk-in-tag', key)
}

const wrapperKeys = new Set(['arguments', 'parameters', 'properties', 'input'])

/**
 * True for `<parameter=arguments>|{"path": "a.ts"}`: all arguments in one that the tool does not
 * have (decision 65).
 */
function wrapsAllArguments(key: string, { propertyNames }: Shape): boolean {
  const isDeclared = propertyNames.length === 0 || propertyNames.includes(key)
  return wrapperKeys.has(key) && !isDeclared
}

/** Reads the value of an argument, and its close tag. */
function* readValue(
  parameters: Parameters,
  { head, shape, wrapsAll }: ParameterValue,
  put: ValueSink,
): Reading {
  const { cursor, call, grammar, seenKeys } = parameters
  const { argument, marks, valueTag } = grammar
  const { types } = shape
  const isText = !wrapsAll && isTextValue(grammar, head.attributes, types)
  const tag = valueTag ?? argument.open + head.writtenKey + argument.keyEnd
  const follow = whatFollows(argument, call, seenKeys)
  const value = { head: '', tail: '', hasLines: false }
  const found = yield* readRawText(cursor, {
    form: grammar,
    sink(token, text) {
      value.head = (value.head + text.slice(0, MAX_HEAD_CHARS)).slice(0, MAX_HEAD_CHARS)
      value.tail = lastChars(value.tail + lastChars(text))
      value.hasLines ||= text.includes('\n')
      put(token, text)
    },
    types,
    isQuoted: isText,
    marks,
    tag,
    isEnd: (mark, after) => endsParameter(follow, mark, after),
    isCall: after => isCallHead(grammar.call, after, [argument.open, grammar.call.close]),
    lacksTag: head.lacksTag,
    missingTags: () => follow.newKeys.map(each => argument.open + each),
  })
  if (found === '') noteUnclosed(parameters, value.hasLines)
  if (found === tag) fail(`cannot tell which \`${argument.close}\` ends \`${tag}\``)
  const mayLackClose = argument.mayLackClose || found === argument.close
  const wrongClose = mayLackClose ? '' : findWrongClose(value.tail, head.key)
  if (wrongClose) fail(`expected \`${argument.close}\`, found \`${wrongClose}\``)
  if (isHeadInValue(grammar, head, value.head)) noteRepair(cursor, 'text-in-tag')
  put(Token.endText, '')
}

/**
 * `<parameter>city</parameter>⏎Paris|` The text ends without a close mark. Of several lines the last
 * ones may not belong to the value.
 */
function noteUnclosed({ cursor, grammar }: Parameters, hasLines: boolean): void {
  if (!grammar.argument.mayLackClose || cursor.isTruncated) failWith(CUT)
  noteRepair(cursor, hasLines ? 'text-after-value' : 'missing-close')
}

/** How much of a value may be the rest of its open tag. */
const MAX_HEAD_CHARS = 64
/** `ing="true">` */
const restOfHead = /^[\s\w]*="[^"<>\n]*">/

/** Tells whether a value begins with the rest of its open tag (decision 75). */
function isHeadInValue(
  { isText }: TaggedReading,
  { attributes }: ParameterHead,
  valueHead: string,
): boolean {
  // `string="true>|"Paris`
  if (/="[^"]*$/.test(attributes) && valueHead.startsWith('"')) return true
  // `str>|ing="true">Paris`, in a format whose tags have attributes.
  return isText !== undefined && restOfHead.test(valueHead)
}

/** True if the value is a string: the tag says it, or nothing does and the format prefers text. */
function isTextValue(grammar: TaggedGrammar, attributes: string, types: number): boolean {
  const untypedIsText = types === ANY_TYPE && grammar.untypedIsText === true
  const isText = grammar.isText?.(attributes) ?? untypedIsText
  return isText && (types & JsonType.string) !== 0
}

/** The marks that can follow a value, each after its own mark. */
export interface AfterParameter {
  readonly open: string
  readonly close: string
  /** The close mark is often missing, so that the end of the call ends the value. */
  readonly mayLackClose?: boolean | undefined
  readonly callEnds?: readonly string[]
  /** After `</parameter>`: another argument, the end of the call, or another call. */
  readonly afterClose: readonly string[]
  /** After `</function>`, if `</parameter>` is missing: the end of the section, or another call. */
  readonly afterCall: readonly string[]
  /** After `<parameter=`, if `</parameter>` is missing: a key that the tool has and that is new. */
  readonly newKeys: readonly string[]
}

function whatFollows(
  { open, close, keyEnd, mayLackClose }: ArgumentTags,
  { ends, writtenEnds, opens, shape }: TagCall,
  seenKeys: ReadonlySet<string>,
): AfterParameter {
  return {
    open,
    close,
    mayLackClose,
    callEnds: ends,
    afterClose: [open, ...writtenEnds, ...opens],
    afterCall: [...ends.slice(1), ...opens],
    newKeys: shape.propertyNames.filter(key => !seenKeys.has(key)).map(key => key + keyEnd),
  }
}

/** Decides whether a mark ends a value, by the text after the mark and its whitespace. */
export function endsParameter(follow: AfterParameter, mark: string, after: string): Verdict {
  // `<parameter=path>a.ts|</parameter><parameter=`
  if (mark === follow.close) return matchMarks(after, follow.afterClose)
  // `<parameter=path>a.ts|<parameter=content>`
  if (mark === follow.open) return matchMarks(after, follow.newKeys)
  // `<parameter>path</parameter>⏎a.ts⏎|</tool_call>`
  if (follow.mayLackClose && follow.callEnds?.includes(mark)) return 'yes'
  // `<parameter=path>a.ts|</function></tool_call>` (decision 15)
  return matchMarks(after, follow.afterCall)
}

/** The longest close tag that is looked for at the end of a value. */
const MAX_CLOSE_CHARS = 128
const lastChars = (text: string) => text.slice(-MAX_CLOSE_CHARS)

/**
 * A tag of an argument or a call in some other format, at the end of a value: `</param>`,
 * `</parameter` without its `>`, `<parameter>` without its slash.
 */
const foreignClose = /<\/?[^\s<>]*(?:param|arg|invoke|function|call)[^\s<>]*>?\s*$/

/**
 * Finds the close tag of another name on which a value without its own ends (decision 52); ''
 * without one. `tail` is the end of the value.
 */
export function findWrongClose(tail: string, key: string): string {
  // `<parameter=path>a.ts</path>`
  const ownName = `</${key}>`
  if (tail.trimEnd().endsWith(ownName)) return ownName
  const [found = ''] = foreignClose.exec(tail) ?? []
  return found.trimEnd()
}

/** Adds the marks of a value to a grammar. */
function readingOf(grammar: TaggedGrammar): TaggedReading {
  const { argument, call, section = call, ignoredInSection = [] } = grammar
  const valueTag = argument.keyEnd.endsWith('>') ? argument.headEnd : undefined
  const callMarks = {
    ends: [call.close, section.close, ...ignoredInSection],
    opens: [call.open, section.open],
  }
  const marks = { close: argument.close, opens: [argument.open], call: callMarks, tag: valueTag }
  return { ...grammar, marks, valueTag }
}

/** Calls in tags, with raw text as arguments. */
export function taggedCalls(grammar: TaggedGrammar): CallGrammar {
  const reading = readingOf(grammar)
  return tagCalls(grammar, (cursor, output, each) =>
    readParameterTags(cursor, output, each, reading),
  )
}

/**
 * Calls in tags, with elements as arguments. Also read: `<parameter name="city">`, with the text
 * before each tag of the format.
 */
export const elementOrParameterCalls = (grammar: ElementGrammar): CallGrammar =>
  tagCalls(grammar, function* read(cursor, output, call) {
    yield* skip(cursor)
    const names = call.shape.propertyNames
    const look = (text: string) => matchAttributeTags(text, grammar.bracket, names)
    const argument = yield* peek(cursor, look)
    if (!argument || argument === 'none') return yield* readElements(cursor, call, grammar)
    noteRepair(cursor, 'other-notation')
    yield* readParameterTags(cursor, output, call, readingOf({ ...grammar, argument }))
  })
