import type { CallGrammar } from '../engine/grammar.js'
import { type TaggedGrammar, taggedCalls } from '../engine/tags/parameter-tags.js'
import { checkOptionNames, type OptionNames } from '../options/check-options.js'
import { fillTemplate } from '../writing/fill-template.js'
import { escapeTags, spacedJson } from '../writing/json-text.js'
import type { FormatTemplates } from './format-definition.js'
import { formatProtocol } from './format-protocol.js'
import type { EngineProtocol } from './protocol.js'

/**
 * The tags of a format as templates: calls are written by them, and the reader takes its marks from
 * them. Whitespace around tags is written, but the reader does not need it.
 */
export interface TagTemplates {
  /**
   * An argument: `<parameter=$key>$value</parameter>`. An attribute may contain the JSON `$type` of
   * the value, or `$isText`: `true` for a string, `false` for anything else.
   */
  readonly argument: string
  /**
   * A call: `<function=$name>$args</function>`. An attribute may contain its `$place` among the
   * calls of the message, counted from 1.
   */
  readonly call: string
  /** The text around all `$calls` of a message, or around each `$call`: `<calls>$calls</calls>`. */
  readonly section?: string | undefined
}

type TaggedTraits =
  | 'trimsBlockLayout'
  | 'readsCdata'
  | 'isText'
  | 'untypedIsText'
  | 'ignoredInSection'

/** The options of `taggedProtocol`: a format of tags with raw text, as data. */
export interface TaggedProtocolOptions
  extends FormatTemplates,
    TagTemplates,
    Pick<TaggedGrammar, TaggedTraits> {
  /** Other tags that are read too, but never written. */
  readonly others?: readonly TagTemplates[] | undefined
  /**
   * The text around each `$call`, outside its section. It may contain the `$name` of the tool:
   * `to=$name<|message|>$call`.
   */
  readonly around?: string | undefined
  /** The text between two calls. By default the same as between two arguments. */
  readonly joint?: string | undefined
  /** Wraps the grammar, for formats whose calls are in messages: only calls in some of them count. */
  readonly messages?: ((calls: CallGrammar) => CallGrammar) | undefined
  /** A sentence for the prompt on how to write values, with a space at its end. */
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
  otherForms: true,
}

/**
 * Makes a protocol for a format of tags with raw text. The templates of its tags are used to write
 * calls, and the reader takes its marks from them.
 *
 * @example
 * ```ts
 * import { createToolMiddleware } from '@toolglot/parser'
 * import { taggedProtocol } from '@toolglot/parser/protocol'
 *
 * const protocol = taggedProtocol({
 *   section: '<calls>\n$calls\n</calls>',
 *   call: '<do:$name>\n$args\n</do>',
 *   argument: '<arg:$key>$value</arg>',
 * })
 *
 * export const middleware = createToolMiddleware({ protocol })
 * ```
 */
export function taggedProtocol(options: TaggedProtocolOptions): EngineProtocol {
  checkOptionNames('taggedProtocol', options, taggedOptionNames)
  return createTaggedProtocol(options)
}

/** Makes the protocol of a built-in format, whose options need no check. */
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
  const [, space = ''] = call.split(/(\s*)\$args/)
  const writeArgument = ([key, each]: readonly [string, unknown]) => {
    const type = Array.isArray(each) ? 'array' : each === null ? 'null' : typeof each
    const value = typeof each === 'string' ? each : escapeTags(spacedJson(each))
    return fillTemplate(argument, { key, value, type, isText: `${type === 'string'}` })
  }
  const secondText = isWrittenAsBlock ? 'a value of\nseveral lines' : 'value_2'
  const form = {
    trimsBlockLayout: isWrittenAsBlock,
    writesBlocks: isWrittenAsBlock,
    ...options,
  }
  const grammars = [options, ...others].map(tags => taggedCalls({ ...form, ...readTags(tags) }))
  const calls: CallGrammar = tools => grammars.flatMap(each => each(tools))
  return formatProtocol({
    // The marks of most such formats are special tokens, even if they are not spelt like that.
    hasSpecialTokens: true,
    joint: space || (isApart ? '\n' : ''),
    ...options,
    grammar: messages?.(calls) ?? calls,
    howTo: sample => `To call a function, write its name and its arguments exactly in this form:

${sample(['function_name', { parameter_1: 'value_1', parameter_2: options.isText ? 5 : secondText }])}

Write text as it is, without quotes or escapes; lists and objects as JSON. ${note}For several calls write several ${isApart ? 'such blocks' : 'of the inner blocks'}, one after the other.`,
    call: fillTemplate(around, { call: isApart ? fillTemplate(section, { call }) : call }),
    writeArgs: ({ args }, shape) =>
      args && shape && Object.entries(args).map(writeArgument).join(space),
    // Raw text cannot contain its own close tag: such arguments are written as JSON.
    isReadBack: true,
    calls: isApart ? '$calls' : section,
  })
}

/** Returns the grammar of tags that are given as templates. */
export const callsInTags = (tags: TagTemplates & Pick<TaggedGrammar, TaggedTraits>): CallGrammar =>
  taggedCalls({ ...tags, ...readTags(tags) })

/**
 * The text after a name or a key: its end, attributes with holes, and the end of the tag. In
 * `<|open|>call tool="$name" index="$place"<|sep|>` that is `"`, ` index="$place"` and `<|sep|>`.
 */
const headEnds = /^("|<[^<>]*>|[^\s<"]+)?(?: \w+="\$\w+")*\s*(\S*)$/

/** Returns the marks of one tag: `<parameter=$key>$value</parameter>`. */
function readTag(template: string, name: string, content: string) {
  const [head = '', close = ''] = template.split(content).map(text => text.trim())
  const [open = '', afterName = ''] = head.split(name)
  const [, end = '', headEnd = ''] = headEnds.exec(afterName) ?? []
  return { open, close, keyEnd: end, ...(end && { nameEnd: end }), ...(headEnd && { headEnd }) }
}

/** Returns the marks of all tags of a format. */
function readTags({ section = '', call, argument }: TagTemplates) {
  const [open, close = ''] = section.split(/\s*\$calls?\s*/)
  return {
    section: open ? { open, close } : undefined,
    call: readTag(call, '$name', '$args'),
    argument: readTag(argument, '$key', '$value'),
  }
}
