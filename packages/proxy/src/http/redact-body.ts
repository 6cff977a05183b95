import { decodeBody, encodingOf } from './decode-body.js'
import {
  type BodyReader,
  bytesOfPiece,
  type Piece,
  readerOfStream,
  streamOfReader,
} from './direct-body.js'
import type { ByteRedactor, Redactor } from './redactor.js'

export interface RedactOptions {
  readonly headers: Headers
  /** The answer is an error, in which even a short key is hidden. */
  readonly isError: boolean
}

export interface RedactedBody {
  readonly body: BodyReader<Piece>
  /** The body is no longer encoded as its headers say. */
  readonly isDecoded: boolean
}

/** Hides keys in the body of an answer. */
export function redactBody(
  body: BodyReader<Piece>,
  redactor: Redactor,
  { headers, isError }: RedactOptions,
): RedactedBody {
  const encoding = encodingOf(headers)
  const bytes = redactor.bytes(isError)
  if (encoding === '') return { body: redactReader(body, bytes), isDecoded: false }
  // The server was asked not to encode. Some do it anyway, and in `br` nothing can be found.
  const encoded = streamOfReader(body)
  const decoded = decodeBody(encoded, encoding)
  if (!decoded) return { body: readerOfStream(encoded), isDecoded: false }
  return { body: redactReader(readerOfStream(decoded), bytes), isDecoded: true }
}

/** Sends each piece through a redactor, which may keep the beginning of a key. */
function redactReader(source: BodyReader<Piece>, redactor: ByteRedactor): BodyReader {
  let isOver = false
  return {
    read(read) {
      if (isOver) return queueMicrotask(() => read.take(undefined))
      const readNext = () => source.read({ take, fail: error => read.fail(error) })
      const take = (piece: Piece | undefined) => {
        isOver = piece === undefined
        const clean = piece === undefined ? redactor.end() : redactor.push(bytesOfPiece(piece))
        if (clean.length > 0) read.take(clean)
        else if (isOver) read.take(undefined)
        else readNext()
      }
      readNext()
    },
    cancel: reason => source.cancel(reason),
  }
}
