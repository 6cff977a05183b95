import { createCharFinder } from './find-char.js'
import { advance, type LineContext } from './line-context.js'
import type { MarkRule } from './mark-rule.js'
import { type FoundNamed, findNamed, isMarkAt, keepCreated } from './named-marks.js'

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

/** A piece of a stream has a few words at most. */
const MAX_PIECE_CHARS = 64

export function createMarkFinder<Mark extends MarkRule>(marks: readonly Mark[]): FindMark<Mark> {
  const find = createSearch(marks)
  const inText = marks.filter(mark => !mark.onlyAtTextStart)
  const inLine = inText.filter(mark => !mark.onlyAtLineStart && !mark.onlyAtListItem)
  if (inLine.length === marks.length) return find
  // `to=`, `Action:` Marks of the start of a text or of a line are not looked for in each `t` and `A`.
  const findInText = createSearch(inText)
  const findInLine = createSearch(inLine)
  return (text, from, isLast, context) => {
    if (!context || context.isTextStart) return find(text, from, isLast, context)
    // Only a short piece is searched for a line break: a long one is searched again after each mark.
    const isShort = text.length - from <= MAX_PIECE_CHARS
    const isInLine = isShort && !context.isItemStart && !text.includes('\n', from)
    const search = isInLine ? findInLine : findInText
    return search(text, from, isLast, context)
  }
}

function createSearch<Mark extends MarkRule>(marks: readonly Mark[]): FindMark<Mark> {
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
      const group = groups.get(text.charAt(at)) ?? noMarks
      const found = findInGroup(group, text, at, isLast, counts)
      if (!found) continue
      // `<tool_c|`: the text ends inside the mark.
      if (text.length - at < found.text.length) return { at, mark: undefined }
      return { at, mark: 'create' in found ? found.create() : found }
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

/** Marks that begin with the same character. */
interface MarkGroup<Mark> {
  readonly literal: Mark[]
  /** Marks with the name of a tool; undefined if there are none, as in most groups. */
  named: Mark[] | undefined
}

const noMarks: MarkGroup<never> = { literal: [], named: undefined }

/** `|<get_weather` Of a mark and one with a name at the same place, the longer one counts. */
function findInGroup<Mark extends MarkRule>(
  { literal, named }: MarkGroup<Mark>,
  text: string,
  at: number,
  isLast: boolean,
  counts: (mark: Mark, at: number) => boolean,
): Mark | FoundNamed<Mark> | undefined {
  const mark = literal.find(each => isMarkAt(each.text, text, at, isLast) && counts(each, at))
  const withName = named && findNamed(named, text, at, isLast, counts)
  if (!mark || !withName) return mark ?? withName
  return withName.text.length > mark.text.length ? withName : mark
}

function groupByFirstChar<Mark extends MarkRule>(
  marks: readonly Mark[],
): Map<string, MarkGroup<Mark>> {
  const groups = new Map<string, MarkGroup<Mark>>()
  for (const mark of marks) {
    // `|get_weather {`: the mark begins with the name.
    const beginsWithName = mark.named && mark.text === ''
    const chars = beginsWithName ? mark.named.lookup.firstChars() : [mark.text.charAt(0)]
    for (const char of chars) {
      const group = groups.get(char) ?? { literal: [], named: undefined }
      groups.set(char, group)
      if (!mark.named) group.literal.push(mark)
      else group.named = [...(group.named ?? []), keepCreated(mark)]
    }
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
