import type { HttpError } from './http/http-error.js'

/** A request that has ended, for the log. Contains no key. */
export interface RequestRecord {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly model?: string
  readonly upstream?: string
  readonly mode?: string
  readonly isStream?: boolean
  readonly status: number
  readonly milliseconds: number
  readonly error?: HttpError
  /** What the configuration should say, each a sentence. */
  readonly warnings?: readonly string[]
  /** The request's body. */
  readonly body?: string
  /** The answer, or its beginning. Only if `hasAnswers` returned true when the request began. */
  readonly answer?: string
}
