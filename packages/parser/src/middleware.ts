import { checkOptionNames, checkOptionValues } from './check-options.js'
import { type MiddlewareConfig, type MiddlewareOptions, middlewareOptionNames } from './options.js'
import { chooseFormat, type ModelFormat } from './protocols/model-format.js'
import { readStreamedAnswer, readWholeAnswer } from './response-handler.js'
import { asRecord } from './schema/is-record.js'
import type { ToolCallMiddleware } from './sdk/middleware-types.js'
import { transformParams } from './transform-handler.js'

/** The protocol for a model. */
export type ProtocolChoice = (
  modelId: string,
) => Pick<MiddlewareConfig, 'protocol' | 'formatName' | 'formatReason'>

/** A middleware whose protocol is already at hand, so that it brings in no other. */
export function createMiddleware(
  choose: ProtocolChoice,
  options: MiddlewareOptions,
): ToolCallMiddleware {
  checkOptionValues(options)
  const choiceFor = (model: unknown) => choose(String(asRecord(model).modelId ?? ''))
  const configOf = (model: unknown): MiddlewareConfig => ({ ...options, ...choiceFor(model) })
  return {
    specificationVersion: 'v3',
    transformParams: async ({ params, model }) => transformParams(params, configOf(model), model),
    wrapStream: async ({ doStream, params, model }) =>
      readStreamedAnswer(await doStream(), params, configOf(model)),
    wrapGenerate: async ({ doGenerate, params, model }) =>
      readWholeAnswer(await doGenerate(), params, configOf(model)),
  }
}

/**
 * A middleware for the formats of one family, and for no other: a bundler leaves out all that are
 * not named. Of several the model's id decides; the first one is for ids that say nothing.
 *
 *     createFormatMiddleware([glm47, glm45], { reasoning: true })
 */
export function createFormatMiddleware(
  formats: readonly [ModelFormat, ...ModelFormat[]],
  options: MiddlewareOptions = {},
): ToolCallMiddleware {
  checkOptionNames('createFormatMiddleware', options, middlewareOptionNames)
  return createMiddleware(modelId => {
    const suggested = chooseFormat(formats, modelId)
    const format = suggested ?? formats[0]
    const formatReason = suggested
      ? "the model's id suggests it"
      : 'the first of the formats that were given'
    return { protocol: format.create(), formatName: format.id, formatReason }
  }, options)
}
