import { once } from 'node:events'
import { createServer } from 'node:http'
import { isIP } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { formatProblem } from '../config-file/problem.js'
import type { ReadConfigResult } from '../config-file/read-config.js'
import type { ServerConfig } from '../config-file/server-config.js'
import { createProxy } from '../create-proxy.js'
import { createLog, type LogOutput, standardOutput } from './log.js'
import { createPatientFetch } from './patient-fetch.js'

export interface ServeOptions {
  readonly config: ServerConfig
  /** Reads the configuration again, for `reload`. */
  readonly load?: (() => ReadConfigResult) | undefined
  /** Where the log goes; by default standard output. */
  readonly output?: LogOutput | undefined
  /**
   * How the servers behind are asked; by default with a `fetch` that has no limits of time but the
   * configuration's.
   */
  readonly fetch?: typeof fetch | undefined
}

/** A proxy that listens. */
export interface ServingProxy {
  /** `http://127.0.0.1:4141` */
  readonly address: string
  /**
   * Takes no more requests, lets those that are here end, and resolves when the port is free: to
   * true, or to false if answers had to be cut off. A second call cuts them off at once.
   */
  close(): Promise<boolean>
  /**
   * Takes the configuration as it is now, for requests to come. What is broken is logged, and the
   * old one stays.
   */
  reload(): boolean
  /** Says something in the log that is no request. */
  report(message: string, error?: unknown): void
}

/** While answers end, connections without one are looked for this often. */
const IDLE_CHECK_MS = 50

/** Serves a proxy on Node. Rejects with a message for people if it cannot listen. */
export async function serveProxy({
  config,
  load,
  output = standardOutput(),
  fetch = createPatientFetch(),
}: ServeOptions): Promise<ServingProxy> {
  const log = createLog(config, output)
  const { logger } = log
  const proxy = createProxy(config, { fetch, onRequest: log.request, hasAnswers: log.hasAnswers })
  const { headerBytes, headersMs, keepAliveMs } = config.server
  const server = createAdaptorServer({
    fetch: request => proxy.fetch(request),
    createServer,
    serverOptions: {
      maxHeaderSize: headerBytes,
      headersTimeout: headersMs,
      keepAliveTimeout: keepAliveMs,
      // A body that never ends is a request that takes too long.
      requestTimeout: Math.max(headersMs, config.limits.requestMs),
      connectionsCheckingInterval: Math.min(1000, headersMs),
    },
  })
  if (!('closeAllConnections' in server)) throw new TypeError('This is no HTTP server.')
  const address = await listen(server, config.listen)
  logger.info(
    { address, upstreams: upstreamsOf(config), models: config.models.length },
    'listening',
  )
  if (config.clientKeys.length === 0 && !isLoopback(config.listen.host)) {
    logger.warn(
      { host: config.listen.host },
      'everybody who reaches this address may ask: there are no client keys',
    )
  }
  server.on('error', error => logger.error({ err: error }, 'the server failed'))

  let closing: Promise<boolean> | undefined
  let isCut = false
  const cut = () => {
    isCut = true
    server.closeAllConnections()
  }
  const drain = async (drainMs: number): Promise<boolean> => {
    const active = proxy.active()
    logger.info({ active, drainMs }, 'shutting down')
    proxy.drain()
    const closed = once(server, 'close')
    server.close()
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
    const late = setTimeout(() => {
      logger.warn({ active: proxy.active() }, 'answers are cut off')
      cut()
    }, drainMs)
    await closed
    clearInterval(idle)
    clearTimeout(late)
    logger.info({ isCut }, 'stopped')
    return !isCut
  }
  let current = config
  return {
    address,
    close() {
      if (closing) cut()
      closing ??= drain(current.server.drainMs)
      return closing
    },
    reload() {
      const result = load?.()
      if (!result) return false
      if (!result.config) {
        const problems = result.problems.map(formatProblem)
        logger.error({ problems }, 'the configuration is broken; the old one stays')
        return false
      }
      const next = result.config
      proxy.reload(next)
      log.configure(next)
      logger.info({ upstreams: upstreamsOf(next), models: next.models.length }, 'reloaded')
      const fixed = fixedPart(current) === fixedPart(next)
      if (!fixed)
        logger.warn('listen and the limits of headers and keepAlive change only with a restart')
      // What cannot change stays as it was, so that the next reload compares with what is so.
      current = {
        ...next,
        listen: current.listen,
        server: { ...current.server, drainMs: next.server.drainMs },
      }
      return true
    },
    report(message, error) {
      if (error === undefined) logger.info(message)
      else logger.error({ err: error }, message)
    },
  }
}

function fixedPart({
  listen,
  server: { headerBytes, headersMs, keepAliveMs },
}: ServerConfig): string {
  return JSON.stringify([listen.host, listen.port, headerBytes, headersMs, keepAliveMs])
}

/** For the log: no keys and no headers. */
function upstreamsOf({ upstreams }: ServerConfig): object[] {
  return upstreams.map(({ name, baseUrl }) => ({ name, baseUrl }))
}

interface Listener {
  listen(port: number, host: string): unknown
  address(): string | { readonly address: string; readonly port: number } | null
  on(event: string, listener: (error: Error) => void): unknown
  off(event: string, listener: (error: Error) => void): unknown
}

async function listen(server: Listener, { host, port }: ServerConfig['listen']): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    const onError = (error: Error) =>
      reject(new Error(explainListenError(error, host, port), { cause: error }))
    server.on('error', onError)
    server.on('listening', () => {
      server.off('error', onError)
      resolve()
    })
    // An address of version 6 may be written as in a URL.
    server.listen(port, host.replace(/^\[(.*)\]$/, '$1'))
  })
  const bound = server.address()
  if (typeof bound !== 'object' || bound === null) return `http://${host}:${port}`
  return `http://${isIP(bound.address) === 6 ? `[${bound.address}]` : bound.address}:${bound.port}`
}

function explainListenError(error: Error, host: string, port: number): string {
  switch ('code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return `${host}:${port} is in use. Stop what listens there, or choose another port with --port.`
    case 'EACCES':
      return `Port ${port} may not be used by this user. Choose one above 1023 with --port.`
    case 'EADDRNOTAVAIL':
      return `${host} is no address of this machine. Choose one that is with --host, such as 127.0.0.1 or 0.0.0.0.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host ${JSON.stringify(host)} is not known. Choose an address with --host, such as 127.0.0.1 or 0.0.0.0.`
    default:
      return `Cannot listen on ${host}:${port}: ${error.message}`
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || host.startsWith('127.')
}
