import { middlewareOf } from './middleware.js'
import type { MiddlewareOptions } from './middleware-options.js'
import { type CompactProtocolOptions, compactProtocol } from './protocols/compact-protocol.js'
import type { ToolCallMiddleware } from './sdk/middleware-types.js'

export interface CompactToolsOptions
  extends CompactProtocolOptions,
    Omit<MiddlewareOptions, 'mode' | 'toolSystemPromptTemplate'> {}

/**
 * Tool calling in fewer tokens: the tools as one line each, the calls as `<call>name key=value</call>`, with JSON, or as a line
 * `@name key=value`. For `wrapLanguageModel` of AI SDK 5, 6 and 7.
 */
export function compactTools(options: CompactToolsOptions = {}): ToolCallMiddleware {
  const protocol = compactProtocol(options)
  return middlewareOf(() => ({ protocol }), options)
}
