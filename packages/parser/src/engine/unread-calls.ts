import { malformed, type Problem } from './events.js'
import type { CallOutput, CallReader, Mark, ToolShapes } from './grammar.js'
import { isSpecialToken, markStrength } from './mark-strength.js'
import { readOrRewind } from './read-or-rewind.js'
import type { Cursor, Reading } from './text/cursor.js'
import { matchMarks, peek, readMark, readUpTo, skip } from './text/read-marks.js'
import type { Verdict } from './text/verdict.js'

// What was meant as a call and cannot be read is never silent text (decision 76):
//
//     <tool_call>get_weather: Paris</tool_call>     an invalid call of get_weather
//     <tool_call>{"city": "Paris"}</tool_call>      text, and the problem `suspected-call`
//     The <tool_call> tag opens a call.             text

/** How much text between two marks is looked at. */
const MAX_UNREAD_CHARS = 8192
/** How far from the open mark the name of a tool may be. */
const MAX_NAME_OFFSET = 96

/** Marks after which something that cannot be read is told to the model or to the application. */
export function withUnreadCalls(marks: readonly Mark[]): Mark[] {
  const opens = [...new Set(marks.filter(hasEnds).map(mark => mark.text))]
  const wrapped = marks.map(mark => {
    if (!hasEnds(mark)) return mark
    const read = (cursor: Cursor, output: CallOutput) =>
      readOrReport(cursor, output, { mark, ends: mark.ends ?? [], opens })
    return { ...mark, read }
  })
  return [...wrapped, ...orphanMarks(marks, opens)]
}

/** True for a mark that proves something, and whose call has an end that can be found. */
export const hasEnds = (mark: Mark) =>
  (mark.ends ?? []).length > 0 && ['token', 'tag'].includes(markStrength(mark))

interface Unread {
  readonly mark: Mark
  readonly ends: readonly string[]
  /** The marks that open other calls. */
  readonly opens: readonly string[]
}

/** `<tool_call>|…` Reads a call. If there is none, decides whether one was meant. */
function* readOrReport(cursor: Cursor, output: CallOutput, unread: Unread): CallReader {
  const unreadChars = yield* readOrRewind(cursor, output, unread.mark)
  if (unreadChars !== 'rewound') return unreadChars
  const isMeant = yield* peek(cursor, text =>
    hasNameInHead(unread.mark) ? isElementShaped(text) : isCallShaped(text, output.tools),
  )
  return isMeant === 'yes' ? yield* readBetweenMarks(cursor, output, unread) : undefined
}

/**
 * `<tool_call>|{` `<tool_call>|get_weather` Decides whether a call was meant after a mark, by its
 * first character or its first word.
 */
export function isCallShaped(after: string, tools: Pick<ToolShapes, 'has' | 'names'>): Verdict {
  const text = after.trimStart()
  if (text === '') return 'wait'
  if (/^[{[(]/.test(text)) return 'yes'
  const [word = ''] = /^[^\s(){}[\]<>=:,"']*/.exec(text) ?? []
  if (word.length < text.length) return tools.has(word) ? 'yes' : 'no'
  return tools.names().some(name => name.startsWith(word)) ? 'wait' : 'no'
}

/** True for `<function=` and `<get_weather`: the rest of the tag follows the mark. */
export const hasNameInHead = ({ text }: Pick<Mark, 'text'>) =>
  text.startsWith('<') && !text.endsWith('>')

/** `<get_weather|><city>` `<function=|get_weather>{` Decides the same after the beginning of a tag. */
export function isElementShaped(after: string): Verdict {
  if (/^[^<>]{0,64}>\s*[<{]/.test(after)) return 'yes'
  return /^[^<>]{0,64}(?:>\s*)?$/.test(after) ? 'wait' : 'no'
}

/** `<tool_call>|{broken}</tool_call>` */
function* readBetweenMarks(
  cursor: Cursor,
  output: CallOutput,
  { mark, ends, opens }: Unread,
): CallReader {
  const text = yield* readUpTo(cursor, [...ends, ...opens], MAX_UNREAD_CHARS)
  if (!output.mayReadAgain(text.length)) return undefined
  const end = yield* readMark(cursor, ends)
  // `<tool_call>{"city": "Paris"}`: without an end mark the answer must end in JSON.
  const endsText = cursor.isFinal && cursor.at === cursor.text.length
  if (end === '' && !(endsText && /^\s*[{[].*[}\]]\s*$/s.test(text))) return undefined
  const name = mark.toolName ?? findName(text, output.tools.names())
  const where = end ? `between \`${mark.text}\` and \`${end}\`` : `after \`${mark.text}\``
  const message = `the text ${where} is not a call that can be read`
  if (name === undefined) {
    // `Use <tool_call>{…}</tool_call> around the JSON.`
    if (!/["'=:]/.test(text)) return undefined
    output.reportText({ code: 'suspected-call', message }, mark.text + text + end)
    return undefined
  }
  output.beginCall(name)
  output.appendRaw(text)
  output.endCall(malformed(message))
  return 0
}

/** The declared tool whose name comes first in a text; of several in one place, the longest. */
export function findName(text: string, names: readonly string[]): string | undefined {
  const head = text.slice(0, MAX_NAME_OFFSET)
  const found = names
    .map(name => ({ name, at: indexOfWord(head, name) }))
    .filter(({ at }) => at >= 0)
    .sort((left, right) => left.at - right.at || right.name.length - left.name.length)
  return found[0]?.name
}

function indexOfWord(text: string, word: string): number {
  const isPartOfWord = (char: string) => /[\p{L}\p{N}_]/u.test(char)
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isWord =
      !isPartOfWord(text.charAt(at - 1)) && !isPartOfWord(text.charAt(at + word.length))
    if (isWord) return at
  }
  return -1
}

/**
 * End marks without a call that they end: `</tool_call>|</tool_call>`, `|</tool_call>⏎<tool_call>`.
 * Next to a call they mean nothing; elsewhere they are text.
 */
function orphanMarks(marks: readonly Mark[], opens: readonly string[]): Mark[] {
  const ends = new Set(marks.filter(hasEnds).flatMap(mark => mark.ends ?? []))
  const taken = new Set(marks.map(mark => mark.text))
  return [...ends]
    .filter(text => !taken.has(text) && (text.startsWith('</') || isSpecialToken(text)))
    .map(text => ({
      text,
      opensNoCall: true,
      onlyAtTextStart: true,
      notInInlineCode: true,
      read: (cursor, output) => readOrphan(cursor, output, opens),
    }))
}

function* readOrphan(cursor: Cursor, output: CallOutput, opens: readonly string[]): CallReader {
  if (output.isAfterCall) return 0
  const isNext = yield* startsWithOpen(cursor, opens)
  return isNext ? 0 : undefined
}

function* startsWithOpen(cursor: Cursor, opens: readonly string[]): Reading<boolean> {
  yield* skip(cursor)
  return (yield* peek(cursor, text => matchMarks(text, opens))) === 'yes'
}

/**
 * `{"city": "Paris}}</tool_call>|` What is wrong with a call that lasts to the end of the text: if it
 * contains one of its end marks, it was not cut, but the quote of a text is missing.
 */
export function explainCut(problem: Problem, raw: string, ends: readonly string[]): Problem {
  if (problem.code !== 'cut-call') return problem
  const end = ends.find(mark => raw.includes(mark))
  if (end === undefined) return problem
  return malformed(`expected the end of a text or of a bracket, found \`${end}\``)
}
