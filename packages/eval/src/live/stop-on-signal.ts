export interface StopOptions {
  readonly now: () => number
  /** The first signal: finish in an orderly way. */
  readonly onStop: () => void
  /** A later one: leave at once. */
  readonly onLeave: () => void
}

/**
 * One Ctrl-C may arrive twice: the terminal sends it to the program and to npm, and npm hands it
 * on. Nobody presses it twice within this time.
 */
const sameKeyMs = 400

/** What is to happen on SIGINT. */
export function createStopHandler({ now, onStop, onLeave }: StopOptions): () => void {
  let stoppedAt: number | undefined
  return () => {
    if (stoppedAt === undefined) {
      stoppedAt = now()
      onStop()
    } else if (now() - stoppedAt > sameKeyMs) onLeave()
  }
}
