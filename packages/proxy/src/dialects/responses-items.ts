import type { Usage } from '../model-types.js'
import { tokensOf } from './answer-parts.js'
import type { CustomInputReader } from './custom-input.js'
import type { ClientTool } from './tool-map.js'

// The JSON values of OpenAI's Responses API: the items of an output, and its usage.

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

/** A message or reasoning that is being written. */
export interface OpenText {
  readonly kind: 'message' | 'reasoning'
  readonly id: string
  /** Index of the item in the output. */
  readonly index: number
  readonly pieces: string[]
}

/** A call that is being written. */
export interface OpenCall {
  readonly id: string
  /** Index of the item in the output. */
  readonly index: number
  readonly callId: string
  readonly tool: ClientTool
  /** The name that the model sees. */
  readonly shownName: string
  /** The JSON of the arguments so far. */
  readonly pieces: string[]
  /** Decodes the input of a custom tool. Not used for other tools. */
  readonly inputReader: CustomInputReader
}

/** `output_text` or `reasoning_text`: the name of the content and of its events. */
export function textName(kind: OpenText['kind']): string {
  return kind === 'message' ? 'output_text' : 'reasoning_text'
}

export function textContent(kind: OpenText['kind'], text: string): unknown {
  const type = textName(kind)
  return kind === 'message' ? { type, text, annotations: [], logprobs: [] } : { type, text }
}

export function textItem({ kind, id, pieces }: OpenText, status: ItemStatus): unknown {
  const content = status === 'in_progress' ? [] : [textContent(kind, pieces.join(''))]
  return kind === 'message'
    ? { id, type: 'message', status, role: 'assistant', content }
    : { id, type: 'reasoning', status, summary: [], content }
}

export function callItem(
  { id, callId, tool: { name, namespace } }: OpenCall,
  args: string,
  status: ItemStatus,
): unknown {
  const place = namespace === undefined ? {} : { namespace }
  return { id, type: 'function_call', status, call_id: callId, name, ...place, arguments: args }
}

export function usageOf(usage: Usage): unknown {
  const { input, output, cached, reasoning } = tokensOf(usage)
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached ?? 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning ?? 0 },
    total_tokens: input + output,
  }
}
