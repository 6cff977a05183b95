import { type CallRecorder, createCallRecorder } from './call-recorder.js'
import { type EmitEvent, malformed, type OnTrace, type Problem } from './events.js'
import type { CallOutput, CallReader, Mark, ToolShapes } from './grammar.js'
import { countsInReasoning } from './mark-strength.js'
import {
  isInCode,
  lineBreak,
  passCall,
  type ReasoningEndSearch,
  readToReasoningEnd,
} from './reasoning-end.js'
import {
  createReasoningMarks,
  type ReasoningMark,
  type ReasoningOptions,
} from './reasoning-marks.js'
import type { Tolerance } from './repairs.js'
import { createSource, type Source } from './source.js'
import type { Reading } from './text/cursor.js'
import { createMarkFinder, type FindMark, type MarkRule } from './text/find-mark.js'
import {
  advance,
  createContextAfter,
  createLineContext,
  type LineContext,
} from './text/line-context.js'
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
  /** It is no markup of calls, but an open mark of reasoning inside a line, or in code. */
  readonly openMark?: OpenMark | undefined
}

/** An open mark of reasoning that a text may also mention. */
interface OpenMark {
  readonly mark: ReasoningMark
  /** What comes before it. */
  readonly context: LineContext
  /** What it turned out to be. As long as that is not known, it is not closed. */
  meaning: OpenMarkMeaning
}

type OpenMarkMeaning =
  /** "`<think>`": it is text, and so is what follows. */
  | 'quoted'
  /** "```⏎<think>a</think>": all up to the close mark is text. */
  | 'quoted-reasoning'
  /** `Sure. <think>hm</think>` */
  | 'reasoning'
  /** `Use <think> to reason.` */
  | 'unclosed'

type AnyMark = Mark | ReasoningMark

/** A text that is being scanned. */
interface Scan {
  readonly tools: ToolShapes
  readonly maxHeldChars: number
  readonly emit: EmitEvent
  readonly onTrace: OnTrace | undefined
  readonly findInText: FindMark<AnyMark>
  readonly findInReasoning: FindMark<AnyMark>
  /** Finds what may follow `Use <think>| to reason`. */
  readonly findInUnclosed: FindMark<AnyMark>
  readonly endSearch: ReasoningEndSearch
  /** Reasoning is emitted as such. */
  readonly splitsReasoning: boolean
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
  /** Up to here no close mark was found, so no open mark before it has one. */
  unclosedUntil: number
  /** The code block in which no close mark was found. */
  unclosedBlock: number
  /** `Sure. <think>hm|</think>` Where the close mark is that the open mark inside a line has. */
  reasoningEnd: number
  /** `Sure. <think>|` The reasoning began inside a line. */
  hasOpenedInLine: boolean
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
  const splitsReasoning = thinking.mode === 'parts'
  const mayBeOpened = splitsReasoning && !thinking.startsInReasoning
  const closes = inside.filter(mark => mark.direction === 'out')
  const scan: Scan = {
    tools,
    maxHeldChars,
    emit,
    onTrace,
    findInText: createLongestFinder(() => [...outside, ...marks]),
    findInReasoning: createLongestFinder(() => [...inside, ...marks.filter(countsInReasoning)]),
    findInUnclosed: createLongestFinder(() => [...inside.map(asQuotable), ...marks]),
    endSearch: {
      cursor: source.cursor,
      tools,
      maxHeldChars,
      find: createLongestFinder(() => [
        ...closes,
        ...marks.filter(mark => !mark.opensNoCall),
        lineBreak,
      ]),
      rewind: source.rewindRaw,
      mayReadAgain: chars => takeRescanBudget(scan, chars),
    },
    splitsReasoning,
    reasoningEnds: closes.map(mark => mark.text),
    source,
    recorder,
    textOutput: createTextOutput(thinking, emit),
    lineContext: createLineContext(),
    markup: undefined,
    rescannedChars: 0,
    mayStartInReasoning: mayBeOpened && inside.length > 0,
    callsInReasoningCount: thinking.callsInReasoningCount,
    unclosedUntil: 0,
    unclosedBlock: 0,
    reasoningEnd: 0,
    hasOpenedInLine: false,
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

/** "Use <think> and `|</think>`" */
const asQuotable = (mark: ReasoningMark): ReasoningMark => ({
  ...mark,
  notInInlineCode: true,
  notInCodeBlock: true,
})

/**
 * Finds the longest mark at a place, so that `<get_all` is not mistaken for `<get`. Prepared when it is
 * first needed: most answers have no reasoning.
 */
function createLongestFinder<Found extends MarkRule>(getMarks: () => Found[]): FindMark<Found> {
  let find: FindMark<Found> | undefined
  return (text, from, isLast, context) => {
    find ??= createMarkFinder(
      getMarks().sort((left, right) => right.text.length - left.text.length),
    )
    return find(text, from, isLast, context)
  }
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
    mayReadAgain: chars => takeRescanBudget(scan, chars),
    report,
    reportText(problem, raw) {
      emit({ type: 'problem', problem, raw, offset: markupOffset() })
    },
    get isTextStart() {
      return scan.lineContext.isTextStart
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
  const { at, mark } = finderFor(scan)(cursor.text, cursor.at, isLast, lineContext)
  textOutput.text(cursor.text.slice(cursor.at, at))
  cursor.at = at
  if (!mark) return false
  if (!('direction' in mark)) beginMarkup(scan, output, mark)
  else if (isMention(scan, mark)) beginOpenMark(scan, mark)
  else if (isQuotedEnd(scan, mark)) passMark(scan, mark)
  else switchReasoning(scan, mark)
  return true
}

function finderFor(scan: Scan): FindMark<AnyMark> {
  if (!scan.textOutput.isReasoning()) return scan.findInText
  return scan.textOutput.isUnclosed() ? scan.findInUnclosed : scan.findInReasoning
}

/** "Sure. <think>the tag `|</think>` ends it</think>" */
const isQuotedEnd = ({ source, reasoningEnd }: Scan, { direction }: ReasoningMark) =>
  direction === 'out' && source.offset() < reasoningEnd

/** Emits a mark that is only mentioned. */
function passMark({ source, textOutput, lineContext }: Scan, { text }: ReasoningMark): void {
  textOutput.text(text)
  advance(lineContext, text)
  source.cursor.at += text.length
}

/** `Use |<think> to reason` An open mark inside a line, or in a code block, may be part of the text. */
function isMention({ textOutput, lineContext }: Scan, mark: ReasoningMark): boolean {
  if (!mark.isMentionable || textOutput.isReasoning()) return false
  return !lineContext.isLineStart || lineContext.fence !== ''
}

/** `|<think>` `|</think>` */
function switchReasoning(scan: Scan, mark: ReasoningMark): void {
  const { source, textOutput } = scan
  const offset = source.offset()
  scan.onTrace?.({ type: 'thought', turn: mark.direction, mark: mark.text, offset })
  textOutput.switchReasoning(mark, offset)
  const { blockCount } = scan.lineContext
  // `Sure. <think>hm</think>|{`: the text before the reasoning is a text still.
  const isTextStart = mark.direction === 'in' || !scan.hasOpenedInLine
  scan.lineContext = { ...createLineContext(), blockCount, isTextStart }
  if (mark.direction === 'out') scan.hasOpenedInLine = false
  source.cursor.at += mark.text.length
}

/** `Sure. |<think>` Looks whether it is quoted, and whether it is closed (decision 80). */
function beginOpenMark(scan: Scan, mark: ReasoningMark): void {
  const { source } = scan
  const openMark: OpenMark = { mark, context: { ...scan.lineContext }, meaning: 'unclosed' }
  const reader = readOpenMark(scan, openMark)
  const offset = source.offset()
  source.beginRaw()
  source.cursor.at += mark.text.length
  scan.markup = { mark: mark.text, ends: [], reader, offset, isHeld: false, openMark }
}

function* readOpenMark(scan: Scan, openMark: OpenMark): CallReader {
  const { source, endSearch } = scan
  const context = { ...openMark.context }
  const isInBlock = context.fence !== ''
  // "Write `<think>|` first."
  if (!isInBlock && (yield* isInCode(source.cursor, context))) {
    openMark.meaning = 'quoted'
    return 0
  }
  // `Use <think>| to reason`: where reasoning is text, nothing has to be held.
  if (!isInBlock && !scan.splitsReasoning) return 0
  const isUnclosed = isInBlock
    ? context.blockCount === scan.unclosedBlock
    : source.offset() <= scan.unclosedUntil
  if (isUnclosed) return 0
  advance(context, openMark.mark.text)
  if (!(yield* readToReasoningEnd(endSearch, context))) return 0
  openMark.meaning = isInBlock ? 'quoted-reasoning' : 'reasoning'
  if (!isInBlock) scan.reasoningEnd = source.offset()
  return 0
}

/**
 * Emits an open mark as what it turned out to be. What was read after it is read again: each
 * character at most twice, so that needs no budget.
 */
function finishOpenMark(scan: Scan, { mark, context, meaning }: OpenMark, offset: number): void {
  const { source, textOutput } = scan
  const isInBlock = context.fence !== ''
  if (meaning === 'unclosed') {
    if (isInBlock) scan.unclosedBlock = context.blockCount
    else scan.unclosedUntil = Math.max(scan.unclosedUntil, source.offset())
  }
  const text = source.takeRaw()
  // "```⏎<think>a|</think>⏎```"
  if (meaning === 'quoted-reasoning') {
    emitPlainText(scan, text)
    return
  }
  source.rewind(text, text.length)
  if (meaning === 'quoted' || isInBlock) {
    passMark(scan, mark)
    return
  }
  scan.hasOpenedInLine = true
  if (meaning === 'reasoning') {
    switchReasoning(scan, mark)
    return
  }
  textOutput.openUnclosed(mark, offset)
  advance(scan.lineContext, mark.text)
  source.cursor.at += mark.text.length
}

/** `|<tool_call>` */
function beginMarkup(scan: Scan, output: CallOutput, mark: Mark): void {
  const { source } = scan
  const isQuiet = mark.opensNoCall === true || scan.callsInReasoningCount
  const isHeld = scan.textOutput.isReasoning() && !isQuiet
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
  const isUnclosed = scan.textOutput.isUnclosed()
  const end = yield* isUnclosed ? readUnclosed(scan, mark) : readClosed(scan)
  if (end === 'no-call') return undefined
  const { markup } = scan
  if (end !== undefined || cursor.isTruncated || !markup) return end ?? 0
  markup.isHeld = false
  scan.callsInReasoningCount = true
  scan.textOutput.leaveReasoning()
  scan.recorder.forgetRepairs()
  output.rewind(offset() - markup.offset - mark.text.length)
  return yield* mark.read(cursor, output)
}

/** How many characters of the close mark were read; undefined if the text ended without one. */
type HeldEnd = number | undefined | 'no-call'

/** Reads up to the end of the reasoning, whatever is in it. */
function* readClosed(scan: Scan): Reading<HeldEnd> {
  const end = yield* readUntil(scan.source.cursor, scan.reasoningEnds, () => {})
  return end === '' ? undefined : end.length
}

/** `Use <think>. <tool_call>|{"text": "</think>"}</tool_call>` There may be no reasoning at all. */
function* readUnclosed({ endSearch, lineContext }: Scan, mark: Mark): Reading<HeldEnd> {
  const context = { ...lineContext }
  if (!(yield* passCall(endSearch, mark, context))) return 'no-call'
  return (yield* readToReasoningEnd(endSearch, context)) ? 0 : undefined
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
  if (current.openMark) finishOpenMark(scan, current.openMark, current.offset)
  else if (step.done) finishMarkup(scan, current, step.value)
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
  const after = createContextAfter(scan.lineContext)
  if (outcome) scan.lineContext = { ...after, isTextStart: outcome === 'call' }
  else if (raw) scan.textOutput.emitMarkup(raw, offset)
}

/** Sets the cursor back to where a text is to be read again, as long as the budget lasts. */
function readAgain(scan: Scan, text: string, from: number): void {
  if (takeRescanBudget(scan, text.length - from)) scan.source.rewind(text, text.length - from)
  else emitPlainText(scan, text.slice(from))
}

/** So many characters are read again. Returns false if that has happened too often. */
function takeRescanBudget(scan: Scan, chars: number): boolean {
  scan.rescannedChars += chars
  return scan.rescannedChars <= FREE_RESCAN_CHARS + RESCANS_PER_CHAR * scan.source.offset()
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
