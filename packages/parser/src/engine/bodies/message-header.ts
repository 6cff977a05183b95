import type { Body, CallPort, Mark } from '../body.js'
import { matchMarks } from '../match-marks.js'
import { createMarkup } from './markup.js'

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

export function createHeaderBody(port: CallPort, { ends, calls, isSilent = false, onRead }: HeaderGrammar): Body {
  const marks = [...ends, ...calls.map(call => call.text)]
  let header = ''
  const { finish, handOver, bodyOf } = createMarkup(port, { ends: [], opens: [] })
  const fail = () => (isSilent ? finish('done', header.length) : finish('rejected'))
  const read = (char: string) => {
    header += char
    const [, name = '', mark = ''] = /^([^\s<>="'{}]*)\s*(.*)$/s.exec(header) ?? []
    const match = matchMarks(mark, marks)
    if (match === 'maybe' && header.length <= MAX_HEADER_CHARS) return
    if (match !== 'mark' || name === '') return fail()
    onRead?.(name)
    const call = calls.find(each => each.text === mark)
    if (call) handOver(call.createBody(port), '')
    else finish('done')
  }
  return bodyOf(read, fail)
}
