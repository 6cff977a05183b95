import type { PartReader } from './part-stream.js'
import type { Part } from './parts.js'

/**
 * Puts a stream through a reader. One stream pulled by the reader, not a chain of TransformStreams: it costs half of
 * an empty one, asks the source for no more than the reader asks for, and cancels the source when the reader goes away.
 */
export function pullThrough(source: ReadableStream<Part>, read: PartReader): ReadableStream<Part> {
  const reader = source.getReader()
  let end: { readonly error?: unknown } | undefined
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        let parts: readonly Part[] = []
        while (parts.length === 0 && !end) {
          try {
            const { done, value } = await reader.read()
            if (done) end = {}
            else parts = read(value)
          } catch (error) {
            end = { error }
          }
          // What was begun is ended: a tool input that stays open would hang in the user interface.
          if (end) parts = read()
        }
        for (const part of parts) controller.enqueue(part)
        if (end && !('error' in end)) controller.close()
        // An error takes away what was not read yet, so it comes when that was.
        else if (end && parts.length === 0) controller.error(end.error)
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
