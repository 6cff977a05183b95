import type { Body, BodyStatus, CallPort, Mark } from '../body.js'
import { isSpace } from '../characters.js'
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
  let readChars = 0
  let givenBack = 0
  let name = ''
  /** Space, and what may be a mark. */
  let behind = ''
  let call: Body | undefined

  const fail = () => {
    status = isSilent && readChars <= MAX_HEADER_CHARS ? 'done' : 'rejected'
    givenBack = readChars
    call = undefined
  }
  const read = (char: string) => {
    readChars++
    if (readChars > MAX_HEADER_CHARS) return fail()
    if (behind === '' && !isSpace(char) && !marks.some(mark => mark.startsWith(char))) {
      name += char
      if (/[<>="'{}]/.test(char)) fail()
      return
    }
    behind += char
    const found = behind.trimStart()
    const match = matchMarks(found, marks)
    if (match === 'maybe') return
    if (match === 'none' || (name === '' && !isSilent)) return fail()
    onRead?.(name)
    call = calls.find(each => each.text === found)?.createBody(port)
    if (!call) status = 'done'
  }
  const readCall = (body: Body, chunk: string, from: number, to: number): number => {
    const at = body.feed(chunk, from, to)
    readChars += at - from
    if (body.status() === 'rejected') fail()
    return at
  }

  return {
    feed(chunk, from, to) {
      let at = from
      while (at < to && status === 'open') {
        if (call) return readCall(call, chunk, at, to)
        read(chunk.charAt(at++))
      }
      return at
    },
    end(isCut) {
      call?.end(isCut)
      if (!call || call.status() === 'rejected') fail()
    },
    status: () => call?.status() ?? status,
    giveBack: () => call?.giveBack() ?? givenBack,
  }
}
