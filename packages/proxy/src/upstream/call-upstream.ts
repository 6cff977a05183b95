import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { toolCallOptions, wrapToolModel } from '@toolglot/parser'
import {
  type ModelRule,
  type ProxyConfig,
  ruleFor,
  type UpstreamConfig,
  upstreamFor,
} from '../config.js'
import type { DialectRequest } from '../dialects/dialect.js'
import { isRecord } from '../is-record.js'
import type { Model, ModelParams } from '../model-types.js'
import { createFastTextPath } from './fast-text-path.js'
import { middlewareOptions } from './middleware-options.js'
import { reasoningOptions } from './reasoning-options.js'
import { CLIENT_FIELDS, serverBody } from './server-body.js'

/** The provider's name. It copies the `providerOptions` of this name into the request's body. */
const PROVIDER = 'upstream'

/** Ids that are longer are not kept. A client may send any. */
const MAX_KEPT_ID_CHARS = 256

/** The size of the cache of models. Clients choose the names, and may send any. */
const MAX_MODELS = 200

/** The model that answers a request, wrapped with tool calling, and its parameters. */
export interface UpstreamCall {
  readonly model: Model
  readonly params: ModelParams
  readonly upstream: UpstreamConfig
}

/** Takes a sentence for the log about what the configuration should say. */
export type OnWarning = (text: string) => void

export type CallUpstream = (
  config: ProxyConfig,
  request: DialectRequest,
  onWarning: OnWarning,
) => UpstreamCall

/**
 * Creates the function that finds the model for a request. Models are cached, because the provider
 * builds its schemas again for each, which costs more than a short answer.
 */
export function createCallUpstream(fetchUpstream: typeof fetch): CallUpstream {
  const kept = new WeakMap<ProxyConfig, Map<string, Model>>()
  return (config, request, onWarning) => {
    const rule = ruleFor(config, request.model)
    const upstream = upstreamFor(config, rule)
    const models = kept.get(config) ?? new Map<string, Model>()
    kept.set(config, models)
    const model = models.get(request.model) ?? createModel(config, request.model, fetchUpstream)
    if (models.size >= MAX_MODELS) models.clear()
    if (request.model.length <= MAX_KEPT_ID_CHARS) models.set(request.model, model)
    return { model, params: paramsOf(request, rule, onWarning), upstream }
  }
}

/** The parameters of a request. What differs between requests of one model is not in the model. */
function paramsOf(request: DialectRequest, rule: ModelRule, onWarning: OnWarning): ModelParams {
  const { params, extra, messages, isRaw } = request
  const client = { [CLIENT_FIELDS]: { fields: extra, messages } }
  return {
    ...params,
    ...(isRaw ? { includeRawChunks: true } : {}),
    providerOptions: {
      ...(isJsonObject(client) ? { [PROVIDER]: client } : {}),
      ...toolCallOptions(reasoningOptions(request, rule, onWarning)),
    },
  }
}

type JsonObject = NonNullable<ModelParams['providerOptions']>[string]

/** True: all fields of a request come from `JSON.parse`. */
function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value)
}

function createModel(config: ProxyConfig, id: string, fetchUpstream: typeof fetch): Model {
  const rule = ruleFor(config, id)
  const upstream = upstreamFor(config, rule)
  const fastPath = createFastTextPath(fetchUpstream, config.limits.answerBytes)
  const provider = createOpenAICompatible({
    name: PROVIDER,
    baseURL: upstream.baseUrl.replace(/\/+$/, ''),
    ...(upstream.apiKey === undefined ? {} : { apiKey: upstream.apiKey }),
    ...(upstream.headers === undefined ? {} : { headers: { ...upstream.headers } }),
    includeUsage: true,
    supportsStructuredOutputs: true,
    fetch: fastPath.fetch,
    transformRequestBody: body => serverBody(body, rule),
  })
  const model = fastPath.speedUp(provider(rule.model ?? id))
  if (rule.mode === 'off') return model
  return wrapToolModel(model, middlewareOptions(rule, config.limits))
}
