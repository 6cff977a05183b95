import type { Part } from '../sdk/parts.js'
import type { PartReader } from './part-reader.js'

/** Parts that can be read. A `ReadableStream` of parts is one. */
export interface PartSource {
  getReader(): SourceReader
}

interface SourceReader {
  read(): Promise<ReadableStreamReadResult<Part>>
  cancel(reason?: unknown): Promise<void>
}

/** Where parts are put: the controller of a stream, or a list that is read without one. */
interface PartSink {
  enqueue(part: Part): void
  close(): void
  error(reason: unknown): void
}

/** Puts the next parts. */
type Pull = () => Promise<void> | undefined

/**
 * Returns the stream of what a reader makes of another stream. It is one stream that is pulled, not
 * a chain of TransformStreams: it costs half as much as an empty one, pulls no more parts than are
 * asked for, and cancels the source when it is cancelled.
 */
export function pullThrough(source: PartSource, read: PartReader): ReadableStream<Part> {
  const reader = source.getReader()
  let pull: Pull | undefined
  return new ReadableStream<Part>(
    {
      start(output) {
        pull = createPull(reader, read, output)
      },
      pull: () => pull?.(),
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/**
 * The same as `pullThrough` for a source that is no stream: the result is none either, because a
 * stream costs more for each part than reading it does (decision 99).
 */
export function readThrough(source: PartSource, read: PartReader): PartSource {
  // Not `instanceof`: the stream may come from another library.
  if ('pipeThrough' in source) return pullThrough(source, read)
  const reader = source.getReader()
  const ready: Part[] = []
  /** Ends the result as the source has ended. Undefined until then. */
  let end: (() => ReadableStreamReadResult<Part>) | undefined
  const pull = createPull(reader, read, {
    enqueue: part => ready.push(part),
    close() {
      end = () => ({ done: true, value: undefined })
    },
    error(reason) {
      end = () => {
        throw reason
      }
    },
  })
  const result: SourceReader = {
    async read() {
      for (;;) {
        const value = ready.shift()
        if (value) return { done: false, value }
        if (end) return end()
        await pull()
      }
    },
    cancel: reason => reader.cancel(reason),
  }
  return { getReader: () => result }
}

/**
 * Most parts are put at once, by functions that are made once for all of them. `await` would cost
 * one promise more for each part (`npm run bench:speed`).
 */
function createPull(source: SourceReader, read: PartReader, output: PartSink): Pull {
  /** Ends this stream as the source has ended. Undefined until then. */
  let end: (() => undefined) | undefined

  const put = (parts: readonly Part[]): undefined => {
    for (const part of parts) output.enqueue(part)
    // An error drops the parts in the queue, so it comes after they were read.
    if (parts.length === 0) end?.()
  }
  const close = () => {
    end = () => void output.close()
    return put(read())
  }
  const fail = (error: unknown) => {
    end = () => void output.error(error)
    // Open parts are ended: a tool input without its end would be shown as pending for ever.
    return put(read())
  }
  /** Reads on until there are parts. A loop: a chain of promises would grow with what is held back. */
  const readOn = async () => {
    let parts: readonly Part[] = []
    while (parts.length === 0) {
      const { done, value } = await source.read()
      if (done) return close()
      parts = read(value)
    }
    return put(parts)
  }
  const onResult = ({ done, value }: ReadableStreamReadResult<Part>) => {
    if (done) return close()
    try {
      const parts = read(value)
      if (parts.length > 0) return put(parts)
    } catch (error) {
      return fail(error)
    }
    // `<tool_c|`: the reader holds the text back, and the next part shows what it is.
    return readOn().catch(fail)
  }
  return () => (end ? end() : source.read().then(onResult, fail))
}
