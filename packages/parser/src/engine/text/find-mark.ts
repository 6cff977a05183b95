import { isPartOfTagAt, isTagAt } from './any-case.js'
import { createCharFinder } from './find-char.js'
import { advance, type LineContext } from './line-context.js'

/** A text that means something, and where it does. */
export interface MarkRule {
  readonly text: string
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
  const groups = groupByFirstChar(marks)
  const nextAt = createCharFinder([...groups.keys()])

  return (text, from, isLast, context) => {
    let passed = from
    const counts = (mark: Mark, at: number) => {
      if (!context) return true
      advance(context, text, passed, at)
      passed = at
      return !isOutOfPlace(mark, context)
    }
    for (let at = nextAt(text, from); at >= 0; at = nextAt(text, at + 1)) {
      const group = groups.get(text.charAt(at)) ?? []
      const mark = group.find(each => isMarkAt(each, text, at, isLast) && counts(each, at))
      // `<tool_c|`: the text ends inside the mark.
      const isPartial = mark && text.length - at < mark.text.length
      if (mark) return { at, mark: isPartial ? undefined : mark }
    }
    if (context) advance(context, text, passed)
    return { at: text.length, mark: undefined }
  }
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
