import { isRecord } from '../is-record.js'

/** The fields by which clients ask a model to think. */
interface ReasoningFields {
  /** Chat: `"reasoning_effort": "high"`. */
  readonly reasoning_effort?: unknown
  /** Responses: `"reasoning": {"effort": "low", "summary": "auto"}`. */
  readonly reasoning?: unknown
  /** Messages, and some chat servers: `"thinking": {"type": "enabled"}`. */
  readonly thinking?: unknown
  /** Some chat servers: `"enable_thinking": true`. */
  readonly enable_thinking?: unknown
  /** llama.cpp, vLLM: `"chat_template_kwargs": {"enable_thinking": true}`. */
  readonly chat_template_kwargs?: unknown
}

/** Returns whether the client asks the model to think, in any of the three APIs. */
export function asksReasoning(body: ReasoningFields): boolean {
  const { reasoning, thinking, chat_template_kwargs: template } = body
  if (isEffort(body.reasoning_effort) || body.enable_thinking === true) return true
  if (isRecord(thinking) && thinking.type !== 'disabled') return true
  if (isRecord(template) && (template.enable_thinking === true || template.thinking === true))
    return true
  if (!isRecord(reasoning) || reasoning.effort === 'none') return false
  return isEffort(reasoning.effort) || typeof reasoning.summary === 'string'
}

function isEffort(value: unknown): boolean {
  return typeof value === 'string' && value !== 'none'
}
