import type { HttpError } from '../http/http-error.js'
import type { Generated, ModelParams, StreamPart } from '../model-types.js'

/** A request in the terms of the AI SDK, whatever API it was made in. */
export interface DialectRequest {
  readonly model: string
  readonly isStream: boolean
  readonly params: ModelParams
  /** Fields for the server's own API that have no name in the SDK; they reach it as they are. */
  readonly extra: Readonly<Record<string, unknown>>
  /** Writes the answer as the client asked for it. */
  readonly writer: AnswerWriter
}

/** Writes an answer in the API in which it was asked for. */
export interface AnswerWriter {
  /** A whole answer, as the value of a JSON body. */
  whole(result: Generated): unknown
  /** What a part of a stream comes to, as text of the event stream; `undefined` for nothing. */
  part(part: StreamPart): string | undefined
  /** The stream is over, and all is well. */
  end(): string | undefined
  /** The stream broke off: what the client is told so that it takes nothing for whole. */
  fail(error: HttpError): string
}

/** An API that clients speak. */
export interface Dialect {
  /** Reads a body. Throws an `HttpError` that names the field which is wrong. */
  read(body: unknown): DialectRequest
  /** An error as the value of a JSON body. */
  error(error: HttpError): unknown
}

/** An event of a server-sent event stream. */
export function event(data: unknown, name?: string): string {
  return `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`
}
