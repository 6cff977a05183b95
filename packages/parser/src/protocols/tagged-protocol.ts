import { type AddressGrammar, addressedCalls, thoughtsOf } from '../engine/bodies/addressed-calls.js'
import { type TaggedGrammar, taggedCalls } from '../engine/bodies/tagged-body.js'
import type { CallGrammar } from '../engine/body.js'
import { ANY_KIND, Kind, type Shape } from '../engine/shape.js'
import { type FormatForm, formatProtocol } from './format-protocol.js'
import { formatMaker } from './model-format.js'
import { isClearText, writeEntries, writeRawArguments, writeRawJson } from './raw-value.js'
import { fillIn } from './text-forms.js'
import type { EngineProtocol } from './tool-call-protocol.js'

/** A format of tags with raw text, as data: the grammar that reads it also says how it is written. */
export interface TaggedProtocolOptions extends FormatForm {
  readonly grammar: TaggedGrammar
  /** Other marks that are read too, but never written. */
  readonly others?: readonly TaggedGrammar[] | undefined
  /** What stands between two tags. */
  readonly gap: string
  /** What stands between an argument's key and its value. */
  readonly keyGap?: string | undefined
  /** Values are written without the line breaks that may stand around them. */
  readonly isInline?: boolean | undefined
  /** The attributes of an argument's tag, by JSON's name of its `$type`, or by whether it `$isText`. */
  readonly attributes?: string | undefined
  /** The attributes of a call's tag, by its `$place` among the calls of the message. */
  readonly callAttributes?: string | undefined
  /** Each call has a section of its own. */
  readonly isApart?: boolean | undefined
  /** What stands around a `$call` and its section, if that is its own: there may be its `$name` in it. */
  readonly around?: string | undefined
  /** What stands between two calls, where that is not the gap. */
  readonly joint?: string | undefined
  /** Messages say whom they are for. */
  readonly addresses?: AddressGrammar | undefined
  /** What else there is to say on how to write a value. */
  readonly note?: string | undefined
}

export function taggedProtocol(options: TaggedProtocolOptions): EngineProtocol {
  const { grammar, others = [], gap, keyGap = '', isInline = false, attributes = '', callAttributes = '' } = options
  const { section, call, argument } = grammar
  const { isApart = !section, around = '$call', joint = gap || (section ? '' : '\n'), addresses, note = '' } = options
  const hasBlocks = grammar.hasBlocks && !isInline
  const inSection = (text: string) => (section ? [section.open, text, section.close].join(gap) : text)
  const marks = [argument, call, ...(section ? [section] : [])].flatMap(({ open, close }) => [open, close])
  const writeArguments = (args: object, shape: Shape) =>
    writeEntries(args, (key, value) => {
      const text = writeValue(value, shape.property(key), grammar)
      if (text === undefined || !/^[\w.$-]+$/.test(key) || marks.some(mark => text.includes(mark))) return undefined
      // Behind an open tag a line break would be read as markup.
      if (isInline && /^\s/.test(text)) return undefined
      const type = typeOfJson(value)
      const head = `${argument.open}${key}${argument.keyEnd}${fillIn(attributes, { type, isText: `${type === 'string'}` })}`
      return `${head}${keyGap}${argument.headEnd ?? ''}${hasBlocks ? `\n${text}\n` : text}${argument.close}`
    })
  const secondText = hasBlocks ? 'a value of\nseveral lines' : 'value_2'
  const secondValue = attributes ? 5 : secondText
  const calls: CallGrammar = context => [grammar, ...others].flatMap(each => taggedCalls(each)(context))
  return formatProtocol({
    // Most are tokens of their own, and some servers strip those.
    hasSpecialTokens: true,
    ...options,
    ...(addresses ? { reasoning: [thoughtsOf(addresses)] } : {}),
    grammar: addresses ? addressedCalls(addresses, calls) : calls,
    howTo: sample => `To call a function, write its name and its arguments exactly in this form:

${sample(['function_name', { parameter_1: 'value_1', parameter_2: secondValue }])}

Write text as it is, without quotes or escapes; lists and objects as JSON. ${note}For several calls write several ${isApart ? 'such blocks' : 'of the inner blocks'}, one after the other.`,
    call: (toolCall, index, context) => {
      const { toolName: name } = toolCall
      const head = `${call.open}${name}${call.nameEnd ?? ''}${fillIn(callAttributes, { place: index + 1 })}${call.headEnd ?? ''}`
      const text = [head, ...writeRawArguments(toolCall, context, writeArguments), call.close].join(gap)
      return fillIn(around, { name, call: isApart ? inSection(text) : text })
    },
    calls: isApart ? '$calls' : inSection('$calls'),
    joint,
  })
}

export const taggedFormat = /* @__PURE__ */ formatMaker('tagged', taggedProtocol)

function typeOfJson(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** The raw text that is read back as this value, if there is one. */
function writeValue(value: unknown, shape: Shape, grammar: TaggedGrammar): string | undefined {
  const isSilent = shape.kinds === ANY_KIND
  const isMarked = grammar.isText !== undefined
  if (typeof value === 'string') {
    if (!(shape.kinds & Kind.string) || (grammar.hasSections && /^\s*<!\[CDATA\[/.test(value))) return undefined
    const isPlain = shape.kinds === Kind.string || isMarked || (isSilent && grammar.isSilentText)
    // Where it may be something else too, it must not look like that.
    return isPlain || isClearText(value) ? value : undefined
  }
  return isSilent && grammar.isSilentText && !isMarked ? undefined : writeRawJson(value, shape)
}
