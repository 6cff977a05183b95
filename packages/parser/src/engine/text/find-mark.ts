import { isPartOfTagAt, isTagAt } from './any-case.js'
import { isSpace } from './characters.js'
import { createCharFinder } from './find-char.js'
import { advance, type LineContext } from './line-context.js'
import type { Verdict } from './verdict.js'

/** A text that means something, and where it does. */
export interface MarkRule {
  /** '' for a mark that is known by `startsLine`. */
  readonly text: string
  /**
   * Tells whether the rest of a line, and what follows it, begins with the mark: `get_weather(`. It
   * is asked once a line, before the first character that is no white space.
   */
  readonly startsLine?: ((ahead: string) => Verdict) | undefined
  /** It counts only at the start of a line, after whitespace: `  Action:`. */
  readonly onlyAtLineStart?: boolean | undefined
  /** It counts only there, or after the signs of a Markdown list or quote: `- <call>`. */
  readonly onlyAtListItem?: boolean | undefined
  /**
   * It counts only at the start of the text or after a call, with nothing but whitespace before it.
   */
  readonly onlyAtTextStart?: boolean | undefined
  /** It counts only if there is more than that before it. */
  readonly onlyAfterText?: boolean | undefined
  /** It is a tag that may be written in any case: `<Tool_Call>`. */
  readonly isAnyCase?: boolean | undefined
  /** It does not count between backticks, which quote text. */
  readonly notInInlineCode?: boolean | undefined
  /** It does not count in a code block, which quotes lines. */
  readonly notInCodeBlock?: boolean | undefined
  /**
   * It does not count in brackets, where it is a part of their content: `{"a": {|`. A blank line ends
   * a bracket that was never closed.
   */
  readonly notInBrackets?: boolean | undefined
}

/** Where a mark is. Without a mark, `at` is how far the text cannot be part of one. */
export interface FoundMark<Mark> {
  readonly at: number
  readonly mark: Mark | undefined
}

/**
 * Finds the first mark at or after a position; of several in one place, the first in their order.
 * `context` is what comes before the position, and moves along with the search.
 */
export type FindMark<Mark> = (
  text: string,
  from: number,
  isLast: boolean,
  context?: LineContext,
) => FoundMark<Mark>

export function createMarkFinder<Mark extends MarkRule>(marks: readonly Mark[]): FindMark<Mark> {
  const groups = groupByFirstChar(marks.filter(mark => mark.text !== ''))
  const lineMarks = marks.filter(mark => mark.startsLine)
  const nextAt = createCharFinder([...groups.keys()])

  return (text, from, isLast, context) => {
    const startsHere = context?.isLineStart && !context.isLineTried
    const nextLine = startsHere ? textStart(text, from) : -1
    const search: Search = { text, isLast, context, passed: from, nextLine, linesFrom: from }
    let found: FoundMark<Mark> | undefined
    for (let at = nextAt(text, from); !found && at >= 0; at = nextAt(text, at + 1)) {
      found =
        findLines(search, lineMarks, at) ?? findText(search, groups.get(text.charAt(at)) ?? [], at)
    }
    found ??= findLines(search, lineMarks, text.length)
    if (found) return found
    pass(search, text.length)
    return { at: text.length, mark: undefined }
  }
}

interface Search {
  readonly text: string
  readonly isLast: boolean
  /** What comes before `passed`. */
  readonly context: LineContext | undefined
  passed: number
  /** Where a line begins that was found, but not looked at; -1 without one. */
  nextLine: number
  /** Other lines begin after this place. */
  linesFrom: number
}

function pass(search: Search, to: number): void {
  if (search.context) advance(search.context, search.text, search.passed, to)
  search.passed = to
}

/** Decides whether the mark counts in that place. */
function counts(search: Search, mark: MarkRule, at: number): boolean {
  pass(search, at)
  return !search.context || !isOutOfPlace(mark, search.context)
}

/** The first of some marks that is at a place. */
function findText<Mark extends MarkRule>(
  search: Search,
  marks: readonly Mark[],
  at: number,
): FoundMark<Mark> | undefined {
  const { text, isLast } = search
  const mark = marks.find(each => isMarkAt(each, text, at, isLast) && counts(search, each, at))
  if (!mark) return undefined
  // `<tool_c|`: the text ends inside the mark.
  const isPartial = text.length - at < mark.text.length
  return { at, mark: isPartial ? undefined : mark }
}

/** The first mark without text at a line that begins before `limit`. */
function findLines<Mark extends MarkRule>(
  search: Search,
  marks: readonly Mark[],
  limit: number,
): FoundMark<Mark> | undefined {
  if (marks.length === 0) return undefined
  for (;;) {
    if (search.nextLine < 0) findNextLine(search, limit)
    const at = search.nextLine
    if (at < 0 || at >= limit) return undefined
    search.nextLine = -1
    const found = findLine(search, marks, at)
    if (found) return found
  }
}

/** Looks for a line break before `limit`: a part of the text, so that none is searched twice. */
function findNextLine(search: Search, limit: number): void {
  const { text, linesFrom } = search
  const lineEnd = text.slice(linesFrom, limit).indexOf('\n')
  if (lineEnd >= 0) search.nextLine = textStart(text, linesFrom + lineEnd)
  search.linesFrom = lineEnd < 0 || search.nextLine < 0 ? limit : search.nextLine
}

/** How far the beginning of a line is looked at. */
const MAX_LINE_START_CHARS = 512

/** The first of the marks without text with which a line begins that starts at a place. */
function findLine<Mark extends MarkRule>(
  search: Search,
  marks: readonly Mark[],
  at: number,
): FoundMark<Mark> | undefined {
  const ahead = search.text.slice(at, at + MAX_LINE_START_CHARS)
  const mayGoOn = !search.isLast && ahead.length < MAX_LINE_START_CHARS
  for (const mark of marks) {
    const verdict = mark.startsLine?.(ahead)
    const isThere = verdict === 'yes' || (verdict === 'wait' && mayGoOn)
    if (isThere && counts(search, mark, at))
      return { at, mark: verdict === 'yes' ? mark : undefined }
  }
  return undefined
}

/** The place of the first character from a place on that is no white space. */
function textStart(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace(text.charAt(at))) at++
  return at < text.length ? at : -1
}

/**
 * Finds the longest mark at a place, so that `<get_all` is not mistaken for `<get`. Prepared when it is
 * first needed: most answers have no reasoning.
 */
export function createLongestFinder<Mark extends MarkRule>(getMarks: () => Mark[]): FindMark<Mark> {
  let find: FindMark<Mark> | undefined
  return (text, from, isLast, context) => {
    find ??= createMarkFinder(
      getMarks().sort((left, right) => right.text.length - left.text.length),
    )
    return find(text, from, isLast, context)
  }
}

/** True if the mark is at that place, or its beginning where more text may come. */
function isMarkAt(
  { text: mark, isAnyCase }: MarkRule,
  text: string,
  at: number,
  isLast: boolean,
): boolean {
  if (text.length - at >= mark.length)
    return text.startsWith(mark, at) || (isAnyCase === true && isTagAt(mark, text, at))
  if (isLast) return false
  return mark.startsWith(text.slice(at)) || (isAnyCase === true && isPartOfTagAt(mark, text, at))
}

function groupByFirstChar<Mark extends MarkRule>(marks: readonly Mark[]): Map<string, Mark[]> {
  const groups = new Map<string, Mark[]>()
  for (const mark of marks) {
    const first = mark.text.charAt(0)
    const group = groups.get(first)
    if (group) group.push(mark)
    else groups.set(first, [mark])
  }
  return groups
}

/** True if the mark does not count in that place. */
function isOutOfPlace(mark: MarkRule, context: LineContext): boolean {
  if (mark.onlyAtLineStart && !context.isLineStart) return true
  if (mark.onlyAtListItem && !context.isItemStart) return true
  if (mark.notInInlineCode && isInInlineCode(context)) return true
  if (mark.notInCodeBlock && context.fence !== '') return true
  if (mark.notInBrackets && context.depth > 0) return true
  return context.isTextStart ? mark.onlyAfterText === true : mark.onlyAtTextStart === true
}

/** `` `code|` `` A run of backticks right before the place closes the code if it is as long. */
export const isInInlineCode = ({ openTicks, tickRun }: LineContext) => openTicks !== tickRun
