import { HttpError } from './http-error.js'

/** Ends a request that takes too long, or whose client is gone. */
export interface Deadline {
  readonly signal: AbortSignal
  /**
   * From now on no more than so many milliseconds may pass until the next call of this, of `rest`
   * or of `end`.
   */
  within(milliseconds: number, what: string): void
  /** Nothing is waited for but the client, who may take its time within that of the request. */
  rest(): void
  abort(reason: unknown): void
  /** Nothing is watched any more. */
  end(): void
}

/** The longest time that a timer can be set to. */
const MAX_TIMER_MS = 2 ** 31 - 1

export function createDeadline(client: AbortSignal, requestMs: number): Deadline {
  const controller = new AbortController()
  const requestDue = performance.now() + requestMs
  let due = Number.POSITIVE_INFINITY
  let limit = { milliseconds: requestMs, what: 'The request' }
  // One timer for the whole request, which looks when it fires whether the time has been put off.
  // To set one for each piece of a stream would cost more than the piece.
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
