import type { Body, BodyStatus, CallPort, Mark } from '../body.js'
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

/** A header that is longer than this is none. Also how much may be read again for one that was none. */
const MAX_HEADER_CHARS = 256

export function createHeaderBody(port: CallPort, { ends, calls, isSilent = false, onRead }: HeaderGrammar): Body {
  const marks = [...ends, ...calls.map(call => call.text)]
  let status: BodyStatus = 'open'
  let header = ''
  let readChars = 0
  let call: Body | undefined

  const fail = () => {
    status = isSilent && readChars <= MAX_HEADER_CHARS ? 'done' : 'rejected'
    call = undefined
  }
  const read = (char: string) => {
    header += char
    readChars++
    const [, name = '', mark = ''] = /^([^\s<>="'{}]*)\s*(.*)$/s.exec(header) ?? []
    const match = matchMarks(mark, marks)
    if (match === 'none' || readChars > MAX_HEADER_CHARS) return fail()
    if (match === 'maybe') return
    if (name === '' && !isSilent) return fail()
    onRead?.(name)
    call = calls.find(each => each.text === mark)?.createBody(port)
    if (!call) {
      status = 'done'
      readChars = 0
    }
  }

  return {
    feed(chunk, from, to) {
      let at = from
      while (at < to && status === 'open' && !call) read(chunk.charAt(at++))
      if (!call || at === to) return at
      const end = call.feed(chunk, at, to)
      readChars += end - at
      if (call.status() === 'rejected') fail()
      return end
    },
    end(isCut) {
      call?.end(isCut)
      if (!call || call.status() === 'rejected') fail()
    },
    status: () => call?.status() ?? status,
    giveBack: () => call?.giveBack() ?? readChars,
  }
}
