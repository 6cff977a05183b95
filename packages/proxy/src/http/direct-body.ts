// Every token of an answer passes through the proxy, and a stream of the platform costs more for each
// token than reading the token does. So the body of an answer can be read in two ways: as the stream
// that everyone knows, and with a plain reader by the proxy's own code (decision 100).

/** A piece of a body: bytes, or a text of ASCII characters, which has as many bytes. */
export type Piece = Uint8Array | string

/** Reads a body piece by piece. It has no promises: one for each token would be felt. */
export interface BodyReader<Kind extends Piece = Uint8Array> {
  /**
   * Asks for the next piece, which the functions of `read` get. They are not called before this one
   * returns. One read at a time.
   */
  read(read: Read<Kind>): void
  /** Stops reading. A read that waits gets the end. */
  cancel(reason?: unknown): void
}

/** Gets the next piece of a body. One of the two is called. */
export interface Read<Kind extends Piece = Uint8Array> {
  /** Takes the piece; undefined at the end. */
  take(piece: Kind | undefined): void
  /** The body broke. */
  fail(error: unknown): void
}

const readers = new WeakMap<Response, BodyReader<Piece>>()

/**
 * Creates a response whose body can be read without a stream. Either its reader or its `body` may be
 * used, not both.
 */
export function createDirectResponse(reader: BodyReader<Piece>, init: ResponseInit): Response {
  const response = new Response(streamOfReader(reader), init)
  readers.set(response, reader)
  return response
}

/** Returns the reader of a body that can be read without a stream. */
export function directReaderOf(response: Response): BodyReader<Piece> | undefined {
  return readers.get(response)
}

/** Returns the reader of any body; undefined if there is no body. */
export function readerOf(response: Response): BodyReader<Piece> | undefined {
  const { body } = response
  return directReaderOf(response) ?? (body ? readerOfStream(body) : undefined)
}

/** Returns a stream that reads only what is asked for. */
export function streamOfReader(reader: BodyReader<Piece>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await readPiece(reader)
        if (piece === undefined) controller.close()
        else controller.enqueue(bytesOfPiece(piece))
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

export function readerOfStream(stream: ReadableStream<Uint8Array>): BodyReader {
  const reader = stream.getReader()
  return {
    read({ take, fail }) {
      reader.read().then(({ value }) => take(value), fail)
    },
    cancel(reason) {
      reader.cancel(reason).catch(() => {})
    },
  }
}

/** Returns the next piece; undefined at the end. */
export function readPiece<Kind extends Piece>(reader: BodyReader<Kind>): Promise<Kind | undefined> {
  return new Promise((take, fail) => reader.read({ take, fail }))
}

const encoder = new TextEncoder()

/** Returns a text as a piece. */
export function pieceOfText(text: string): Piece {
  const isAscii = !/[\u0080-\uffff]/.test(text)
  return isAscii ? text : encoder.encode(text)
}

export function bytesOfPiece(piece: Piece): Uint8Array {
  return typeof piece === 'string' ? encoder.encode(piece) : piece
}
