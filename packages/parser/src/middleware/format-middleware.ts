import { chooseFormat, type ModelFormat } from '../formats/model-format.js'
import { asRecord } from '../is-record.js'
import { checkOptionNames, checkOptionValues } from '../options/check-options.js'
import { transformParams } from './handle-request.js'
import { readStreamedAnswer, readWholeAnswer } from './handle-response.js'
import { type MiddlewareConfig, type MiddlewareOptions, middlewareOptionNames } from './options.js'
import type { ToolCallMiddleware } from './sdk-boundary.js'

/** Chooses the protocol for a model by its id. */
export type ProtocolChoice = (
  modelId: string,
) => Pick<MiddlewareConfig, 'protocol' | 'formatName' | 'formatReason'>

/** Creates a middleware for one choice of protocols. It imports no format itself. */
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
 * Creates a middleware for the given formats only: a bundle contains no other format. The model's
 * id decides among several. The first one is for ids that suggest none of them.
 *
 * @example
 * ```ts
 * import { createFormatMiddleware, glm45, glm47 } from '@toolglot/parser/formats'
 *
 * export const middleware = createFormatMiddleware([glm47, glm45], { reasoning: true })
 * ```
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
