import { createToolMiddleware } from '@toolglot/parser'
import { type ProxyConfig, ruleFor } from '../config.js'
import type { DialectRequest } from '../dialects/dialect.js'
import type { ModelParams } from '../model-types.js'
import { estimateTokens } from './estimate-tokens.js'
import { middlewareOptions } from './middleware-options.js'

/** Estimates the tokens of a request with its tools and calls written as the server gets them. */
export async function countTokens(
  config: ProxyConfig,
  { model, params }: DialectRequest,
): Promise<number> {
  const rule = ruleFor(config, model)
  const middleware = createToolMiddleware(middlewareOptions(rule, config.limits))
  const sent: ModelParams = await middleware.transformParams({
    type: 'generate',
    params,
    model: { modelId: rule.model ?? model },
  })
  return estimateTokens(sent)
}
