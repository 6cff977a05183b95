import { type TaggedGrammar, taggedCalls, wrapperKeys } from '../engine/bodies/tagged-body.js'
import type { CallGrammar } from '../engine/body.js'
import { ANY_KIND, Kind, type Shape } from '../engine/shape.js'
import { type FormatForm, formatProtocol } from './format-protocol.js'
import { formatMaker } from './model-format.js'
import { isClearText, writeEntries, writeRawJson } from './raw-value.js'
import { fillIn } from './text-forms.js'
import type { EngineProtocol } from './tool-call-protocol.js'

/** The tags of a format as it writes them. What is read is seen in these templates too; space around tags is for the eye. */
interface Tags {
  /** An argument: its `$key` and its `$value`. Attributes may say JSON's name of its `$type`, or whether it `$isText`. */
  readonly argument: string
  /** A call: its `$name` and its `$args`. An attribute may say its `$place` among the calls of the message. */
  readonly call: string
  /** What stands around all `$calls` of a message, or around each `$call`. */
  readonly section?: string | undefined
}

type TaggedTraits = 'hasBlocks' | 'hasSections' | 'isText' | 'isSilentText' | 'fillers'

/** A format of tags with raw text, as data: one description of its tags is both written and read. */
export interface TaggedProtocolOptions extends FormatForm, Tags, Pick<TaggedGrammar, TaggedTraits> {
  /** Other tags that are read too, but never written. */
  readonly others?: readonly Tags[] | undefined
  /** What stands around a `$call` and its section, if that is its own: there may be its `$name` in it. */
  readonly around?: string | undefined
  /** What stands between two calls, where that is not what stands between two arguments. */
  readonly joint?: string | undefined
  /** What stands around the calls of a text, and says which of them count. */
  readonly messages?: ((calls: CallGrammar) => CallGrammar) | undefined
  /** What else there is to say on how to write a value. */
  readonly note?: string | undefined
}

export function taggedProtocol(options: TaggedProtocolOptions): EngineProtocol {
  const { section = '$call', call, argument, others = [], around = '$call', messages, note = '' } = options
  const isWrittenAsBlock = argument.includes('\n$value\n')
  const grammar = { hasBlocks: isWrittenAsBlock, ...options, ...readTags(options) }
  const isApart = !section.includes('$calls')
  const [, gap = ''] = call.split(/(\s*)\$args/)
  const tags = [grammar.argument, grammar.call, grammar.section]
  const marks = [...tags.flatMap(tag => (tag ? [tag.open, tag.close] : [])), ...(options.fillers ?? [])]
  const writeArguments = (args: object, shape: Shape) =>
    writeEntries(args, (key, each) => {
      const value = writeValue(each, shape.property(key), grammar)
      if (value === undefined || !/^[\w.$-]+$/.test(key) || marks.some(mark => value.includes(mark))) return undefined
      // One that is not declared would be taken for an argument that holds all of them.
      const { propertyNames } = shape
      if (wrapperKeys.has(key) && propertyNames.length && !propertyNames.includes(key)) return undefined
      // Behind an open tag a line break would be read as markup.
      if (grammar.hasBlocks && !isWrittenAsBlock && /^\s/.test(value)) return undefined
      const type = Array.isArray(each) ? 'array' : each === null ? 'null' : typeof each
      return fillIn(argument, { key, value, type, isText: `${type === 'string'}` })
    })
  const secondText = isWrittenAsBlock ? 'a value of\nseveral lines' : 'value_2'
  const grammars = [options, ...others].map(tags => taggedCalls({ ...grammar, ...readTags(tags) }))
  const calls: CallGrammar = tools => grammars.flatMap(each => each(tools))
  return formatProtocol({
    // Most are tokens of their own, and some servers strip those.
    hasSpecialTokens: true,
    joint: gap || (isApart ? '\n' : ''),
    ...options,
    grammar: messages?.(calls) ?? calls,
    howTo: sample => `To call a function, write its name and its arguments exactly in this form:

${sample(['function_name', { parameter_1: 'value_1', parameter_2: grammar.isText ? 5 : secondText }])}

Write text as it is, without quotes or escapes; lists and objects as JSON. ${note}For several calls write several ${isApart ? 'such blocks' : 'of the inner blocks'}, one after the other.`,
    call: fillIn(around, { call: isApart ? fillIn(section, { call }) : call }),
    writeArgs: ({ args }, shape) => args && shape && writeArguments(args, shape)?.join(gap),
    calls: isApart ? '$calls' : section,
  })
}

export const taggedFormat = /* @__PURE__ */ formatMaker('tagged', taggedProtocol)

/** What stands behind a name or a key: its end, attributes that are filled in, the end of the tag. */
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
