import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { wrapToolModel } from '@toolglot/parser'
import { type ProxyConfig, ruleFor, type UpstreamConfig, upstreamFor } from '../config.js'
import type { DialectRequest } from '../dialects/dialect.js'
import { HttpError } from '../http/http-error.js'
import { isRecord } from '../is-record.js'
import type { Model, ModelParams } from '../model-types.js'
import { createFastTextPath } from './fast-text-path.js'

/** The name under which fields reach the body of the server's request as they are. */
const PROVIDER = 'upstream'

/** How many models are kept: their names come from clients, who may send any. */
const MAX_MODELS = 200

/** What answers a request: the server's model, with tool calling around it. */
export interface UpstreamCall {
  readonly model: Model
  readonly params: ModelParams
  readonly upstream: UpstreamConfig
}

export type CallUpstream = (config: ProxyConfig, request: DialectRequest) => UpstreamCall

/**
 * Models are kept: the provider makes its schemas anew for each, which would cost more than a short
 * answer does.
 */
export function createCallUpstream(fetchUpstream: typeof fetch): CallUpstream {
  const kept = new WeakMap<ProxyConfig, Map<string, Model>>()
  return (config, request) => {
    const rule = ruleFor(config, request.model)
    const upstream = upstreamFor(config, rule)
    const models = kept.get(config) ?? new Map<string, Model>()
    kept.set(config, models)
    const model = models.get(request.model) ?? createModel(config, request.model, fetchUpstream)
    if (models.size >= MAX_MODELS) models.clear()
    models.set(request.model, model)
    const extra = JSON.parse(JSON.stringify(request.extra))
    return {
      model,
      params: { ...request.params, providerOptions: { [PROVIDER]: extra } },
      upstream,
    }
  }
}

function createModel(config: ProxyConfig, id: string, fetchUpstream: typeof fetch): Model {
  const rule = ruleFor(config, id)
  const upstream = upstreamFor(config, rule)
  const { strip = [], set = {} } = rule
  const fastPath = createFastTextPath(fetchUpstream, config.limits.answerBytes)
  const provider = createOpenAICompatible({
    name: PROVIDER,
    baseURL: upstream.baseUrl.replace(/\/+$/, ''),
    ...(upstream.apiKey === undefined ? {} : { apiKey: upstream.apiKey }),
    ...(upstream.headers === undefined ? {} : { headers: { ...upstream.headers } }),
    includeUsage: true,
    supportsStructuredOutputs: true,
    fetch: fastPath.fetch,
    transformRequestBody: body => ({
      ...Object.fromEntries(Object.entries(body).filter(([key]) => !strip.includes(key))),
      ...set,
    }),
  })
  const model = fastPath.speedUp(provider(rule.model ?? id))
  if (rule.mode === 'off') return model
  const { protocol, mode, reasoning, startWithReasoning, callsInReasoning, keepSpecialTokens } =
    rule
  return wrapToolModel(model, {
    protocol,
    mode,
    maxHeldChars: config.limits.heldChars,
    reasoning,
    startWithReasoning,
    callsInReasoning,
    keepSpecialTokens,
  })
}

/**
 * What went wrong with the server, as the client is told it. Keys and addresses of ours are not for
 * the client.
 */
export function upstreamError(error: unknown, upstream: UpstreamConfig): HttpError {
  if (error instanceof HttpError) return error
  // The provider says that it could not read the answer, and ours is the reason.
  if (error instanceof Error && error.cause instanceof HttpError) return error.cause
  const fields = isRecord(error) ? error : {}
  const status = typeof fields.statusCode === 'number' ? fields.statusCode : undefined
  // Some servers repeat the key that they were given.
  const message = hide(
    typeof fields.message === 'string' ? fields.message : 'no message',
    upstream.apiKey,
  )
  const name = JSON.stringify(upstream.name)
  const failed = (text: string, code: string) =>
    new HttpError(502, `The upstream ${name} ${text}`, { code, cause: error })
  // What a server says of its own within a stream is no Error.
  if (status === undefined && isRecord(error) && !(error instanceof Error))
    return failed(`failed: ${message}`, 'upstream_error')
  if (status === undefined)
    return failed('cannot be reached, or broke off.', 'upstream_unreachable')
  if (status === 401 || status === 403)
    return failed("refused the proxy's own key.", 'upstream_auth')
  if (status < 400)
    return failed(
      `answered with ${status}, but broke off or cannot be understood.`,
      'upstream_unreadable',
    )
  if (status >= 500) return failed(`failed with ${status}: ${message}`, 'upstream_error')
  return new HttpError(status, message, {
    code: 'upstream_rejected',
    headers: retryAfter(fields),
    cause: error,
  })
}

function hide(text: string, key: string | undefined): string {
  return key ? text.replaceAll(key, '[redacted]') : text
}

/** When to come again, if the server says so. */
function retryAfter({
  responseHeaders,
}: Readonly<Record<string, unknown>>): Record<string, string> {
  const after = isRecord(responseHeaders) ? responseHeaders['retry-after'] : undefined
  return typeof after === 'string' ? { 'retry-after': after } : {}
}
