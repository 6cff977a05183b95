import type { HttpError } from './http/http-error.js'

/** A request that has ended, for the log. Contains no key. */
export interface RequestRecord {
  /** Id, path and model are the client's, cut at 128 characters. */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly model?: string
  readonly upstream?: string
  readonly mode?: string
  readonly isStream?: boolean
  readonly status: number
  readonly milliseconds: number
  /** What the request contains that was left out, and what the configuration lacks. */
  readonly warnings?: readonly string[]
  readonly error?: HttpError
  /** Why the response could not be stored, although the answer went out. */
  readonly storeError?: HttpError
  /** The request's body, or its beginning, if it is JSON. */
  readonly body?: string
  /** The answer, or its beginning. Only if `hasAnswers` returned true when the request began. */
  readonly answer?: string
}
