import type { Body, BodyStatus, CallPort, Mark } from '../body.js'
import { isSpace } from '../characters.js'
import { matchMarks } from '../match-marks.js'

/** What stands around calls; without marks each call stands alone. */
export interface SectionGrammar {
  readonly marks: { readonly open: string; readonly close: string } | undefined
  /** Marks between the calls that mean nothing. */
  readonly fillers?: readonly string[] | undefined
  /** Reads JSON in place of the calls. */
  readonly createEnvelope?: ((port: CallPort) => Body) | undefined
}

/** A call in a section. It takes no further call. */
export interface SectionCall {
  readonly text: string
  createBody(port: CallPort, section: SectionPort): Body
}

/** What a call may say of the section that it stands in. */
export interface SectionPort {
  /** The section ended with the call. */
  end(): void
  /** Text that was taken, but stands behind the call. */
  readAgain(text: string): void
}

/** Reads calls one after the other, up to the end of their section. What follows a call that stands alone is read the same way. */
function createSectionBody(port: CallPort, grammar: SectionGrammar, calls: readonly SectionCall[], first = ''): Body {
  const { marks: around, fillers = [], createEnvelope } = grammar
  const marks = around ? [around.close, ...calls.map(each => each.text), ...fillers] : []
  let status: BodyStatus = 'open'
  let givenBack = 0
  let hasCalled = false
  /** What may be a mark. */
  let held = ''
  /** Characters behind the last call; the text's again if no further one follows. */
  let unclaimedChars = 0
  let isEnded = false
  /** What is to be read again, once the scanner has taken the call before it. */
  let pending = ''
  let envelope: Body | undefined
  const section: SectionPort = {
    end() {
      isEnded = true
    },
    readAgain(text) {
      pending = text
    },
  }
  const beginCall = (text: string) => calls.find(each => each.text === text)?.createBody(port, section)
  let call = beginCall(first)

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
    if (unread || isEnded) finish('done', unread)
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
    if (createEnvelope && !hasCalled && (held === '{' || held === '[')) {
      envelope = createEnvelope(port)
      envelope.feed(held, 0, 1)
      return
    }
    const match = matchMarks(held, marks)
    if (fillers.includes(held)) held = ''
    else if (match === 'none') leave()
    else if (held === around?.close) finish('done')
    else if (match !== 'maybe') {
      call = beginCall(held)
      held = ''
    }
  }
  const feed = (chunk: string, from: number, to: number): number => {
    let at = from
    while (at < to && status === 'open') {
      if (envelope) return envelope.feed(chunk, at, to)
      // The scanner takes a call that was closed before it gives more.
      if (call) return readCall(call, chunk, at, to)
      read(chunk.charAt(at++))
    }
    return at
  }
  const readPending = () => {
    const text = pending
    pending = ''
    pending += text.slice(feed(text, 0, text.length))
  }

  return {
    feed(chunk, from, to) {
      if (!pending) return feed(chunk, from, to)
      readPending()
      return from
    },
    end(isCut) {
      if (envelope) return envelope.end(isCut)
      while (pending && status === 'open') readPending()
      if (status !== 'open') return
      if (!call) return finish(hasCalled ? 'done' : 'rejected', held.length > 1 ? 0 : held.length)
      call.end(isCut)
      endCall(call)
      if (status === 'open') finish('done')
    },
    status: () => envelope?.status() ?? status,
    giveBack: () => envelope?.giveBack() ?? givenBack + pending.length,
  }
}

/** Calls in sections, or alone. */
export function sectionCalls(grammar: SectionGrammar, calls: readonly SectionCall[]): readonly Mark[] {
  const { marks } = grammar
  const createBody = (port: CallPort, first?: string) => createSectionBody(port, grammar, calls, first)
  return [
    ...(marks ? [{ text: marks.open, createBody: (port: CallPort) => createBody(port) }] : []),
    ...calls.map(({ text }) => ({ text, createBody: (port: CallPort) => createBody(port, text) })),
  ]
}
