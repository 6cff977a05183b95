import { debugLevel, logChoice } from './debug.js'
import { wrapGenerate } from './generate-handler.js'
import { checkOptions, type MiddlewareConfig, type MiddlewareOptions } from './middleware-options.js'
import { isEngineProtocol, type ToolCallProtocol } from './protocols/tool-call-protocol.js'
import { isRecord } from './schema/is-record.js'
import { readRequestOptions } from './sdk/call-params.js'
import type { ToolCallMiddleware } from './sdk/middleware-types.js'
import { keepSpecialTokens } from './sdk/special-tokens.js'
import { wrapStream } from './stream-handler.js'
import { transformParams } from './transform-handler.js'

export type { MiddlewareOptions } from './middleware-options.js'

/** The protocol for a model. `name` is told in the debug output, where there was a choice. */
export type ProtocolChoice = (modelId: string) => { readonly protocol: ToolCallProtocol; readonly name?: string }

/** A middleware whose protocol is already at hand, so that it brings in no other. */
export function middlewareOf(choose: ProtocolChoice, options: MiddlewareOptions = {}): ToolCallMiddleware {
  checkOptions(options)
  const configOf = (model: unknown): MiddlewareConfig & ReturnType<ProtocolChoice> => ({
    ...options,
    ...choose(isRecord(model) && typeof model.modelId === 'string' ? model.modelId : ''),
  })
  return {
    specificationVersion: 'v3',
    async transformParams({ params, model }) {
      const config = configOf(model)
      const transformed = transformParams(params, config)
      // Where nothing is asked for nothing is read, and marks would stay in the text.
      if (transformed === params || readRequestOptions(transformed, config).tools.length === 0) return transformed
      const { protocol, name } = config
      if (name !== undefined && debugLevel(config.debug) !== 'off') logChoice(name, model)
      const hasSpecialTokens = isEngineProtocol(protocol) && protocol.definition.hasSpecialTokens === true
      return (config.keepSpecialTokens ?? hasSpecialTokens) ? keepSpecialTokens(transformed, model) : transformed
    },
    wrapStream: ({ doStream, params, model }) => wrapStream(doStream, params, configOf(model)),
    wrapGenerate: ({ doGenerate, params, model }) => wrapGenerate(doGenerate, params, configOf(model)),
  }
}
