import type { BodyReader, Read } from '../http/direct-body.js'

/** The bytes of an answer that have arrived and wait for their reader. */
export interface ByteQueue extends BodyReader {
  /** Adds bytes. Returns false if no more should be sent before `onFree` is called. */
  put(bytes: Uint8Array): boolean
  /** The answer is complete. */
  end(): void
  /** The answer broke. What arrived before can still be read. */
  fail(error: unknown): void
}

export interface ByteQueueOptions {
  /** How many bytes may wait before `put` returns false. */
  readonly maxBytes: number
  /** Called when there is room again. */
  readonly onFree: () => void
  /** Called when the reader needs no more. */
  readonly onCancel: () => void
}

export function createByteQueue({ maxBytes, onFree, onCancel }: ByteQueueOptions): ByteQueue {
  const queue: Uint8Array[] = []
  let queuedBytes = 0
  let isFull = false
  /** The read that waits for bytes. */
  let waiting: Read | undefined
  /** Answers the reads after the last bytes. Undefined as long as more may come. */
  let answerEnd: ((read: Read) => void) | undefined

  const takeWaiting = (): Read | undefined => {
    const read = waiting
    waiting = undefined
    return read
  }
  const takeBytes = (): Uint8Array | undefined => {
    const bytes = queue.shift()
    queuedBytes -= bytes?.length ?? 0
    if (isFull && queuedBytes < maxBytes) {
      isFull = false
      onFree()
    }
    return bytes
  }
  const endWith = (answer: (read: Read) => void) => {
    answerEnd ??= answer
    const read = takeWaiting()
    if (read) answerEnd(read)
  }
  return {
    put(bytes) {
      if (answerEnd) return true
      const read = takeWaiting()
      if (read) {
        read.take(bytes)
        return true
      }
      queue.push(bytes)
      queuedBytes += bytes.length
      isFull = queuedBytes >= maxBytes
      return !isFull
    },
    end: () => endWith(({ take }) => take(undefined)),
    fail: error => endWith(read => read.fail(error)),
    read(read) {
      const bytes = takeBytes()
      const answer = answerEnd
      if (bytes) queueMicrotask(() => read.take(bytes))
      else if (answer) queueMicrotask(() => answer(read))
      else waiting = read
    },
    cancel() {
      queue.length = 0
      endWith(({ take }) => take(undefined))
      onCancel()
    },
  }
}
