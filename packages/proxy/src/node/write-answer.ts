import type { ServerResponse } from 'node:http'
import type { BodyReader, Piece, Read } from '../http/direct-body.js'

/**
 * Writes an answer to the client, as fast as the client takes it. Its body is read directly: a
 * stream would cost more for each token than writing the token does.
 */
export function writeAnswer(
  { status, headers }: Response,
  body: BodyReader<Piece>,
  outgoing: ServerResponse,
): void {
  const cancel = () => body.cancel()
  // The client was gone before the answer began.
  if (outgoing.destroyed) {
    cancel()
    return
  }
  headers.forEach((value, name) => {
    outgoing.appendHeader(name, value)
  })
  outgoing.writeHead(status)
  // Sends the head: the client sees that the answer has begun, however long the first text takes.
  // `flushHeaders` would do the same, but write `é` in a header as two characters.
  outgoing.write('', 'latin1')

  const end = () => {
    outgoing.off('close', cancel)
    outgoing.end()
  }
  const read: Read<Piece> = {
    take(piece) {
      if (piece === undefined) end()
      else if (outgoing.write(piece)) readNext()
      else outgoing.once('drain', readNext)
    },
    // The connection is cut, so that the client does not mistake what it has for the whole answer.
    // Later, because what was written in this turn is not sent yet.
    fail() {
      setImmediate(() => outgoing.destroy())
    },
  }
  const readNext = () => body.read(read)
  outgoing.on('close', cancel)
  outgoing.on('error', cancel)
  readNext()
}
