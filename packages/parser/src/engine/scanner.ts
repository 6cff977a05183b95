import { type CallRecorder, createCallRecorder } from './call-recorder.js'
import { type EmitEvent, malformed, type OnTrace, type Problem } from './events.js'
import type { CallOutput, CallReader, Mark, ToolShapes } from './grammar.js'
import { countsInReasoning } from './mark-strength.js'
import {
  createReasoningMarks,
  type ReasoningMark,
  type ReasoningOptions,
} from './reasoning-marks.js'
import type { Tolerance } from './repairs.js'
import { createSource, type Source } from './source.js'
import { createMarkFinder, type FindMark } from './text/find-mark.js'
import { advance, createLineContext, type LineContext } from './text/line-context.js'
import { readUntil } from './text/read-marks.js'
import { createTextOutput, type TextOutput } from './text-output.js'

export interface ScannerOptions {
  readonly marks: readonly Mark[]
  readonly tools: ToolShapes
  /** How much text may be held back while it is not clear what it is. */
  readonly maxHeldChars?: number | undefined
  /** Which repairs make a call invalid. Default: none. */
  readonly tolerance?: Tolerance | undefined
  readonly thinking: ReasoningOptions
  readonly emit: EmitEvent
  readonly onTrace?: OnTrace | undefined
}

/** Turns text into events. Whole text is one chunk and then `end`: there is no second parser. */
export interface Scanner {
  /** Reads the next piece of the text, and emits all events that it decides. */
  feed(chunk: string): void
  /**
   * No more text comes. `isCut`: the model was stopped by a limit, so a call that lacks its end is
   * not completed.
   */
  end(isCut?: boolean): void
  /**
   * True while a call is being read or may have begun: only then does `isCut` make a difference. A
   * mark that is also the beginning of a longer one waits for what follows.
   */
  isInsideCall(): boolean
}

/** How much text may be held back by default: more than any argument needs. */
const DEFAULT_MAX_HELD_CHARS = 1_048_576

// A mark that opened no call is read again as text. Hostile text could make that happen at every
// mark, over and over the same characters. So there is a budget: this many characters at the start,
// and so many more for each character that arrived.
const FREE_RESCAN_CHARS = 65_536
const RESCANS_PER_CHAR = 8

/** `Hm.</think>` The prompt may have opened the reasoning: so far its end is looked for (decision 33). */
const MAX_UNOPENED_REASONING_CHARS = 64

/** Markup that is being read: from an open mark to where its reader is done. */
interface OpenMarkup {
  readonly mark: string
  /** The marks that end a call. */
  readonly ends: readonly string[]
  readonly reader: CallReader
  /** Where it begins. After a call in it, where that call ended. */
  offset: number
  /** What the reader has found. As long as it has found nothing, the mark may be prose. */
  outcome?: 'call' | 'text'
  /** It is inside reasoning, and is a call only if the reasoning never ends. */
  isHeld: boolean
}

type AnyMark = Mark | ReasoningMark

/** A text that is being scanned. */
interface Scan {
  readonly tools: ToolShapes
  readonly maxHeldChars: number
  readonly emit: EmitEvent
  readonly onTrace: OnTrace | undefined
  readonly findInText: FindMark<AnyMark>
  readonly findInReasoning: FindMark<AnyMark>
  /** The marks that end reasoning. */
  readonly reasoningEnds: readonly string[]
  readonly source: Source
  readonly recorder: CallRecorder
  readonly textOutput: TextOutput
  /** The line before the cursor, outside of calls. */
  lineContext: LineContext
  /** The markup that is being read; undefined in text. */
  markup: OpenMarkup | undefined
  rescannedChars: number
  /** The text has only begun, and may turn out to be reasoning that the prompt has opened. */
  mayStartInReasoning: boolean
  /** A call inside reasoning is a call. Otherwise it is held until the reasoning ends. */
  callsInReasoningCount: boolean
}

/** Makes a scanner, which finds the marks of calls and of reasoning and lets their readers read. */
export function createScanner(options: ScannerOptions): Scanner {
  const { marks } = options
  const scan = createScan(options)
  const output = createCallOutput(scan)
  const { cursor } = scan.source

  const read = (chunk: string, isLast: boolean) => {
    scan.source.append(chunk, scan.markup !== undefined)
    if (scan.mayStartInReasoning) scan.mayStartInReasoning = !decideStart(scan, isLast)
    if (scan.mayStartInReasoning) return
    let hasMore = true
    while (hasMore) {
      hasMore = scan.markup ? readMarkup(scan, scan.markup, isLast) : readText(scan, output, isLast)
    }
  }

  return {
    feed: chunk => read(chunk, false),
    end(isCut = false) {
      cursor.isTruncated = isCut
      read('', true)
      scan.textOutput.end()
    },
    isInsideCall: () =>
      scan.markup !== undefined || marks.some(mark => mark.text === cursor.text.slice(cursor.at)),
  }
}

function createScan(options: ScannerOptions): Scan {
  const { marks, tools, maxHeldChars = DEFAULT_MAX_HELD_CHARS, tolerance } = options
  const { thinking, emit, onTrace } = options
  if (!(maxHeldChars >= 1)) {
    throw new TypeError(
      `maxHeldChars is ${String(maxHeldChars)}; it must be a number of at least 1.`,
    )
  }
  const { outside, inside } = createReasoningMarks(thinking)
  const source = createSource()
  const recorder = createCallRecorder({
    tools,
    maxHeldChars,
    tolerance,
    offset: source.offset,
    explainCut: (problem, raw) => explainCut(problem, raw, scan),
    emit,
  })
  source.cursor.onRepair = recorder.note
  const mayBeOpened = thinking.mode === 'parts' && !thinking.startsInReasoning
  const scan: Scan = {
    tools,
    maxHeldChars,
    emit,
    onTrace,
    findInText: createLongestFinder([...outside, ...marks]),
    findInReasoning: createLongestFinder([...inside, ...marks.filter(countsInReasoning)]),
    reasoningEnds: inside.filter(mark => mark.direction === 'out').map(mark => mark.text),
    source,
    recorder,
    textOutput: createTextOutput(thinking, emit),
    lineContext: createLineContext(),
    markup: undefined,
    rescannedChars: 0,
    mayStartInReasoning: mayBeOpened && inside.length > 0,
    callsInReasoningCount: thinking.callsInReasoningCount,
  }
  return scan
}

/**
 * `{"city": "Paris}}</tool_call>|` The call was not cut: its end mark is inside a text whose quote is
 * missing (decision 76).
 */
function explainCut(problem: Problem, raw: string, { source, markup }: Scan): Problem {
  if (problem.code !== 'cut-call' || source.cursor.isTruncated) return problem
  const end = markup?.ends.find(mark => raw.includes(mark))
  if (end === undefined) return problem
  return malformed(`expected the end of a text or of a bracket, found \`${end}\``)
}

/** Finds the longest mark at a place, so that `<get_all` is not mistaken for `<get`. */
function createLongestFinder(marks: AnyMark[]): FindMark<AnyMark> {
  return createMarkFinder(marks.sort((left, right) => right.text.length - left.text.length))
}

/** What the readers of markup may do. */
function createCallOutput(scan: Scan): CallOutput {
  const { tools, maxHeldChars, source, recorder, textOutput, emit } = scan
  const markupOffset = () => scan.markup?.offset ?? 0
  const report = (problem: Problem) => {
    recorder.flush()
    emit({
      type: 'problem',
      problem,
      toolName: recorder.toolName(),
      raw: '',
      offset: markupOffset(),
    })
  }
  return {
    maxHeldChars,
    tools,
    beginCall(writtenName) {
      recorder.emitEnded()
      textOutput.beforeCall()
      if (scan.markup) scan.markup.outcome = 'call'
      const toolName = tools.forcedToolName ?? writtenName
      scan.onTrace?.({ type: 'commit', toolName, offset: markupOffset() })
      const writer = recorder.begin(writtenName)
      const problem = checkForcedName(tools, writtenName)
      if (problem) report(problem)
      return writer
    },
    emitMarkup() {
      textOutput.emitMarkup(source.takeRaw(), markupOffset())
      if (scan.markup) scan.markup.offset = source.offset()
    },
    emitText(text) {
      if (scan.markup) scan.markup.outcome = 'text'
      textOutput.text(text)
    },
    appendRaw: recorder.flush,
    rewind: source.rewindRaw,
    report,
    reportText(problem, raw) {
      emit({ type: 'problem', problem, raw, offset: markupOffset() })
    },
    get isAfterCall() {
      return recorder.hasCalled() && scan.lineContext.isTextStart
    },
    endCall(problem) {
      const hasEnded = recorder.end(problem, source.takeRaw, markupOffset())
      // `{…}|, {…}`: the next call of the same markup begins here.
      if (hasEnded && scan.markup) scan.markup.offset = source.offset()
    },
  }
}

/** What is wrong with the name in the answer to a forced tool choice; undefined if nothing is. */
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

/**
 * `Hm.</think>Hello` The prompt may have opened the reasoning. Returns false as long as it is not
 * clear how the text starts.
 */
function decideStart(scan: Scan, isLast: boolean): boolean {
  const { cursor } = scan.source
  const { at, mark } = scan.findInText(cursor.text, 0, isLast, { ...scan.lineContext })
  if (at > MAX_UNOPENED_REASONING_CHARS) return true
  if (!mark && !isLast) return false
  const isReasoningEnd = mark && 'direction' in mark && mark.direction === 'out'
  if (isReasoningEnd) scan.textOutput.enterReasoning()
  return true
}

/** Emits text up to a mark. Returns false if there is none. */
function readText(scan: Scan, output: CallOutput, isLast: boolean): boolean {
  const { textOutput, lineContext } = scan
  const { cursor } = scan.source
  const isReasoning = textOutput.isReasoning()
  // `<think>|{`: reasoning is text, so nothing in it is at the start of the text.
  if (isReasoning) lineContext.isTextStart = false
  const find = isReasoning ? scan.findInReasoning : scan.findInText
  const { at, mark } = find(cursor.text, cursor.at, isLast, lineContext)
  textOutput.text(cursor.text.slice(cursor.at, at))
  cursor.at = at
  if (!mark) return false
  if ('direction' in mark) switchReasoning(scan, mark)
  else beginMarkup(scan, output, mark)
  return true
}

/** `|<think>` `|</think>` */
function switchReasoning(scan: Scan, mark: ReasoningMark): void {
  const { source, textOutput } = scan
  const offset = source.offset()
  scan.onTrace?.({ type: 'thought', turn: mark.direction, mark: mark.text, offset })
  textOutput.switchReasoning(mark, offset)
  scan.lineContext = createLineContext()
  source.cursor.at += mark.text.length
}

/** `|<tool_call>` */
function beginMarkup(scan: Scan, output: CallOutput, mark: Mark): void {
  const { source } = scan
  const isHeld = scan.textOutput.isReasoning() && !scan.callsInReasoningCount
  const offset = source.offset()
  scan.onTrace?.({ type: isHeld ? 'hold' : 'mark', mark: mark.text, offset })
  scan.recorder.forgetRepairs()
  source.beginRaw()
  source.cursor.at += mark.text.length
  const reader = isHeld ? readHeld(scan, output, mark) : mark.read(source.cursor, output)
  scan.markup = { mark: mark.text, ends: mark.ends ?? [], reader, offset, isHeld }
}

/**
 * `<think>maybe <tool_call>|…` Waits for the end of the reasoning. If that never comes, it was a
 * call after all; but a truncated text would have gone on (decision 32).
 */
function* readHeld(scan: Scan, output: CallOutput, mark: Mark): CallReader {
  const { cursor, offset } = scan.source
  const end = yield* readUntil(cursor, scan.reasoningEnds, () => {})
  const { markup } = scan
  if (end || cursor.isTruncated || !markup) return end.length
  markup.isHeld = false
  scan.callsInReasoningCount = true
  scan.textOutput.leaveReasoning()
  output.rewind(offset() - markup.offset - mark.text.length)
  return yield* mark.read(cursor, output)
}

/** Lets the reader of the markup go on. Returns false if it needs more text. */
function readMarkup(scan: Scan, current: OpenMarkup, isLast: boolean): boolean {
  const { source, recorder } = scan
  const { cursor } = source
  const heldEnd = current.offset + scan.maxHeldChars
  // As long as there may be no call, the reader sees no more than may be held back.
  const hidden = current.outcome ? '' : source.hideAfter(heldEnd)
  cursor.isFinal = isLast && hidden === ''
  const step = current.reader.next()
  recorder.flush()
  if (hidden) source.show(hidden)
  const isFull = !current.outcome && cursor.windowOffset + cursor.text.length >= heldEnd
  if (!step.done && !isFull) return hidden !== ''
  scan.markup = undefined
  if (step.done) finishMarkup(scan, current, step.value)
  else releaseHeld(scan, current)
  return true
}

/**
 * Ends markup whose reader is done. The last `unreadChars` of it are read again. Undefined: the
 * mark opened no call, and all text after it is read again.
 */
function finishMarkup(scan: Scan, ended: OpenMarkup, unreadChars: number | undefined): void {
  const text = scan.recorder.endedRaw() + scan.source.takeRaw()
  // "```json {…} ```": after the rewind to a shorter mark, only "```" has been read.
  const markEnd = Math.min(ended.mark.length, text.length)
  const end = unreadChars === undefined ? markEnd : text.length - unreadChars
  const head = text.slice(0, end)
  if (unreadChars === undefined) {
    scan.onTrace?.({ type: 'rollback', mark: ended.mark, offset: ended.offset })
    emitPlainText(scan, head)
  } else if (ended.isHeld) emitPlainText(scan, head)
  else emitMarkupEnd(scan, ended, head)
  readAgain(scan, text, end)
}

function emitMarkupEnd(scan: Scan, { outcome, offset }: OpenMarkup, raw: string): void {
  scan.onTrace?.({ type: 'leave', offset, isQuote: outcome === 'text' })
  scan.recorder.emitEnded(raw)
  if (outcome) scan.lineContext = { ...createLineContext(), isTextStart: outcome === 'call' }
  else if (raw) scan.textOutput.emitMarkup(raw, offset)
}

/** Sets the cursor back to where a text is to be read again, as long as the budget lasts. */
function readAgain(scan: Scan, text: string, from: number): void {
  scan.rescannedChars += text.length - from
  const budget = FREE_RESCAN_CHARS + RESCANS_PER_CHAR * scan.source.offset()
  if (scan.rescannedChars <= budget) scan.source.rewind(text, text.length - from)
  else emitPlainText(scan, text.slice(from))
}

/** Gives up on a mark after which too much would have to be held back: it is all text. */
function releaseHeld(scan: Scan, { mark, offset }: OpenMarkup): void {
  const { maxHeldChars, source } = scan
  const { cursor } = source
  cursor.at = Math.max(cursor.at, offset + maxHeldChars - cursor.windowOffset)
  const raw = source.takeRaw()
  emitPlainText(scan, raw)
  const message = `more than ${maxHeldChars} characters after ${JSON.stringify(mark)} without a tool name`
  scan.emit({ type: 'problem', problem: { code: 'held-limit', message }, raw, offset })
}

/** Emits text in which no mark is looked for. Text around a call is kept (decision 24). */
function emitPlainText(scan: Scan, text: string): void {
  scan.textOutput.text(text)
  advance(scan.lineContext, text)
}
