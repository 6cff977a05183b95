/**
 * The shapes that AI SDK 5, 6 and 7 share, as far as we look at them. Whatever else a tool, a part
 * or a message carries is handed on untouched.
 */
export interface FunctionTool {
  readonly type: 'function'
  readonly name: string
  readonly description?: string | undefined
  /** JSON Schema of the arguments. */
  readonly inputSchema: unknown
  readonly inputExamples?: readonly { readonly input: unknown }[] | undefined
}

/**
 * A call as it stands in the conversation (`input` is a value) or in a response (`input` is JSON
 * text).
 */
export interface ToolCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
}

export interface ToolResult extends Omit<ToolCall, 'input'> {
  /**
   * `{ type: 'text' | 'json' | 'error-text' | 'error-json' | 'execution-denied' | 'content', value?
   * }`
   */
  readonly output: unknown
}

/** Any part of a stream, a response or a message. Only these of its fields mean something to us. */
export interface Part {
  readonly type: string
  readonly toolCallId?: string | undefined
  readonly toolName?: string | undefined
  readonly input?: unknown
  readonly output?: unknown
  /** Of a text block, a thought or a tool input. */
  readonly id?: string | undefined
  readonly delta?: string | undefined
  readonly text?: string | undefined
  /** The provider ran the tool, and knows the call in its own form. */
  readonly providerExecuted?: boolean | undefined
  readonly providerMetadata?: unknown
  readonly finishReason?: unknown
  readonly warnings?: readonly unknown[] | undefined
}

export interface TextContent {
  readonly type: 'text'
  readonly text: string
}

export interface ReasoningContent extends Pick<TextContent, 'text'> {
  readonly type: 'reasoning'
}

export interface ToolCallContent extends ToolCall {
  readonly type: 'tool-call'
  readonly input: string
  /** Of a call that cannot be read: what `asUnread` makes. */
  readonly providerMetadata?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined
}

/** What a text is made of. */
export type Content = TextContent | ReasoningContent | ToolCallContent

export const isText = (part: Part): part is TextContent =>
  part.type === 'text' && part.text !== undefined

export const isContent = (part: Part): part is Content =>
  part.type === 'tool-call' || part.text !== undefined
