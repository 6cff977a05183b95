import { malformed, type Problem } from './events.js'
import type { CallOutput, CallReader, Mark, ToolShapes } from './grammar.js'
import { isSpecialToken, markStrength } from './mark-strength.js'
import { namedMark } from './named-mark.js'
import { readOrRewind } from './read-or-rewind.js'
import type { Cursor, Reading } from './text/cursor.js'
import { matchRules } from './text/mark-texts.js'
import { peek, readMark, readUpTo, skip } from './text/read-marks.js'
import { type Verdict, verdictOf } from './text/verdict.js'
import type { ToolLookup } from './tool-lookup.js'

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
  const ended = marks.filter(mark => hasEnds(mark) || mark.named?.close)
  let texts: readonly string[] | undefined
  // Needed only where a call cannot be read, and as long as the list of tools.
  const opens = () => {
    texts ??= [...new Set(ended.flatMap(openTexts))]
    return texts
  }
  const wrap = (mark: Mark): Mark => {
    const { named, ends = [] } = mark
    if (named) return { ...mark, named: { ...named, create: name => wrap(named.create(name)) } }
    if (!hasEnds(mark)) return mark
    const read = (cursor: Cursor, output: CallOutput) =>
      readOrReport(cursor, output, { mark, ends, opens })
    return { ...mark, read }
  }
  return [...marks.map(wrap), ...orphanMarks(marks, ended)]
}

/** `<tool_call>`, or `<get_weather` for each tool. */
const openTexts = ({ text, named }: Mark): readonly string[] =>
  named ? named.lookup.names.map(name => text + name) : [text]

/** True for a mark that proves something, and whose call has an end that can be found. */
export const hasEnds = (mark: Mark) =>
  (mark.ends ?? []).length > 0 && ['token', 'tag'].includes(markStrength(mark))

interface Unread {
  readonly mark: Mark
  readonly ends: readonly string[]
  /** Returns the marks that open other calls. */
  readonly opens: () => readonly string[]
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
export function isCallShaped(after: string, { lookup }: Pick<ToolShapes, 'lookup'>): Verdict {
  const text = after.trimStart()
  if (text === '') return 'wait'
  if (/^[{[(]/.test(text)) return 'yes'
  const [word = ''] = /^[^\s(){}[\]<>=:,"']*/.exec(text) ?? []
  if (word.length < text.length) return verdictOf(lookup.find(word) !== undefined)
  return lookup.mayBegin(word) ? 'wait' : 'no'
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
  const text = yield* readUpTo(cursor, [...ends, ...opens()], MAX_UNREAD_CHARS)
  if (!output.mayReadAgain(text.length)) return undefined
  const end = yield* readMark(cursor, ends)
  // `<tool_call>{"city": "Paris"}`: without an end mark the answer must end in JSON.
  const endsText = cursor.isFinal && cursor.at === cursor.text.length
  if (end === '' && !(endsText && /^\s*[{[].*[}\]]\s*$/s.test(text))) return undefined
  const name = mark.toolName ?? findName(text, output.tools.lookup)?.written
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

/** The name of a tool in a text. */
export interface FoundName {
  readonly at: number
  /** The name as it was written. */
  readonly written: string
}

/** The first name of a declared tool in a text; of several in one place, the longest. */
export function findName(text: string, lookup: ToolLookup): FoundName | undefined {
  const head = text.slice(0, MAX_NAME_OFFSET)
  for (let at = 0; at < head.length; at++) {
    if (isPartOfWord(head.charAt(at - 1))) continue
    const { written } = lookup.matchAt(head, at)
    const name = written.findLast(each => !isPartOfWord(head.charAt(at + each.length)))
    if (name !== undefined) return { at, written: name }
  }
  return undefined
}

const isPartOfWord = (char: string) => /[\p{L}\p{N}_]/u.test(char)

/**
 * End marks without a call that they end: `</tool_call>|</tool_call>`, `|</tool_call>⏎<tool_call>`.
 * Next to a call they mean nothing; elsewhere they are text.
 */
function orphanMarks(marks: readonly Mark[], opens: readonly Mark[]): Mark[] {
  const ends = new Set(opens.flatMap(mark => mark.ends ?? []))
  const taken = new Set(marks.map(mark => mark.text))
  const orphan = (text: string): Mark => ({
    text,
    ...orphanRule,
    read: (cursor, output) => readOrphan(cursor, output, opens),
  })
  const literal = [...ends]
    .filter(text => !taken.has(text) && (text.startsWith('</') || isSpecialToken(text)))
    .map(orphan)
  // `</get_weather>`
  const named = opens.flatMap(mark => {
    const { lookup, close } = mark.named ?? {}
    if (!lookup || !close) return []
    const [before, after] = close
    const create = (name: string) => orphan(before + name + after)
    return [namedMark({ text: before, ...orphanRule }, { lookup, after, create })]
  })
  return [...literal, ...named]
}

const orphanRule = { opensNoCall: true, onlyAtTextStart: true, notInInlineCode: true }

function* readOrphan(cursor: Cursor, output: CallOutput, opens: readonly Mark[]): CallReader {
  if (output.isAfterCall) return 0
  const isNext = yield* startsWithOpen(cursor, opens)
  return isNext ? 0 : undefined
}

function* startsWithOpen(cursor: Cursor, opens: readonly Mark[]): Reading<boolean> {
  yield* skip(cursor)
  return (yield* peek(cursor, text => matchRules(text, opens))) === 'yes'
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
