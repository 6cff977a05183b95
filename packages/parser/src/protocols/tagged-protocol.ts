import { type TaggedGrammar, taggedCalls } from '../engine/bodies/tagged-body.js'
import { kindOfJson, scalarAsJson } from '../engine/scalar.js'
import { ANY_KIND, Kind, type Shape } from '../engine/shape.js'
import { isRecord } from '../schema/is-record.js'
import type { FunctionTool, ToolCall, ToolResult } from '../sdk/parts.js'
import { readToolOutput } from '../sdk/tool-result.js'
import { defineProtocol } from './define-protocol.js'
import { functionPrompt, readCallInput, spacedJson, toolAsJson } from './text-forms.js'
import type { EngineProtocol, FormatContext } from './tool-call-protocol.js'
import { createToolShapes } from './tool-shapes.js'

/** A format of tags with raw text, as data: the grammar that reads it also says how it is written. */
export interface TaggedProtocolOptions {
  readonly grammar: TaggedGrammar
  /** Other marks that are read too, but never written. */
  readonly others?: readonly TaggedGrammar[] | undefined
  /** What stands between two tags. */
  readonly gap: string
  /** The attributes of an argument's tag, where it has any. */
  readonly attributes?: ((isText: boolean) => string) | undefined
  /** A result as the model knows it. */
  readonly formatResult: (text: string, toolName: string) => string
  /** What in a result could close that. */
  readonly resultMark: string
  readonly renderTool?: ((tool: FunctionTool) => string) | undefined
}

export function taggedProtocol(options: TaggedProtocolOptions): EngineProtocol {
  const { grammar, others = [], gap, attributes, formatResult, resultMark, renderTool = toolAsJson } = options
  const { section, call, argument, hasBlocks } = grammar
  const head = (name: string) => `${call.open}${name}${call.nameEnd ?? ''}${call.headEnd ?? ''}`
  const writeArgument = (key: string, text: string, isText: boolean) => {
    const value = hasBlocks ? `\n${text}\n` : text
    return `${argument.open}${key}${argument.keyEnd}${attributes?.(isText) ?? ''}${argument.headEnd ?? ''}${value}${argument.close}`
  }
  const writeCall = (toolName: string, parts: readonly string[]) => [head(toolName), ...parts, call.close].join(gap)
  const wrap = (calls: readonly string[]) =>
    (section ? [section.open, ...calls, section.close] : calls).join(gap || (section ? '' : '\n'))

  const formatOne = (toolCall: ToolCall, { tools = [] }: FormatContext): string => {
    const { toolName } = toolCall
    const input = readCallInput(toolCall)
    if ('text' in input) return writeCall(toolName, [hideTags(JSON.stringify(input.text))])
    const args = isRecord(input.value) && input.isExact ? input.value : undefined
    const isKnown = tools.some(tool => tool.name === toolName)
    const parts = args && isKnown ? writeArguments(args, createToolShapes(tools).shapeOf(toolName)) : undefined
    // What raw text cannot say without doubt is written as JSON, which is read in its place.
    return writeCall(toolName, parts ?? [hideTags(input.json)])
  }
  const marks = [
    argument.open,
    argument.close,
    call.open,
    call.close,
    ...(section ? [section.open, section.close] : []),
  ]
  const writeArguments = (args: Record<string, unknown>, shape: Shape): string[] | undefined => {
    const parts: string[] = []
    for (const [key, value] of Object.entries(args)) {
      if (value === undefined) continue
      const isText = typeof value === 'string'
      const text = writeValue(value, shape.property(key), grammar)
      if (text === undefined || !/^[\w.$-]+$/.test(key) || marks.some(mark => text.includes(mark))) return undefined
      parts.push(writeArgument(key, text, isText))
    }
    return parts
  }
  return defineProtocol({
    grammar: context => [grammar, ...others].flatMap(each => taggedCalls(each)(context)),
    renderTools: tools => tools.map(renderTool).join('\n'),
    toolSystemPromptTemplate: tools =>
      functionPrompt({
        tools,
        howTo: `To call a function, write its name and its arguments exactly in this form:

${wrap([writeCall('function_name', [writeArgument('parameter_1', 'value_1', true), writeArgument('parameter_2', hasBlocks ? 'a value of\nseveral lines' : 'value_2', true)])])}

Write text as it is, without quotes or escapes; lists and objects as JSON. For several calls write several ${section && gap ? 'of the inner blocks' : 'such blocks'}, one after the other.`,
      }),
    formatToolCall: (toolCall, context) => wrap([formatOne(toolCall, context)]),
    formatToolCalls: (toolCalls, context) => wrap(toolCalls.map(toolCall => formatOne(toolCall, context))),
    formatToolResponse({ toolName, output }: ToolResult) {
      const { value } = readToolOutput(output)
      const text = typeof value === 'string' ? value : spacedJson(value)
      return formatResult(text.includes(resultMark) ? hideTags(JSON.stringify(value)) : text, toolName)
    },
  })
}

/** JSON in which no tag can be seen. */
const hideTags = (json: string) => json.replaceAll('<', '\\u003c')

/** The raw text that is read back as this value, if there is one. */
function writeValue(value: unknown, shape: Shape, grammar: TaggedGrammar): string | undefined {
  const isSilent = shape.kinds === ANY_KIND
  const isMarked = grammar.isText !== undefined
  if (typeof value === 'string') {
    if (!(shape.kinds & Kind.string) || (grammar.hasSections && /^\s*<!\[CDATA\[/.test(value))) return undefined
    const isPlain = shape.kinds === Kind.string || isMarked || (isSilent && grammar.isSilentText)
    // Where it may be something else too, it must not look like that.
    return isPlain || !/^\s*(?:[-+.\d"[{]|(?:true|false|null|none)\s*$)|^\s|^$|\s$/iu.test(value) ? value : undefined
  }
  const json = spacedJson(value)
  if (isSilent && grammar.isSilentText && !isMarked) return undefined
  if (!(shape.kinds & kindOfJson(json))) return undefined
  const isScalar = typeof value !== 'object' || value === null
  if (isScalar && (shape.kinds & Kind.array || scalarAsJson(json, 'raw', shape) !== json)) return undefined
  return hideTags(json)
}
