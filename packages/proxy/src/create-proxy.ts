import { type Context, Hono } from 'hono'
import { defaultStore, type ProxyConfig } from './config.js'
import { anthropicDialect, countTokensDialect } from './dialects/anthropic.js'
import { chatDialect } from './dialects/chat.js'
import { responsesDialect } from './dialects/responses.js'
import { accessPolicyOf, refuseAccess } from './http/access-policy.js'
import { createArrivingBodies } from './http/arriving-bodies.js'
import { answerOptions, withCors } from './http/cors.js'
import { methodNotAllowed } from './http/error-response.js'
import { HttpError } from './http/http-error.js'
import { createMetrics } from './http/metrics.js'
import { routePath } from './http/request-path.js'
import { type Endpoint, refuseRequest, serveRequest } from './http/serve-request.js'
import type { ProxyOptions, ProxyState } from './proxy-state.js'
import { createMemoryStore } from './store/memory-store.js'
import { serveStored } from './store/serve-stored.js'
import { createCallUpstream } from './upstream/call-upstream.js'
import { countTokens } from './upstream/count-tokens.js'
import { refuseRedirects } from './upstream/refuse-redirects.js'

/** A proxy. From one request to the next it keeps its counters, and the responses in its store. */
export interface Proxy {
  readonly fetch: (request: Request) => Promise<Response>
  /** Returns how many requests are being answered. */
  readonly active: () => number
  /** Reports "not ready" and refuses new requests from now on, so that the current ones can end. */
  drain(): void
  /** Says that the connections of the current requests are about to be cut by the proxy itself. */
  cutOff(): void
  /** Sets the configuration for the requests to come. */
  reload(config: ProxyConfig): void
}

const endpoints: readonly Endpoint[] = [
  { path: '/v1/chat/completions', dialect: chatDialect },
  { path: '/v1/responses', dialect: responsesDialect },
  { path: '/v1/messages', dialect: anthropicDialect },
  {
    path: '/v1/messages/count_tokens',
    dialect: countTokensDialect,
    reply: async (config, request) => ({ input_tokens: await countTokens(config, request) }),
  },
]

const MODELS_PATH = '/v1/models'

/** Methods of requests that are passed through. `GET` includes `HEAD`. */
const passedMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Creates a proxy that adds tool calling to text-only servers.
 *
 * @example
 * const proxy = createProxy({
 *   upstreams: [{ name: 'local', baseUrl: 'http://127.0.0.1:8080/v1' }],
 *   models: [{ match: '*', mode: 'prompt', protocol: 'auto' }],
 *   clientKeys: [],
 *   limits: defaultLimits,
 *   heartbeatMs: 15_000,
 * })
 * export default { fetch: proxy.fetch }
 */
export function createProxy(config: ProxyConfig, options: ProxyOptions = {}): Proxy {
  const fetchUpstream = options.fetch ?? fetch
  const memory = createMemoryStore(() => state.config.store ?? defaultStore)
  const state: ProxyState = {
    config,
    active: 0,
    isDraining: false,
    isCutOff: false,
    options,
    metrics: createMetrics(),
    arrivingBodies: createArrivingBodies(() => state.config.limits.bodiesBytes),
    fetchUpstream,
    callUpstream: createCallUpstream(refuseRedirects(fetchUpstream)),
    store: options.store ?? memory,
    lateStoreOperations: new Set(),
  }
  const app = createApp(state)
  return {
    fetch: request => answerRequest(state, app, request),
    active: () => state.active,
    drain() {
      state.isDraining = true
    },
    cutOff() {
      state.isCutOff = true
    },
    reload(next) {
      state.config = next
      memory.applyLimits()
    },
  }
}

/** Refuses requests of foreign pages, routes the others, and lets pages read answers they may read. */
async function answerRequest(state: ProxyState, app: Hono, request: Request): Promise<Response> {
  const policy = accessPolicyOf(state.config)
  const { pathname, host, username, password } = new URL(request.url)
  const path = routePath(pathname)
  const endpoint = endpoints.find(each => each.path === path)
  const { method, headers } = request
  const route = endpoint ? 'json' : 'other'
  const refusal =
    refuseAccess({ method, headers, route, urlHost: host }, policy) ??
    (username || password ? credentialsInTarget() : undefined)
  if (refusal) return withCors(refuseRequest(state, request, refusal, endpoint), request, policy)
  if (method === 'OPTIONS') return withCors(answerOptions(request), request, policy)
  return withCors(await app.fetch(request), request, policy)
}

/** `POST http://user:password@localhost/v1/responses`: the platform makes no request of it. */
function credentialsInTarget(): HttpError {
  const message = 'The URL of the request contains a user name or a password. Leave them out.'
  return new HttpError(400, message, { code: 'invalid_path' })
}

function createApp(state: ProxyState): Hono {
  const app = new Hono({ getPath: request => routePath(new URL(request.url).pathname) })
  app.get('/health', context => context.json({ status: 'ok' }))
  app.get('/ready', context => reportReady(state, context))
  app.get('/metrics', context =>
    context.text(state.metrics.render(), 200, { 'content-type': 'text/plain; version=0.0.4' }),
  )
  for (const endpoint of endpoints) {
    const { path, dialect } = endpoint
    app.post(path, context => serveRequest(state, context.req.raw, { endpoint }))
    app.all(path, () => methodNotAllowed(dialect, 'POST'))
  }
  app.on(['GET', 'DELETE'], '/v1/responses/:id', context =>
    serveStored(state, context.req.raw, context.req.param('id')),
  )
  app.get('/v1/responses/:id/input_items', context =>
    serveStored(state, context.req.raw, context.req.param('id'), 'input_items'),
  )
  app.get(MODELS_PATH, context => listModels(state, context.req.raw))
  app.on(passedMethods, '*', context => serveRequest(state, context.req.raw))
  // `TRACE` would repeat the request with the server's key.
  app.all('*', () => methodNotAllowed(chatDialect, passedMethods.join(', ')))
  return app
}

function reportReady({ isDraining, active }: ProxyState, context: Context): Response {
  if (isDraining) return context.json({ status: 'draining' }, 503)
  return context.json({ status: 'ready', active })
}

/** Returns the server's list of models, or the configured ones if the server has no such list. */
async function listModels(state: ProxyState, request: Request): Promise<Response> {
  const response = await serveRequest(state, request, { path: MODELS_PATH })
  if (response.status !== 404) return response
  await response.body?.cancel()
  return Response.json(configuredModels(state.config))
}

/** The models that the configuration names without `*`. */
function configuredModels({ models, upstreams }: ProxyConfig): unknown {
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
