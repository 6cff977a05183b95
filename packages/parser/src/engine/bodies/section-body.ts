import type { Body, BodyStatus, CallPort, Mark } from '../body.js'
import { isSpace } from '../characters.js'
import { matchMarks } from '../match-marks.js'

/** Reads calls one after the other, up to the end of their section. What follows a call that stands alone is read the same way. */
function createSectionBody(port: CallPort, close: string, calls: readonly Mark[], first?: Mark): Body {
  const marks = [close, ...calls.map(mark => mark.text)]
  let status: BodyStatus = 'open'
  let givenBack = 0
  let call = first?.createBody(port)
  let hasCalled = false
  /** What may be a mark. */
  let held = ''
  /** Characters behind the last call; the text's again if no further one follows. */
  let unclaimedChars = 0

  const finish = (result: BodyStatus, unreadChars = 0) => {
    status = result
    givenBack = unreadChars
  }
  const leave = () => finish(hasCalled ? 'done' : 'rejected', unclaimedChars)
  const endCall = (body: Body) => {
    call = undefined
    if (body.status() === 'rejected') return leave()
    hasCalled = true
    unclaimedChars = 0
    // What a call gives back opens the next one, which is read outside.
    const unread = body.giveBack()
    if (unread) finish('done', unread)
  }
  const readCall = (body: Body, chunk: string, from: number, to: number): number => {
    const at = body.feed(chunk, from, to)
    unclaimedChars += at - from
    if (body.status() !== 'open') endCall(body)
    return at
  }
  const read = (char: string) => {
    unclaimedChars++
    if (held === '' && isSpace(char)) {
      if (unclaimedChars > port.maxHeldChars) leave()
      return
    }
    held += char
    const match = matchMarks(held, marks)
    if (match === 'maybe') return
    if (match === 'none') return leave()
    if (held === close) return finish('done')
    call = calls.find(mark => mark.text === held)?.createBody(port)
    held = ''
  }

  return {
    feed(chunk, from, to) {
      let at = from
      while (at < to && status === 'open') {
        // The scanner takes a call that was closed before it gives more.
        if (call) return readCall(call, chunk, at, to)
        read(chunk.charAt(at++))
      }
      return at
    },
    end(isCut) {
      if (!call) return finish(hasCalled ? 'done' : 'rejected', held.length > 1 ? 0 : held.length)
      call.end(isCut)
      endCall(call)
      if (status === 'open') finish('done')
    },
    status: () => status,
    giveBack: () => givenBack,
  }
}

/** Calls in sections, or alone. */
export function sectionCalls(
  section: { readonly open: string; readonly close: string },
  calls: readonly Mark[],
): readonly Mark[] {
  return [
    { text: section.open, createBody: port => createSectionBody(port, section.close, calls) },
    ...calls.map(mark => ({
      ...mark,
      createBody: (port: CallPort) => createSectionBody(port, section.close, calls, mark),
    })),
  ]
}
