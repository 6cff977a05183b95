import { createCallRecorder } from './call-recorder.js'
import type { Mark, ToolShapes } from './grammar.js'
import { createQuietOutput } from './quiet-output.js'
import type { ReasoningMark } from './reasoning-marks.js'
import type { Cursor, Reading } from './text/cursor.js'
import { type FindMark, isInInlineCode } from './text/find-mark.js'
import { advance, createContextAfter, type LineContext } from './text/line-context.js'
import { peek, peekText } from './text/read-marks.js'
import type { Verdict } from './text/verdict.js'

/** `Use <think>| to reason`: whether a close mark follows an open mark inside a line (decision 80). */

/** A code block ends at the end of a line. */
export const lineBreak = { text: '\n' }

type SearchedMark = Mark | ReasoningMark | typeof lineBreak

/** What a search for the end of reasoning needs. */
export interface ReasoningEndSearch {
  readonly cursor: Cursor
  readonly tools: ToolShapes
  readonly maxHeldChars: number
  /** Finds the next mark that ends reasoning, or that opens a call, or the end of the line. */
  readonly find: FindMark<SearchedMark>
  /** Sets the cursor back. */
  rewind(chars: number): void
  /** A text was read that is read again. Returns false if that has happened too often. */
  mayReadAgain(chars: number): boolean
}

/**
 * Reads up to a mark that ends reasoning, and does not take it. Returns false at the end of the
 * text. A mark in code, or in the arguments of a call, ends nothing; but from a place in a code
 * block on, only that block is read, and what is in it counts.
 */
export function* readToReasoningEnd(
  search: ReasoningEndSearch,
  context: LineContext,
): Reading<boolean> {
  const { cursor, find } = search
  const { fence } = context
  for (;;) {
    const { at, mark } = find(cursor.text, cursor.at, cursor.isFinal, context)
    cursor.at = at
    if (mark) {
      const verdict = yield* passMark(search, mark, context, fence)
      if (verdict !== 'wait') return verdict === 'yes'
    } else if (cursor.isFinal) return false
    else yield
  }
}

/**
 * Passes over a mark that does not end the reasoning. `yes`: it does. `no`: the code block is left,
 * in which the open mark is. `wait`: the search goes on.
 */
function* passMark(
  search: ReasoningEndSearch,
  mark: SearchedMark,
  context: LineContext,
  openFence: string,
): Reading<Verdict> {
  const { cursor } = search
  if ('read' in mark) {
    // `<think>a |<tool_call>{"name": …}</tool_call> b</think>`
    cursor.at += mark.text.length
    yield* passCall(search, mark, context)
    return 'wait'
  }
  // `<think>hm|</think>`
  if ('direction' in mark && !(yield* isQuoted(cursor, context, openFence))) return 'yes'
  // "<think> and `|</think>`"
  pass(cursor, context, mark.text.length)
  // "```⏎<think>⏎```⏎|"
  return context.fence !== openFence && openFence !== '' ? 'no' : 'wait'
}

/** True for a close mark in code. In a code block, where the open mark is as well, none is quoted. */
function* isQuoted(cursor: Cursor, context: LineContext, openFence: string): Reading<boolean> {
  return openFence === '' && (yield* isInCode(cursor, context))
}

/** Passes over text. */
function pass(cursor: Cursor, context: LineContext, chars: number): void {
  advance(context, cursor.text, cursor.at, cursor.at + chars)
  cursor.at += chars
}

/** "`a | b`" True in a code block, and in inline code that is closed in its line. */
export function* isInCode(cursor: Cursor, context: LineContext): Reading<boolean> {
  if (context.fence !== '') return true
  if (!isInInlineCode(context)) return false
  const chars = context.openTicks || context.tickRun
  const verdict = yield* peek(cursor, ahead => closesCode(ahead, chars))
  if (verdict !== undefined) return verdict === 'yes'
  // "`<think>`" At the end of the text no backtick can follow the last one.
  const ahead = yield* peekText(cursor, () => true)
  return closesCode(`${ahead}\n`, chars) === 'yes'
}

/** "|` b" Decides whether inline code that so many backticks opened is closed in this line. */
function closesCode(ahead: string, chars: number): Verdict {
  const lineEnd = ahead.indexOf('\n')
  const line = lineEnd < 0 ? ahead : ahead.slice(0, lineEnd)
  for (const { 0: run, index } of line.matchAll(/`+/g)) {
    const isRunOver = lineEnd >= 0 || index + run.length < line.length
    if (run.length === chars && isRunOver) return 'yes'
  }
  return lineEnd < 0 ? 'wait' : 'no'
}

/**
 * `<tool_call>|{"text": "</think>"}</tool_call>` Passes over a call, so that what is in its arguments
 * is not a mark. A call that is not whole may end inside a quoted mark: only its own mark is passed
 * over. Returns false if the mark opens no call.
 */
export function* passCall(
  search: ReasoningEndSearch,
  mark: Mark,
  context: LineContext,
): Reading<boolean> {
  const { cursor, rewind } = search
  advance(context, mark.text)
  if (!search.mayReadAgain(0)) return true
  const start = cursor.windowOffset + cursor.at
  const { output, isComplete } = watchCalls(search)
  const unreadChars = yield* mark.read(cursor, output)
  if (unreadChars !== undefined && isComplete()) {
    rewind(unreadChars)
    Object.assign(context, createContextAfter(context))
    return true
  }
  const chars = cursor.windowOffset + cursor.at - start
  search.mayReadAgain(chars)
  rewind(chars)
  return unreadChars !== undefined
}

/** An output whose events go nowhere. It remembers whether all calls could be read. */
function watchCalls({ tools, maxHeldChars, rewind }: ReasoningEndSearch) {
  let begunCalls = 0
  let wholeCalls = 0
  const recorder = createCallRecorder({
    tools,
    maxHeldChars,
    emit(event) {
      if (event.type === 'call-start') begunCalls++
      if (event.type === 'call-end' && !event.problem) wholeCalls++
    },
  })
  const output = createQuietOutput({
    tools,
    maxHeldChars,
    rewind,
    beginCall: recorder.begin,
    endCall(problem) {
      recorder.end(problem, () => '', 0)
      recorder.emitEnded()
    },
  })
  return { output, isComplete: () => begunCalls > 0 && begunCalls === wholeCalls }
}
