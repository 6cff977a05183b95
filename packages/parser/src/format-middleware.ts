import { type MiddlewareOptions, middlewareOf, type ProtocolChoice } from './middleware.js'
import type { ModelFormat } from './protocols/model-format.js'
import { chooseFormat } from './protocols/model-format.js'
import type { ToolCallMiddleware } from './sdk/middleware-types.js'

/**
 * A middleware for the formats of one family, and for no other: a bundler leaves out all that are not named. Of several the
 * model's id decides; the first one is for ids that say nothing.
 *
 *     createFormatMiddleware([glm47, glm45], { reasoning: true })
 */
export function createFormatMiddleware(
  formats: readonly [ModelFormat, ...ModelFormat[]],
  options: MiddlewareOptions = {},
): ToolCallMiddleware {
  const choose: ProtocolChoice = modelId => {
    const format = chooseFormat(formats, modelId) ?? formats[0]
    return { protocol: format.create(), name: format.id }
  }
  return middlewareOf(choose, options)
}
