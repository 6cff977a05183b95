import type { PartTransformer } from './part-stream.js'
import type { Part } from './parts.js'

/**
 * Puts a stream through a transformer. One stream pulled by the reader, not a chain of TransformStreams: it costs half of
 * an empty one, asks the source for no more than the reader asks for, and cancels the source when the reader goes away.
 */
export function pullThrough(source: ReadableStream<Part>, transformer: PartTransformer): ReadableStream<Part> {
  const reader = source.getReader()
  /** An error of the source, kept until the parts that end what is open have been read. */
  let failure: { readonly error: unknown } | undefined
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        if (failure) return controller.error(failure.error)
        let hasEnqueued = false
        const enqueue = (part: Part) => {
          hasEnqueued = true
          controller.enqueue(part)
        }
        while (!hasEnqueued) {
          try {
            const { done, value } = await reader.read()
            if (!done) {
              transformer.transform(value, enqueue)
              continue
            }
            transformer.flush(enqueue)
            return controller.close()
          } catch (error) {
            // What was begun is ended first: a tool input that stays open would hang in the user interface.
            transformer.flush(enqueue)
            if (!hasEnqueued) return controller.error(error)
            failure = { error }
          }
        }
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
