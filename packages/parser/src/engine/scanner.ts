import { readHeldMark } from './call-in-reasoning.js'
import { type CallRecorder, createCallRecorder } from './call-recorder.js'
import type { EmitEvent, OnTrace, Problem } from './events.js'
import { calledToolName, checkForcedName } from './forced-name.js'
import type { CallOutput, CallReader, Mark, ToolShapes } from './grammar.js'
import type { MarkFinders } from './mark-finders.js'
import type { ReasoningEndSearch } from './reasoning-end.js'
import type { ReasoningMark, ReasoningOptions } from './reasoning-marks.js'
import {
  createMention,
  createMentionHistory,
  isMentioned,
  isQuotedClose,
  type Mention,
  type MentionHistory,
  readMention,
  rememberMention,
} from './reasoning-mention.js'
import { startsInReasoning } from './reasoning-start.js'
import type { Tolerance } from './repairs.js'
import { createRescanBudget, type TakeRescanBudget } from './rescan-budget.js'
import { createSource, type Source } from './source.js'
import {
  advance,
  createContextAfter,
  createLineContext,
  type LineContext,
} from './text/line-context.js'
import { createTextOutput, type TextOutput } from './text-output.js'
import { explainCut } from './unread-calls.js'

export interface ScannerOptions {
  readonly finders: MarkFinders
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

/** Markup that is being read: from an open mark to where its reader is done. */
interface OpenMarkup {
  readonly mark: string
  /** The marks that end a call. */
  readonly ends: readonly string[]
  /** `|</tool_call>` No call can begin. */
  readonly opensNoCall?: true | undefined
  readonly reader: CallReader
  /** Where it begins. After a call in it, where that call ended. */
  offset: number
  /** What the reader has found. As long as it has found nothing, the mark may be prose. */
  outcome?: 'call' | 'text'
  /** It is inside reasoning, and is a call only if the reasoning never ends. */
  isHeld: boolean
  /** `Use |<think> to reason`: it is not markup of calls, but an open mark of reasoning. */
  readonly mention?: Mention | undefined
}

/** A text that is being scanned. */
interface Scan {
  readonly tools: ToolShapes
  readonly maxHeldChars: number
  readonly emit: EmitEvent
  readonly onTrace: OnTrace | undefined
  readonly finders: MarkFinders
  readonly endSearch: ReasoningEndSearch
  /** Reasoning is emitted as such. */
  readonly splitsReasoning: boolean
  readonly source: Source
  readonly recorder: CallRecorder
  readonly textOutput: TextOutput
  readonly takeRescanBudget: TakeRescanBudget
  readonly mentions: MentionHistory
  /** The line before the cursor, outside of calls. */
  lineContext: LineContext
  /** The markup that is being read; undefined in text. */
  markup: OpenMarkup | undefined
  /** The text has only begun, and may turn out to be reasoning that the prompt has opened. */
  mayStartInReasoning: boolean
  /** A call inside reasoning is a call. Otherwise it is held until the reasoning ends. */
  callsInReasoningCount: boolean
}

/** Makes a scanner, which finds the marks of calls and of reasoning and lets their readers read. */
export function createScanner(options: ScannerOptions): Scanner {
  const { isMark } = options.finders
  const scan = createScan(options)
  const output = createCallOutput(scan)
  const { cursor } = scan.source

  const read = (chunk: string, isLast: boolean) => {
    scan.source.append(chunk, scan.markup !== undefined)
    if (scan.mayStartInReasoning && !decideStart(scan, isLast)) return
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
    isInsideCall: () => scan.markup !== undefined || isMark(cursor.text.slice(cursor.at)),
  }
}

function createScan(options: ScannerOptions): Scan {
  const { finders, tools, maxHeldChars = DEFAULT_MAX_HELD_CHARS, tolerance } = options
  const { thinking, emit, onTrace } = options
  if (!(maxHeldChars >= 1)) {
    throw new TypeError(
      `maxHeldChars is ${String(maxHeldChars)}; it must be a number of at least 1.`,
    )
  }
  const source = createSource()
  const takeRescanBudget = createRescanBudget(source.offset)
  const recorder = createCallRecorder({
    tools,
    maxHeldChars,
    tolerance,
    offset: source.offset,
    explainCut: (problem, raw) =>
      source.cursor.isTruncated ? problem : explainCut(problem, raw, scan.markup?.ends ?? []),
    emit,
  })
  source.cursor.onRepair = recorder.note
  const splitsReasoning = thinking.mode === 'parts'
  const mayBeOpened = splitsReasoning && !thinking.startsInReasoning
  const scan: Scan = {
    tools,
    maxHeldChars,
    emit,
    onTrace,
    finders,
    endSearch: {
      cursor: source.cursor,
      tools,
      maxHeldChars,
      find: finders.reasoningEnd,
      rewind: source.rewindRaw,
      mayReadAgain: takeRescanBudget,
    },
    splitsReasoning,
    source,
    recorder,
    textOutput: createTextOutput(thinking, emit),
    lineContext: createLineContext(),
    markup: undefined,
    takeRescanBudget,
    mayStartInReasoning: mayBeOpened && finders.reasoningEnds.length > 0,
    callsInReasoningCount: thinking.callsInReasoningCount,
    mentions: createMentionHistory(),
  }
  return scan
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
      const toolName = calledToolName(tools, writtenName)
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
    textBefore: textOutput.recentText,
    get isLineStart() {
      return scan.lineContext.isLineStart
    },
    rewind(chars) {
      // What was recorded is read again, or is of a reader that found no call.
      if (!scan.markup?.outcome) recorder.forgetRepairs()
      source.rewindRaw(chars)
    },
    mayReadAgain: scan.takeRescanBudget,
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

/**
 * `Hm.</think>Hello` The prompt may have opened the reasoning. Returns false as long as it is not
 * clear how the text starts.
 */
function decideStart(scan: Scan, isLast: boolean): boolean {
  const verdict = startsInReasoning(scan.finders.inText, scan.source.cursor.text, isLast)
  if (verdict === 'wait') return false
  scan.mayStartInReasoning = false
  if (verdict === 'yes') scan.textOutput.enterReasoning()
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
  else if (!isReasoning && isMentioned(mark, lineContext)) beginMention(scan, mark)
  else if (isQuotedClose(mark, scan.source.offset(), scan.mentions)) passMark(scan, mark)
  else switchReasoning(scan, mark)
  return true
}

function finderFor({ textOutput, finders }: Scan): MarkFinders['inText'] {
  if (!textOutput.isReasoning()) return finders.inText
  return textOutput.isUnclosed() ? finders.inUnclosed : finders.inReasoning
}

/** Emits a mark that is only mentioned. */
function passMark({ source, textOutput, lineContext }: Scan, { text }: ReasoningMark): void {
  textOutput.text(text)
  advance(lineContext, text)
  source.cursor.at += text.length
}

/** `|<think>` `|</think>` */
function switchReasoning(scan: Scan, mark: ReasoningMark): void {
  const { source, textOutput } = scan
  const offset = source.offset()
  scan.onTrace?.({ type: 'thought', turn: mark.direction, mark: mark.text, offset })
  textOutput.switchReasoning(mark, offset)
  const { blockCount } = scan.lineContext
  // `Sure. <think>hm</think>|{`: the text before the reasoning is a text still.
  const isTextStart = mark.direction === 'in' || !scan.mentions.hasOpenedInLine
  scan.lineContext = {
    ...createLineContext(),
    blockCount,
    isTextStart,
    isLineTried: !isTextStart,
  }
  if (mark.direction === 'out') scan.mentions.hasOpenedInLine = false
  source.cursor.at += mark.text.length
}

/** `Sure. |<think>` Reads on to see what an open mark inside a line means. */
function beginMention(scan: Scan, mark: ReasoningMark): void {
  const { source } = scan
  const mention = createMention(mark, scan.lineContext)
  const reader = readMentionIn(scan, mention)
  const offset = source.offset()
  source.beginRaw()
  source.cursor.at += mark.text.length
  scan.markup = { mark: mark.text, ends: [], reader, offset, isHeld: false, mention }
}

function* readMentionIn(scan: Scan, mention: Mention): CallReader {
  const { mentions, endSearch, splitsReasoning } = scan
  mention.meaning = yield* readMention(mention, mentions, endSearch, splitsReasoning)
  return 0
}

/**
 * Emits an open mark as what it turned out to be. What was read after it is read again: each
 * character at most twice, so that needs no budget.
 */
function finishMention(scan: Scan, mention: Mention, offset: number): void {
  const { source } = scan
  rememberMention(scan.mentions, mention, source.offset())
  const text = source.takeRaw()
  // "```⏎<think>hm|</think>⏎```"
  if (mention.meaning === 'quoted-reasoning') {
    emitPlainText(scan, text)
    return
  }
  source.rewind(text, text.length)
  const { mark, meaning } = mention
  // "Write `|<think>` first."
  if (meaning === 'quoted') passMark(scan, mark)
  // `Sure. |<think>hm</think>`
  else if (meaning === 'reasoning') switchReasoning(scan, mark)
  // `Use |<think> to reason.`
  else openUnclosed(scan, mark, offset)
}

function openUnclosed(scan: Scan, mark: ReasoningMark, offset: number): void {
  scan.textOutput.openUnclosed(mark, offset)
  advance(scan.lineContext, mark.text)
  scan.source.cursor.at += mark.text.length
}

/** `|<tool_call>` */
function beginMarkup(scan: Scan, output: CallOutput, mark: Mark): void {
  const { source } = scan
  const opensNoCall = mark.opensNoCall || undefined
  const isQuiet = opensNoCall || scan.callsInReasoningCount
  const isHeld = scan.textOutput.isReasoning() && !isQuiet
  const offset = source.offset()
  scan.onTrace?.({ type: isHeld ? 'hold' : 'mark', mark: mark.text, offset, opensNoCall })
  scan.recorder.forgetRepairs()
  source.beginRaw()
  source.cursor.at += mark.text.length
  const reader = isHeld ? readHeld(scan, output, mark) : mark.read(source.cursor, output)
  const ends = mark.ends ?? []
  scan.markup = { mark: mark.text, ends, opensNoCall, reader, offset, isHeld }
}

/** `<think>maybe <tool_call>|…` Waits until it is clear whether a call counts there (decision 32). */
function* readHeld(scan: Scan, output: CallOutput, mark: Mark): CallReader {
  const { source, endSearch, finders, textOutput, lineContext } = scan
  const isUnclosed = textOutput.isUnclosed()
  const place = { isUnclosed, context: lineContext, reasoningEnds: finders.reasoningEnds }
  const { meaning, unreadChars } = yield* readHeldMark(mark, place, endSearch)
  if (meaning === 'no-call') return undefined
  if (meaning === 'reasoning' || !scan.markup) return unreadChars
  scan.markup.isHeld = false
  scan.callsInReasoningCount = true
  textOutput.leaveReasoning()
  scan.recorder.forgetRepairs()
  output.rewind(source.offset() - scan.markup.offset - mark.text.length)
  return yield* mark.read(source.cursor, output)
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
  if (current.mention) finishMention(scan, current.mention, current.offset)
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
    const { mark, offset, opensNoCall } = ended
    scan.onTrace?.({ type: 'rollback', mark, offset, opensNoCall })
    emitPlainText(scan, head)
    // `|get_weather(…)`: a mark without text is not tried again in its line.
    if (mark === '') scan.lineContext.isLineTried = true
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
  if (scan.takeRescanBudget(text.length - from)) scan.source.rewind(text, text.length - from)
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
