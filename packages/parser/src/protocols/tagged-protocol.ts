import { type AddressGrammar, addressedCalls, thoughtsOf } from '../engine/bodies/addressed-calls.js'
import { type TaggedGrammar, taggedCalls } from '../engine/bodies/tagged-body.js'
import type { CallGrammar } from '../engine/body.js'
import { ANY_KIND, Kind, type Shape } from '../engine/shape.js'
import type { FormatTraits } from './define-protocol.js'
import { formatProtocol } from './format-protocol.js'
import { formatMaker } from './model-format.js'
import { isClearText, writeEntries, writeRawArguments, writeRawJson } from './raw-value.js'
import type { EngineProtocol } from './tool-call-protocol.js'
import type { ToolsForm } from './tool-forms.js'

/** A format of tags with raw text, as data: the grammar that reads it also says how it is written. */
export interface TaggedProtocolOptions extends FormatTraits {
  readonly grammar: TaggedGrammar
  /** Other marks that are read too, but never written. */
  readonly others?: readonly TaggedGrammar[] | undefined
  /** What stands between two tags. */
  readonly gap: string
  /** What stands between an argument's key and its value. */
  readonly keyGap?: string | undefined
  /** Values are written without the line breaks that may stand around them. */
  readonly isInline?: boolean | undefined
  /** What stands around each call and says nothing. */
  readonly callMarks?: readonly [before: string, behind: string] | undefined
  /** The attributes of an argument's tag, where it has any, by JSON's name of its type. */
  readonly attributes?: ((isText: boolean, type: string) => string) | undefined
  /** The attributes of a call's tag, by the call's place in its message. */
  readonly callAttributes?: ((index: number) => string) | undefined
  /** Each call is a message of its own: what stands before it, and between two. */
  readonly messages?: { readonly header: (toolName: string) => string; readonly joint: string } | undefined
  /** Messages say whom they are for. */
  readonly addresses?: AddressGrammar | undefined
  /** A result as the model knows it. */
  readonly formatResult: (text: string, toolName: string, index: number) => string
  /** What in a result could close that. */
  readonly resultMark: string | readonly string[]
  /** The results of one message, where they do not just stand one below the other. */
  readonly joinResults?: ((results: readonly string[]) => string) | undefined
  /** What else there is to say on how to write a value. */
  readonly note?: string | undefined
  /** How the tools are shown, where that is not one a line in `<tools>`. */
  readonly toolsForm?: ToolsForm | undefined
}

export function taggedProtocol(options: TaggedProtocolOptions): EngineProtocol {
  const { grammar, others = [], gap, keyGap = '', isInline = false, callMarks = ['', ''] } = options
  const { attributes, callAttributes, messages, addresses, formatResult, resultMark, joinResults, note = '' } = options
  const { section, call, argument } = grammar
  const hasBlocks = grammar.hasBlocks && !isInline
  const writeArgument = (key: string, text: string, type: string) => {
    const value = hasBlocks ? `\n${text}\n` : text
    const about = attributes?.(type === 'string', type) ?? ''
    return `${argument.open}${key}${argument.keyEnd}${about}${keyGap}${argument.headEnd ?? ''}${value}${argument.close}`
  }
  const writeCall = ({ toolName, parts }: CallParts, index: number) => {
    const head = `${call.open}${toolName}${call.nameEnd ?? ''}${callAttributes?.(index) ?? ''}${call.headEnd ?? ''}`
    return callMarks[0] + [head, ...parts, call.close].join(gap) + callMarks[1]
  }
  const inSection = (calls: readonly string[]) =>
    (section ? [section.open, ...calls, section.close] : calls).join(gap || (section ? '' : '\n'))
  const isSectionShared = section && !messages && (gap !== '' || callAttributes)
  const writeCalls = (calls: readonly CallParts[]) =>
    messages
      ? calls.map(each => messages.header(each.toolName) + inSection([writeCall(each, 0)])).join(messages.joint)
      : inSection(calls.map(writeCall))

  const marks = [argument, call, ...(section ? [section] : [])].flatMap(({ open, close }) => [open, close])
  const writeArguments = (args: object, shape: Shape) =>
    writeEntries(args, (key, value) => {
      const text = writeValue(value, shape.property(key), grammar)
      if (text === undefined || !/^[\w.$-]+$/.test(key) || marks.some(mark => text.includes(mark))) return undefined
      // Behind an open tag a line break would be read as markup.
      return isInline && /^\s/.test(text) ? undefined : writeArgument(key, text, typeOfJson(value))
    })
  const secondExample = attributes
    ? writeArgument('parameter_2', '5', 'number')
    : writeArgument('parameter_2', hasBlocks ? 'a value of\nseveral lines' : 'value_2', 'string')
  const calls: CallGrammar = context => [grammar, ...others].flatMap(each => taggedCalls(each)(context))
  return formatProtocol({
    // Most are tokens of their own, and some servers strip those.
    hasSpecialTokens: true,
    ...options,
    ...(addresses ? { reasoning: [thoughtsOf(addresses)] } : {}),
    grammar: addresses ? addressedCalls(addresses, calls) : calls,
    howTo: () => `To call a function, write its name and its arguments exactly in this form:

${writeCalls([{ toolName: 'function_name', parts: [writeArgument('parameter_1', 'value_1', 'string'), secondExample] }])}

Write text as it is, without quotes or escapes; lists and objects as JSON. ${note}For several calls write several ${isSectionShared ? 'of the inner blocks' : 'such blocks'}, one after the other.`,
    writeCalls: (toolCalls, context) =>
      writeCalls(
        toolCalls.map(toolCall => ({
          toolName: toolCall.toolName,
          parts: writeRawArguments(toolCall, context, writeArguments),
        })),
      ),
    resultsForm: {
      write: ({ content, name, index }) => formatResult(content, name, index),
      join: joinResults,
      marks: [resultMark].flat(),
    },
  })
}

export const taggedFormat = /* @__PURE__ */ formatMaker('tagged', taggedProtocol)

/** A call as it stands between its tags. */
interface CallParts {
  readonly toolName: string
  readonly parts: readonly string[]
}

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
