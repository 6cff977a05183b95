import type { ProxyConfig } from '../config.js'
import { chatDialect } from '../dialects/chat.js'
import type { Dialect, DialectRequest } from '../dialects/dialect.js'
import { isRecord } from '../is-record.js'
import type { ProxyState } from '../proxy-state.js'
import { openResponses } from '../store/open-responses.js'
import { admitRequest, takeSlot } from './admit-request.js'
import { answer } from './answer.js'
import { clip } from './clip.js'
import { errorResponse } from './error-response.js'
import { asHttpError, HttpError } from './http-error.js'
import { passThrough } from './pass-through.js'
import { type Incoming, readIncoming } from './read-incoming.js'
import { redactorFor } from './redactor.js'
import { forwardPath } from './request-path.js'
import { type TrackedRequest, trackRequest } from './track-request.js'

/** A path that the proxy answers itself, and the API that its clients speak. */
export interface Endpoint {
  readonly path: string
  readonly dialect: Dialect
  /** Returns the answer, if the proxy needs no server for it. */
  readonly reply?: (config: ProxyConfig, request: DialectRequest) => Promise<unknown>
}

export interface ServeRequestOptions {
  /** The path is answered by the proxy itself. Without it the request is passed through. */
  readonly endpoint?: Endpoint | undefined
  /** The path that is passed through. Default: that of the request. */
  readonly path?: string | undefined
}

/** Answers a request within its limits. */
export async function serveRequest(
  state: ProxyState,
  request: Request,
  { endpoint, path = endpoint?.path }: ServeRequestOptions = {},
): Promise<Response> {
  const tracked = trackRequest(state, request, endpoint?.path ?? 'other')
  try {
    await admitRequest(state, request.headers, tracked)
    const incoming = await readIncoming(state, request, tracked, {
      isApi: endpoint !== undefined,
      onBodyEnd: () => takeSlot(state, tracked),
    })
    if (!endpoint || incoming.rule.mode === 'off')
      return await passOn(state, incoming, tracked, path)
    if (endpoint.reply) return await replyTo(incoming, tracked, endpoint.dialect, endpoint.reply)
    return await answerIncoming(state, incoming, tracked, endpoint.dialect)
  } catch (error) {
    return endWithError(tracked, error, endpoint?.dialect)
  }
}

/** Answers a request that is not let in. It is counted and logged like any other. */
export function refuseRequest(
  state: ProxyState,
  request: Request,
  error: HttpError,
  endpoint?: Endpoint,
): Response {
  const tracked = trackRequest(state, request, endpoint?.path ?? 'other')
  return endWithError(tracked, error, endpoint?.dialect)
}

/** Ends a request with an error, in the shape of the API that was asked. */
export function endWithError(
  { deadline: { signal }, end }: TrackedRequest,
  error: unknown,
  dialect: Dialect = chatDialect,
): Response {
  // A client that is gone, or a time limit, may be what made another step fail.
  const failure = asHttpError(signal.aborted ? signal.reason : error)
  end(failure.status, failure)
  return errorResponse(dialect, failure)
}

/** Passes the request through to the server. */
function passOn(
  { fetchUpstream, metrics, options }: ProxyState,
  incoming: Incoming,
  { config, deadline, activate, end }: TrackedRequest,
  knownPath: string | undefined,
): Promise<Response> {
  const { request, sent, upstream } = incoming
  refuseUnreadTools(incoming)
  const { pathname, search } = new URL(request.url)
  // `/v1/embeddings` becomes `/embeddings`: the server's base URL has its own `/v1`.
  const path = forwardPath(knownPath ?? pathname)
  if (path === undefined)
    throw new HttpError(400, 'The path leads out of the address of the server.', {
      code: 'invalid_path',
    })
  return passThrough(request, path + search, sent, {
    upstream,
    limits: config.limits,
    deadline,
    fetchUpstream,
    keepsEncoding: options.keepsEncoding ?? false,
    onAnswer: activate,
    onBytes: count => metrics.bytes('out', count),
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

/**
 * Refuses a request with tools to a path that the proxy does not know. The model is one whose server
 * reads no tools, so the client would wait for calls that cannot come.
 */
function refuseUnreadTools({ request, body, rule }: Incoming): void {
  const isUnread = rule.mode === 'prompt' && [body].flat().some(hasTools)
  if (!isUnread) return
  const path = JSON.stringify(clip(new URL(request.url).pathname))
  throw new HttpError(
    404,
    `The proxy cannot write tools into the prompt of a request to ${path}. Send it to ` +
      '/v1/chat/completions, /v1/responses or /v1/messages, or set mode "off" for this model.',
    { code: 'tools_not_supported', param: 'tools' },
  )
}

/** `tools` of all APIs, and `functions` of OpenAI's old one. */
function hasTools(body: unknown): boolean {
  if (!isRecord(body)) return false
  return [body.tools, body.functions].some(
    tools => tools !== undefined && tools !== null && !(Array.isArray(tools) && tools.length === 0),
  )
}

/** Reads the request as its API defines it, and answers with the model's calls and text. */
async function answerIncoming(
  state: ProxyState,
  { request, body, upstream }: Incoming,
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
    redactor: redactorFor(upstream),
    onText: addAnswer,
    onEnd: error => end(200, error),
  })
}
