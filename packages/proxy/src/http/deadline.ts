import { HttpError } from './http-error.js'

/** Aborts a request that takes too long, or whose client is gone. */
export interface Deadline {
  readonly signal: AbortSignal
  /**
   * Allows at most this many milliseconds until the next call of `within`, `rest` or `end`. `what`
   * names the wait in the error.
   */
  within(milliseconds: number, what: string): void
  /** Stops the limit of `within`: only the client is slow, and only the request's limit applies. */
  rest(): void
  abort(reason: unknown): void
  /** Stops all limits. */
  end(): void
}

/** The longest timer of the platform. */
const MAX_TIMER_MS = 2 ** 31 - 1

export function createDeadline(client: AbortSignal, requestMs: number): Deadline {
  const controller = new AbortController()
  const requestDue = performance.now() + requestMs
  let due = Number.POSITIVE_INFINITY
  let limit = { milliseconds: requestMs, what: 'The request' }
  // One timer for the whole request. When it fires, it checks whether the limit has moved. A timer
  // per piece of a stream would cost more than the piece.
  let timer: ReturnType<typeof setTimeout> | undefined
  let timerAt = Number.POSITIVE_INFINITY

  const timeout = (what: string, milliseconds: number) =>
    controller.abort(
      new HttpError(504, `${what} took longer than ${milliseconds} ms.`, { code: 'timeout' }),
    )
  const arm = (at: number, now: number) => {
    clearTimeout(timer)
    timerAt = at
    timer = setTimeout(check, Math.min(Math.max(0, at - now), MAX_TIMER_MS))
  }
  const check = () => {
    const now = performance.now()
    // A timer may fire a little early.
    if (now + 1 >= requestDue) timeout('The request', requestMs)
    else if (now + 1 >= due) timeout(limit.what, limit.milliseconds)
    else arm(Math.min(due, requestDue), now)
  }
  const gone = () =>
    controller.abort(new HttpError(499, 'The client is gone.', { code: 'client_gone' }))
  if (client.aborted) gone()
  else client.addEventListener('abort', gone, { once: true })
  arm(requestDue, performance.now())
  return {
    signal: controller.signal,
    within(milliseconds, what) {
      const now = performance.now()
      due = now + milliseconds
      if (limit.what !== what || limit.milliseconds !== milliseconds) limit = { milliseconds, what }
      if (due < timerAt) arm(due, now)
    },
    rest() {
      due = Number.POSITIVE_INFINITY
    },
    abort: reason => controller.abort(reason),
    end() {
      clearTimeout(timer)
      client.removeEventListener('abort', gone)
    },
  }
}
