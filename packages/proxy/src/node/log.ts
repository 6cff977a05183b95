import { type Logger, pino } from 'pino'
import type { ServerConfig } from '../config-file/server-config.js'
import type { HttpError } from '../http/http-error.js'
import { createTextRedactor } from '../http/redact-text.js'
import { isLongEnough, keysOf, spellings } from '../http/secrets.js'
import type { RequestRecord } from '../request-record.js'

/** The output of the log: `process.stdout`, or a replacement in tests. */
export interface LogOutput {
  write(text: string): unknown
}

/** Standard output for a server. Unlike `process.stdout` it does not fail when its reader is gone. */
export function standardOutput(): LogOutput {
  return pino.destination({ dest: 1, sync: true })
}

export interface ProxyLog {
  readonly logger: Logger
  /** Writes the line of a request that has ended. */
  request(record: RequestRecord): void
  /** Returns whether answers are logged. */
  hasAnswers(): boolean
  /** Uses level, bodies and secrets of another configuration from now on. */
  configure(config: ServerConfig): void
}

export function createLog(first: ServerConfig, output: LogOutput): ProxyLog {
  let config = first
  // Requests that began before a reload still use the old keys, so old keys stay hidden too.
  const secrets = new Set(findKeys(first))
  let hide = hideKeys(secrets)
  const logger = pino(
    {
      level: first.log.level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      serializers: { err: error => describeError(error) },
    },
    // All lines pass through here.
    { write: line => output.write(escapeControls(hide(line))) },
  )
  return {
    logger,
    request(record) {
      const fields = { ...requestFields(record), ...(config.log.bodies ? bodyFields(record) : {}) }
      if (record.status >= 500) logger.error(fields, 'request')
      else if (record.storeError) logger.warn(fields, 'request')
      else logger.info(fields, 'request')
    },
    hasAnswers: () => config.log.bodies,
    configure(next) {
      config = next
      logger.level = next.log.level
      for (const secret of findKeys(next)) secrets.add(secret)
      hide = hideKeys(secrets)
    },
  }
}

function requestFields(record: RequestRecord): object {
  const { id, method, path, model, upstream, mode, isStream, status, milliseconds } = record
  const { warnings, error } = record
  return {
    id,
    method,
    path,
    ...(model ? { model } : {}),
    ...(upstream === undefined ? {} : { upstream }),
    ...(mode === undefined ? {} : { mode }),
    ...(isStream === undefined ? {} : { stream: isStream }),
    status,
    ms: Math.round(milliseconds),
    ...(warnings?.length ? { warnings } : {}),
    ...(error ? errorFields(error, status) : {}),
    ...(record.storeError ? { storeError: describeError(record.storeError, 1) } : {}),
  }
}

function errorFields({ code, type, message, cause }: HttpError, status: number): object {
  // The message alone explains a fault of the client.
  const hasCause = status >= 500 && cause !== undefined
  return {
    code: code ?? type,
    error: message,
    ...(hasCause ? { cause: describeError(cause) } : {}),
  }
}

function bodyFields({ body, answer }: RequestRecord): object {
  return { ...(body ? { body } : {}), ...(answer ? { answer } : {}) }
}

/**
 * The fields of an error that may be logged. The AI SDK's errors also contain requests and headers.
 */
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

/** The keys in a configuration, including those in headers. */
function findKeys({ upstreams, clientKeys }: ServerConfig): string[] {
  return [...clientKeys, ...upstreams.flatMap(keysOf)].filter(isLongEnough)
}

/**
 * Returns a function that replaces keys in a line by `[redacted]`. Servers repeat keys in their
 * errors, and clients in their bodies.
 */
function hideKeys(keys: ReadonlySet<string>): (line: string) => string {
  return createTextRedactor([...keys].flatMap(spellings)).whole
}

/**
 * Characters that JSON need not escape, but that a terminal or an editor obeys: the rest of the
 * control characters (`\u009b` begins a command of a terminal), line and paragraph separators, and
 * marks that change the direction of the text.
 */
const controls = /[\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

/** Escapes control characters in a line of JSON. It is the same JSON afterwards. */
function escapeControls(line: string): string {
  return line.replace(controls, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
