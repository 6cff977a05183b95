import type { Body, CallPort, Mark } from '../body.js'
import type { Cursor } from '../cursor.js'
import { matchMarks } from '../match-marks.js'

/** What stands before a message and says whom it is for: a name, and a mark behind it. */
export interface HeaderGrammar {
  /** Marks that end a header. */
  readonly ends: readonly string[]
  /** Marks of calls, which a header may stand before. */
  readonly calls: readonly Mark[]
  /** Where no header follows, the mark that opened it still stands for nothing. Otherwise it was prose. */
  readonly isSilent?: boolean | undefined
  /** The header is whole. */
  readonly onRead?: ((name: string) => void) | undefined
}

/** A header that is longer than this is none. */
const MAX_HEADER_CHARS = 256

export function* readMessageHeader(
  cursor: Cursor,
  port: CallPort,
  { ends, calls, isSilent = false, onRead }: HeaderGrammar,
): Body {
  const marks = [...ends, ...calls.map(call => call.text)]
  for (;;) {
    const header = cursor.text.slice(cursor.at, cursor.at + MAX_HEADER_CHARS)
    const [, head = '', name = '', behind = ''] = /^(([^\s<>="'{}]*)\s*)(.*)$/s.exec(header) ?? []
    const match = matchMarks(behind, marks)
    if (match === 'maybe' && header.length < MAX_HEADER_CHARS && !cursor.isOver) {
      yield
      continue
    }
    if (match !== 'mark' || name === '') return isSilent ? 0 : undefined
    onRead?.(name)
    const call = calls.find(each => behind.startsWith(each.text))
    const mark = call?.text ?? ends.find(each => behind.startsWith(each)) ?? ''
    cursor.at += head.length + mark.length
    return call ? yield* call.read(cursor, port) : 0
  }
}
