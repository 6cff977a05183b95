import type { BodyReader } from '../http/direct-body.js'
import { HttpError } from '../http/http-error.js'

export interface LimitedBodyOptions {
  readonly maxBytes: number
  /** The body is a stream of events: the limit applies to each line, not to the whole. */
  readonly isEvents: boolean
}

const LINE_END = 10

/**
 * Passes the body of a server's answer on. Fails when its reader would have to keep more than
 * `maxBytes` in memory.
 */
export function limitedBody(
  source: Pick<BodyReader, 'cancel'>,
  read: () => Promise<Uint8Array | undefined>,
  { maxBytes, isEvents }: LimitedBodyOptions,
): ReadableStream<Uint8Array> {
  let heldBytes = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const value = await read()
        if (!value) return controller.close()
        const lineEnd = isEvents ? value.lastIndexOf(LINE_END) : -1
        heldBytes = lineEnd < 0 ? heldBytes + value.length : value.length - 1 - lineEnd
        if (heldBytes <= maxBytes) return controller.enqueue(value)
        const what = isEvents ? 'An event of the upstream' : 'The answer of the upstream'
        const tooLong = new HttpError(502, `${what} is longer than ${maxBytes} bytes.`, {
          code: 'upstream_too_long',
        })
        controller.error(tooLong)
        source.cancel(tooLong)
      },
      cancel: reason => source.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
