import type { HttpError } from '../http/http-error.js'
import type { Generated, ModelParams, StreamEnd, StreamPart } from '../model-types.js'
import type { ClientResponses } from '../store/client-responses.js'
import type { Recalled } from '../store/recall.js'

/** A request of any API, in the types of the AI SDK. */
export interface DialectRequest {
  readonly model: string
  readonly isStream: boolean
  readonly params: ModelParams
  /**
   * The messages as the client wrote them, sent in place of `params.prompt`. Undefined if calls or
   * results in them must be rewritten.
   */
  readonly messages?: readonly unknown[] | undefined
  /** Fields that the SDK does not know. They are sent to the server unchanged. */
  readonly extra: Readonly<Record<string, unknown>>
  /** The client asks the model to think, and can show its reasoning. */
  readonly asksReasoning: boolean
  /** The writer hands the chunks of the server on, so the answer is not read. */
  readonly isRaw?: boolean | undefined
  /** Writes the answer in the client's API. */
  readonly writer: AnswerWriter
  /** What the request contains that was left out, in words for the client and for the log. */
  readonly warnings?: readonly string[]
}

/** What a request is read with, besides its body. */
export interface ReadOptions {
  /** What becomes of tools that only the server of their vendor can run. Default: `drop`. */
  readonly serverTools?: 'drop' | 'refuse' | undefined
  /** What `recall` returned. Undefined if nothing is stored. */
  readonly recalled?: Recalled | undefined
}

/** Writes an answer in the client's API. */
export interface AnswerWriter {
  /** Returns a whole answer, as the value of a JSON body, or a promise if it is stored first. */
  whole(result: Generated): unknown
  /** Called before `part` gets the end of a stream: stores the answer, if it is stored. */
  readonly store?: (end: StreamEnd) => Promise<void>
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
  /** Reads what a body refers to from the store. Only for an API that has such references. */
  readonly recall?: (
    body: unknown,
    responses: ClientResponses,
    maxChars: number,
  ) => Promise<Recalled>
  /** Returns an error as the value of a JSON body. */
  error(error: HttpError): unknown
}

/** Returns one event of a server-sent event stream. */
export function event(data: unknown, name?: string): string {
  return `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`
}
