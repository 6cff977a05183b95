import type { CallGrammar } from '../engine/grammar.js'
import type { ReasoningMarks } from '../engine/reasoning-marks.js'
import type { CreateScanner, ReceivedContext, RequestContext } from '../options/parser-options.js'
import type { Content, FunctionTool, Part, ToolCall, ToolResult } from '../sdk/parts.js'

/**
 * Puts the tools into words. `toolsText` is the tools as the protocol writes them; `tools` the same
 * as data, for a template that wants to write them itself.
 */
export type ToolSystemPromptTemplate = (toolsText: string, tools: readonly FunctionTool[]) => string

/**
 * The template as the author of a protocol gets it: it is always there, and the tools' text is
 * enough.
 */
export type ReceivedPromptTemplate = (toolsText: string, tools?: readonly FunctionTool[]) => string

/** What helps to write a call or a result better than its value alone. */
export interface FormatContext {
  /** The tools of the request. Their schemas tell what needs no escape. */
  readonly tools?: readonly FunctionTool[] | undefined
  /**
   * Where the calls of the conversation stand, by their ids. Without it what is written together is
   * all that there is.
   */
  readonly callPositions?: ReadonlyMap<string, CallPosition> | undefined
}

/**
 * Where a call stands: its `index` among the calls of its message, its `ordinal` among those of the
 * conversation, both from 0 on.
 */
export type CallPosition = Readonly<Record<'index' | 'ordinal', number>>

/**
 * A way for a model to write tool calls as text. `defineProtocol` makes one from data; any object
 * with the first five methods will do. Its calls are `{ type: 'tool-call', toolName, input }`: the
 * middleware makes ids, writes an `input` that is an object as JSON, and types it by the tool's
 * schema.
 */
export interface ToolCallProtocol {
  /** The text of the system prompt that shows the tools and how to call them. */
  formatTools(options: {
    readonly tools: readonly FunctionTool[]
    readonly toolSystemPromptTemplate: ReceivedPromptTemplate
  }): string
  /** A call as the model would write it. */
  formatToolCall(toolCall: ToolCall, context?: FormatContext): string
  /** A tool's result as the model is shown it. */
  formatToolResponse(toolResult: ToolResult, context?: FormatContext): string
  /**
   * Reads a whole text: what is text stays text, reasoning may become reasoning, calls become tool
   * calls.
   */
  parseGeneratedText(options: ReceivedContext & { readonly text: string }): readonly Part[]
  /** The same for a stream of AI SDK parts. */
  createStreamParser(options: ReceivedContext): TransformStream<Part, Part>
  /** The calls of a text as they were written. */
  extractToolCallSegments?(options: {
    readonly text: string
    readonly tools: readonly FunctionTool[]
  }): string[]
  /**
   * The results of one message, for formats that show them together. They come in the order of
   * their calls.
   */
  formatToolResponses?(toolResults: readonly ToolResult[], context?: FormatContext): string
  /** Several calls of one message, for formats that wrap them in one section. */
  formatToolCalls?(toolCalls: readonly ToolCall[], context?: FormatContext): string
}

/**
 * A protocol that is made from data. All its methods can be used without a middleware, and its
 * parser without a stream around it.
 */
export interface EngineProtocol extends ToolCallProtocol {
  /** What it was made of. */
  readonly definition: ProtocolDefinition
  formatTools(options: {
    readonly tools: readonly FunctionTool[]
    readonly toolSystemPromptTemplate?: ToolSystemPromptTemplate | undefined
  }): string
  parseGeneratedText(options: RequestContext & { readonly text: string }): Content[]
  createStreamParser(options: RequestContext): TransformStream<Part, Part>
  readonly createScanner: CreateScanner
}

/** True for a protocol that was made by `defineProtocol`. */
export function isEngineProtocol(protocol: ToolCallProtocol): protocol is EngineProtocol {
  return 'definition' in protocol && 'createScanner' in protocol
}

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
