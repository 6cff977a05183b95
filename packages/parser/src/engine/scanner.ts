import { createCallRecorder } from './call-recorder.js'
import type { EmitEvent, OnTrace, Problem } from './events.js'
import type { CallOutput, CallReader, Mark, ToolShapes } from './grammar.js'
import { countsInReasoning } from './mark-strength.js'
import {
  createReasoningMarks,
  type ReasoningMark,
  type ReasoningOptions,
} from './reasoning-marks.js'
import { createSource } from './source.js'
import { createMarkFinder } from './text/find-mark.js'
import { advance, createLineContext } from './text/line-context.js'
import { readUntil } from './text/read-marks.js'
import { createTextOutput } from './text-output.js'

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

/** How much text may be held back by default: more than any argument needs. */
const DEFAULT_MAX_HELD_CHARS = 1_048_576

// A mark that opened no call is read again as text. Hostile text could make that happen at every
// mark, over and over the same characters. So there is a budget: this many characters at the start,
// and so many more for each character that arrived.
const FREE_RESCAN_CHARS = 65_536
const RESCANS_PER_CHAR = 8

/** The prompt may have opened the reasoning: its close mark is looked for in so many characters. */
const MAX_UNOPENED_REASONING_CHARS = 64

/** Markup that is being read: from an open mark to where its reader is done. */
interface OpenMarkup {
  readonly mark: string
  readonly reader: CallReader
  /** Where it begins. After a call in it, where that call ended. */
  offset: number
  /** What the reader has found. As long as it has found nothing, the mark may be prose. */
  outcome?: 'call' | 'text'
  /** It is inside reasoning, and is a call only if the reasoning never ends. */
  isHeld: boolean
}

/** Turns text into events: finds the marks of calls and of reasoning, and lets their readers read. */
export function createScanner(options: ScannerOptions) {
  const { marks, tools, maxHeldChars = DEFAULT_MAX_HELD_CHARS, thinking, emit, onTrace } = options
  if (!(maxHeldChars >= 1)) {
    throw new TypeError(
      `maxHeldChars is ${String(maxHeldChars)}; it must be a number of at least 1.`,
    )
  }
  const { outside, inside } = createReasoningMarks(thinking)
  const findInText = createLongestFinder([...outside, ...marks])
  const findInReasoning = createLongestFinder([...inside, ...marks.filter(countsInReasoning)])
  const reasoningEnds = inside.filter(mark => mark.direction === 'out').map(mark => mark.text)

  const source = createSource()
  const { cursor } = source
  const recorder = createCallRecorder({ tools, maxHeldChars, emit })
  const textOutput = createTextOutput(thinking, emit)
  /** The line before the cursor, outside of calls. */
  let lineContext = createLineContext()
  let markup: OpenMarkup | undefined
  let rescannedChars = 0
  /** The text has only begun, and may turn out to be reasoning that the prompt has opened. */
  let mayStartInReasoning =
    thinking.mode === 'parts' && !thinking.startsInReasoning && inside.length > 0
  /** A call inside reasoning is a call. Otherwise it is held until the reasoning ends. */
  let { callsInReasoningCount } = thinking

  /** Emits text in which no mark is looked for. */
  const emitPlainText = (text: string) => {
    textOutput.text(text)
    advance(lineContext, text)
  }

  const output: CallOutput = {
    maxHeldChars,
    tools,
    beginCall(writtenName) {
      recorder.emitEnded()
      textOutput.beforeCall()
      const offset = markup?.offset ?? 0
      if (markup) markup.outcome = 'call'
      onTrace?.({ type: 'commit', toolName: tools.forcedToolName ?? writtenName, offset })
      const writer = recorder.begin(writtenName)
      const problem = checkForcedName(tools, writtenName)
      if (problem) output.report(problem)
      return writer
    },
    emitMarkup() {
      textOutput.emitMarkup(source.takeRaw(), markup?.offset ?? 0)
      if (markup) markup.offset = source.offset()
    },
    emitText(text) {
      if (markup) markup.outcome = 'text'
      textOutput.text(text)
    },
    appendRaw: recorder.flush,
    rewind: source.rewindRaw,
    report(problem) {
      recorder.flush()
      const toolName = recorder.toolName()
      emit({ type: 'problem', problem, toolName, raw: '', offset: markup?.offset ?? 0 })
    },
    endCall(problem) {
      const hasEnded = recorder.end(problem, source.takeRaw, markup?.offset ?? 0)
      // The next call of the same markup begins here.
      if (hasEnded && markup) markup.offset = source.offset()
    },
  }

  /**
   * `<think>maybe <tool_call>|…` Waits for the end of the reasoning. If that never comes, it was a
   * call after all; but a truncated text would have gone on.
   */
  function* readHeld(mark: Mark): CallReader {
    const end = yield* readUntil(cursor, reasoningEnds, () => {})
    if (end || cursor.isTruncated || !markup) return end.length
    markup.isHeld = false
    callsInReasoningCount = true
    textOutput.leaveReasoning()
    output.rewind(source.offset() - markup.offset - mark.text.length)
    return yield* mark.read(cursor, output)
  }

  const beginMarkup = (mark: Mark) => {
    const isHeld = textOutput.isReasoning() && !callsInReasoningCount
    const offset = source.offset()
    onTrace?.({ type: isHeld ? 'hold' : 'mark', mark: mark.text, offset })
    source.beginRaw()
    cursor.at += mark.text.length
    const reader = isHeld ? readHeld(mark) : mark.read(cursor, output)
    markup = { mark: mark.text, reader, offset, isHeld }
  }

  /**
   * Ends markup whose reader is done. `unreadChars` of what it read last are read again; undefined
   * if the mark opened no call: then all after the mark is.
   */
  const finishMarkup = (ended: OpenMarkup, unreadChars: number | undefined) => {
    const text = recorder.endedRaw() + source.takeRaw()
    const end = unreadChars === undefined ? ended.mark.length : text.length - unreadChars
    const head = text.slice(0, end)
    if (unreadChars === undefined) {
      onTrace?.({ type: 'rollback', mark: ended.mark, offset: ended.offset })
      emitPlainText(head)
    } else if (ended.isHeld) emitPlainText(head)
    else emitMarkupEnd(ended, head)
    readAgain(text, end)
  }
  const emitMarkupEnd = ({ outcome, offset }: OpenMarkup, raw: string) => {
    onTrace?.({ type: 'leave', offset, isQuote: outcome === 'text' })
    recorder.emitEnded(raw)
    if (outcome) lineContext = { ...createLineContext(), isTextStart: outcome === 'call' }
    else if (raw) textOutput.emitMarkup(raw, offset)
  }
  /** Sets the cursor back to where a text is to be read again, as long as the budget lasts. */
  const readAgain = (text: string, from: number) => {
    rescannedChars += text.length - from
    const budget = FREE_RESCAN_CHARS + RESCANS_PER_CHAR * source.offset()
    if (rescannedChars <= budget) source.rewind(text, text.length - from)
    else emitPlainText(text.slice(from))
  }
  /** Gives up on a mark after which too much would have to be held back: it is all text. */
  const releaseHeld = ({ mark, offset }: OpenMarkup) => {
    cursor.at = Math.max(cursor.at, offset + maxHeldChars - cursor.windowOffset)
    const raw = source.takeRaw()
    emitPlainText(raw)
    const message = `more than ${maxHeldChars} characters after ${JSON.stringify(mark)} without a tool name`
    emit({ type: 'problem', problem: { code: 'held-limit', message }, raw, offset })
  }

  /** Lets the reader of the markup go on. Returns false if it needs more text. */
  const readMarkup = (current: OpenMarkup, isLast: boolean): boolean => {
    const heldEnd = current.offset + maxHeldChars
    // As long as there may be no call, the reader sees no more than may be held back.
    const hidden = current.outcome ? '' : source.hideAfter(heldEnd)
    cursor.isFinal = isLast && hidden === ''
    const step = current.reader.next()
    recorder.flush()
    if (hidden) source.show(hidden)
    const isFull = !current.outcome && cursor.windowOffset + cursor.text.length >= heldEnd
    if (!step.done && !isFull) return hidden !== ''
    markup = undefined
    if (step.done) finishMarkup(current, step.value)
    else releaseHeld(current)
    return true
  }

  /** Emits text up to a mark. Returns false if there is none. */
  const readText = (isLast: boolean): boolean => {
    lineContext.isTextStart &&= !textOutput.isReasoning()
    const find = textOutput.isReasoning() ? findInReasoning : findInText
    const { at, mark } = find(cursor.text, cursor.at, isLast, lineContext)
    textOutput.text(cursor.text.slice(cursor.at, at))
    cursor.at = at
    if (!mark) return false
    if ('direction' in mark) switchReasoning(mark)
    else beginMarkup(mark)
    return true
  }
  const switchReasoning = (mark: ReasoningMark) => {
    const offset = source.offset()
    onTrace?.({ type: 'thought', turn: mark.direction, mark: mark.text, offset })
    textOutput.switchReasoning(mark, offset)
    lineContext = createLineContext()
    cursor.at += mark.text.length
  }
  /** `Hm.</think>Hello`: the prompt may have opened the reasoning. False as long as that can be. */
  const knowsHowItStarts = (isLast: boolean): boolean => {
    const { at, mark } = findInText(cursor.text, 0, isLast, { ...lineContext })
    const isNear = at <= MAX_UNOPENED_REASONING_CHARS
    if (isNear && !mark && !isLast) return false
    if (isNear && mark && 'direction' in mark && mark.direction === 'out') {
      textOutput.enterReasoning()
    }
    return true
  }
  const read = (chunk: string, isLast: boolean) => {
    source.append(chunk, markup !== undefined)
    if (mayStartInReasoning) mayStartInReasoning = !knowsHowItStarts(isLast)
    if (mayStartInReasoning) return
    let hasMore = true
    while (hasMore) hasMore = markup ? readMarkup(markup, isLast) : readText(isLast)
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
      markup !== undefined || marks.some(mark => mark.text === cursor.text.slice(cursor.at)),
  }
}

/** Finds the longest mark at a place, so that `<get_all` is not mistaken for `<get`. */
function createLongestFinder(marks: (Mark | ReasoningMark)[]) {
  return createMarkFinder(marks.sort((left, right) => right.text.length - left.text.length))
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
