import { isPartOfTagAt, isTagAt } from './any-case.js'
import { isSpace } from './characters.js'
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
  const inLine = inText.filter(mark => !isOfLineStart(mark))
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

const isOfLineStart = ({ onlyAtLineStart, onlyAtListItem, startsLine }: MarkRule) =>
  onlyAtLineStart || onlyAtListItem || startsLine !== undefined

function createSearch<Mark extends MarkRule>(marks: readonly Mark[]): FindMark<Mark> {
  const groups = groupByFirstChar(marks.filter(mark => !mark.startsLine))
  const lineMarks = marks.filter(mark => mark.startsLine)
  const nextAt = createCharFinder([...groups.keys()])

  return (text, from, isLast, context) => {
    const firstAt = nextAt(text, from)
    if (firstAt < 0 && lineMarks.length === 0) {
      if (context) advance(context, text, from)
      return { at: text.length, mark: undefined }
    }
    const search = startSearch(text, from, isLast, context)
    for (let at = firstAt; at >= 0; at = nextAt(text, at + 1)) {
      const group = groups.get(text.charAt(at)) ?? noMarks
      const found = findLines(search, lineMarks, at) ?? findText(search, group, at)
      if (found) return found
    }
    const found = findLines(search, lineMarks, text.length)
    if (found) return found
    pass(search, text.length)
    return { at: text.length, mark: undefined }
  }
}

function startSearch(
  text: string,
  from: number,
  isLast: boolean,
  context: LineContext | undefined,
): Search {
  const startsHere = context?.isLineStart && !context.isLineTried
  const nextLine = startsHere ? textStart(text, from) : -1
  return { text, isLast, context, passed: from, nextLine, linesFrom: from }
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
  group: MarkGroup<Mark>,
  at: number,
): FoundMark<Mark> | undefined {
  const found = findInGroup(search, group, at)
  if (!found) return undefined
  // `<tool_c|`: the text ends inside the mark.
  if (search.text.length - at < found.text.length) return { at, mark: undefined }
  return { at, mark: 'create' in found ? found.create() : found }
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
function isRuleAt({ text: mark, isAnyCase }: MarkRule, text: string, at: number, isLast: boolean) {
  if (isMarkAt(mark, text, at, isLast)) return true
  if (!isAnyCase) return false
  if (text.length - at >= mark.length) return isTagAt(mark, text, at)
  return !isLast && isPartOfTagAt(mark, text, at)
}

/** Marks that begin with the same character. */
interface MarkGroup<Mark> {
  readonly literal: Mark[]
  /** `<t`, `<d`: the literal marks by their second character, in the same order. */
  readonly bySecondChar: Map<string, readonly Mark[]>
  /** Marks with the name of a tool; undefined if there are none, as in most groups. */
  named: Mark[] | undefined
}

const createGroup = <Mark>(): MarkGroup<Mark> => ({
  literal: [],
  bySecondChar: new Map(),
  named: undefined,
})

const noMarks = createGroup<never>()

/** `a |< b`: most signs in a text open no mark, which the next character shows. */
function literalMarksAt<Mark extends MarkRule>(
  { literal, bySecondChar }: MarkGroup<Mark>,
  text: string,
  at: number,
): readonly Mark[] {
  const second = text.charAt(at + 1)
  // `a |`: the next character has not come yet.
  if (second === '') return literal
  const known = bySecondChar.get(second)
  if (known) return known
  const marks = literal.filter(mark => mayGoOnWith(mark, second))
  if (bySecondChar.size < MAX_SECOND_CHARS) bySecondChar.set(second, marks)
  return marks
}

/** Any character may come second in a text. Those that are not kept cost a little more. */
const MAX_SECOND_CHARS = 256

function mayGoOnWith({ text, isAnyCase }: MarkRule, second: string): boolean {
  const wanted = text.charAt(1)
  if (wanted === '' || wanted === second) return true
  return isAnyCase === true && wanted.toLowerCase() === second.toLowerCase()
}

/** `|<get_weather` Of a mark and one with a name at the same place, the longer one counts. */
function findInGroup<Mark extends MarkRule>(
  search: Search,
  group: MarkGroup<Mark>,
  at: number,
): Mark | FoundNamed<Mark> | undefined {
  const { text, isLast } = search
  const { named } = group
  const isInPlace = (mark: Mark) => counts(search, mark, at)
  const mark = literalMarksAt(group, text, at).find(
    each => isRuleAt(each, text, at, isLast) && isInPlace(each),
  )
  const withName = named && findNamed(named, text, at, isLast, isInPlace)
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
      const group = groups.get(char) ?? createGroup<Mark>()
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
