import type { Part } from '../sdk/parts.js'
import type { PartReader } from './part-reader.js'

/**
 * Returns the stream of what a reader makes of another stream. It is one stream that is pulled, not
 * a chain of TransformStreams: it costs half as much as an empty one, pulls no more parts than are
 * asked for, and cancels the source when it is cancelled.
 */
export function pullThrough(source: ReadableStream<Part>, read: PartReader): ReadableStream<Part> {
  const reader = source.getReader()
  /** Ends this stream as the source has ended. */
  let end: (() => void) | undefined
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        let parts: readonly Part[] = []
        while (parts.length === 0 && !end) {
          try {
            const { done, value } = await reader.read()
            if (done) end = () => controller.close()
            else parts = read(value)
          } catch (error) {
            end = () => controller.error(error)
          }
          // Open parts are ended: a tool input without its end would be shown as pending for ever.
          if (end) parts = read()
        }
        for (const part of parts) controller.enqueue(part)
        // An error drops the parts in the queue, so it comes after they were read.
        if (parts.length === 0) end?.()
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
