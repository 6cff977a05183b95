import type { BodyReader, Piece } from '../../src/http/direct-body.js'

/** What reads of a body have brought, in order: pieces, `end`, or the message of an error. */
export function takePieces(reader: BodyReader<Piece>) {
  const taken: string[] = []
  return {
    taken,
    /** Asks for one piece. */
    read() {
      reader.read({
        take: piece =>
          taken.push(piece === undefined ? 'end' : new TextDecoder().decode(bytesOf(piece))),
        fail: error => taken.push(error instanceof Error ? error.message : String(error)),
      })
    },
  }
}

function bytesOf(piece: Piece): Uint8Array {
  return typeof piece === 'string' ? new TextEncoder().encode(piece) : piece
}

/** Lets everything happen that waits only for promises. */
export function settle(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
