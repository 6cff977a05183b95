import { decodeBody, encodingOf } from './decode-body.js'
import type { ByteRedactor, Redactor } from './redactor.js'

export interface RedactOptions {
  readonly headers: Headers
  /** The answer is an error, in which even a short key is hidden. */
  readonly isError: boolean
}

export interface RedactedBody {
  readonly body: ReadableStream<Uint8Array>
  /** The body is no longer encoded as its headers say. */
  readonly isDecoded: boolean
}

/** Hides keys in the body of an answer. */
export function redactBody(
  body: ReadableStream<Uint8Array>,
  redactor: Redactor,
  { headers, isError }: RedactOptions,
): RedactedBody {
  const encoding = encodingOf(headers)
  // The server was asked not to encode. Some do it anyway, and in `br` nothing can be found.
  const decoded = encoding === '' ? body : decodeBody(body, encoding)
  if (!decoded) return { body, isDecoded: false }
  return { body: redactStream(decoded, redactor.bytes(isError)), isDecoded: encoding !== '' }
}

/** Sends each piece through a redactor. Reads only what is asked for. */
function redactStream(
  source: ReadableStream<Uint8Array>,
  redactor: ByteRedactor,
): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await reader.read()
          const clean = done ? redactor.end() : redactor.push(value)
          if (clean.length > 0) controller.enqueue(clean)
          if (done) return controller.close()
          if (clean.length > 0) return
        }
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
