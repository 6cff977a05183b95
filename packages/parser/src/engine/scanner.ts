import { type ArgumentWriter, createArgumentWriter } from './argument-writer.js'
import type { CallEndEvent, EmitEvent, OnTrace, Problem } from './events.js'
import type { CallOutput, CallReader, Mark, ToolShapes } from './grammar.js'
import {
  createReasoningMarks,
  type ReasoningMark,
  type ReasoningOptions,
} from './reasoning-marks.js'
import { appendChunk, createCursor } from './text/cursor.js'
import { createMarkFinder } from './text/find-mark.js'
import { advance, createLineContext } from './text/line-context.js'
import { readUntil } from './text/read-marks.js'
import { createTextCollector } from './text/text-collector.js'
import { createTextOutput } from './text-output.js'
import { isJson } from './values/scalar.js'

/**
 * Turns text into events. Whole text is one chunk and then `end`: there is no second way to parse.
 */
export type Scanner = ReturnType<typeof createScanner>

export interface ScannerOptions {
  readonly marks: readonly Mark[]
  readonly tools: ToolShapes
  /** How much text may be held back while it is not clear what it is. */
  readonly maxHeldChars?: number | undefined
  readonly thinking: ReasoningOptions
  readonly emit: EmitEvent
  readonly onTrace?: OnTrace | undefined
}

/** A million characters: more than any argument that must be held, less than what hurts. */
const DEFAULT_MAX_HELD_CHARS = 1_048_576

// A mark that turns out to be prose is read again as text. Hostile text could make that happen at
// every mark, over and over the same characters; so reading again is paid for: this much at the
// start, and so many characters for each one that came.
const FREE_RESCAN_CHARS = 65_536
const RESCANS_PER_CHAR = 8

/**
 * A thought whose opening mark is the prompt's is known by its end, if that comes within so many
 * characters.
 */
const MAX_UNSURE_CHARS = 64

export function createScanner(options: ScannerOptions) {
  const { marks, tools, maxHeldChars = DEFAULT_MAX_HELD_CHARS, thinking, emit, onTrace } = options
  if (!(maxHeldChars >= 1)) {
    throw new TypeError(
      `maxHeldChars is ${String(maxHeldChars)}; it must be a number of at least 1.`,
    )
  }
  const { outside, inside } = createReasoningMarks(thinking)
  // Longest first, so that `<get_all` is not taken for `<get`.
  const createFinder = (all: (Mark | ReasoningMark)[]) =>
    createMarkFinder(all.sort((left, right) => right.text.length - left.text.length))
  const findInText = createFinder([...outside, ...marks])
  // A brace or a word is too little to tell a call from a thought about one.
  const findInReasoning = createFinder([
    ...inside,
    ...marks.filter(mark => mark.text.length > 4 && !mark.opensNoCall),
  ])
  /**
   * The text, from the beginning of a mark on that may stand at its end, or from where a body
   * stands.
   */
  const cursor = createCursor()
  let rescannedChars = 0
  /** What stands before the cursor, outside of calls. */
  let lineContext = createLineContext()

  const textOutput = createTextOutput(thinking, emit)
  /** The text has only begun, and may still turn out to be a thought. */
  let mayStartInReasoning =
    thinking.mode === 'parts' && !thinking.startsInReasoning && inside.length > 0
  /** A call among thoughts counts only if these never end: until then it is held. */
  let callsInReasoningCount = thinking.callsInReasoningCount
  /** The grammar that reads the text behind a mark. */
  let reader: CallReader | undefined
  let isHolding = false
  let markText = ''
  let markOffset = 0
  /** What it has found: a call, or text that is only shown. Until then the mark may be prose. */
  let outcome: 'call' | 'quote' | undefined
  /**
   * The text behind the last call, or from the mark on, as it was; and up to where it is in there.
   */
  const raw = createTextCollector()
  let rawOffset = 0
  /** The call being written. */
  let writer: ArgumentWriter | undefined
  let toolName = ''
  const input = createTextCollector()
  /** A call whose arguments are over, and which gets what markup still follows it. */
  let endedCall: CallEndEvent | undefined

  /** Gives out what is written of the call. */
  const flush = (more = '') => {
    const delta = (writer?.take() ?? '') + more
    if (delta === '') return
    input.push(delta)
    emit({ type: 'call-delta', delta })
  }
  /** Gives out text in which no mark is looked for. */
  const emitPlainText = (text: string) => {
    textOutput.text(text)
    advance(lineContext, text)
  }
  const offset = () => cursor.windowOffset + cursor.at
  const keepRaw = () => {
    raw.push(cursor.text.slice(rawOffset - cursor.windowOffset, cursor.at))
    rawOffset = offset()
  }
  const takeRaw = () => {
    keepRaw()
    return raw.take()
  }

  const output: CallOutput = {
    maxHeldChars,
    tools,
    beginCall(written) {
      if (endedCall) emit(endedCall)
      endedCall = undefined
      textOutput.beforeCall()
      outcome = 'call'
      toolName = tools.forcedToolName ?? written
      onTrace?.({ type: 'commit', toolName, offset: markOffset })
      writer = createArgumentWriter(tools.shapeOf(written), maxHeldChars)
      emit({ type: 'call-start', toolName })
      const wrong = checkForcedName(tools, written)
      if (wrong) output.report(wrong)
      return writer
    },
    emitMarkup() {
      textOutput.emitMarkup(takeRaw(), markOffset)
      markOffset = offset()
    },
    emitText(text) {
      outcome = 'quote'
      textOutput.text(text)
    },
    appendRaw: flush,
    rewind(chars) {
      const text = takeRaw()
      rewindTo(text, chars)
      raw.push(text.slice(0, text.length - chars))
      rawOffset = offset()
    },
    report(problem) {
      flush()
      emit({ type: 'problem', problem, toolName, raw: '', offset: markOffset })
    },
    endCall(problem) {
      if (!writer) return
      flush()
      const problemFound = problem ?? writer.error()
      writer = undefined
      // What must not run must not look whole.
      let whole = input.take()
      if (problemFound && (whole.trim() === '' || isJson(whole))) {
        // The SDK takes an empty input for an empty object.
        flush(whole.trim() === '' ? '{' : ' (malformed)')
        whole += input.take()
      }
      endedCall = {
        type: 'call-end',
        toolName,
        input: whole,
        raw: takeRaw(),
        offset: markOffset,
        problem: problemFound,
      }
      // The next call of the same markup begins here.
      markOffset = offset()
    },
  }

  const thoughtEnds = inside.filter(mark => mark.direction === 'out').map(mark => mark.text)
  /** Behind a mark in a thought that may never end; but one that was stopped would have gone on. */
  function* readHeld(mark: Mark): CallReader {
    const end = yield* readUntil(cursor, thoughtEnds, () => {})
    if (end || cursor.isTruncated) return end.length
    isHolding = false
    callsInReasoningCount = true
    textOutput.leaveReasoning()
    output.rewind(offset() - markOffset - markText.length)
    return yield* mark.read(cursor, output)
  }
  const begin = (mark: Mark) => {
    isHolding = textOutput.isReasoning() && !callsInReasoningCount
    onTrace?.({ type: isHolding ? 'hold' : 'mark', mark: mark.text, offset: offset() })
    markText = mark.text
    markOffset = offset()
    rawOffset = markOffset
    cursor.at += markText.length
    reader = isHolding ? readHeld(mark) : mark.read(cursor, output)
    outcome = undefined
  }

  /** Sets the cursor back by so many characters of a text that stands right before it. */
  const rewindTo = (text: string, chars: number) => {
    // Mostly they are still at hand; a text put together anew each time would make this quadratic.
    if (chars > cursor.at) {
      cursor.windowOffset = offset() - text.length
      cursor.text = text + cursor.text.slice(cursor.at)
      cursor.at = text.length
    }
    cursor.at -= chars
  }
  /**
   * Behind a body that is done. So many of the characters that it read last are to be read again,
   * or all behind a mark that was prose; what is not paid for is given out unread.
   */
  const finishMarkup = (unreadChars: number | undefined) => {
    const text = (endedCall?.raw ?? '') + takeRaw()
    const end = unreadChars === undefined ? markText.length : text.length - unreadChars
    const head = text.slice(0, end)
    if (unreadChars === undefined) {
      onTrace?.({ type: 'rollback', mark: markText, offset: markOffset })
      emitPlainText(head)
    } else if (isHolding) emitPlainText(head)
    else {
      onTrace?.({ type: 'leave', offset: markOffset, isQuote: outcome === 'quote' })
      if (endedCall) emit({ ...endedCall, raw: head })
      endedCall = undefined
      if (outcome) lineContext = { ...createLineContext(), isTextStart: outcome === 'call' }
      else if (head) textOutput.emitMarkup(head, markOffset)
    }
    rescannedChars += text.length - end
    if (rescannedChars <= FREE_RESCAN_CHARS + RESCANS_PER_CHAR * offset())
      rewindTo(text, text.length - end)
    else emitPlainText(text.slice(end))
  }
  const releaseHeld = () => {
    cursor.at = Math.max(cursor.at, markOffset + maxHeldChars - cursor.windowOffset)
    const text = takeRaw()
    emitPlainText(text)
    const message = `more than ${maxHeldChars} characters behind ${JSON.stringify(markText)} without a tool name`
    emit({
      type: 'problem',
      problem: { code: 'held-limit', message },
      raw: text,
      offset: markOffset,
    })
  }

  /** Lets the body read on. False where it needs more text. */
  const readMarkup = (current: CallReader, isLast: boolean): boolean => {
    const { text } = cursor
    const heldEnd = markOffset + maxHeldChars
    // As long as it is not clear that there is a call, the body does not see more than may be held.
    const room = outcome ? text.length : Math.max(cursor.at, heldEnd - cursor.windowOffset)
    const seen = text.slice(0, room)
    cursor.text = seen
    cursor.isFinal = isLast && seen.length === text.length
    const step = current.next()
    flush()
    cursor.text = cursor.text === seen ? text : cursor.text + text.slice(room)
    const isFull = !outcome && cursor.windowOffset + cursor.text.length >= heldEnd
    if (!step.done && !isFull) return seen.length < text.length
    reader = undefined
    if (step.done) finishMarkup(step.value)
    else releaseHeld()
    return true
  }
  /** Gives out text up to a mark. False where there is none. */
  const readText = (isLast: boolean): boolean => {
    lineContext.isTextStart &&= !textOutput.isReasoning()
    const find = textOutput.isReasoning() ? findInReasoning : findInText
    const { at, mark } = find(cursor.text, cursor.at, isLast, lineContext)
    textOutput.text(cursor.text.slice(cursor.at, at))
    cursor.at = at
    if (!mark) return false
    if ('direction' in mark) {
      onTrace?.({ type: 'thought', turn: mark.direction, mark: mark.text, offset: offset() })
      textOutput.switchReasoning(mark, offset())
      lineContext = createLineContext()
      cursor.at += mark.text.length
    } else begin(mark)
    return true
  }
  /** Reads a stretch of text to its end. */
  const read = (chunk: string, isLast: boolean) => {
    if (reader) keepRaw()
    appendChunk(cursor, chunk)
    if (mayStartInReasoning) {
      const { at, mark } = findInText(cursor.text, 0, isLast, { ...lineContext })
      mayStartInReasoning = at <= MAX_UNSURE_CHARS && !mark && !isLast
      if (mayStartInReasoning) return
      if (at <= MAX_UNSURE_CHARS && mark && 'direction' in mark && mark.direction === 'out')
        textOutput.enterReasoning()
    }
    while (reader ? readMarkup(reader, isLast) : readText(isLast));
  }

  return {
    feed: (chunk: string) => read(chunk, false),
    /**
     * No more text comes. `isCut`: the model was stopped by a limit, so a call that lacks its end
     * is not made whole.
     */
    end(isCut = false): void {
      cursor.isTruncated = isCut
      read('', true)
      textOutput.end()
    },
    /**
     * True while a call is being read or may have begun: only then does `isCut` make a difference.
     * A mark that is also the beginning of a longer one waits for what follows.
     */
    isInsideCall: () =>
      reader !== undefined || marks.some(mark => mark.text === cursor.text.slice(cursor.at)),
  }
}

/** What is wrong with the name in the answer to a forced tool choice, if anything is. */
function checkForcedName(tools: ToolShapes, written: string): Problem | undefined {
  const { forcedToolName, isForced } = tools
  const name = JSON.stringify(written)
  if (forcedToolName !== undefined) {
    if (written === forcedToolName) return undefined
    return {
      code: 'forced-name',
      message: `expected a call of ${JSON.stringify(forcedToolName)}, found one of ${name}`,
    }
  }
  const isKnown = tools.names().length === 0 || tools.has(written)
  if (!isForced || isKnown) return undefined
  return {
    code: 'unknown-tool',
    message: `a tool call was required, and ${name} is not one of the tools`,
  }
}
