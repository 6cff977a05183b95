import type { Part } from '../sdk/parts.js'
import type { PartReader } from './part-reader.js'

type Output = ReadableStreamDefaultController<Part>

/**
 * Returns the stream of what a reader makes of another stream. It is one stream that is pulled, not
 * a chain of TransformStreams: it costs half as much as an empty one, pulls no more parts than are
 * asked for, and cancels the source when it is cancelled.
 */
export function pullThrough(source: ReadableStream<Part>, read: PartReader): ReadableStream<Part> {
  const reader = source.getReader()
  /** Ends this stream as the source has ended. Undefined until then. */
  let end: (() => void) | undefined

  const put = (output: Output, parts: readonly Part[]) => {
    for (const part of parts) output.enqueue(part)
    // An error drops the parts in the queue, so it comes after they were read.
    if (parts.length === 0) end?.()
  }
  const close = (output: Output) => {
    end = () => output.close()
    put(output, read())
  }
  const fail = (output: Output, error: unknown) => {
    end = () => output.error(error)
    // Open parts are ended: a tool input without its end would be shown as pending for ever.
    put(output, read())
  }
  /** Reads on until there are parts. A loop: a chain of promises would grow with what is held back. */
  const readOn = async (output: Output) => {
    let parts: readonly Part[] = []
    while (parts.length === 0) {
      const { done, value } = await reader.read()
      if (done) return close(output)
      parts = read(value)
    }
    put(output, parts)
  }
  return new ReadableStream<Part>(
    {
      // Most parts are put at once. `await` would cost one promise more for each (`bench:speed`).
      pull(output) {
        if (end) return end()
        const onError = (error: unknown) => fail(output, error)
        const onResult = ({ done, value }: ReadableStreamReadResult<Part>) => {
          if (done) return close(output)
          try {
            const parts = read(value)
            if (parts.length > 0) return put(output, parts)
          } catch (error) {
            return onError(error)
          }
          // `<tool_c|`: the reader holds the text back, and the next part shows what it is.
          return readOn(output).catch(onError)
        }
        return reader.read().then(onResult, onError)
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
