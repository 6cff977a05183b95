import type { ArgumentWriter } from '../argument-writer.js'
import type { CallPort } from '../body.js'
import { isSpace } from '../characters.js'
import type { Problem } from '../events.js'
import { matchMarks, startsMark } from '../match-marks.js'
import type { OldBody as Body, BodyStatus } from '../old-body.js'
import { createMarkSearch, type MarkSearch } from '../old-mark-search.js'
import type { ChunkReader } from '../reader.js'

/** What takes the text where a grammar stands: the next character, or all that it can. */
type MarkupState = ((char: string) => void) | ChunkReader

export interface MarkupOptions {
  readonly forcedToolName?: string | undefined
  /** What ends a call that cannot be read, and what ends it too, but belongs to what follows. */
  readonly ends: readonly string[]
  readonly opens: readonly string[]
  /** A call is about to be closed. */
  readonly onClose?: ((problem: Problem | undefined) => void) | undefined
  /** A call is over, and more may follow in the same markup. Otherwise that is over too. */
  readonly goOn?: (() => void) | undefined
}

export const CUT: Problem = { code: 'cut-call', message: 'the text ended inside the arguments' }

/**
 * What all grammars do alike with the markup behind a mark: open and close its calls, look for the marks between them, copy what
 * cannot be read of one, read again what was looked at too early, and say where it ends.
 */
export function createMarkup(port: CallPort, { forcedToolName, ends, opens, onClose, goOn }: MarkupOptions) {
  let status: BodyStatus = 'open'
  let state: MarkupState = () => {}
  let afterRead = () => {}
  let givenBack = 0
  /** Characters that were taken, and how many of them are the markup's for certain; the others are the text's if no call follows. */
  let takenChars = 0
  let claimedChars = 0
  /** What is to be read again. */
  let pending = ''
  /** What may be a mark. */
  let held = ''
  let writer: ArgumentWriter | undefined
  let hasCalled = false
  /** The scanner takes a call that was closed before it gives more. */
  let hasClosed = false
  /** Copies a call that cannot be read into its arguments as it stands, up to the mark that ends it; and why it cannot be read. */
  let tail: MarkSearch | undefined
  let trouble = ''
  let other: Body | undefined

  const isOpen = () => status === 'open'
  /** Says who takes the text from here on, and what is to be done whenever a reader has taken some. */
  const goTo = (next: MarkupState, after = () => {}) => {
    state = next
    afterRead = after
  }
  const unclaimedChars = () => takenChars - pending.length - claimedChars
  /** What was read belongs to the markup, but for the last `unreadChars`. */
  const claim = (unreadChars = 0) => {
    claimedChars = takenChars - pending.length - unreadChars
  }
  /** The markup is over. `unreadChars` of what was read last do not belong to it. */
  const finish = (result: BodyStatus, unreadChars = 0) => {
    status = result
    givenBack = unreadChars
  }
  /** What follows is not ours. Without any call the mark was prose. */
  const leave = () => (hasCalled ? finish('done', unclaimedChars()) : finish('rejected'))
  const readAgain = (text: string) => {
    pending = text + pending
  }
  const closeCall = (problem?: Problem) => {
    onClose?.(problem)
    port.close(problem)
    writer = undefined
    hasCalled = true
    hasClosed = true
    held = ''
    claim()
  }
  /** The call is over, and the markup with it if it holds no more than one. */
  const closeLast = (unreadChars = 0, problem?: Problem) => {
    closeCall(problem)
    if (goOn) goOn()
    else finish('done', unreadChars)
  }
  const endBroken = (mark: string) => {
    tail = undefined
    if (!ends.includes(mark)) readAgain(mark)
    closeLast(0, { code: 'malformed-arguments', message: trouble })
  }
  const readSome = (chunk: string, from: number, to: number): number => {
    if (typeof state === 'function') {
      takenChars++
      state(chunk.charAt(from))
      return from + 1
    }
    const at = state.feed(chunk, from, to)
    takenChars += at - from
    afterRead()
    return at
  }
  const readPending = () => {
    const text = pending
    pending = ''
    takenChars -= text.length
    const rest = text.slice(readSome(text, 0, text.length))
    pending += rest
    takenChars += rest.length
  }
  /** At the end of the text: reads again what is to be read again. False if the grammar has nothing to read behind that. */
  const readAllPending = (): boolean => {
    while (pending && isOpen() && !other && !tail) readPending()
    return isOpen() && !other && !tail
  }
  /** The body that stands there first; `end` tells what an end of the text means where it stands then. */
  const bodyOf = (first: MarkupState, end: (isCut: boolean) => void): Body => {
    state = first
    return {
      feed(chunk, from, to) {
        let at = from
        hasClosed = false
        while (isOpen() && !hasClosed && (pending || at < to)) {
          if (other) return other.feed(chunk, at, to)
          if (pending) readPending()
          else at = readSome(chunk, at, to)
        }
        return at
      },
      end(isCut) {
        if (readAllPending()) end(isCut)
        if (other) return other.end(isCut)
        while (tail && pending) readPending()
        tail?.end()
        if (tail) endBroken('')
        if (isOpen()) finish('done')
      },
      status: () => other?.status() ?? status,
      giveBack: () => (other?.giveBack() ?? givenBack) + pending.length,
    }
  }

  return {
    /** Opens a call of the tool that was written, or of the one that is forced; then the name that was written is told of. */
    openCall(writtenName: string): ArgumentWriter {
      if (writer) return writer
      writer = port.open(forcedToolName ?? writtenName)
      reportName(port, writtenName, forcedToolName)
      return writer
    },
    /** The writer of the open call. */
    writer: () => writer,
    hasCalled: () => hasCalled,
    held: () => held,
    unclaimedChars,
    claim,
    closeCall,
    closeLast,
    finish,
    leave,
    /** The text ended between the calls. The beginning of an end mark is markup; a single character proves nothing. */
    leaveAtEnd(marks: readonly string[]) {
      if (held === '' || (held.length > 1 && startsMark(held, marks))) claim()
      leave()
    },
    readAgain,
    readAllPending,
    /** Takes a character where a mark may stand. Gives the mark, or what stands there instead, once that is clear. */
    readMark(
      char: string,
      marks: readonly string[],
      isSkipped: (char: string) => boolean = isSpace,
    ): string | undefined {
      if (held === '' && !startsMark(char, marks) && isSkipped(char)) {
        if (!writer && unclaimedChars() > port.maxHeldChars) leave()
        return undefined
      }
      held += char
      if (matchMarks(held, marks) === 'maybe') return undefined
      const found = held
      held = ''
      return found
    },
    /** The call cannot be read: from `unread` on all is copied, up to its end. */
    breakOff(message: string, unread: string) {
      trouble = message
      const search = createMarkSearch([...ends, ...opens], port.putRaw)
      tail = search
      goTo(search, () => {
        const mark = search.found()
        if (mark !== undefined) endBroken(mark)
      })
      readAgain(unread)
    },
    /** What follows is read by another grammar, to the end; `beginning` was read already. */
    handOver(body: Body, beginning: string) {
      other = body
      const text = beginning + pending
      pending = text.slice(body.feed(text, 0, text.length))
    },
    goTo,
    isAt: (each: MarkupState) => each === state,
    bodyOf,
  }
}

/** Tells of the name that was written in place of the forced one. */
export function reportName(port: CallPort, writtenName: string | undefined, forcedToolName: string | undefined): void {
  if (writtenName === undefined || forcedToolName === undefined || writtenName === forcedToolName) return
  port.report({ code: 'forced-name', message: `the model called ${JSON.stringify(writtenName)} instead` })
}
