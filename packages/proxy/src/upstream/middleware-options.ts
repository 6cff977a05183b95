import type { ToolMiddlewareOptions } from '@toolglot/parser'
import type { Limits, ModelRule } from '../config.js'

/**
 * Returns the options that a rule gives to the middleware of its models. Whether reasoning is read
 * depends on the request, too, so it is not among them.
 */
export function middlewareOptions(rule: ModelRule, { heldChars }: Limits): ToolMiddlewareOptions {
  const { protocol, mode, startWithReasoning, callsInReasoning, tolerance, keepSpecialTokens } =
    rule
  return {
    protocol,
    mode: mode === 'rescue' ? 'rescue' : 'prompt',
    maxHeldChars: heldChars,
    startWithReasoning,
    callsInReasoning,
    tolerance,
    keepSpecialTokens,
  }
}
