import { type Logger, pino } from 'pino'
import type { ServerConfig } from '../config-file/server-config.js'
import type { RequestRecord } from '../request-record.js'

/** Where lines of the log go: `process.stdout`, or whatever stands in for it. */
export interface LogOutput {
  write(text: string): unknown
}

/**
 * Standard output, for a server: unlike `process.stdout` it does not mind if nobody reads any more.
 */
export function standardOutput(): LogOutput {
  return pino.destination({ dest: 1, sync: true })
}

export interface ProxyLog {
  readonly logger: Logger
  /** One line for a request that is over. */
  request(record: RequestRecord): void
  /** Whether what is answered will be logged. */
  hasAnswers(): boolean
  /** Level, bodies and secrets of another configuration. */
  configure(config: ServerConfig): void
}

/** Shorter ones are stand-ins such as `none`, and would turn up in ordinary words. */
const MIN_SECRET_CHARS = 6

export function createLog(first: ServerConfig, output: LogOutput): ProxyLog {
  let config = first
  // Requests that began before a reload still go by the old keys, so all that there were are kept.
  const secrets = new Set(secretsOf(first))
  let hide = createRedactor(secrets)
  const logger = pino(
    {
      level: first.log.level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      serializers: { err: error => describeError(error) },
    },
    // Every line passes here, whoever wrote it.
    { write: line => output.write(hide(line)) },
  )
  return {
    logger,
    request(record) {
      const {
        id,
        method,
        path,
        model,
        upstream,
        mode,
        isStream,
        status,
        milliseconds,
        error,
        body,
        answer,
      } = record
      const fields = {
        id,
        method,
        path,
        ...(model ? { model } : {}),
        ...(upstream === undefined ? {} : { upstream }),
        ...(mode === undefined ? {} : { mode }),
        ...(isStream === undefined ? {} : { stream: isStream }),
        status,
        ms: Math.round(milliseconds),
        ...(error ? { code: error.code ?? error.type, error: error.message } : {}),
        // Only where the fault is ours or the server's: what the client did is said by the message.
        ...(error && status >= 500 && error.cause !== undefined
          ? { cause: describeError(error.cause) }
          : {}),
        ...(config.log.bodies && body ? { body } : {}),
        ...(config.log.bodies && answer ? { answer } : {}),
      }
      if (status >= 500) logger.error(fields, 'request')
      else logger.info(fields, 'request')
    },
    hasAnswers: () => config.log.bodies,
    configure(next) {
      config = next
      logger.level = next.log.level
      for (const secret of secretsOf(next)) secrets.add(secret)
      hide = createRedactor(secrets)
    },
  }
}

/** What an error says. Not what hangs on it: the AI SDK's errors carry requests and headers. */
function describeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { message: String(error) }
  return {
    type: error.name,
    message: error.message,
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(depth < 3 && error.cause !== undefined
      ? { cause: describeError(error.cause, depth + 1) }
      : {}),
    ...(error.stack === undefined || depth > 0 ? {} : { stack: error.stack }),
  }
}

/** The keys of a configuration. */
function secretsOf({ upstreams, clientKeys }: ServerConfig): string[] {
  const ofHeaders = upstreams
    .flatMap(({ headers = {} }) => Object.entries(headers))
    .filter(([name]) => /auth|key|token|secret|cookie|password/i.test(name))
    .map(([, value]) => value.replace(/^(Bearer|Basic)\s+/i, ''))
  const ofUpstreams = upstreams.flatMap(({ apiKey }) => apiKey ?? [])
  return [...clientKeys, ...ofUpstreams, ...ofHeaders].filter(
    secret => secret.length >= MIN_SECRET_CHARS,
  )
}

/**
 * Puts `[redacted]` where a line holds a key. Servers repeat keys in their errors, and clients in
 * their bodies.
 */
function createRedactor(secrets: ReadonlySet<string>): (line: string) => string {
  // In the line they stand as JSON; in a body, which is JSON too, as JSON in JSON.
  const written = new Set(
    [...secrets].flatMap(secret => [secret, inJson(secret), inJson(inJson(secret))]),
  )
  if (written.size === 0) return line => line
  // The longest first, so that a key that begins with another is hidden whole.
  const parts = [...written].sort((left, right) => right.length - left.length)
  const pattern = new RegExp(
    parts.map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'),
    'g',
  )
  return line => line.replace(pattern, '[redacted]')
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
