import type { CallEndEvent } from '../engine/events.js'
import type { CallGrammar, ToolShapes } from '../engine/grammar.js'
import { ignoredMarks, turnEndMarks } from '../engine/ignored-marks.js'
import { bareJsonCalls, jsonCalls } from '../engine/json/json-calls.js'
import type { ReasoningMarks, ReasoningOptions } from '../engine/reasoning-marks.js'
import { createScanner } from '../engine/scanner.js'
import { anyObjectShape } from '../engine/values/shape.js'
import { checkOptionNames, type OptionNames } from '../options/check-options.js'
import { isForced } from '../options/parser-options.js'
import { createPartReader } from '../response/part-reader.js'
import { pullThrough } from '../response/pull-through.js'
import { contentOf } from '../response/whole-content.js'
import { shapeOfSchema } from '../schema/shape-of-schema.js'
import { unwrapTools } from '../schema/unwrap-schema.js'
import type { ToolChoice } from '../sdk/call-params.js'
import {
  type FunctionTool,
  isContent,
  type Part,
  type ToolCall,
  type ToolResult,
} from '../sdk/parts.js'
import type { EngineProtocol, FormatContext, ToolSystemPromptTemplate } from './protocol.js'

/** What a format says besides its calls. */
export interface FormatExtras {
  /** How the format marks what the model thinks; `<think>` is known everywhere. */
  readonly reasoning?: readonly ReasoningMarks[] | undefined
  /** The model writes calls inside of its thoughts. */
  readonly callsInReasoning?: boolean | undefined
  /** Its marks are special tokens, which servers strip unless they are asked not to. */
  readonly hasSpecialTokens?: boolean | undefined
  /**
   * Marks that stand for nothing, such as those around the text of an answer. They are left out of
   * the text; behind a `^`, only at its beginning.
   */
  readonly silent?: readonly string[] | undefined
}

/**
 * A format as data: one description feeds the parser, the serializer and the prompt, so they cannot
 * drift apart.
 */
export interface ProtocolDefinition extends FormatExtras {
  /** How calls are found in a text and read. */
  readonly grammar: CallGrammar
  /** The tools as text, for the prompt's template. */
  readonly renderTools: (tools: readonly FunctionTool[]) => string
  /** The prompt, where the middleware brings none of its own. */
  readonly toolSystemPromptTemplate: ToolSystemPromptTemplate
  readonly formatToolCall: (toolCall: ToolCall, context: FormatContext) => string
  readonly formatToolCalls?:
    | ((toolCalls: readonly ToolCall[], context: FormatContext) => string)
    | undefined
  readonly formatToolResponse: (toolResult: ToolResult, context: FormatContext) => string
  readonly formatToolResponses?:
    | ((toolResults: readonly ToolResult[], context: FormatContext) => string)
    | undefined
  /** Schemas that replace those of the tools, by name. */
  readonly originalToolSchemas?: Readonly<Record<string, unknown>> | undefined
}

const thinkTags: ReasoningMarks = { opens: ['<think>'], closes: ['</think>'] }

/**
 * The answer to a forced choice was asked for as JSON: besides the protocol's own form it may be
 * that, bare or in a fence.
 */
const forcedGrammars: readonly CallGrammar[] = [
  jsonCalls(
    ...['```json', '```JSON', '```tool_call', '```'].map(open => ({
      open,
      close: '```',
      isWeakMark: true,
    })),
  ),
  bareJsonCalls,
]

type ScannerGrammar = FormatExtras & Pick<ProtocolDefinition, 'grammar' | 'originalToolSchemas'>

/** Makes scanners that read what a grammar describes, and the JSON that answers a forced choice. */
export function createGrammarScanner(definition: ScannerGrammar): EngineProtocol['createScanner'] {
  return ({ tools, options = {}, emit }) => {
    const { toolChoice, forcedChoice, maxHeldChars, reasoning, onTrace } = options
    const schemas = { ...definition.originalToolSchemas, ...options.originalToolSchemas }
    const shapes = createToolShapes(tools, schemas, toolChoice)
    const readsJson = shapes.isForced && forcedChoice !== 'prompt'
    const grammars = [definition.grammar, ...(readsJson ? forcedGrammars : [])]
    const marks = [
      ...ignoredMarks(definition.silent ?? []),
      ...grammars.flatMap(each => each(shapes)),
      ...turnEndMarks,
    ]
    const thinking: ReasoningOptions = {
      marks: [...(definition.reasoning ?? []), thinkTags],
      mode: reasoning === undefined ? 'text' : reasoning ? 'parts' : 'raw',
      startsInReasoning: options.startWithReasoning === true,
      callsInReasoningCount: options.callsInReasoning ?? definition.callsInReasoning ?? false,
    }
    return createScanner({ marks, tools: shapes, maxHeldChars, thinking, emit, onTrace })
  }
}

const definitionNames: OptionNames<ProtocolDefinition> = {
  grammar: true,
  renderTools: true,
  toolSystemPromptTemplate: true,
  formatToolCall: true,
  formatToolCalls: true,
  formatToolResponse: true,
  formatToolResponses: true,
  originalToolSchemas: true,
  reasoning: true,
  callsInReasoning: true,
  hasSpecialTokens: true,
  silent: true,
}

/** Makes a protocol of a format that the engine can read. */
export function defineProtocol(definition: ProtocolDefinition): EngineProtocol {
  checkOptionNames('defineProtocol', definition, definitionNames)
  return createEngineProtocol(definition)
}

/** The same for definitions that carry more than that. */
export function createEngineProtocol(definition: ProtocolDefinition): EngineProtocol {
  const { grammar, renderTools, toolSystemPromptTemplate: ownTemplate } = definition
  const {
    formatToolCall: writeCall,
    formatToolCalls,
    formatToolResponse,
    formatToolResponses,
  } = definition
  const writeCalls =
    formatToolCalls ?? ((calls, context) => calls.map(call => writeCall(call, context)).join('\n'))
  const writeResults =
    formatToolResponses ??
    ((results, context) => results.map(each => formatToolResponse(each, context)).join('\n'))
  const {
    hasSpecialTokens = grammar(createToolShapes([])).some(mark => isSpecialToken(mark.text)),
  } = definition
  const newScanner = createGrammarScanner(definition)

  return {
    definition: { ...definition, hasSpecialTokens },
    formatTools({ tools: givenTools, toolSystemPromptTemplate = ownTemplate }) {
      const tools = unwrapTools(givenTools)
      const prompt = toolSystemPromptTemplate(renderTools(tools), tools)
      const examples = tools.flatMap(({ name: toolName, inputExamples = [] }) =>
        inputExamples.map(({ input }) => writeCall({ toolCallId: '', toolName, input }, { tools })),
      )
      return examples.length ? `${prompt}\n\nExamples of calls:\n${examples.join('\n')}` : prompt
    },
    formatToolCall: (toolCall, context) => writeCall(toolCall, unwrapContext(context)),
    formatToolCalls: (toolCalls, context) => writeCalls(toolCalls, unwrapContext(context)),
    formatToolResponse: (toolResult, context) =>
      formatToolResponse(toolResult, unwrapContext(context)),
    formatToolResponses: (toolResults, context) =>
      writeResults(toolResults, unwrapContext(context)),
    createScanner: newScanner,
    parseGeneratedText({ text, tools, options = {} }) {
      const finish = { type: 'finish', finishReason: options.isCut ? 'length' : 'stop' }
      const read = createPartReader(newScanner, { tools, options })
      return contentOf([{ type: 'text-delta', delta: text }, finish].flatMap(read)).filter(
        isContent,
      )
    },
    createStreamParser(context) {
      const { readable, writable } = new TransformStream<Part, Part>()
      return { writable, readable: pullThrough(readable, createPartReader(newScanner, context)) }
    },
    extractToolCallSegments: ({ text, tools }) =>
      readCalls(newScanner, text, tools).map(call => call.raw),
  }
}

const unwrapContext = ({ tools, ...others }: FormatContext = {}): FormatContext =>
  tools ? { ...others, tools: unwrapTools(tools) } : others

/** The calls of a whole text. */
export function readCalls(
  create: EngineProtocol['createScanner'],
  text: string,
  tools: readonly FunctionTool[],
) {
  const calls: CallEndEvent[] = []
  const scanner = create({ tools, emit: event => event.type === 'call-end' && calls.push(event) })
  scanner.feed(text)
  scanner.end()
  return calls
}

/** The tools of a request as the engine wants them. `schemas` replaces a tool's own schema. */
export function createToolShapes(
  tools: readonly FunctionTool[],
  schemas: Readonly<Record<string, unknown>> = {},
  toolChoice?: ToolChoice,
): ToolShapes {
  const byName = new Map(
    tools.map(({ name, inputSchema }) => [
      name,
      Object.hasOwn(schemas, name) ? schemas[name] : inputSchema,
    ]),
  )
  const forcedToolName = toolChoice?.toolName
  const schemaOf = (name: string) => byName.get(forcedToolName ?? name)
  return {
    isForced: isForced(toolChoice),
    forcedToolName,
    has: name => byName.has(name),
    names: () => [...byName.keys()],
    shapeOf: name =>
      schemaOf(name) === undefined ? anyObjectShape : shapeOfSchema(schemaOf(name)),
  }
}

/** True for a mark that nobody writes but a model. */
export const isSpecialToken = (mark: string) => /^(?:<[|｜]|<\/?\w+:|\[\/?[A-Z_]+\]|\]<)/.test(mark)
