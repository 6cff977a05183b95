import { Hono } from 'hono'
import { type ProxyConfig, ruleFor, upstreamFor } from './config.js'
import { anthropicDialect, countTokensDialect } from './dialects/anthropic.js'
import { chatDialect } from './dialects/chat.js'
import type { Dialect } from './dialects/dialect.js'
import { responsesDialect } from './dialects/responses.js'
import { answer } from './http/answer.js'
import { checkClientKey } from './http/client-key.js'
import { createDeadline } from './http/deadline.js'
import { HttpError } from './http/http-error.js'
import { createMetrics } from './http/metrics.js'
import { passThrough } from './http/pass-through.js'
import { parseJson, readBody } from './http/read-body.js'
import { isRecord } from './is-record.js'
import { createCallUpstream } from './upstream/call-upstream.js'

export interface ProxyOptions {
  /** How the servers behind are asked; by default the platform's own `fetch`. */
  readonly fetch?: typeof fetch
  /** Told of each request when its answer is over. */
  readonly onRequest?: (record: RequestRecord) => void
  /** Whether the record of a request that begins now shall hold what is answered. */
  readonly hasAnswers?: () => boolean
}

/** What is known of a request when it is over. Holds no key. */
export interface RequestRecord {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly model?: string
  readonly upstream?: string
  readonly mode?: string
  readonly isStream?: boolean
  readonly status: number
  readonly milliseconds: number
  readonly error?: HttpError
  /** The body, for those who want to log it. */
  readonly body?: string
  /** What was answered, or the beginning of that, if it was asked for. */
  readonly answer?: string
}

/** Of an answer that is recorded. */
const MAX_ANSWER_CHARS = 100_000

/** A proxy that keeps nothing from one request to the next but its counters. */
export interface Proxy {
  readonly fetch: (request: Request) => Promise<Response>
  /** Requests that are being answered. */
  readonly active: () => number
  /** From now on: not ready, and new requests are refused, so that those that are here can end. */
  drain(): void
  /** Takes another configuration for the requests to come. */
  reload(config: ProxyConfig): void
}

interface Route {
  readonly path: string
  readonly dialect: Dialect
}

const routes: readonly Route[] = [
  { path: '/v1/chat/completions', dialect: chatDialect },
  { path: '/v1/responses', dialect: responsesDialect },
  { path: '/v1/messages', dialect: anthropicDialect },
  { path: '/v1/messages/count_tokens', dialect: countTokensDialect },
]

export function createProxy(first: ProxyConfig, options: ProxyOptions = {}): Proxy {
  const fetchUpstream = options.fetch ?? fetch
  const callUpstream = createCallUpstream(fetchUpstream)
  const metrics = createMetrics()
  let config = first
  let active = 0
  let isDraining = false

  /** Runs a request within its limits, and records how it ended. */
  const serve = async (
    request: Request,
    dialect: Dialect,
    route: string | undefined,
  ): Promise<Response> => {
    const current = config
    const began = performance.now()
    const record: { -readonly [Key in keyof RequestRecord]?: RequestRecord[Key] } = {}
    const path = new URL(request.url).pathname
    const deadline = createDeadline(request.signal, current.limits.requestMs)
    const answered: string[] | undefined = options.hasAnswers?.() ? [] : undefined
    let isCounted = false
    let isOver = false
    const end = (status: number, error?: HttpError) => {
      if (isOver) return
      isOver = true
      deadline.end()
      if (isCounted) active--
      if (isCounted) metrics.end()
      const milliseconds = performance.now() - began
      metrics.request(
        { route: route ?? 'other', mode: record.mode ?? 'none', status: error?.status ?? status },
        milliseconds / 1000,
      )
      options.onRequest?.({
        id: request.headers.get('x-request-id') ?? crypto.randomUUID(),
        method: request.method,
        path,
        ...record,
        ...(answered ? { answer: answered.join('') } : {}),
        status: error?.status ?? status,
        milliseconds,
        ...(error ? { error } : {}),
      })
    }
    try {
      await checkClientKey(request.headers, current.clientKeys)
      if (isDraining)
        throw new HttpError(503, 'The proxy is shutting down.', {
          code: 'shutting_down',
          headers: { 'retry-after': '1' },
        })
      if (active >= current.limits.concurrency) {
        throw new HttpError(429, `More than ${current.limits.concurrency} requests at a time.`, {
          code: 'too_many_requests',
          headers: { 'retry-after': '1' },
        })
      }
      active++
      isCounted = true
      metrics.begin()
      const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
      const text = hasBody
        ? await readBody(request, current.limits.bodyBytes, deadline.signal)
        : undefined
      metrics.bytes('in', new TextEncoder().encode(text).length)
      record.body = text ?? ''
      const body = route === undefined ? tryJson(text) : parseJson(text ?? '')
      const model = isRecord(body) && typeof body.model === 'string' ? body.model : ''
      const rule = ruleFor(current, model)
      const upstream = upstreamFor(current, rule)
      Object.assign(record, { model, upstream: upstream.name, mode: rule.mode })
      if (route === undefined || rule.mode === 'off') {
        const rest = path.replace(/^\/v1(?=\/|$)/, '') + new URL(request.url).search
        return await passThrough(request, rest, text, {
          upstream,
          limits: current.limits,
          deadline,
          fetchUpstream,
          onEnd: end,
        })
      }
      const asked = dialect.read(body)
      record.isStream = asked.isStream
      const onEnd = (error?: HttpError) => end(200, error)
      let chars = 0
      const onText = (text: string) => {
        if (chars < MAX_ANSWER_CHARS) answered?.push(text.slice(0, MAX_ANSWER_CHARS - chars))
        chars += text.length
      }
      return await answer(asked, {
        config: current,
        deadline,
        metrics,
        callUpstream,
        onText,
        onEnd,
      })
    } catch (error) {
      const failure =
        error instanceof HttpError
          ? error
          : new HttpError(500, 'The proxy failed.', { cause: error })
      end(failure.status, failure)
      // Nobody is there to read this; but a status outside the usual range would throw.
      const status = failure.status === 499 ? 400 : failure.status
      return Response.json(dialect.error(failure), { status, headers: { ...failure.headers } })
    }
  }

  const app = new Hono()
  app.get('/health', context => context.json({ status: 'ok' }))
  app.get('/ready', context =>
    isDraining
      ? context.json({ status: 'draining' }, 503)
      : context.json({ status: 'ready', active }),
  )
  app.get('/metrics', context =>
    context.text(metrics.render(), 200, { 'content-type': 'text/plain; version=0.0.4' }),
  )
  for (const { path, dialect } of routes) {
    app.post(path, context => serve(context.req.raw, dialect, path))
    app.on(['GET', 'PUT', 'DELETE', 'PATCH'], path, () => methodNotAllowed(dialect))
  }
  app.get('/v1/models', async context => {
    const response = await serve(context.req.raw, chatDialect, undefined)
    if (response.status !== 404) return response
    await response.body?.cancel()
    return Response.json(namedModels(config))
  })
  app.all('*', context => serve(context.req.raw, chatDialect, undefined))

  return {
    fetch: async request => app.fetch(request),
    active: () => active,
    drain() {
      isDraining = true
    },
    reload(next) {
      config = next
    },
  }
}

/** The models that the configuration knows by name, for a server that does not list its own. */
function namedModels({ models, upstreams }: ProxyConfig): unknown {
  const data = models
    .filter(({ match }) => !match.includes('*'))
    .map(({ match, upstream }) => ({
      id: match,
      object: 'model',
      created: 0,
      owned_by: upstream ?? upstreams[0]?.name ?? 'upstream',
    }))
  return { object: 'list', data }
}

function methodNotAllowed(dialect: Dialect): Response {
  const error = new HttpError(405, 'Only POST is known here.', { code: 'method_not_allowed' })
  return Response.json(dialect.error(error), { status: 405, headers: { allow: 'POST' } })
}

function tryJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
