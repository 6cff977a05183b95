// The shapes that AI SDK 5, 6 and 7 share: the fields that we read. All other fields of a tool, a
// part or a message are handed on as they are.

/** A tool that the application runs. */
export interface FunctionTool {
  /** The provider runs tools of other types itself. */
  readonly type: 'function'
  /** The name by which the model calls the tool. */
  readonly name: string
  /** What the tool does, for the model. */
  readonly description?: string | undefined
  /** JSON Schema of the arguments. */
  readonly inputSchema: unknown
  /** Sample arguments. The prompt shows them as calls. */
  readonly inputExamples?: readonly { readonly input: unknown }[] | undefined
}

/** A call of a tool. */
export interface ToolCall {
  /** The id that connects a call and its result. */
  readonly toolCallId: string
  /** The name of the tool. */
  readonly toolName: string
  /** The arguments: a value in the conversation, JSON text in a response. */
  readonly input: unknown
}

/** The result of a call. */
export interface ToolResult extends Omit<ToolCall, 'input'> {
  /**
   * The result as the SDK has it: `{ type, value }`. `type` is `text`, `json`, `error-text`,
   * `error-json`, `execution-denied` or `content`. `readToolOutput` of `@toolglot/parser/protocol`
   * reads it.
   */
  readonly output: unknown
}

/** A part of a stream, a response or a message: the fields that we read. */
export interface Part {
  /** The kind of part: `text-delta`, `tool-call`, `finish`, … */
  readonly type: string
  /** The id of a call, in a call or its result. */
  readonly toolCallId?: string | undefined
  /** The tool of a call, a result or the start of an input. */
  readonly toolName?: string | undefined
  /** The arguments of a call. */
  readonly input?: unknown
  /** The output of a result. */
  readonly output?: unknown
  /** The id of a text, of reasoning or of a tool input in a stream. */
  readonly id?: string | undefined
  /** More text of the text, reasoning or tool input with that id. */
  readonly delta?: string | undefined
  /** The text of a whole text or reasoning. */
  readonly text?: string | undefined
  /** The provider ran the tool, and knows the call in its own form. */
  readonly providerExecuted?: boolean | undefined
  /** Data of providers and middlewares. */
  readonly providerMetadata?: unknown
  /** Why the answer ended: a string in AI SDK 5, `{ unified, raw }` in 6 and 7. */
  readonly finishReason?: unknown
  /** The warnings of a `stream-start`. */
  readonly warnings?: readonly unknown[] | undefined
}

/** A value of JSON. */
export type Json =
  | null
  | string
  | number
  | boolean
  | readonly Json[]
  | { readonly [key: string]: Json }

/** Text of an answer. */
export interface TextContent {
  /** Always `text`. */
  readonly type: 'text'
  /** The text itself. */
  readonly text: string
}

/** Reasoning of an answer. */
export interface ReasoningContent extends Pick<TextContent, 'text'> {
  /** Always `reasoning`. */
  readonly type: 'reasoning'
}

/** A call of an answer. */
export interface ToolCallContent extends ToolCall {
  /** Always `tool-call`. */
  readonly type: 'tool-call'
  /** The arguments as JSON text. */
  readonly input: string
  /**
   * `toolglot.repairs`: what was done to read the call (docs/repairs.md), as `{ code, path }`. A call
   * that cannot be read has its raw text and its problem there, too.
   */
  readonly providerMetadata?: Readonly<Record<string, Readonly<Record<string, Json>>>> | undefined
}

/** What a text consists of: text, reasoning and calls. */
export type Content = TextContent | ReasoningContent | ToolCallContent

export const isText = (part: Part): part is TextContent =>
  part.type === 'text' && part.text !== undefined

export const isContent = (part: Part): part is Content =>
  part.type === 'tool-call' || part.text !== undefined
