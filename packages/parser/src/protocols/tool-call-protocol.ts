import type { EmitEvent } from '../engine/events.js'
import type { Scanner } from '../engine/scanner.js'
import type { ParserOptions } from '../options.js'
import type { Content, FunctionTool, Part, ToolCall, ToolResult } from '../sdk/parts.js'
import type { ProtocolDefinition } from './define-protocol.js'

/**
 * Puts the tools into words. `toolsText` is the tools as the protocol writes them; `tools` the same as data, for a template
 * that wants to write them itself.
 */
export type ToolSystemPromptTemplate = (toolsText: string, tools: readonly FunctionTool[]) => string

/** What helps to write a call better than its value alone: the schema tells what needs no escape. */
export interface FormatContext {
  readonly tools?: readonly FunctionTool[] | undefined
}

/** What must be known of a request to read the answer. */
export interface RequestContext {
  readonly tools: readonly FunctionTool[]
  readonly options?: ParserOptions | undefined
}

/** A way for a model to write tool calls as text. `defineProtocol` makes one from data; any object of this form will do. */
export interface ToolCallProtocol {
  /** The text of the system prompt that shows the tools and how to call them. */
  formatTools(options: {
    readonly tools: readonly FunctionTool[]
    readonly toolSystemPromptTemplate?: ToolSystemPromptTemplate | undefined
  }): string
  /** A call as the model would write it. */
  formatToolCall(toolCall: ToolCall, context?: FormatContext): string
  /** A tool's result as the model is shown it. */
  formatToolResponse(toolResult: ToolResult): string
  /** Reads a whole text: what is text stays text, thoughts may become reasoning, calls become tool calls with JSON input. */
  parseGeneratedText(options: RequestContext & { readonly text: string }): Content[]
  /** The same for a stream of AI SDK parts. */
  createStreamParser(options: RequestContext): TransformStream<Part, Part>
  /** The calls of a text as they were written. */
  extractToolCallSegments?(options: { readonly text: string; readonly tools: readonly FunctionTool[] }): string[]
  /** The results of one message, for formats that show them together. */
  formatToolResponses?(toolResults: readonly ToolResult[]): string
  /** Several calls of one message, for formats that wrap them in one section. */
  formatToolCalls?(toolCalls: readonly ToolCall[], context?: FormatContext): string
}

/** A protocol that stands on the engine: its parser can be used without a stream around it. */
export interface EngineProtocol extends ToolCallProtocol {
  /** What it was made of. */
  readonly definition: ProtocolDefinition
  createScanner(options: RequestContext & { readonly emit: EmitEvent }): Scanner
}

/** True for a protocol that was made by `defineProtocol`. */
export function isEngineProtocol(protocol: ToolCallProtocol): protocol is EngineProtocol {
  return 'definition' in protocol && 'createScanner' in protocol
}
