import { type ArgumentWriter, createArgumentWriter } from './argument-writer.js'
import type { Body, CallPort, Mark, ToolShapes } from './body.js'
import { createCursor, extend } from './cursor.js'
import type { CallEndEvent, EmitEvent, OnTrace } from './events.js'
import { isJson } from './is-json.js'
import { type Before, createMarkFinder, isBlankBefore } from './mark-finder.js'
import { createTextCollector } from './text-collector.js'
import { readHeldThought, type ThinkingOptions, type TurnMark, turnMarks } from './thinking.js'
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
  /** The text, from the beginning of a mark on that may stand at its end, or from where a body stands. */
  const cursor = createCursor()
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
  /** Up to where the text is in there. */
  let rawOffset = 0
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
  const offset = () => cursor.base + cursor.at
  const keepRaw = () => {
    raw.push(cursor.text.slice(rawOffset - cursor.base, cursor.at))
    rawOffset = offset()
  }
  const finishClosed = (rawCall: string) => {
    if (closed) emit({ ...closed, raw: rawCall })
    closed = undefined
  }

  const port: CallPort = {
    maxHeldChars,
    tools,
    open(written) {
      finishClosed(closed?.raw ?? '')
      voice.call()
      isCommitted = true
      toolName = tools.forcedName ?? written
      onTrace?.({ type: 'commit', toolName, offset: markOffset })
      writer = createArgumentWriter(tools.shapeOf(written), maxHeldChars)
      emit({ type: 'call-start', toolName })
      if (toolName !== written)
        port.report({ code: 'forced-name', message: `the model called ${JSON.stringify(written)} instead` })
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
    rewind(markChars) {
      keepRaw()
      const text = raw.take()
      raw.push(text.slice(0, markChars))
      readAgain(text.slice(markChars))
      rawOffset = offset()
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
      keepRaw()
      closed = { type: 'call-end', toolName, input: whole, raw: raw.take(), offset: markOffset, problem: problemFound }
      // The next call of the same markup begins here.
      markOffset = offset()
    },
  }

  const begin = (mark: Mark) => {
    isHolding = voice.isThinking() && !callsCount
    onTrace?.({ type: isHolding ? 'hold' : 'mark', mark: mark.text, offset: offset() })
    markText = mark.text
    markOffset = offset()
    rawOffset = markOffset
    cursor.at += markText.length
    raw.take()
    body = isHolding ? readHeldThought(cursor, inside) : mark.read(cursor, port)
    isCommitted = false
    isQuoting = false
  }

  /** Text that is to be read again, as long as that is paid for; beyond that it is given out unread. */
  const payFor = (text: string): string => {
    rescannedChars += text.length
    if (rescannedChars <= FREE_RESCAN_CHARS + RESCANS_PER_CHAR * offset()) return text
    voice.say(text)
    return ''
  }
  /** Behind a body that is done: what it took too much is text again. Returns that text. */
  const leaveBody = (unreadChars: number): string => {
    const markup = (closed?.raw ?? '') + raw.take()
    const end = markup.length - unreadChars
    if (isHolding) voice.say(markup.slice(0, end))
    else {
      onTrace?.({ type: 'leave', offset: markOffset, isQuote: isQuoting })
      finishClosed(markup.slice(0, end))
      if (!isCommitted && end > 0) voice.putMarkup(markup.slice(0, end), markOffset)
    }
    return payFor(markup.slice(end))
  }
  /** The mark was prose. Returns the text behind it, which is to be read again. */
  const rollBack = (): string => {
    const text = raw.take()
    if (isHolding) {
      // The thought never ended, so what was held is no thought.
      callsCount = true
      voice.leaveThought()
      return text
    }
    onTrace?.({ type: 'rollback', mark: markText, offset: markOffset })
    voice.say(markText)
    return payFor(text.slice(markText.length))
  }
  const giveUp = () => {
    cursor.at = Math.max(cursor.at, markOffset + maxHeldChars - cursor.base)
    keepRaw()
    const text = raw.take()
    voice.say(text)
    const message = `more than ${maxHeldChars} characters behind ${JSON.stringify(markText)} without a tool name`
    emit({ type: 'problem', problem: { code: 'held-limit', message }, raw: text, offset: markOffset })
  }
  const readAgain = (text: string) => {
    // Mostly what is read again is still at hand; a text put together anew each time would make this quadratic.
    if (text.length <= cursor.at) {
      cursor.at -= text.length
      return
    }
    cursor.base += cursor.at - text.length
    cursor.text = text + cursor.text.slice(cursor.at)
    cursor.at = 0
    // A mark stands before it.
    before.isLineBlank = false
    before.isTicked = false
  }

  /** The beginning of a text: true while it may still turn out to be a thought. */
  const isStillUnsure = (isLast: boolean): boolean => {
    const { at, mark } = findOutside(cursor.text, 0, isLast, before)
    if (at > MAX_UNSURE_CHARS) return false
    if (mark && 'turn' in mark && mark.turn === 'out') voice.think()
    return mark === undefined && !isLast
  }
  /** Lets the body read on. False where it needs more text. */
  const readMarkup = (current: Body, isLast: boolean): boolean => {
    const { text } = cursor
    const heldEnd = markOffset + maxHeldChars
    // As long as it is not clear that there is a call, the body does not see more than may be held.
    const room = isCommitted ? text.length : Math.max(cursor.at, Math.min(text.length, heldEnd - cursor.base))
    const seen = text.slice(0, room)
    cursor.text = seen
    cursor.isOver = isLast && room === text.length
    const step = current.next()
    keepRaw()
    flush()
    cursor.text = cursor.text === seen ? text : cursor.text + text.slice(room)
    const isFull = !isCommitted && cursor.base + cursor.text.length >= heldEnd
    if (!step.done && !isFull) return room < text.length
    body = undefined
    if (!step.done) giveUp()
    else readAgain(step.value === undefined ? rollBack() : leaveBody(step.value))
    return true
  }
  /** Gives out text up to a mark. False where there is none. */
  const readText = (isLast: boolean): boolean => {
    before.isBlank = voice.isBlank() && !voice.isThinking()
    const find = voice.isThinking() ? findInside : findOutside
    const { at, mark } = find(cursor.text, cursor.at, isLast, before)
    voice.say(cursor.text.slice(cursor.at, at))
    cursor.at = at
    if (!mark) return false
    if ('turn' in mark) {
      onTrace?.({ type: 'thought', turn: mark.turn, mark: mark.text, offset: offset() })
      voice.turn(mark, offset())
      cursor.at += mark.text.length
    } else begin(mark)
    return true
  }
  /** Reads a stretch of text to its end. */
  const read = (chunk: string, isLast: boolean) => {
    extend(cursor, chunk)
    if (isUnsure) isUnsure = isStillUnsure(isLast)
    if (isUnsure) return
    while (body ? readMarkup(body, isLast) : readText(isLast));
    const { text, at } = cursor
    if (hasLineMarks) before.isLineBlank = isBlankBefore(text, at, before.isLineBlank)
    if (at > 0) before.isTicked = text.charAt(at - 1) === '`'
  }

  return {
    feed: chunk => read(chunk, false),
    end(isCut = false) {
      cursor.isCut = isCut
      read('', true)
      voice.end()
    },
    // A mark that is also the beginning of a longer one waits for what follows.
    isInsideCall: () => body !== undefined || marks.some(mark => mark.text === cursor.text.slice(cursor.at)),
  }
}
