import type { ArgumentWriter } from '../argument-writer.js'
import type { Body, BodyStatus, CallPort } from '../body.js'
import type { Problem } from '../events.js'
import { createMarkSearch, type MarkSearch } from '../mark-search.js'
import type { ChunkReader } from '../reader.js'

/**
 * What all grammars do alike with the markup behind a mark: open and close its calls, copy what cannot be read of one, and
 * say where it ends.
 */
export interface Markup {
  isOpen(): boolean
  /** The call cannot be read. */
  isBroken(): boolean
  /** Opens a call of the tool that was written, or of the one that is forced; then the name that was written is told of. */
  openCall(writtenName: string): ArgumentWriter
  /** The writer of the open call. */
  writer(): ArgumentWriter | undefined
  hasCalled(): boolean
  closeCall(problem?: Problem): void
  /** The call is over, and the markup with it. */
  closeLast(unreadChars?: number, problem?: Problem): void
  /** The markup is over. `unreadChars` of what was taken last do not belong to it. */
  finish(result: BodyStatus, unreadChars?: number): void
  /** What follows is not ours. Without any call the mark was prose. */
  leave(unclaimedChars?: number): void
  /** More of what was taken turns out not to belong to the markup. */
  unread(chars: number): void
  /** The call cannot be read: from `unread` on all is copied, up to its end. Returns what stands behind that. */
  breakOff(message: string, unread: string): string
  /** What follows is read by another grammar, to the end; `beginning` was read already. */
  handOver(body: Body, beginning: string): void
  createBody(reader: MarkupReader): Body
}

/** What a grammar does with the text of its own. */
export interface MarkupReader {
  /** Where it stands. */
  state(): number
  /** What takes the next character there. */
  readonly chars: Readonly<Record<number, (char: string) => void>>
  /** What takes all that it can, where that is more than one character. */
  readonly chunks?: Readonly<Record<number, ChunkReader['feed']>>
  end(isCut: boolean): void
}

export interface MarkupOptions {
  readonly forcedToolName: string | undefined
  /** What ends a call that cannot be read, and what opens the next one, and so ends it too. */
  readonly ends: readonly string[]
  readonly opens: readonly string[]
  /** A call is about to be closed. */
  readonly onClose?: ((problem: Problem | undefined) => void) | undefined
  /** A call that cannot be read is over: what becomes of the markup, where that is not over too. */
  readonly onBroken?: ((unreadChars: number) => void) | undefined
}

export const CUT: Problem = { code: 'cut-call', message: 'the text ended inside the arguments' }

export function createMarkup(port: CallPort, options: MarkupOptions): Markup {
  const { forcedToolName, ends, opens, onClose = () => {}, onBroken } = options
  let status: BodyStatus = 'open'
  let givenBack = 0
  let writer: ArgumentWriter | undefined
  let hasCalled = false
  /** The scanner takes a call that was closed before it gives more. */
  let hasClosed = false
  /** Copies a call that cannot be read into its arguments as it stands, up to the mark that ends it; and why it cannot be read. */
  let tail: MarkSearch | undefined
  let trouble = ''
  let other: Body | undefined

  const isOpen = () => status === 'open'
  const finish = (result: BodyStatus, unreadChars = 0) => {
    status = result
    givenBack = unreadChars
  }
  const closeCall = (problem?: Problem) => {
    onClose(problem)
    port.close(problem)
    writer = undefined
    hasCalled = true
    hasClosed = true
  }
  const closeLast = (unreadChars = 0, problem?: Problem) => {
    closeCall(problem)
    finish('done', unreadChars)
  }
  const endBroken = (unreadChars: number) => {
    tail = undefined
    closeCall({ code: 'malformed-arguments', message: trouble })
    if (onBroken) onBroken(unreadChars)
    else finish('done', unreadChars)
  }
  const readBroken = (chunk: string, from: number, to: number): number => {
    const at = tail?.feed(chunk, from, to) ?? to
    const mark = tail?.found()
    // What opens the next call belongs to that one.
    if (mark !== undefined) endBroken(ends.includes(mark) ? 0 : mark.length)
    return at
  }

  return {
    isOpen,
    isBroken: () => tail !== undefined,
    openCall(writtenName) {
      if (writer) return writer
      writer = port.open(forcedToolName ?? writtenName)
      reportName(port, writtenName, forcedToolName)
      return writer
    },
    writer: () => writer,
    hasCalled: () => hasCalled,
    closeCall,
    closeLast,
    finish,
    leave: (unclaimedChars = 0) => (hasCalled ? finish('done', unclaimedChars) : finish('rejected')),
    unread(chars) {
      givenBack += chars
    },
    breakOff(message, unread) {
      trouble = message
      tail = createMarkSearch([...ends, ...opens], port.putRaw)
      return unread.slice(readBroken(unread, 0, unread.length))
    },
    handOver(body, beginning) {
      other = body
      body.feed(beginning, 0, beginning.length)
    },
    createBody: ({ state, chars, chunks = {}, end }) => ({
      feed(chunk, from, to) {
        let at = from
        hasClosed = false
        while (at < to && isOpen() && !hasClosed) {
          if (other) return other.feed(chunk, at, to)
          const read = tail ? readBroken : chunks[state()]
          if (read) at = read(chunk, at, to)
          else chars[state()]?.(chunk.charAt(at++))
        }
        return at
      },
      end(isCut) {
        if (other) return other.end(isCut)
        if (!tail) end(isCut)
        if (!tail) return
        tail.end()
        endBroken(0)
        finish('done')
      },
      status: () => other?.status() ?? status,
      giveBack: () => other?.giveBack() ?? givenBack,
    }),
  }
}

/** Tells of the name that was written in place of the forced one. */
export function reportName(port: CallPort, writtenName: string | undefined, forcedToolName: string | undefined): void {
  if (writtenName === undefined || forcedToolName === undefined || writtenName === forcedToolName) return
  port.report({ code: 'forced-name', message: `the model called ${JSON.stringify(writtenName)} instead` })
}
