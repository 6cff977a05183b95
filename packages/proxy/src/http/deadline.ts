import { HttpError } from './http-error.js'

/** Ends a request that takes too long, or whose client is gone. */
export interface Deadline {
  readonly signal: AbortSignal
  /** From now on no more than so many milliseconds may pass until the next call of this, or of `end`. */
  within(milliseconds: number, what: string): void
  abort(reason: unknown): void
  /** Nothing is watched any more. */
  end(): void
}

export function createDeadline(client: AbortSignal, requestMs: number): Deadline {
  const controller = new AbortController()
  const timeout = (what: string, milliseconds: number) =>
    controller.abort(new HttpError(504, `${what} took longer than ${milliseconds} ms.`, { code: 'timeout' }))
  const whole = setTimeout(() => timeout('The request', requestMs), requestMs)
  let next: ReturnType<typeof setTimeout> | undefined
  const gone = () => controller.abort(new HttpError(499, 'The client is gone.', { code: 'client_gone' }))
  if (client.aborted) gone()
  else client.addEventListener('abort', gone, { once: true })
  return {
    signal: controller.signal,
    within(milliseconds, what) {
      clearTimeout(next)
      next = setTimeout(() => timeout(what, milliseconds), milliseconds)
    },
    abort: reason => controller.abort(reason),
    end() {
      clearTimeout(whole)
      clearTimeout(next)
      client.removeEventListener('abort', gone)
    },
  }
}
