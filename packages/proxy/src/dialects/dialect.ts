import type { HttpError } from '../http/http-error.js'
import type { Generated, ModelParams, StreamPart } from '../model-types.js'

/** A request of any API, in the types of the AI SDK. */
export interface DialectRequest {
  readonly model: string
  readonly isStream: boolean
  readonly params: ModelParams
  /** Fields that the SDK does not know. They are sent to the server unchanged. */
  readonly extra: Readonly<Record<string, unknown>>
  /** Writes the answer in the client's API. */
  readonly writer: AnswerWriter
  /** What the request contains that was left out, in words for the client and for the log. */
  readonly warnings?: readonly string[]
}

/** Settings of the proxy that decide how a request is read. */
export interface ReadOptions {
  /** What becomes of tools that only the server of their vendor can run. Default: `drop`. */
  readonly serverTools?: 'drop' | 'refuse' | undefined
}

/** Writes an answer in the client's API. */
export interface AnswerWriter {
  /** Returns a whole answer, as the value of a JSON body. */
  whole(result: Generated): unknown
  /** Returns the text of the event stream for one part; undefined if it needs none. */
  part(part: StreamPart): string | undefined
  /** Returns the text after the last part of a stream that ended without an error. */
  end(): string | undefined
  /** Returns the text for a stream that failed, so that the client does not mistake it for complete. */
  fail(error: HttpError): string
}

/** An API of the clients: chat completions, Responses or Messages. */
export interface Dialect {
  /** Reads a request's body. Throws an `HttpError` that names the wrong field. */
  read(body: unknown, options?: ReadOptions): DialectRequest
  /** Returns an error as the value of a JSON body. */
  error(error: HttpError): unknown
}

/** Returns one event of a server-sent event stream. */
export function event(data: unknown, name?: string): string {
  return `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`
}
