import { type BodyReader, type Piece, pieceOfText, type Read } from './direct-body.js'

/** The source of an event stream. */
export interface EventSource {
  /** Returns the next text of the stream; undefined at its end. */
  next(): Promise<string | undefined>
  /** Called when the client is gone. */
  cancel(reason: unknown): void
  /** Called with the size of each text that was sent. */
  sent(bytes: number): void
}

const heartbeat = ': still here\n\n'

/**
 * Creates the body of an event stream. The source is read only when the client has taken everything
 * before. While the source is silent, comments are sent, so that no server in between closes the
 * connection.
 */
export function createEventStream(source: EventSource, heartbeatMs: number): BodyReader<Piece> {
  /** The read that waits for the source. */
  let waiting: Read<Piece> | undefined
  /** The source was asked for a text, and has not answered. */
  let isAsked = false
  /** Answers the next read. A comment has answered the one that the source was asked for. */
  let answerNext: ((read: Read<Piece>) => void) | undefined
  let lastAt = performance.now()
  // One timer per stream, not per piece: it is set again only when it fires.
  let timer: ReturnType<typeof setTimeout>

  const takeWaiting = (): Read<Piece> | undefined => {
    const read = waiting
    waiting = undefined
    return read
  }
  const beat = () => {
    const silentMs = performance.now() - lastAt
    const isDue = silentMs + 1 >= heartbeatMs
    if (isDue) lastAt = performance.now()
    timer = setTimeout(beat, isDue ? heartbeatMs : heartbeatMs - silentMs)
    // A client that does not read needs no comment.
    if (isDue) takeWaiting()?.take(heartbeat)
  }
  timer = setTimeout(beat, heartbeatMs)

  const send = (text: string): Piece => {
    lastAt = performance.now()
    const piece = pieceOfText(text)
    source.sent(piece.length)
    return piece
  }
  const onText = (text: string | undefined) => {
    isAsked = false
    if (text === undefined) clearTimeout(timer)
    const piece = text === undefined ? undefined : send(text)
    const read = takeWaiting()
    if (read) read.take(piece)
    else answerNext = later => later.take(piece)
  }
  const onError = (error: unknown) => {
    clearTimeout(timer)
    const read = takeWaiting()
    if (read) read.fail(error)
    else answerNext = later => later.fail(error)
  }
  return {
    read(read) {
      const answer = answerNext
      answerNext = undefined
      if (answer) return queueMicrotask(() => answer(read))
      waiting = read
      if (isAsked) return
      isAsked = true
      source.next().then(onText, onError)
    },
    cancel(reason) {
      clearTimeout(timer)
      takeWaiting()?.take(undefined)
      source.cancel(reason)
    },
  }
}
