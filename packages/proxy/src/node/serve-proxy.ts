import { once } from 'node:events'
import type { Server } from 'node:http'
import { isIP } from 'node:net'
import type { Logger } from 'pino'
import { formatProblem } from '../config-file/problem.js'
import type { ReadConfigResult } from '../config-file/read-config.js'
import { checkExposure, type ServerConfig } from '../config-file/server-config.js'
import { createProxy, type Proxy as ToolProxy } from '../create-proxy.js'
import { isLoopbackHost } from '../http/loopback.js'
import type { ResponseStore } from '../store/response-store.js'
import { createHttpServer } from './http-server.js'
import { createLog, type LogOutput, standardOutput } from './log.js'
import { createPatientFetch } from './patient-fetch.js'

export interface ServeOptions {
  readonly config: ServerConfig
  /** Reads the configuration again, for `reload`. */
  readonly load?: (() => ReadConfigResult) | undefined
  /** The output of the log. Default: standard output. */
  readonly output?: LogOutput | undefined
  /**
   * Sends the requests to the upstream servers. Default: a `fetch` without time limits of its own,
   * so that those of the configuration apply.
   */
  readonly fetch?: typeof fetch | undefined
  /** Where responses are stored. Default: in memory, within the limits of the configuration. */
  readonly store?: ResponseStore | undefined
}

/** A proxy that listens. */
export interface ServingProxy {
  /** `http://127.0.0.1:4141` */
  readonly address: string
  /**
   * Refuses new requests, waits for the current ones, and resolves when the port is free: to true,
   * or to false if answers were cut off. A second call cuts them off at once.
   */
  close(): Promise<boolean>
  /**
   * Reads the configuration again and uses it for new requests. Returns false if it is invalid: the
   * problems are logged and the old one stays in use.
   */
  reload(): boolean
  /** Writes a line to the log that is not about a request. */
  report(message: string, error?: unknown): void
}

/** While the server shuts down, idle connections are closed this often. */
const IDLE_CHECK_MS = 50

const RESTART_NEEDED =
  'changes of listen, headers, headersTimeout and keepAlive take effect only after a restart'

/** Serves a proxy on Node. Rejects with a readable message if it cannot listen. */
export async function serveProxy({
  config,
  load,
  output = standardOutput(),
  fetch,
  store,
}: ServeOptions): Promise<ServingProxy> {
  const exposure = checkExposure(config.listen.host, config)
  if (exposure) throw new Error(`listen.host ${exposure.message}. ${exposure.fix}`)
  const log = createLog(config, output)
  const { logger } = log
  const proxy = createProxy(config, {
    fetch: fetch ?? createPatientFetch(),
    keepsEncoding: fetch === undefined,
    onRequest: log.request,
    hasAnswers: log.hasAnswers,
    ...(store ? { store } : {}),
  })
  const server = createServerFor(config, proxy)
  const address = await listen(server, config.listen)
  reportStart(config, address, logger)
  server.on('error', error => logger.error({ err: error }, 'the server failed'))

  let current = config
  const close = createClose(server, proxy, logger)
  return {
    address,
    close: () => close(current.server.drainMs),
    reload() {
      const next = readNext(load, current.listen.host, logger)
      if (!next) return false
      proxy.reload(next)
      log.configure(next)
      logger.info(summary(next), 'reloaded')
      if (fixedPart(current) !== fixedPart(next)) logger.warn(RESTART_NEEDED)
      // The server keeps these until a restart, so that the next reload is compared with them.
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

function createServerFor(config: ServerConfig, proxy: ToolProxy): Server {
  const { headerBytes, headersMs, keepAliveMs } = config.server
  return createHttpServer(proxy.fetch, {
    maxHeaderSize: headerBytes,
    headersTimeout: headersMs,
    keepAliveTimeout: keepAliveMs,
    // Node's limit includes the body, which may take as long as the request.
    requestTimeout: Math.max(headersMs, config.limits.requestMs),
    connectionsCheckingInterval: Math.min(1000, headersMs),
  })
}

function reportStart(config: ServerConfig, address: string, logger: Logger): void {
  logger.info({ address, ...summary(config) }, 'listening')
  const { host } = config.listen
  if (config.clientKeys.length > 0 || isLoopbackHost(host)) return
  logger.warn({ host }, 'no client keys: everybody who can reach this address can use the proxy')
}

/** Returns a function that shuts the server down. A second call cuts the answers off. */
function createClose(
  server: Server,
  proxy: ToolProxy,
  logger: Logger,
): (drainMs: number) => Promise<boolean> {
  let closing: Promise<boolean> | undefined
  let isCut = false
  const cut = () => {
    isCut = true
    proxy.cutOff()
    server.closeAllConnections()
  }
  const drain = async (drainMs: number): Promise<boolean> => {
    logger.info({ active: proxy.active(), drainMs }, 'shutting down')
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
  return drainMs => {
    if (closing) cut()
    closing ??= drain(drainMs)
    return closing
  }
}

/** Reads the configuration again. Logs what is wrong with it and returns undefined. */
function readNext(
  load: ServeOptions['load'],
  host: string,
  logger: Logger,
): ServerConfig | undefined {
  const result = load?.()
  if (!result) return undefined
  // The host of the file takes effect only after a restart; the one that is in use counts.
  const exposure = result.config && checkExposure(host, result.config)
  if (result.config && !exposure) return result.config
  const problems = exposure
    ? [`listen.host ${exposure.message}. ${exposure.fix}`]
    : result.problems?.map(formatProblem)
  logger.error({ problems }, 'the configuration is invalid; the old one stays in use')
  return undefined
}

/** The settings that only a restart can change. */
function fixedPart({
  listen,
  server: { headerBytes, headersMs, keepAliveMs },
}: ServerConfig): string {
  return JSON.stringify([listen.host, listen.port, headerBytes, headersMs, keepAliveMs])
}

/** A configuration for the log, without keys and headers. */
function summary({ upstreams, models }: ServerConfig): object {
  const shown = upstreams.map(({ name, baseUrl }) => ({ name, baseUrl }))
  return { upstreams: shown, models: models.length }
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
    // An IPv6 address may be written as in a URL: `[::1]`.
    server.listen(port, host.replace(/^\[(.*)\]$/, '$1'))
  })
  const bound = server.address()
  if (typeof bound !== 'object' || bound === null) return `http://${host}:${port}`
  return `http://${isIP(bound.address) === 6 ? `[${bound.address}]` : bound.address}:${bound.port}`
}

function explainListenError(error: Error, host: string, port: number): string {
  switch ('code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return `${host}:${port} is in use. Stop the program that listens there, or choose another port with --port.`
    case 'EACCES':
      return `This user may not listen on port ${port}. Choose a port above 1023 with --port.`
    case 'EADDRNOTAVAIL':
      return `${host} is not an address of this machine. Choose another one with --host, such as 127.0.0.1 or 0.0.0.0.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host ${JSON.stringify(host)} was not found. Choose an address with --host, such as 127.0.0.1 or 0.0.0.0.`
    default:
      return `Cannot listen on ${host}:${port}: ${error.message}`
  }
}
