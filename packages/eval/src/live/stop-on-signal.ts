export interface StopOptions {
  readonly now: () => number
  /** Called at the first signal: stop and write the results. */
  readonly onStop: () => void
  /** Called at a later signal: exit at once. */
  readonly onLeave: () => void
}

/**
 * The time in which a second signal belongs to the same Ctrl-C: the terminal sends it to the program
 * and to npm, and npm passes it on.
 */
const sameKeyMs = 400

/** Creates the handler of SIGINT. */
export function createStopHandler({ now, onStop, onLeave }: StopOptions): () => void {
  let stoppedAt: number | undefined
  return () => {
    if (stoppedAt === undefined) {
      stoppedAt = now()
      onStop()
    } else if (now() - stoppedAt > sameKeyMs) onLeave()
  }
}
