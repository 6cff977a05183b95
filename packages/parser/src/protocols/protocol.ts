import type { CallGrammar } from '../engine/grammar.js'
import type { ReasoningMarks } from '../engine/reasoning-marks.js'
import type { CreateScanner, ReceivedContext, RequestContext } from '../options/parser-options.js'
import type { Content, FunctionTool, Part, ToolCall, ToolResult } from '../sdk/parts.js'

/**
 * Writes the system prompt that shows the tools. `toolsText` is the tools as the protocol writes
 * them. `tools` is the same as data, for a template that writes them itself.
 */
export type ToolSystemPromptTemplate = (toolsText: string, tools: readonly FunctionTool[]) => string

/** The template as `formatTools` of a protocol gets it. The tools as data may be left out. */
export type ReceivedPromptTemplate = (toolsText: string, tools?: readonly FunctionTool[]) => string

/** The conversation that a call or a result is written for. */
export interface FormatContext {
  /** The tools of the request. Their schemas show which values need no quotes and no escapes. */
  readonly tools?: readonly FunctionTool[] | undefined
  /**
   * The positions of the calls of the conversation, by their ids. Without them, the calls or results
   * that are written together count as the whole conversation.
   */
  readonly callPositions?: ReadonlyMap<string, CallPosition> | undefined
}

/**
 * The position of a call: its `index` among the calls of its message, and its `ordinal` among all
 * calls of the conversation. Both are counted from 0.
 */
export type CallPosition = Readonly<Record<'index' | 'ordinal', number>>

/**
 * A protocol: how a model writes tool calls as text. `defineProtocol` makes one from data. An object
 * with the first five methods is a protocol too. The calls that it returns are `{ type: 'tool-call',
 * toolName, input }`: the middleware adds ids, writes an `input` that is an object as JSON, and
 * types it by the tool's schema.
 */
export interface ToolCallProtocol {
  /** Writes the system prompt that shows the tools and how to call them. */
  formatTools(options: {
    readonly tools: readonly FunctionTool[]
    readonly toolSystemPromptTemplate: ReceivedPromptTemplate
  }): string
  /** Writes a call as the model writes it. */
  formatToolCall(toolCall: ToolCall, context?: FormatContext): string
  /** Writes the result of a call for the model. */
  formatToolResponse(toolResult: ToolResult, context?: FormatContext): string
  /** Reads a whole answer. Returns its text, its calls, and its reasoning if that is asked for. */
  parseGeneratedText(options: ReceivedContext & { readonly text: string }): readonly Part[]
  /** Returns a transform that does the same for a stream of AI SDK parts. */
  createStreamParser(options: ReceivedContext): TransformStream<Part, Part>
  /** Returns the calls of a text as the model wrote them. */
  extractToolCallSegments?(options: {
    readonly text: string
    readonly tools: readonly FunctionTool[]
  }): string[]
  /**
   * Writes the results of one message, for formats that wrap them in one section. They come in the
   * order of their calls.
   */
  formatToolResponses?(toolResults: readonly ToolResult[], context?: FormatContext): string
  /** Writes the calls of one message, for formats that wrap them in one section. */
  formatToolCalls?(toolCalls: readonly ToolCall[], context?: FormatContext): string
}

/** A protocol that was made from data. All its methods can be used without a middleware. */
export interface EngineProtocol extends ToolCallProtocol {
  /** The data that the protocol was made from. */
  readonly definition: ProtocolDefinition
  formatTools(options: {
    readonly tools: readonly FunctionTool[]
    readonly toolSystemPromptTemplate?: ToolSystemPromptTemplate | undefined
  }): string
  parseGeneratedText(options: RequestContext & { readonly text: string }): Content[]
  createStreamParser(options: RequestContext): TransformStream<Part, Part>
  /** Makes a scanner, which reads text and emits events, without streams and AI SDK parts. */
  readonly createScanner: CreateScanner
}

/**
 * Returns true for a protocol that was made by `defineProtocol`, as all built-in ones are.
 *
 * @example
 * ```ts
 * import { getProtocol } from '@toolglot/parser'
 * import { isEngineProtocol } from '@toolglot/parser/protocol'
 *
 * console.log(isEngineProtocol(getProtocol('hermes'))) // true
 * ```
 */
export function isEngineProtocol(protocol: ToolCallProtocol): protocol is EngineProtocol {
  return 'definition' in protocol && 'createScanner' in protocol
}

/** The marks of a format besides those of its calls. */
export interface FormatExtras {
  /** The marks of reasoning in this format. `<think>` is known in every format. */
  readonly reasoning?: readonly ReasoningMarks[] | undefined
  /**
   * The model writes calls inside its reasoning, and they count.
   *
   * @default false
   */
  readonly callsInReasoning?: boolean | undefined
  /**
   * The marks of calls are special tokens, which servers strip unless they are asked not to.
   *
   * @default true if a mark is spelt like a special token: `<|tool_call|>`
   */
  readonly hasSpecialTokens?: boolean | undefined
  /**
   * Marks without meaning, such as `<response>` around the text of an answer. They are dropped. A
   * mark that begins with `^` is dropped only at the start of the text.
   */
  readonly silent?: readonly string[] | undefined
  /**
   * Other forms of calls that models write by mistake, such as the tags of another format. They are
   * tried where the format itself finds no call, or at the start of a line. Only a declared tool
   * with one of its own arguments is called.
   */
  readonly otherForms?: CallGrammar | undefined
}

/** A format as data: how its calls are read and written, and how the prompt shows the tools. */
export interface ProtocolDefinition extends FormatExtras {
  /** The marks of calls and their readers: `jsonCalls({ open: '[CALL]', close: '[/CALL]' })`. */
  readonly grammar: CallGrammar
  /** Writes the tools as text, for the template of the prompt. */
  readonly renderTools: (tools: readonly FunctionTool[]) => string
  /** Writes the prompt, unless the option of the middleware replaces it. */
  readonly toolSystemPromptTemplate: ToolSystemPromptTemplate
  /** Writes a call as the model writes it, for the conversation. */
  readonly formatToolCall: (toolCall: ToolCall, context: FormatContext) => string
  /** Writes all calls of one message. By default each is written on its own line. */
  readonly formatToolCalls?:
    | ((toolCalls: readonly ToolCall[], context: FormatContext) => string)
    | undefined
  /** Writes the result of a call for the model. */
  readonly formatToolResponse: (toolResult: ToolResult, context: FormatContext) => string
  /** Writes all results of one message. By default each is written on its own line. */
  readonly formatToolResponses?:
    | ((toolResults: readonly ToolResult[], context: FormatContext) => string)
    | undefined
  /** JSON Schemas by tool name. Arguments are typed by these instead of the tools' own schemas. */
  readonly originalToolSchemas?: Readonly<Record<string, unknown>> | undefined
}
