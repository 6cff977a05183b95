import type { Shape } from '../engine/values/shape.js'
import type { FunctionTool, ToolCall, ToolResult } from '../sdk/parts.js'
import { readToolOutput } from '../sdk/tool-result.js'
import { fillTemplate } from '../writing/fill-template.js'
import {
  type CallInput,
  escapeMarks,
  escapeTags,
  readCallInput,
  spacedJson,
} from '../writing/json-text.js'
import { functionPrompt, type ToolListTemplates, writeTools } from '../writing/tool-prompt.js'
import { createEngineProtocol } from './define-protocol.js'
import type {
  CallPosition,
  EngineProtocol,
  FormatContext,
  FormatExtras,
  ProtocolDefinition,
} from './protocol.js'
import { createGrammarScanner, createToolShapes, readCalls } from './request-scanner.js'

/** What all formats say of themselves, in templates for `fillIn`. */
export interface FormatTemplates extends FormatExtras {
  /**
   * A result: its `$content`, which is `$json` where text is shown as JSON too; the `$name`, `$id`
   * and `$place` of its call.
   */
  readonly result?: string | undefined
  /** One that is an error, where that is not shown as `{"error": …}`. */
  readonly errorResult?: string | undefined
  /** All `$results` of one message. */
  readonly results?: string | undefined
  /** What stands between two results. */
  readonly resultJoint?: string | undefined
  /** What must not stand in a result as it is, besides the tags of these templates. */
  readonly resultMarks?: readonly string[] | undefined
  readonly toolsForm?: ToolListTemplates | undefined
  /** The prompt, made of the tools and of how to call one, where it is not that of most. */
  readonly prompt?: typeof functionPrompt | undefined
}

/** How the built-in formats are described: calls and results are written message by message. */
export interface FormatDefinition
  extends FormatTemplates,
    Pick<ProtocolDefinition, 'grammar' | 'originalToolSchemas'> {
  /**
   * A call: its `$name`, its `$args`, its `$id` and its `$place` in the message, counted from 1.
   */
  readonly call: string
  /** What cannot stand in a name. No tool has it in its name, but a model may make one up. */
  readonly notInName?: RegExp | undefined
  /** All `$calls` of one message. */
  readonly calls?: string | undefined
  /** What stands between two calls. */
  readonly joint?: string | undefined
  /**
   * Writes arguments that are not JSON. `shape` is missing where nothing is known of the tools that
   * they will be read with. What it cannot say without doubt is written as JSON, which is read in
   * their place.
   */
  readonly writeArgs?:
    | ((input: CallInput, shape: Shape | undefined, tool: NamedTool) => string | undefined)
    | undefined
  /** A call is read before it is written: where its arguments come out as others, they are JSON. */
  readonly isReadBack?: boolean | undefined
  /** Writes what stands as JSON in results, where that is not spaced. */
  readonly writeJson?: ((value: unknown) => string) | undefined
  /** What must not stand in arguments and results as it is. */
  readonly marks?: readonly string[] | undefined
  /**
   * The id by which the model knows a call and its result. `ordinal` is the call's place in the
   * conversation, counted from 0.
   */
  readonly callId?: ((id: string, name: string, ordinal: number) => string) | undefined
  /** How to call a function. `sample` writes calls, each given by a name and arguments. */
  readonly howTo: (
    sample: (...calls: readonly SampleCall[]) => string,
    tools: readonly FunctionTool[],
  ) => string
}

export type NamedTool = Pick<FunctionTool, 'name' | 'inputSchema'>
type SampleCall = readonly [name: string, input: string | Readonly<Record<string, string | number>>]

function sampleTool([name, input]: SampleCall): FunctionTool {
  const properties = Object.entries(input).map(([key, value]) => [key, { type: typeof value }])
  return {
    type: 'function',
    name,
    inputSchema: { type: 'object', properties: Object.fromEntries(properties) },
  }
}

/**
 * For results that a chat template marks by nothing but the role of their message, which is not
 * ours to write.
 */
const taggedResult = '<tool_response>\n$content\n</tool_response>'

/** Where a template stands over several lines, the arguments do too. */
const indentOfArgs = /\n +(?="\w+": \$args\n)/

export function formatProtocol(parts: FormatDefinition): EngineProtocol {
  const {
    call,
    calls = '$calls',
    joint = '',
    callId = id => id,
    notInName,
    writeJson = spacedJson,
  } = parts
  const { toolsForm: form = {}, prompt = functionPrompt, howTo } = parts
  const { result = taggedResult, errorResult, results = '$results', resultJoint = '\n' } = parts
  const resultTags = (results + result + (errorResult ?? '')).match(/<[^\s<>]+/g) ?? []
  const marks = [...(parts.marks ?? []), ...resultTags]
  const lineBreak = indentOfArgs.exec(call)?.[0]
  const writeJsonArgs = ({ args, json }: CallInput) =>
    escapeMarks(
      lineBreak && args ? JSON.stringify(args, null, 4).replaceAll('\n', lineBreak) : json,
      marks,
    )
  const { writeArgs = writeJsonArgs } = parts
  const newScanner = createGrammarScanner(parts)
  const writeArguments = (toolCall: ToolCall, { tools }: FormatContext) => {
    const name = toolCall.toolName
    const input = readCallInput(toolCall)
    const { json, args } = input
    const tool = tools?.find(each => each.name === name) ?? {
      type: 'function',
      name,
      inputSchema: undefined,
    }
    const shape = tools && createToolShapes([tool], parts.originalToolSchemas).shapeOf(name)
    const written = writeArgs(input, shape, tool)
    if (written === undefined || !args || !parts.isReadBack) return written ?? escapeTags(json)
    const text = fillTemplate(calls, {
      calls: fillTemplate(call, { name, args: written, place: 1 }),
    })
    // Other tools make a difference only where their names stand in the text.
    const named = tools?.filter(each => text.includes(each.name)) ?? []
    const read = readCalls(newScanner, text, [...named, tool]).map(each => each.input)
    return read.length === 1 && read[0] === JSON.stringify(args) ? written : escapeTags(json)
  }
  const resultMarks = [...marks, ...(parts.resultMarks ?? [])]
  const holdsMark = (text: string) => resultMarks.some(mark => text.includes(mark))
  const plain = (name: string) => (holdsMark(name) ? name.replace(/[^\w.:-]+/g, '_') : name)
  /**
   * By what a result is told to be that of its call. A place that is not known is behind those that
   * are.
   */
  const callReference = (
    toolCallId: string,
    name: string,
    position: number,
    { callPositions = new Map() }: FormatContext,
  ) => {
    const place: CallPosition = callPositions.get(toolCallId) ?? {
      index: position,
      ordinal: callPositions.size + position,
    }
    const id = callId(plain(toolCallId) || String(place.index), name, place.ordinal)
    return { id, place: place.index + 1 }
  }
  const writeCall = (toolCall: ToolCall, position: number, context: FormatContext) => {
    const name = notInName ? toolCall.toolName.replace(notInName, '_') : toolCall.toolName
    const args = writeArguments(toolCall, context)
    // A line for the arguments is left out where there are none.
    const template = args ? call : call.replace(/\s*\$args/, '')
    return fillTemplate(
      template,
      { name, ...callReference(toolCall.toolCallId, name, position, context), args },
      marks,
    )
  }
  const writeCalls = (toolCalls: readonly ToolCall[], context: FormatContext) =>
    fillTemplate(calls, {
      calls: toolCalls.map((each, i) => writeCall(each, i, context)).join(joint),
    })

  const writeResult = (
    { toolCallId, toolName, output }: ToolResult,
    position: number,
    context: FormatContext,
  ) => {
    const { value, isError } = readToolOutput(output)
    const shown = isError && !errorResult ? { error: value } : value
    const template = (isError && errorResult) || result
    // Text that could leave its wrapper goes in as a JSON string, which can spell any mark in
    // another way.
    const isText = typeof shown === 'string' && !template.includes('$json') && !holdsMark(shown)
    const content = isText ? shown : escapeMarks(writeJson(shown), resultMarks)
    const name = plain(toolName)
    return fillTemplate(template, {
      name,
      ...callReference(toolCallId, name, position, context),
      content,
      json: content,
    })
  }
  const writeResults = (toolResults: readonly ToolResult[], context: FormatContext) =>
    fillTemplate(results, {
      results: toolResults.map((each, i) => writeResult(each, i, context)).join(resultJoint),
    })

  const sample = (...samples: readonly SampleCall[]) =>
    writeCalls(
      samples.map(([toolName, input]) => ({ toolCallId: '', toolName, input })),
      { tools: samples.map(sampleTool) },
    )
  return createEngineProtocol({
    ...parts,
    renderTools: tools => writeTools(form, tools),
    toolSystemPromptTemplate: (text, tools) =>
      prompt({ form, tools: text, howTo: howTo(sample, tools) }),
    formatToolCall: (toolCall, context) => writeCalls([toolCall], context),
    formatToolCalls: (toolCalls, context) =>
      toolCalls.length ? writeCalls(toolCalls, context) : '',
    formatToolResponse: (toolResult, context) => writeResults([toolResult], context),
    formatToolResponses: writeResults,
  })
}
