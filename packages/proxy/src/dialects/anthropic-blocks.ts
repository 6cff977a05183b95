import type { HttpError } from '../http/http-error.js'
import type { Content, FinishReason, Usage } from '../model-types.js'
import { tokensOf } from './answer-parts.js'

// The JSON values of Anthropic's Messages API: a message, its blocks, its usage, an error.

export type Call = Extract<Content, { type: 'tool-call' }>

/** The code in `details` that makes Anthropic's client start a new thread by itself. */
export const THREAD_NOT_FOUND = 'thread_not_found'

const errorTypes: Readonly<Record<number, string>> = {
  413: 'request_too_large',
  503: 'overloaded_error',
}

export function anthropicError({ status, type, message, code }: HttpError): unknown {
  const details = code === THREAD_NOT_FOUND ? { details: { error_code: code } } : {}
  return { type: 'error', error: { type: errorTypes[status] ?? type, message, ...details } }
}

export interface MessageFields {
  readonly id: string
  readonly model: string
  readonly content: readonly unknown[]
  readonly stopReason: string | null
  readonly usage: unknown
}

export function messageValue({ id, model, content, stopReason, usage }: MessageFields): unknown {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage,
  }
}

export function textBlock(text: string): unknown {
  return { type: 'text', text }
}

/** Reasoning. Only Anthropic can sign it, so the signature is empty. */
export function thinkingBlock(thinking: string): unknown {
  return { type: 'thinking', thinking, signature: '' }
}

export function callBlock(
  { toolCallId, toolName }: Pick<Call, 'toolCallId' | 'toolName'>,
  input: unknown,
): unknown {
  return { type: 'tool_use', id: toolCallId, name: toolName, input }
}

/**
 * The reason why an answer ended. Most servers report `stop` for the end of the turn and for a stop
 * sequence alike; `stop_sequence` is returned only if the server names it.
 */
export function stopReasonOf({ unified, raw }: FinishReason, calls: number): string {
  if (unified === 'length') return 'max_tokens'
  if (unified === 'content-filter') return 'refusal'
  if (calls > 0) return 'tool_use'
  return raw === 'stop_sequence' ? 'stop_sequence' : 'end_turn'
}

/** The usage. Tokens read from a cache are not part of `input_tokens`. */
export function usageOf(usage: Usage): unknown {
  const { input, output, cached = 0 } = tokensOf(usage)
  return usageValue(Math.max(0, input - cached), output, cached)
}

export function usageValue(input: number, output: number, cached: number): unknown {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
  }
}
