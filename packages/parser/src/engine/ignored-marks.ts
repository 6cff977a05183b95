import type { CallOutput, CallReader, Mark } from './grammar.js'
import type { Cursor, Reading } from './text/cursor.js'
import { advance, createLineContext } from './text/find-mark.js'
import { matchMarks, peekText, readNextMark, readUntil } from './text/read-marks.js'

// biome-ignore lint/correctness/useYield: there is nothing to wait for
function* readNothing(): CallReader {
  return 0
}

/**
 * Marks that stand for nothing wherever they are, unless they are quoted; words, and those behind a
 * `^`, only at the beginning.
 */
export const ignoredMarks = (texts: readonly string[]): Mark[] =>
  texts.map(each => {
    const text = each.replace(/^\^/, '')
    return {
      text,
      isSilent: true,
      notInInlineCode: true,
      onlyAtTextStart: /^[\w^]/.test(each),
      read: readNothing,
    }
  })

const tokens = ['im_end', 'eot_id', 'eom_id', 'endoftext', 'end_of_text', 'END_OF_TURN_TOKEN'].map(
  id => `<|${id}|>`,
)
/** Ends of a turn that servers print when they are told to keep special tokens. */
const turnEnds = [...tokens, '<end_of_turn>', '</s>', '<｜end▁of▁sentence｜>']

/**
 * They stand for nothing at the end of a text, where they are all that follows; elsewhere they are
 * text.
 */
export const turnEndMarks: readonly Mark[] = turnEnds.map(text => ({
  text,
  isSilent: true,
  read: readEnds,
}))

function* readEnds(cursor: Cursor): CallReader {
  while (yield* readNextMark(cursor, turnEnds));
  return cursor.at === cursor.text.length ? 0 : undefined
}

/**
 * Takes the name that stands here before one of the marks; gives nothing, and takes nothing, where
 * there is none.
 */
export function* readNameBefore(cursor: Cursor, marks: readonly string[]): Reading<string> {
  const isBefore = (text: string) => matchMarks(text.replace(/^[^\s<>="'{}]+\s*/, ''), marks)
  const ahead = yield* peekText(cursor, text => isBefore(text) !== undefined)
  const [head = '', name = ''] = (isBefore(ahead) && /^([^\s<>="'{}]+)\s*/.exec(ahead)) || []
  cursor.at += head.length
  return name
}

/**
 * A fence of Markdown: what stands in it is shown, not meant. At the beginning of an answer a call
 * may stand in one, but only as the first thing in it: `callMarks` are those that count there.
 */
export const fenceMark = (text: string, callMarks?: readonly string[]): Mark => ({
  text,
  onlyAtListItem: true,
  onlyAtTextStart: callMarks !== undefined,
  onlyAfterText: callMarks === undefined,
  opensNoCall: true,
  read: (cursor, output) => readFence(cursor, output, text, callMarks ?? []),
})

/** Whether the fence ends with its line; undefined as long as that cannot be told. */
function isLineOver(after: string): boolean | undefined {
  return /^[`~]*[ \t\r]*\n/.test(after) || (/[^`~ \t\r]/.test(after) ? false : undefined)
}

/** Gives everything up to the closing fence out as text. */
function* readFence(
  cursor: Cursor,
  { emitText }: CallOutput,
  open: string,
  callMarks: readonly string[],
): CallReader {
  const ahead = yield* peekText(cursor, text => /^[`~]*[^`~].*?[`\n]|^[`~]*\n/s.test(text))
  const [head = '', more = ''] = /^([`~]*)[^`\n]*/.exec(ahead) ?? []
  // The label of a fence holds no backtick: this is code in a line.
  if (ahead.charAt(head.length) === '`') return undefined
  const line = createLineContext()
  const put = (text: string) => {
    advance(line, text)
    emitText(text)
  }
  put(open)
  const isCallNext = (text: string) =>
    callMarks.length > 0 && matchMarks(text.trimStart(), callMarks)
  const inside = yield* peekText(cursor, text => isCallNext(text) !== undefined, head.length)
  if (isCallNext(inside)) return 0
  const fence = open + more
  const isEnd = (_: string, after: string) =>
    line.isLineStart || (line.openTicks === 0 ? isLineOver(after) : false)
  if (yield* readUntil(cursor, [fence], put, isEnd)) {
    const [rest = ''] = /^[`~]*/.exec(yield* peekText(cursor, text => /[^`~]/.test(text))) ?? []
    cursor.at += rest.length
    emitText(fence + rest)
  }
  return 0
}
