import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { wrapToolModel } from '@toolglot/parser'
import { type ModelRule, type ProxyConfig, ruleFor, type UpstreamConfig, upstreamFor } from '../config.js'
import type { DialectRequest } from '../dialects/dialect.js'
import { isRecord } from '../dialects/fields.js'
import { HttpError } from '../http/http-error.js'
import type { Model, ModelParams } from '../model-types.js'

/** The name under which fields reach the body of the server's request as they are. */
const PROVIDER = 'upstream'

/** The model that answers a request: the server's, with tool calling around it. */
export interface UpstreamCall {
  readonly model: Model
  readonly params: ModelParams
  readonly rule: ModelRule
  readonly upstream: UpstreamConfig
}

export function callUpstream(config: ProxyConfig, request: DialectRequest, fetchUpstream: typeof fetch): UpstreamCall {
  const rule = ruleFor(config, request.model)
  const upstream = upstreamFor(config, rule)
  const { strip = [], set = {} } = rule
  const provider = createOpenAICompatible({
    name: PROVIDER,
    baseURL: upstream.baseUrl.replace(/\/+$/, ''),
    ...(upstream.apiKey === undefined ? {} : { apiKey: upstream.apiKey }),
    ...(upstream.headers === undefined ? {} : { headers: { ...upstream.headers } }),
    includeUsage: true,
    supportsStructuredOutputs: true,
    fetch: fetchUpstream,
    transformRequestBody: body => ({
      ...Object.fromEntries(Object.entries(body).filter(([key]) => !strip.includes(key))),
      ...set,
    }),
  })
  const model = provider(rule.model ?? request.model)
  const { reasoning, startWithReasoning, callsInReasoning, keepSpecialTokens } = rule
  const wrapped =
    rule.mode === 'off'
      ? model
      : wrapToolModel(model, {
          protocol: rule.protocol,
          mode: rule.mode,
          maxHeldChars: config.limits.heldChars,
          reasoning,
          startWithReasoning,
          callsInReasoning,
          keepSpecialTokens,
        })
  const extra = JSON.parse(JSON.stringify(request.extra))
  return {
    model: wrapped,
    params: { ...request.params, providerOptions: { [PROVIDER]: extra } },
    rule,
    upstream,
  }
}

/** What went wrong with the server, as the client is told it. Keys and addresses of ours are not for the client. */
export function upstreamError(error: unknown, upstream: UpstreamConfig): HttpError {
  if (error instanceof HttpError) return error
  const status = isRecord(error) && typeof error.statusCode === 'number' ? error.statusCode : undefined
  const name = JSON.stringify(upstream.name)
  if (status === undefined) {
    return new HttpError(502, `The upstream ${name} cannot be reached, or broke off.`, {
      code: 'upstream_unreachable',
      cause: error,
    })
  }
  const message = isRecord(error) && typeof error.message === 'string' ? error.message : 'no message'
  if (status === 401 || status === 403) {
    return new HttpError(502, `The upstream ${name} refused the proxy's own key.`, {
      code: 'upstream_auth',
      cause: error,
    })
  }
  if (status >= 500) {
    return new HttpError(502, `The upstream ${name} failed with ${status}: ${message}`, {
      code: 'upstream_error',
      cause: error,
    })
  }
  return new HttpError(status, message, { code: 'upstream_rejected', cause: error })
}
