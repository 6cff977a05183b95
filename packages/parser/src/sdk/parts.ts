import { isRecord } from '../schema/is-record.js'

/**
 * The shapes that AI SDK 5, 6 and 7 share, as far as we look at them. Whatever else a tool, a part or a message carries is
 * handed on untouched.
 */
export interface FunctionTool {
  readonly type: 'function'
  readonly name: string
  readonly description?: string | undefined
  /** JSON Schema of the arguments. */
  readonly inputSchema: unknown
  readonly inputExamples?: readonly { readonly input: unknown }[] | undefined
}

/** A call as it stands in the conversation (`input` is a value) or in a response (`input` is JSON text). */
export interface ToolCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
}

export interface ToolResult {
  readonly toolCallId: string
  readonly toolName: string
  /** `{ type: 'text' | 'json' | 'error-text' | 'error-json' | 'execution-denied' | 'content', value? }` */
  readonly output: unknown
}

/** Any part of a stream or of a response. Only the types below mean something to us. */
export interface Part {
  readonly type: string
}

export interface TextContent extends Part {
  readonly type: 'text'
  readonly text: string
}

export interface ReasoningContent extends Part {
  readonly type: 'reasoning'
  readonly text: string
}

export interface ToolCallContent extends Part, ToolCall {
  readonly type: 'tool-call'
  readonly input: string
}

/** What a text is made of. */
export type Content = TextContent | ReasoningContent | ToolCallContent

/** Parts that mark a text block or a tool input, by its id. */
export interface IdPart extends Part {
  readonly id: string
}

export interface DeltaPart extends IdPart {
  readonly delta: string
}

export interface FinishPart extends Part {
  readonly finishReason: unknown
}

const holdsText = (part: object, key: string) => isRecord(part) && typeof part[key] === 'string'

export const hasId = (part: Part): part is IdPart => holdsText(part, 'id')

export const isFinish = (part: Part): part is FinishPart => part.type === 'finish' && 'finishReason' in part

export const isDelta = (part: Part, type: 'text-delta' | 'reasoning-delta'): part is DeltaPart =>
  part.type === type && hasId(part) && holdsText(part, 'delta')

export const isTextContent = (part: Part): part is TextContent => part.type === 'text' && holdsText(part, 'text')

export const isReasoningContent = (part: Part): part is ReasoningContent =>
  part.type === 'reasoning' && holdsText(part, 'text')

export const isToolCallContent = (part: Part): part is ToolCallContent =>
  part.type === 'tool-call' && 'toolCallId' in part && 'toolName' in part && holdsText(part, 'input')

export const isContent = (part: Part): part is Content =>
  isTextContent(part) || isReasoningContent(part) || isToolCallContent(part)
