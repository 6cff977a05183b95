import type { CallOutput, Mark } from './grammar.js'
import type { Cursor, Reading } from './text/cursor.js'

/**
 * `<tool_call>|…` Reads a call. `rewound`: the mark opened none, and the cursor is after the mark
 * again. Undefined: it opened none, and the text has been read again too often.
 */
export function* readOrRewind(
  cursor: Cursor,
  output: CallOutput,
  mark: Mark,
): Reading<number | 'rewound' | undefined> {
  const start = offsetOf(cursor)
  const unreadChars = yield* mark.read(cursor, output)
  if (unreadChars !== undefined) return unreadChars
  const readChars = offsetOf(cursor) - start
  if (!output.mayReadAgain(readChars)) return undefined
  output.rewind(readChars)
  return 'rewound'
}

const offsetOf = ({ windowOffset, at }: Cursor) => windowOffset + at
