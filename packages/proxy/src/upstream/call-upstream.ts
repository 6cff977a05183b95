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
  const fields = isRecord(error) ? error : {}
  const status = typeof fields.statusCode === 'number' ? fields.statusCode : undefined
  const message = typeof fields.message === 'string' ? fields.message : 'no message'
  const name = JSON.stringify(upstream.name)
  const failed = (text: string, code: string) =>
    new HttpError(502, `The upstream ${name} ${text}`, { code, cause: error })
  // What a server says of its own within a stream is no Error.
  if (status === undefined && isRecord(error) && !(error instanceof Error))
    return failed(`failed: ${message}`, 'upstream_error')
  if (status === undefined) return failed('cannot be reached, or broke off.', 'upstream_unreachable')
  if (status === 401 || status === 403) return failed("refused the proxy's own key.", 'upstream_auth')
  if (status < 400)
    return failed(`answered with ${status}, but broke off or cannot be understood.`, 'upstream_unreadable')
  if (status >= 500) return failed(`failed with ${status}: ${message}`, 'upstream_error')
  return new HttpError(status, message, { code: 'upstream_rejected', headers: retryAfter(fields), cause: error })
}

/** When to come again, if the server says so. */
function retryAfter({ responseHeaders }: Readonly<Record<string, unknown>>): Record<string, string> {
  const after = isRecord(responseHeaders) ? responseHeaders['retry-after'] : undefined
  return typeof after === 'string' ? { 'retry-after': after } : {}
}
