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

type SourceResult = ReadableStreamReadResult<Part>

/** What becomes of the parts of one read: they go into a stream, or to the reader that asked. */
interface PartSink<Result> {
  /** Takes the next parts, of which there is at least one. */
  put(parts: readonly Part[]): Result
  close(): Result
  error(reason: unknown): Result
}

/** Reads the next parts, and returns what the sink makes of them. */
type Pull<Result> = () => Result | Promise<Result>

/**
 * Returns the stream of what a reader makes of another stream. It is one stream that is pulled, not
 * a chain of TransformStreams: it costs half as much as an empty one, pulls no more parts than are
 * asked for, and cancels the source when it is cancelled.
 */
export function pullThrough(source: PartSource, read: PartReader): ReadableStream<Part> {
  const reader = source.getReader()
  let pull: Pull<void> | undefined
  return new ReadableStream<Part>(
    {
      start(output) {
        pull = createPull(reader, read, {
          put(parts) {
            for (const part of parts) output.enqueue(part)
          },
          close: () => output.close(),
          error: reason => output.error(reason),
        })
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
  const pull = createPull<SourceResult | Promise<SourceResult>>(reader, read, {
    put([value, ...others]) {
      ready.push(...others)
      return value ? { done: false, value } : { done: true, value: undefined }
    },
    close: () => ({ done: true, value: undefined }),
    error: reason => Promise.reject(reason),
  })
  const result: SourceReader = {
    // Not `async`, which would cost one promise more for each part.
    read() {
      const value = ready.shift()
      return Promise.resolve(value ? { done: false, value } : pull())
    },
    cancel: reason => reader.cancel(reason),
  }
  return { getReader: () => result }
}

/**
 * Most parts are put at once, by functions that are made once for all of them. `await` would cost
 * one promise more for each part (`npm run bench:speed`).
 */
function createPull<Result>(
  source: SourceReader,
  read: PartReader,
  sink: PartSink<Result>,
): Pull<Result> {
  /** Ends the sink as the source has ended. Undefined until then. */
  let end: (() => Result) | undefined

  /** Puts the last parts. The end follows with the next pull: an error would drop the parts. */
  const endWith = (ending: () => Result): Result => {
    end = ending
    const parts = read()
    return parts.length > 0 ? sink.put(parts) : ending()
  }
  const close = () => endWith(() => sink.close())
  // Open parts are ended: a tool input without its end would be shown as pending for ever.
  const fail = (error: unknown) => endWith(() => sink.error(error))
  /** Reads on until there are parts. A loop: a chain of promises would grow with what is held back. */
  const readOn = async (): Promise<Result> => {
    let parts: readonly Part[] = []
    while (parts.length === 0) {
      const { done, value } = await source.read()
      if (done) return close()
      parts = read(value)
    }
    return sink.put(parts)
  }
  const onResult = ({ done, value }: SourceResult): Result | Promise<Result> => {
    if (done) return close()
    try {
      const parts = read(value)
      if (parts.length > 0) return sink.put(parts)
    } catch (error) {
      return fail(error)
    }
    // `<tool_c|`: the reader holds the text back, and the next part shows what it is.
    return readOn().catch(fail)
  }
  return () => (end ? end() : source.read().then(onResult, fail))
}
