/** The source of an event stream. */
export interface EventSource {
  /** Returns the next text of the stream; undefined at its end. */
  next(): Promise<string | undefined>
  /** Called when the client is gone. */
  cancel(reason: unknown): void
  /** Called with the size of each text that was sent. */
  sent(bytes: number): void
}

/**
 * Creates an event stream that is pulled by its reader: the source is read only when the client has
 * taken everything before. While the source is silent, comments are sent, so that no server in
 * between closes the connection.
 */
export function createEventStream(
  source: EventSource,
  heartbeatMs: number,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const heartbeat = encoder.encode(': still here\n\n')
  /** True while the client waits for the source; false while the source waits for the client. */
  let isWaiting = false
  let lastAt = performance.now()
  // One timer per stream, not per piece: it is set again only when it fires.
  let timer: ReturnType<typeof setTimeout> | undefined
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const beat = () => {
          const silentMs = performance.now() - lastAt
          const isDue = silentMs + 1 >= heartbeatMs
          // A queue with a comment that the client has not taken yet needs no second one.
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
