import { createJsonReader } from '../json-reader.js'
import type { ValueSink } from '../value-token.js'

export interface ContentOptions {
  readonly sink: ValueSink
  /** What closes the call. Without it the call ends with its line. */
  readonly closeMark: string | undefined
  readonly maxHeldChars: number
  /** See the JSON reader. */
  readonly mayHaveKey?: ((key: string) => boolean) | undefined
}

export type ValueContent = ReturnType<typeof createJsonContent>

/** An object or a list as JSON. It stops where it may be over; what follows decides that, and is not its business. */
export function createJsonContent({ sink, closeMark = '\n', maxHeldChars, mayHaveKey }: ContentOptions) {
  const reader = createJsonReader(sink, { maxHeldChars, ends: [closeMark], mayHaveKey })
  return {
    feed: reader.feed,
    /** `over`: the value may end here. `failed`: it cannot be read. */
    status() {
      if (reader.status() === 'reading') return 'open'
      return reader.status() === 'done' || reader.isRepairable() ? 'over' : 'failed'
    },
    /** The value is over. */
    close() {
      if (reader.status() === 'failed') reader.repair()
    },
    /** Nothing comes that proves the end. True if the value is whole all the same. */
    end: (isCut: boolean) => reader.end(!isCut),
    error: reader.error,
    /** What was read, but stands behind the value or could not be read. */
    unread: reader.unread,
  }
}
