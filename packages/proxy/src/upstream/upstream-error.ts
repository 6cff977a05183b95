import type { UpstreamConfig } from '../config.js'
import { HttpError } from '../http/http-error.js'
import { redactorFor } from '../http/redactor.js'
import { keysOf } from '../http/secrets.js'
import { isRecord } from '../is-record.js'

type Fields = Readonly<Record<string, unknown>>

/**
 * Turns an error of the server into the error that the client gets, without the proxy's own keys
 * and URLs.
 */
export function upstreamError(error: unknown, upstream: UpstreamConfig): HttpError {
  if (error instanceof HttpError) return error
  // The provider reports that it could not read the answer; the cause is our own error.
  if (error instanceof Error && error.cause instanceof HttpError) return error.cause
  const fields = isRecord(error) ? error : {}
  // Some servers repeat the key in their message.
  const given = reasonOf(fields)
  const message = redactorFor(upstream)?.strict(given) ?? given
  const failed = (text: string, code: string) =>
    new HttpError(502, `The upstream ${JSON.stringify(upstream.name)} ${text}`, {
      code,
      cause: error,
    })
  const status = typeof fields.statusCode === 'number' ? fields.statusCode : undefined
  if (status === undefined) return errorWithoutStatus(error, fields, { message, failed })
  if (status === 401 || status === 403)
    return failed(
      keysOf(upstream).length === 0
        ? 'needs a key, and the configuration of the proxy has none for it.'
        : "rejected the proxy's own key.",
      'upstream_auth',
    )
  if (status < 400)
    return failed(
      `answered with ${status}, but the answer was cut off or cannot be read.`,
      'upstream_unreadable',
    )
  if (status >= 500) return failed(`failed with ${status}: ${message}`, 'upstream_error')
  return new HttpError(status, message, {
    code: 'upstream_rejected',
    headers: retryAfter(fields),
    cause: error,
  })
}

/** What an error becomes if no status came with it: before the answer began, or in a stream. */
function errorWithoutStatus(
  error: unknown,
  { name, value }: Fields,
  {
    message,
    failed,
  }: {
    readonly message: string
    readonly failed: (text: string, code: string) => HttpError
  },
): HttpError {
  // A video, or the URL of a PDF: the provider has no form for it.
  if (name === 'AI_UnsupportedFunctionalityError')
    return new HttpError(400, `The request cannot be sent to the server: ${message}`, {
      code: 'unsupported_content',
      cause: error,
    })
  // An error event in a stream, `{"message": "out of memory"}`, is not an `Error`.
  const isEvent = isRecord(error) && !(error instanceof Error)
  if (isEvent || reasonIn(value) !== undefined)
    return failed(`failed: ${message}`, 'upstream_error')
  return unreadableErrors.has(name)
    ? failed('sent an answer that ended early or cannot be read.', 'upstream_unreadable')
    : failed('cannot be reached, or closed the connection.', 'upstream_unreachable')
}

/** The provider's errors for an answer that it got but could not read. */
const unreadableErrors: ReadonlySet<unknown> = new Set([
  'AI_JSONParseError',
  'AI_TypeValidationError',
  // No choice in an answer, or no finish reason in a stream: HTML instead of events.
  'AI_InvalidResponseDataError',
])

/**
 * The reason that the server gave. The provider knows `{"error":{"message":"too long"}}`. Other forms
 * are in its error as they came: in `responseBody`, or in `value` if they are an event of a stream.
 */
function reasonOf({ message, data, value, responseBody }: Fields): string {
  const own = typeof message === 'string' ? message : 'no message'
  if (data !== undefined) return own
  return reasonIn(value) ?? reasonIn(parseJson(responseBody)) ?? own
}

/** The text in `{"error":"too long"}`, `{"detail":"too long"}`, `{"object":"error","message":"too long"}`. */
function reasonIn(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined
  return [body.error, body.detail, body.message].find(text => typeof text === 'string')
}

function parseJson(json: unknown): unknown {
  try {
    return typeof json === 'string' ? JSON.parse(json) : undefined
  } catch {
    return undefined
  }
}

/** The server's `retry-after`, if it sent one. */
function retryAfter({ responseHeaders }: Fields): Record<string, string> {
  const after = isRecord(responseHeaders) ? responseHeaders['retry-after'] : undefined
  // A number of seconds or a date, and nothing else that the server may repeat.
  const isTime = typeof after === 'string' && /^(\d{1,9}|\w{3}, [\w :]{1,30})$/.test(after)
  return isTime ? { 'retry-after': after } : {}
}
