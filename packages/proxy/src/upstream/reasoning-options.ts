import type { ToolCallOptions } from '@toolglot/parser'
import type { ModelRule } from '../config.js'
import type { DialectRequest } from '../dialects/dialect.js'
import { isThinkingModel } from './thinking-models.js'

type Options = Pick<ToolCallOptions, 'reasoning' | 'onTrace'>

/**
 * Returns how the reasoning of an answer is read. The model's rule decides; if it says nothing,
 * `<think>` is read where the model is known to think or the client asks for reasoning.
 */
export function reasoningOptions(
  { model, asksReasoning, isRaw }: DialectRequest,
  rule: ModelRule,
  onWarning: (text: string) => void,
): Options {
  if (isRaw) return { reasoning: false }
  const isLikely = asksReasoning || isThinkingModel(model) || isThinkingModel(rule.model ?? '')
  const reasoning = rule.reasoning ?? (rule.startWithReasoning || isLikely)
  if (!reasoning || rule.startWithReasoning) return { reasoning }
  return { reasoning, onTrace: reportUnopened(() => onWarning(unopened(model))) }
}

/** Clients choose the ids of models, and may send long ones. */
const MAX_SHOWN_CHARS = 128

function unopened(model: string): string {
  return (
    "the answer has a </think> without a <think> before it: the model's template opens the reasoning. " +
    `Set startWithReasoning: true for the model ${JSON.stringify(model.slice(0, MAX_SHOWN_CHARS))}`
  )
}

/**
 * The parser itself recognizes reasoning that the template has opened if it ends within so many
 * characters.
 */
const MAX_RECOGNIZED_CHARS = 64

/** `I see. …</think>Hello`: reports a close mark that comes before any open mark. */
function reportUnopened(report: () => void): NonNullable<Options['onTrace']> {
  let isFirst = true
  return trace => {
    if (trace.type !== 'thought') return
    if (isFirst && trace.turn === 'out' && trace.offset > MAX_RECOGNIZED_CHARS) report()
    isFirst = false
  }
}
