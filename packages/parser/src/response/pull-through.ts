import type { Part } from '../sdk/parts.js'
import type { PartReader } from './part-reader.js'

/**
 * Puts a stream through a reader. One stream pulled by the reader, not a chain of TransformStreams:
 * it costs half of an empty one, asks the source for no more than the reader asks for, and cancels
 * the source when the reader goes away.
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
          // What was begun is ended: a tool input that stays open would hang in the user interface.
          if (end) parts = read()
        }
        for (const part of parts) controller.enqueue(part)
        // An error takes away what was not read yet, so it comes when that was.
        if (parts.length === 0) end?.()
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
