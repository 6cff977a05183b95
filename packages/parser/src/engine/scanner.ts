import { type ArgumentWriter, createArgumentWriter } from './argument-writer.js'
import type { Body, CallPort, Mark, ToolShapes } from './body.js'
import type { CallEndEvent, EmitEvent, OnTrace } from './events.js'
import { isJson } from './is-json.js'
import { type Before, createMarkFinder, isBlankBefore } from './mark-finder.js'
import { createTextCollector } from './text-collector.js'
import { createHeldThought, type ThinkingOptions, type TurnMark, turnMarks } from './thinking.js'
import { createVoice } from './voice.js'

/** Turns text into events. Whole text is one chunk and then `end`: there is no second way to parse. */
export interface Scanner {
  feed(chunk: string): void
  /** No more text comes. `isCut`: the model was stopped by a limit, so a call that lacks its end is not made whole. */
  end(isCut?: boolean): void
  /** True while a call is being read or may have begun: only then does `isCut` make a difference. */
  isInsideCall(): boolean
}

export interface ScannerOptions {
  readonly marks: readonly Mark[]
  readonly tools: ToolShapes
  /** How much text may be held back while it is not clear what it is. */
  readonly maxHeldChars?: number | undefined
  readonly thinking: ThinkingOptions
  readonly emit: EmitEvent
  readonly onTrace?: OnTrace | undefined
}

/** A million characters: more than any argument that must be held, less than what hurts. */
export const DEFAULT_MAX_HELD_CHARS = 1_048_576

// A mark that turns out to be prose is read again as text. Hostile text could make that happen at every mark, over and over
// the same characters; so reading again is paid for: this much at the start, and so many characters for each one that came.
const FREE_RESCAN_CHARS = 65_536
const RESCANS_PER_CHAR = 8

/** A thought whose opening mark is the prompt's is known by its end, if that comes within so many characters. */
const MAX_UNSURE_CHARS = 64

export function createScanner(options: ScannerOptions): Scanner {
  const { marks, tools, maxHeldChars = DEFAULT_MAX_HELD_CHARS, thinking, emit, onTrace } = options
  if (!(maxHeldChars >= 1)) {
    throw new TypeError(`maxHeldChars is ${String(maxHeldChars)}; it must be a number of at least 1.`)
  }
  const { outside, inside } = turnMarks(thinking)
  const findOutside = createMarkFinder<Mark | TurnMark>([...outside, ...marks])
  // A brace or a word is too little to tell a call from a thought about one.
  const findInside = createMarkFinder<Mark | TurnMark>([
    ...inside,
    ...marks.filter(mark => mark.text.length > 4 && !mark.isSilent),
  ])
  const hasLineMarks = [...outside, ...marks].some(mark => mark.isAtLineStart)
  /** The beginning of a mark at the end of the last chunk. Never longer than the longest mark. */
  let pending = ''
  /** Where the text being read begins, counted from the first character ever fed. */
  let base = 0
  let rescannedChars = 0
  const before: Before = { isLineBlank: true, isBlank: true, isTicked: false }

  const voice = createVoice(thinking, emit)
  let isUnsure = thinking.mode === 'parts' && !thinking.startsInside && inside.length > 0
  /** A call among thoughts counts only if these never end: until then it is held. */
  let callsCount = thinking.callsCount
  /** The grammar that reads the text behind a mark, and that text as it was, in pieces. */
  let body: Body | undefined
  let isHolding = false
  let markText = ''
  let markOffset = 0
  const raw = createTextCollector()
  let rawChars = 0
  /** The call being written. */
  let writer: ArgumentWriter | undefined
  let toolName = ''
  const input = createTextCollector()
  /** A call whose arguments are over, and which gets what markup still follows it. */
  let closed: CallEndEvent | undefined
  /** The body has opened a call, or gives out text: the mark is no prose. */
  let isCommitted = false
  let isQuoting = false

  const putDelta = (delta: string) => {
    if (delta === '') return
    input.push(delta)
    emit({ type: 'call-delta', delta })
  }
  /** Gives out what is written of the call. */
  const flush = () => {
    if (writer) putDelta(writer.take())
  }
  const finishClosed = (rawCall: string) => {
    if (closed) emit({ ...closed, raw: rawCall })
    closed = undefined
  }

  const port: CallPort = {
    maxHeldChars,
    tools,
    open(name) {
      finishClosed(closed?.raw ?? '')
      voice.call()
      isCommitted = true
      toolName = name
      onTrace?.({ type: 'commit', toolName, offset: markOffset })
      writer = createArgumentWriter(tools.shapeOf(name), maxHeldChars)
      emit({ type: 'call-start', toolName })
      return writer
    },
    putText(text) {
      isQuoting = true
      isCommitted = true
      voice.say(text)
    },
    putRaw(text) {
      flush()
      putDelta(text)
    },
    report(problem) {
      flush()
      emit({ type: 'problem', problem, raw: '', offset: markOffset })
    },
    close(problem) {
      if (!writer) return
      flush()
      const message = writer.error()
      const problemFound = problem ?? (message === undefined ? undefined : { code: 'malformed-arguments', message })
      writer = undefined
      // What must not run must not look whole.
      let whole = input.take()
      if (problemFound && (whole.trim() === '' || isJson(whole))) {
        // The SDK takes an empty input for an empty object.
        putDelta(whole.trim() === '' ? '{' : ' (malformed)')
        whole += input.take()
      }
      closed = { type: 'call-end', toolName, input: whole, raw: '', offset: markOffset, problem: problemFound }
    },
  }

  const begin = (mark: Mark, offset: number) => {
    isHolding = voice.isThinking() && !callsCount
    onTrace?.({ type: isHolding ? 'hold' : 'mark', mark: mark.text, offset })
    body = isHolding ? createHeldThought(inside) : mark.createBody(port)
    markText = mark.text
    markOffset = offset
    raw.take()
    raw.push(markText)
    rawChars = markText.length
    isCommitted = false
    isQuoting = false
  }

  /** Lets the body read; returns how far it got. */
  const readBody = (current: Body, text: string, from: number): number => {
    const room = isCommitted ? text.length : Math.min(text.length, from + maxHeldChars - rawChars)
    const to = current.feed(text, from, Math.max(room, from))
    raw.push(text.slice(from, to))
    rawChars += to - from
    flush()
    if (closed?.raw === '') {
      closed = { ...closed, raw: raw.take() }
      // The next call of the same markup begins here.
      markOffset = base + to
    }
    return to
  }

  /** Text that is to be read again, as long as that is paid for; beyond that it is given out unread. */
  const payFor = (text: string, at: number): string => {
    rescannedChars += text.length
    if (rescannedChars <= FREE_RESCAN_CHARS + RESCANS_PER_CHAR * at) return text
    voice.say(text)
    return ''
  }
  /** Behind a body that is done: what it took too much is text again. Returns that text. */
  const leaveBody = (current: Body, at: number): string => {
    body = undefined
    const markup = (closed?.raw ?? '') + raw.take()
    const end = markup.length - current.giveBack()
    if (isHolding) voice.say(markup.slice(0, end))
    else {
      onTrace?.({ type: 'leave', offset: markOffset, isQuote: isQuoting })
      finishClosed(markup.slice(0, end))
      if (!isCommitted && end > 0) voice.putMarkup(markup.slice(0, end), markOffset)
    }
    return payFor(markup.slice(end), at)
  }
  /** The mark was prose. Returns the text behind it, which is to be read again. */
  const rollBack = (at: number): string => {
    body = undefined
    const text = raw.take()
    if (isHolding) {
      // The thought never ended, so what was held is no thought.
      callsCount = true
      voice.leaveThought()
      return text
    }
    onTrace?.({ type: 'rollback', mark: markText, offset: markOffset })
    voice.say(markText)
    return payFor(text.slice(markText.length), at)
  }
  const giveUp = () => {
    body = undefined
    const text = raw.take()
    voice.say(text)
    const message = `more than ${maxHeldChars} characters behind ${JSON.stringify(markText)} without a tool name`
    emit({ type: 'problem', problem: { code: 'held-limit', message }, raw: text, offset: markOffset })
  }

  /** The beginning of a text: true while it may still turn out to be a thought. */
  const isStillUnsure = (text: string, isLast: boolean): boolean => {
    const { at, mark } = findOutside(text, 0, isLast, before)
    if (at > MAX_UNSURE_CHARS) return false
    if (mark && 'turn' in mark && mark.turn === 'out') voice.think()
    return mark === undefined && !isLast
  }
  /** Reads a stretch of text to its end. `isCut` is set when it is the last one. */
  const read = (chunk: string, isCut?: boolean) => {
    let text = chunk
    let at = 0
    if (isUnsure) isUnsure = isStillUnsure(text, isCut !== undefined)
    if (isUnsure) {
      pending = text
      return
    }
    const readAgain = (again: string) => {
      // Mostly what is read again is still at hand; a text put together anew each time would make this quadratic.
      if (again.length <= at) {
        at -= again.length
        return
      }
      base += at - again.length
      text = again + text.slice(at)
      at = 0
      // A mark stands before it.
      before.isLineBlank = false
      before.isTicked = false
    }
    for (;;) {
      if (body) {
        const current: Body = body
        at = readBody(current, text, at)
        if (isCut !== undefined && at === text.length && current.status() === 'open') {
          current.end(isCut)
          flush()
        }
        if (current.status() === 'rejected') readAgain(rollBack(base + at))
        else if (current.status() === 'done') readAgain(leaveBody(current, base + at))
        else if (!isCommitted && rawChars >= maxHeldChars) giveUp()
        else if (at === text.length) break
        continue
      }
      before.isBlank = voice.isBlank() && !voice.isThinking()
      const find = voice.isThinking() ? findInside : findOutside
      const { at: end, mark } = find(text, at, isCut !== undefined, before)
      voice.say(at === 0 && end === text.length ? text : text.slice(at, end))
      at = end
      if (!mark) break
      if ('turn' in mark) {
        onTrace?.({ type: 'thought', turn: mark.turn, mark: mark.text, offset: base + at })
        voice.turn(mark, base + at)
      } else begin(mark, base + at)
      at += mark.text.length
    }
    base += at
    pending = text.slice(at)
    if (hasLineMarks) before.isLineBlank = isBlankBefore(text, at, before.isLineBlank)
    if (at > 0) before.isTicked = text.charAt(at - 1) === '`'
  }

  return {
    feed: chunk => read(pending + chunk),
    end(isCut = false) {
      read(pending, isCut)
      voice.end()
    },
    // A mark that is also the beginning of a longer one waits for what follows.
    isInsideCall: () => body !== undefined || marks.some(mark => mark.text === pending),
  }
}
