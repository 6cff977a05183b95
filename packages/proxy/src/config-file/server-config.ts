import type { ModelRule, ProxyConfig } from '../config.js'
import { isLoopbackHost } from '../http/loopback.js'
import type { logLevels } from './schema.js'

/** The complete configuration: that of the proxy, and that of the Node server around it. */
export interface ServerConfig extends ProxyConfig {
  readonly listen: { readonly host: string; readonly port: number }
  /** Listen on any address without client keys. Default: only on one of the loopback. */
  readonly insecure?: boolean | undefined
  readonly server: ServerLimits
  readonly log: { readonly level: LogLevel; readonly bodies: boolean }
}

export interface ServerLimits {
  readonly headerBytes: number
  /** Until a request's headers have arrived. */
  readonly headersMs: number
  /** How long a connection may wait for its next request. */
  readonly keepAliveMs: number
  /** How long answers may go on after the signal to stop. */
  readonly drainMs: number
}

export type LogLevel = (typeof logLevels)[number]

/** Values of flags and environment. They win over the file. */
export interface Overrides {
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly insecure?: boolean | undefined
  /** Replaces the URL of the file's first upstream, which keeps its name. */
  readonly upstream?: string | undefined
  readonly upstreamKey?: string | undefined
  readonly clientKeys?: readonly string[] | undefined
  /** These three apply to all models. */
  readonly protocol?: string | undefined
  readonly mode?: ModelRule['mode'] | undefined
  readonly reasoning?: boolean | undefined
  readonly logLevel?: LogLevel | undefined
  readonly logBodies?: boolean | undefined
  readonly drainMs?: number | undefined
}

/** What is wrong with a configuration that lets other machines use the proxy without a key. */
export interface Exposure {
  readonly message: string
  readonly fix: string
}

/** Returns why a proxy may not listen on a host; undefined if it may. */
export function checkExposure(
  host: string,
  { clientKeys, insecure = false }: Pick<ServerConfig, 'clientKeys' | 'insecure'>,
): Exposure | undefined {
  if (insecure || clientKeys.length > 0 || isLoopbackHost(host)) return undefined
  return {
    message: `is ${JSON.stringify(host)}, which other machines may reach, and there are no client keys`,
    fix: 'Set clients.keys or TOOLGLOT_API_KEYS, listen on 127.0.0.1, or let everybody in with --insecure.',
  }
}

export const defaultListen = { host: '127.0.0.1', port: 4141 } as const
export const defaultHeartbeatMs = 15_000
export const defaultServerLimits: ServerLimits = {
  headerBytes: 32 * 1024,
  headersMs: 30_000,
  // Longer than nginx keeps its side open, so that nginx never writes to a connection that the
  // proxy is closing.
  keepAliveMs: 75_000,
  drainMs: 30_000,
}
