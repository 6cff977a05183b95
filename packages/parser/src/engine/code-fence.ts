import type { CallOutput, CallReader, Mark } from './grammar.js'
import type { Cursor } from './text/cursor.js'
import { advance, createLineContext } from './text/line-context.js'
import type { MarkRule } from './text/mark-rule.js'
import { matchRules } from './text/mark-texts.js'
import { peek, peekText, readUntil } from './text/read-marks.js'
import type { Verdict } from './text/verdict.js'

/**
 * A code fence of Markdown: its content is shown, not meant. At the start of an answer a call may be
 * inside it, but only as its first text: `callMarks` are the marks that count there.
 */
export const fenceMark = (text: string, callMarks?: readonly MarkRule[]): Mark => ({
  text,
  onlyAtListItem: true,
  onlyAtTextStart: callMarks !== undefined,
  onlyAfterText: callMarks === undefined,
  opensNoCall: true,
  read: (cursor, output) => readFence(cursor, output, text, callMarks ?? []),
})

/** "```\n" Decides whether nothing but the fence is in the rest of its line. */
function isLineOver(after: string): Verdict {
  if (/^[`~]*[ \t\r]*\n/.test(after)) return 'yes'
  return /[^`~ \t\r]/.test(after) ? 'no' : 'wait'
}

/** Emits everything up to the closing fence as text. */
function* readFence(
  cursor: Cursor,
  { emitText }: CallOutput,
  open: string,
  callMarks: readonly MarkRule[],
): CallReader {
  const ahead = yield* peekText(cursor, text => /^[`~]*[^`~].*?[`\n]|^[`~]*\n/s.test(text))
  const [head = '', more = ''] = /^([`~]*)[^`\n]*/.exec(ahead) ?? []
  // ```` ```js` ````: the label of a fence has no backtick, so this is code in a line.
  if (ahead.charAt(head.length) === '`') return undefined
  const line = createLineContext()
  const put = (text: string) => {
    advance(line, text)
    emitText(text)
  }
  put(open)
  const isCallNext = (text: string): Verdict =>
    callMarks.length === 0 ? 'no' : matchRules(text.trimStart(), callMarks)
  if ((yield* peek(cursor, isCallNext, head.length)) === 'yes') return 0
  const fence = open + more
  const isEnd = (_: string, after: string): Verdict => {
    if (line.isLineStart) return 'yes'
    return line.openTicks === 0 ? isLineOver(after) : 'no'
  }
  if (yield* readUntil(cursor, [fence], put, isEnd)) {
    const [rest = ''] = /^[`~]*/.exec(yield* peekText(cursor, text => /[^`~]/.test(text))) ?? []
    cursor.at += rest.length
    emitText(fence + rest)
  }
  return 0
}
