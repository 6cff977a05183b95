import type { CallPort } from '../body.js'
import { matchMarks } from '../match-marks.js'
import type { ChunkReader } from '../reader.js'

/** Copies a call that cannot be read into its arguments as it stands, up to the mark that ends it. */
export interface BrokenTail extends ChunkReader {
  /** No more text: what is held goes out too. */
  end(): void
  /** Undefined while it goes on; then how many characters of an open mark were read that belong to the next call. */
  giveBack(): number | undefined
}

export function createBrokenTail(port: CallPort, ends: readonly string[], opens: readonly string[]): BrokenTail {
  const marks = [...ends, ...opens]
  let maybeMark = ''
  let giveBack: number | undefined
  return {
    feed(chunk, from, to) {
      let copied = ''
      let at = from
      while (at < to && giveBack === undefined) {
        maybeMark += chunk.charAt(at++)
        let match = matchMarks(maybeMark, marks)
        while (match === 'none') {
          copied += maybeMark.charAt(0)
          maybeMark = maybeMark.slice(1)
          match = maybeMark ? matchMarks(maybeMark, marks) : 'maybe'
        }
        if (match !== 'maybe') giveBack = matchMarks(maybeMark, ends) === 'none' ? maybeMark.length : 0
      }
      port.putRaw(copied)
      return at
    },
    end() {
      port.putRaw(maybeMark)
      maybeMark = ''
    },
    giveBack: () => giveBack,
  }
}
