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
import type { createHttpServer } from '../../src/node/http-server.js'

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

/** How `serveProxy` asks servers and answers clients on Node. */
interface NodeParts {
  readonly fetch: typeof fetch
  readonly createHttpServer: typeof createHttpServer
}

/** The platform's `fetch` and a server of bodies that are streams if undefined. */
let nodeParts: NodeParts | undefined

/** Lets all proxies to come ask and answer as `serveProxy` does. */
export function serveWith(parts: NodeParts): void {
  nodeParts = parts
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
    ...(nodeParts ? { fetch: nodeParts.fetch } : {}),
    ...ownStore,
  })
  const sockets = new Set<Socket>()
  const server = nodeParts
    ? nodeParts.createHttpServer(proxy.fetch, {}).listen(0, '127.0.0.1')
    : serve({ fetch: proxy.fetch, hostname: '127.0.0.1', port: 0 })
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
