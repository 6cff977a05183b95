/** What feeds an event stream. */
export interface EventSource {
  /** The next text of the stream; undefined when it is over. */
  next(): Promise<string | undefined>
  /** The client is gone. */
  cancel(reason: unknown): void
}

const HEARTBEAT = ': still here\n\n'

/**
 * An event stream that is pulled by its reader: nothing is read from the source before the client has taken what came before.
 * While the source is silent a comment goes out now and then, so that nobody in between takes the stream for dead.
 */
export function createEventStream(source: EventSource, heartbeatMs: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let waiting: Promise<string | undefined> | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        waiting ??= source.next()
        const text = await orHeartbeat(waiting, heartbeatMs)
        if (text !== HEARTBEAT) waiting = undefined
        if (text === undefined) controller.close()
        else controller.enqueue(encoder.encode(text))
      },
      cancel: reason => source.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

async function orHeartbeat(next: Promise<string | undefined>, heartbeatMs: number): Promise<string | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const heartbeat = new Promise<string>(resolve => {
    timer = setTimeout(() => resolve(HEARTBEAT), heartbeatMs)
  })
  try {
    return await Promise.race([next, heartbeat])
  } finally {
    clearTimeout(timer)
  }
}
