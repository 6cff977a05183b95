import { clip } from './clip.js'

/** Longer messages are cut: they repeat texts of clients and servers, which may have megabytes. */
const MAX_MESSAGE_CHARS = 4000

/** An error that is sent to the client as an answer. */
export class HttpError extends Error {
  readonly status: number
  /** OpenAI's `type`: `invalid_request_error`, `authentication_error`, … */
  readonly type: string
  readonly code: string | undefined
  /** The path of the field that caused the error: `messages[2].content`. */
  readonly param: string | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    message: string,
    options: {
      readonly type?: string
      readonly code?: string | undefined
      readonly param?: string | undefined
      readonly headers?: Readonly<Record<string, string>>
      readonly cause?: unknown
    } = {},
  ) {
    super(clip(message, MAX_MESSAGE_CHARS), { cause: options.cause })
    this.name = 'HttpError'
    this.status = status
    this.type = options.type ?? typeOf(status)
    this.code = options.code
    this.param = options.param
    this.headers = options.headers ?? {}
  }
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status === 404) return 'not_found_error'
  if (status === 429) return 'rate_limit_error'
  if (status === 504) return 'timeout_error'
  return status < 500 ? 'invalid_request_error' : 'api_error'
}

export function badRequest(param: string, message: string): HttpError {
  return new HttpError(400, `${param}: ${message}`, { param })
}

/** Returns an error as one that is sent to the client. `message` is for errors of the proxy itself. */
export function asHttpError(error: unknown, message = 'The proxy failed.'): HttpError {
  return error instanceof HttpError ? error : new HttpError(500, message, { cause: error })
}
