import type { PartTransformer } from './part-stream.js'
import type { Part } from './parts.js'

/**
 * Puts a stream through a transformer. One stream pulled by the reader, not a chain of TransformStreams: it costs half of
 * an empty one, asks the source for no more than the reader asks for, and cancels the source when the reader goes away.
 */
export function pullThrough(source: ReadableStream<Part>, transformer: PartTransformer): ReadableStream<Part> {
  const reader = source.getReader()
  let hasEnqueued = false
  /** An error of the source, kept until the parts that end what is open have been read. */
  let failure: { readonly error: unknown } | undefined
  let controller: ReadableStreamDefaultController<Part> | undefined
  const enqueue = (part: Part) => {
    hasEnqueued = true
    controller?.enqueue(part)
  }
  return new ReadableStream<Part>(
    {
      start(given) {
        controller = given
      },
      async pull(given) {
        if (failure) return given.error(failure.error)
        hasEnqueued = false
        while (!hasEnqueued) {
          try {
            const { done, value } = await reader.read()
            if (!done) {
              transformer.transform(value, enqueue)
              continue
            }
            transformer.flush(enqueue)
            return given.close()
          } catch (error) {
            // What was begun is ended first: a tool input that stays open would hang in the user interface.
            transformer.flush(enqueue)
            if (!hasEnqueued) return given.error(error)
            failure = { error }
          }
        }
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
