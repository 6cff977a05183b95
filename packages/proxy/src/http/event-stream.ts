/** What feeds an event stream. */
export interface EventSource {
  /** The next text of the stream; undefined when it is over. */
  next(): Promise<string | undefined>
  /** The client is gone. */
  cancel(reason: unknown): void
  /** So much was sent. */
  sent(bytes: number): void
}

/**
 * An event stream that is pulled by its reader: nothing is read from the source before the client
 * has taken what came before. While the source is silent a comment goes out now and then, so that
 * nobody in between takes the stream for dead.
 */
export function createEventStream(
  source: EventSource,
  heartbeatMs: number,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const heartbeat = encoder.encode(': still here\n\n')
  /** Whether the client waits for the source, and not the source for the client. */
  let isWaiting = false
  let lastAt = performance.now()
  // One timer a stream, not one a piece: it is set anew only when it fires.
  let timer: ReturnType<typeof setTimeout> | undefined
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const beat = () => {
          const silentMs = performance.now() - lastAt
          const isDue = silentMs + 1 >= heartbeatMs
          // One that the client has not taken yet is enough.
          if (isDue && isWaiting && controller.desiredSize === 0) controller.enqueue(heartbeat)
          if (isDue) lastAt = performance.now()
          timer = setTimeout(beat, isDue ? heartbeatMs : heartbeatMs - silentMs)
        }
        timer = setTimeout(beat, heartbeatMs)
      },
      async pull(controller) {
        isWaiting = true
        const text = await source.next()
        isWaiting = false
        if (text !== undefined) {
          lastAt = performance.now()
          const bytes = encoder.encode(text)
          source.sent(bytes.length)
          controller.enqueue(bytes)
          return
        }
        clearTimeout(timer)
        controller.close()
      },
      cancel(reason) {
        clearTimeout(timer)
        source.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
