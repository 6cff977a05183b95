import { once } from 'node:events'
import type { Socket } from 'node:net'
import { serve } from '@hono/node-server'
import {
  createProxy,
  defaultLimits,
  defaultRule,
  type Limits,
  type ModelRule,
  type ProxyConfig,
  type ProxyOptions,
  type RequestRecord,
} from '@toolglot/proxy'

export interface ProxyServer {
  /** With its path: `http://127.0.0.1:1234/v1`. */
  readonly baseUrl: string
  /** Without: `http://127.0.0.1:1234`. */
  readonly origin: string
  readonly port: number
  readonly proxy: ReturnType<typeof createProxy>
  /** The requests whose answer is over. */
  readonly records: readonly RequestRecord[]
  openSockets(): number
  /** Drops what was recorded. */
  forget(): void
  close(): Promise<void>
}

export interface ProxyServerOptions extends Partial<Omit<ProxyConfig, 'limits' | 'models'>> {
  readonly limits?: Partial<Limits>
  /** What all models get, unlike the default. */
  readonly rule?: Partial<ModelRule>
  /** Where responses are stored, if not in memory. */
  readonly ownStore?: Pick<ProxyOptions, 'store' | 'storeTimeoutMs'>
}

/** The `fetch` for upstream requests; the platform's own if undefined. */
let fetchUpstream: typeof fetch | undefined

/** Lets all proxies to come ask with another fetch. */
export function askWith(given: typeof fetch): void {
  fetchUpstream = given
}

/** The proxy in front of a server, on a port of the loopback. */
export async function startProxyServer(
  upstreamUrl: string,
  { limits, rule, ownStore, ...rest }: ProxyServerOptions = {},
): Promise<ProxyServer> {
  const records: RequestRecord[] = []
  const config: ProxyConfig = {
    upstreams: [{ name: 'scripted', baseUrl: upstreamUrl }],
    models: [{ ...defaultRule, ...rule }],
    clientKeys: [],
    heartbeatMs: 15_000,
    ...rest,
    limits: { ...defaultLimits, ...limits },
  }
  const proxy = createProxy(config, {
    onRequest: record => records.push(record),
    ...(fetchUpstream ? { fetch: fetchUpstream } : {}),
    ...ownStore,
  })
  const sockets = new Set<Socket>()
  const server = serve({ fetch: proxy.fetch, hostname: '127.0.0.1', port: 0 })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  if (!server.listening) await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    baseUrl: `${origin}/v1`,
    port,
    proxy,
    records,
    openSockets: () => sockets.size,
    forget() {
      records.length = 0
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
