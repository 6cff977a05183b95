import {
  type ModelRule,
  type ProxyConfig,
  ruleFor,
  type UpstreamConfig,
  upstreamFor,
} from '../config.js'
import { chatDialect } from '../dialects/chat.js'
import type { Dialect, DialectRequest } from '../dialects/dialect.js'
import { isRecord } from '../is-record.js'
import type { ProxyState } from '../proxy-state.js'
import { openResponses } from '../store/open-responses.js'
import { admitRequest } from './admit-request.js'
import { answer } from './answer.js'
import { errorResponse } from './error-response.js'
import { HttpError } from './http-error.js'
import { passThrough } from './pass-through.js'
import { parseJson, readBody } from './read-body.js'
import { type TrackedRequest, trackRequest } from './track-request.js'

/** A path that the proxy answers itself, and the API that its clients speak. */
export interface Endpoint {
  readonly path: string
  readonly dialect: Dialect
  /** Returns the answer, if the proxy needs no server for it. */
  readonly reply?: (config: ProxyConfig, request: DialectRequest) => Promise<unknown>
}

/** A request that was let in and read. */
interface Incoming {
  readonly request: Request
  /** Undefined for a GET or HEAD request. */
  readonly text: string | undefined
  /** `text` as JSON. Undefined if it is not JSON; only requests without an endpoint may be so. */
  readonly body: unknown
  readonly rule: ModelRule
  readonly upstream: UpstreamConfig
}

/** Answers a request within its limits. Without an endpoint it is passed through to a server. */
export async function serveRequest(
  state: ProxyState,
  request: Request,
  endpoint?: Endpoint,
): Promise<Response> {
  const tracked = trackRequest(state, request, endpoint?.path ?? 'other')
  try {
    await admitRequest(state, request.headers, tracked)
    const incoming = await readIncoming(state, request, tracked, endpoint)
    if (!endpoint || incoming.rule.mode === 'off') return await passOn(state, incoming, tracked)
    if (endpoint.reply) return await replyTo(incoming, tracked, endpoint.dialect, endpoint.reply)
    return await answerIncoming(state, incoming, tracked, endpoint.dialect)
  } catch (error) {
    const failure = asHttpError(error)
    tracked.end(failure.status, failure)
    return errorResponse(endpoint?.dialect ?? chatDialect, failure)
  }
}

/** Reads the body, and finds the rule and the server for the model that it names. */
async function readIncoming(
  { metrics }: ProxyState,
  request: Request,
  { config, deadline, known }: TrackedRequest,
  endpoint: Endpoint | undefined,
): Promise<Incoming> {
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  const text = hasBody
    ? await readBody(request, config.limits.bodyBytes, deadline.signal)
    : undefined
  metrics.bytes('in', new TextEncoder().encode(text).length)
  known.body = text ?? ''
  const body = endpoint ? parseJson(text ?? '') : tryJson(text)
  const model = isRecord(body) && typeof body.model === 'string' ? body.model : ''
  const rule = ruleFor(config, model)
  const upstream = upstreamFor(config, rule)
  Object.assign(known, { model, upstream: upstream.name, mode: rule.mode })
  return { request, text, body, rule, upstream }
}

/** Passes the request through to the server. */
function passOn(
  { fetchUpstream }: ProxyState,
  { request, text, upstream }: Incoming,
  { config, deadline, end }: TrackedRequest,
): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  // `/v1/embeddings` becomes `/embeddings`: the server's base URL has its own `/v1`.
  const path = pathname.replace(/^\/v1(?=\/|$)/, '') + search
  return passThrough(request, path, text, {
    upstream,
    limits: config.limits,
    deadline,
    fetchUpstream,
    onEnd: end,
  })
}

/** Answers a request without asking a server. */
async function replyTo(
  { body }: Incoming,
  { config, addAnswer, end }: TrackedRequest,
  dialect: Dialect,
  reply: NonNullable<Endpoint['reply']>,
): Promise<Response> {
  const request = dialect.read(body, { serverTools: config.serverTools })
  const json = JSON.stringify(await reply(config, request))
  addAnswer(json)
  end(200)
  return new Response(json, { headers: { 'content-type': 'application/json' } })
}

/** Reads the request as its API defines it, and answers with the model's calls and text. */
async function answerIncoming(
  state: ProxyState,
  { request, body }: Incoming,
  tracked: TrackedRequest,
  dialect: Dialect,
): Promise<Response> {
  const { metrics, callUpstream } = state
  const { config, deadline, known, addAnswer, end } = tracked
  const responses = dialect.recall && (await openResponses(state, request.headers, tracked))
  const recalled = responses && (await dialect.recall?.(body, responses, config.limits.bodyBytes))
  const asked = dialect.read(body, { serverTools: config.serverTools, recalled })
  known.isStream = asked.isStream
  if (asked.warnings?.length) known.warnings = asked.warnings
  return answer(asked, {
    config,
    deadline,
    metrics,
    callUpstream,
    onWarning: text => {
      known.warnings = [...(known.warnings ?? []), text]
    },
    onText: addAnswer,
    onEnd: error => end(200, error),
  })
}

export function asHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  return new HttpError(500, 'The proxy failed.', { cause: error })
}

function tryJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
