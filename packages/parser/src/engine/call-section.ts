import type { ArgumentWriter } from './argument-writer.js'
import { CUT, malformed, type Problem } from './events.js'
import type { CallOutput } from './grammar.js'
import { isSpecialToken } from './mark-strength.js'
import { isSpace } from './text/characters.js'
import { type Cursor, noteRepair, type Reading } from './text/cursor.js'
import { peek, readNextMark, readUntil } from './text/read-marks.js'
import { type Verdict, verdictOf } from './text/verdict.js'

export interface CallSectionMarks {
  /** What ends a call that cannot be read, and what ends it too, but belongs to what follows. */
  readonly endMarks: readonly string[]
  readonly openMarks: readonly string[]
}

/**
 * What all readers share: begin and end the calls of the markup after a mark, look for the
 * marks between them, copy what cannot be read of one, and say where the markup ends.
 */
export function createCallSection(cursor: Cursor, output: CallOutput, options: CallSectionMarks) {
  let writer: ArgumentWriter | undefined
  let hasCalled = false
  /**
   * Up to where what was read is the markup's for certain; what follows is the text's if no call
   * comes.
   */
  let confirmedOffset = cursor.windowOffset + cursor.at

  const unconfirmedChars = () => cursor.windowOffset + cursor.at - confirmedOffset
  /** What was read belongs to the markup. */
  const confirm = () => {
    confirmedOffset = cursor.windowOffset + cursor.at
  }
  const closeCall = (problem?: Problem) => {
    output.endCall(problem)
    writer = undefined
    hasCalled = true
    confirm()
  }
  return {
    /** Begins a call with the name that was written, if none is open. */
    beginCall(writtenName: string): ArgumentWriter {
      writer ??= output.beginCall(writtenName)
      return writer
    },
    /** The writer of the open call. */
    writer: () => writer,
    hasCalled: () => hasCalled,
    unconfirmedChars,
    confirm,
    closeCall,
    /**
     * Ends the call at the cursor. A call that cannot be read is copied up to its end mark
     * (decision 58). A call that was cut gets all of the text. Tells whether the end mark was read.
     */
    endCall: (problem?: Problem) => endCall(cursor, output, options, closeCall, problem),
    /** What follows is not ours. Without any call the mark was prose. */
    finish: () => (hasCalled ? unconfirmedChars() : undefined),
    /**
     * Takes the mark here, after whitespace; returns '' if there is none, or the end
     * of the text.
     */
    nextMark: (
      marks: readonly string[],
      isSkipped: (char: string) => boolean = isSpace,
    ): Reading<string> =>
      readNextMark(
        cursor,
        marks,
        isSkipped,
        writer ? Number.POSITIVE_INFINITY : output.maxHeldChars - unconfirmedChars(),
      ),
    /**
     * The text may have ended in the middle of a mark. Its beginning is markup, but a single
     * character proves nothing. True if that is so, or nothing is left.
     */
    takePartialMark(marks: readonly string[]): boolean {
      const rest = cursor.text.slice(cursor.at)
      if (!cursor.isFinal || rest.length === 1 || !marks.some(mark => mark.startsWith(rest)))
        return rest === ''
      cursor.at += rest.length
      return true
    },
  }
}

/** `{…}|}` `{…} |}`: a brace too many. */
const startsStrayBrace = (after: string): Verdict => {
  const char = after.trimStart().charAt(0)
  if (char === '') return 'wait'
  return char === '}' ? 'yes' : 'no'
}

/** `{"name": …}|}</tool_call>` Records a brace too many after a call, which is skipped. */
export function* noteStrayBrace(cursor: Cursor): Reading {
  if ((yield* peek(cursor, startsStrayBrace)) === 'yes') noteRepair(cursor, 'extra-bracket')
}

/**
 * `<tool_call>{…}|` Records that none of the marks that end calls, or a section of calls, was there.
 * At the end of the text a special token may be missing, because servers strip those, and so may any
 * mark of a text that was truncated (decision 75).
 */
export function noteMissingClose(cursor: Cursor, endMarks: readonly string[]): void {
  if (endMarks.length === 0) return
  if (isAtTextEnd(cursor) && (cursor.isTruncated || endMarks.some(isSpecialToken))) return
  noteRepair(cursor, 'missing-close')
}

/** `[{…}|</tool_call>` `[{…}|` Records that a list of calls was not closed. */
export function noteOpenList(cursor: Cursor): void {
  if (!(isAtTextEnd(cursor) && cursor.isTruncated)) noteRepair(cursor, 'missing-bracket')
}

const isAtTextEnd = (cursor: Cursor) => cursor.isFinal && cursor.text.slice(cursor.at).trim() === ''

/** `<tag|s>`: the open mark of the tool `tag` is only the beginning of another name. */
function isWholeName(mark: string, after: string): Verdict {
  if (!/[\p{L}\p{N}_]$/u.test(mark)) return 'yes'
  return after === '' ? 'wait' : verdictOf(!/^[\p{L}\p{N}_.:-]/u.test(after))
}

// At the top of the file, not made for each markup: the first run of a generator is costly.
function* endCall(
  cursor: Cursor,
  { appendRaw }: CallOutput,
  { endMarks, openMarks }: CallSectionMarks,
  closeCall: (problem?: Problem) => void,
  problem?: Problem,
): Reading<boolean> {
  // What is not clear as far as it is looked at was not cut there.
  const found =
    problem === CUT && !cursor.isFinal
      ? malformed('a tag, a name or space that is too long')
      : problem
  const isUnread = found?.code === 'malformed-arguments'
  const marks = [...endMarks, ...openMarks]
  const mark = isUnread ? yield* readUntil(cursor, marks, appendRaw, isWholeName) : ''
  const isEnd = endMarks.includes(mark)
  if (found && !isUnread) cursor.at = cursor.text.length
  else if (!isEnd) cursor.at -= mark.length
  closeCall(found)
  return isEnd
}

export type CallSection = ReturnType<typeof createCallSection>
