import { createJsonReader } from '../json-reader.js'
import type { ChunkReader } from '../reader.js'
import type { ValueSink } from '../value-token.js'

/**
 * The content of a value in one of the ways in which it may be written. It stops wherever the value may be over; what
 * follows decides that, and is not the content's business.
 */
export interface ValueContent extends ChunkReader {
  /** `over`: the value may end here. `failed`: it cannot be read. */
  status(): 'open' | 'over' | 'failed'
  /** The value is over. */
  close(): void
  /** Nothing comes that proves the end. True if the value is whole all the same. */
  end(isCut: boolean): boolean
  /** Why it cannot be read, or is not whole. */
  error(): string
  /** What was read, but stands behind the value or could not be read. */
  unread(): string
}

export interface ContentOptions {
  readonly sink: ValueSink
  /** What closes the call. Without it the call ends with its line. */
  readonly closeMark: string | undefined
  readonly maxHeldChars: number
  /** See the JSON reader. */
  readonly mayHaveKey?: ((key: string) => boolean) | undefined
}

/** An object or a list, as JSON. */
export function createJsonContent({ sink, closeMark = '\n', maxHeldChars, mayHaveKey }: ContentOptions): ValueContent {
  const reader = createJsonReader(sink, { maxHeldChars, ends: [closeMark], mayHaveKey })
  return {
    feed: reader.feed,
    status() {
      if (reader.status() === 'reading') return 'open'
      return reader.status() === 'done' || reader.isRepairable() ? 'over' : 'failed'
    },
    close() {
      if (reader.status() === 'failed') reader.repair()
    },
    end: isCut => reader.end(!isCut),
    error: reader.error,
    unread: reader.unread,
  }
}
