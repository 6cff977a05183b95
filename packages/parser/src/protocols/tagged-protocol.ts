import type { CallGrammar } from '../engine/grammar.js'
import { type TaggedGrammar, taggedCalls } from '../engine/tags/parameter-tags.js'
import { checkOptionNames, type OptionNames } from '../options/check-options.js'
import { fillTemplate } from '../writing/fill-template.js'
import { escapeTags, spacedJson } from '../writing/json-text.js'
import type { FormatTemplates } from './format-definition.js'
import { formatProtocol } from './format-protocol.js'
import type { EngineProtocol } from './protocol.js'

/**
 * The tags of a format as it writes them. What is read is seen in these templates too; space around
 * tags is for the eye.
 */
interface Tags {
  /**
   * An argument: its `$key` and its `$value`. Attributes may say JSON's name of its `$type`, or
   * whether it `$isText`.
   */
  readonly argument: string
  /**
   * A call: its `$name` and its `$args`. An attribute may say its `$place` among the calls of the
   * message.
   */
  readonly call: string
  /** What stands around all `$calls` of a message, or around each `$call`. */
  readonly section?: string | undefined
}

type TaggedTraits =
  | 'trimsBlockLayout'
  | 'readsCdata'
  | 'isText'
  | 'untypedIsText'
  | 'ignoredInSection'

/**
 * A format of tags with raw text, as data: one description of its tags is both written and read.
 */
export interface TaggedProtocolOptions
  extends FormatTemplates,
    Tags,
    Pick<TaggedGrammar, TaggedTraits> {
  /** Other tags that are read too, but never written. */
  readonly others?: readonly Tags[] | undefined
  /**
   * What stands around a `$call` and its section, if that is its own: there may be its `$name` in
   * it.
   */
  readonly around?: string | undefined
  /** What stands between two calls, where that is not what stands between two arguments. */
  readonly joint?: string | undefined
  /** What stands around the calls of a text, and says which of them count. */
  readonly messages?: ((calls: CallGrammar) => CallGrammar) | undefined
  /** What else there is to say on how to write a value. */
  readonly note?: string | undefined
}

const taggedOptionNames: OptionNames<TaggedProtocolOptions> = {
  argument: true,
  call: true,
  section: true,
  others: true,
  around: true,
  joint: true,
  messages: true,
  note: true,
  trimsBlockLayout: true,
  readsCdata: true,
  isText: true,
  untypedIsText: true,
  ignoredInSection: true,
  result: true,
  errorResult: true,
  results: true,
  resultJoint: true,
  resultMarks: true,
  toolsForm: true,
  prompt: true,
  reasoning: true,
  callsInReasoning: true,
  hasSpecialTokens: true,
  silent: true,
}

export function taggedProtocol(options: TaggedProtocolOptions): EngineProtocol {
  checkOptionNames('taggedProtocol', options, taggedOptionNames)
  return createTaggedProtocol(options)
}

export function createTaggedProtocol(options: TaggedProtocolOptions): EngineProtocol {
  const {
    section = '$call',
    call,
    argument,
    others = [],
    around = '$call',
    messages,
    note = '',
  } = options
  const isWrittenAsBlock = argument.includes('\n$value\n')
  const isApart = !section.includes('$calls')
  const [, gap = ''] = call.split(/(\s*)\$args/)
  const writeArgument = ([key, each]: readonly [string, unknown]) => {
    const type = Array.isArray(each) ? 'array' : each === null ? 'null' : typeof each
    const value = typeof each === 'string' ? each : escapeTags(spacedJson(each))
    return fillTemplate(argument, { key, value, type, isText: `${type === 'string'}` })
  }
  const secondText = isWrittenAsBlock ? 'a value of\nseveral lines' : 'value_2'
  const form = { trimsBlockLayout: isWrittenAsBlock, ...options }
  const grammars = [options, ...others].map(tags => taggedCalls({ ...form, ...readTags(tags) }))
  const calls: CallGrammar = tools => grammars.flatMap(each => each(tools))
  return formatProtocol({
    // Most are tokens of their own, and some servers strip those.
    hasSpecialTokens: true,
    joint: gap || (isApart ? '\n' : ''),
    ...options,
    grammar: messages?.(calls) ?? calls,
    howTo: sample => `To call a function, write its name and its arguments exactly in this form:

${sample(['function_name', { parameter_1: 'value_1', parameter_2: options.isText ? 5 : secondText }])}

Write text as it is, without quotes or escapes; lists and objects as JSON. ${note}For several calls write several ${isApart ? 'such blocks' : 'of the inner blocks'}, one after the other.`,
    call: fillTemplate(around, { call: isApart ? fillTemplate(section, { call }) : call }),
    writeArgs: ({ args }, shape) =>
      args && shape && Object.entries(args).map(writeArgument).join(gap),
    // Raw text cannot say everything.
    isReadBack: true,
    calls: isApart ? '$calls' : section,
  })
}

/**
 * What stands behind a name or a key: its end, attributes that are filled in, the end of the tag.
 */
const headEnds = /^("|<[^<>]*>|[^\s<"]+)?(?: \w+="\$\w+")*\s*(\S*)$/

function readTag(template: string, name: string, content: string) {
  const [head = '', close = ''] = template.split(content).map(text => text.trim())
  const [open = '', behind = ''] = head.split(name)
  const [, end = '', headEnd = ''] = headEnds.exec(behind) ?? []
  return { open, close, keyEnd: end, ...(end && { nameEnd: end }), ...(headEnd && { headEnd }) }
}

function readTags({ section = '', call, argument }: Tags) {
  const [open, close = ''] = section.split(/\s*\$calls?\s*/)
  return {
    section: open ? { open, close } : undefined,
    call: readTag(call, '$name', '$args'),
    argument: readTag(argument, '$key', '$value'),
  }
}
