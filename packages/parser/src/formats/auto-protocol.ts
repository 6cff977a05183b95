import { fenceMark } from '../engine/code-fence.js'
import type { CallGrammar, Mark, ToolNames } from '../engine/grammar.js'
import { afterOtherShape, otherShapeMark } from '../engine/json/other-shapes.js'
import { isSpecialToken, markStrength } from '../engine/mark-strength.js'
import { asCandidate } from '../engine/other-forms.js'
import type { NamedMarks } from '../engine/text/mark-rule.js'
import { type CandidateMark, tryFormats } from '../engine/try-formats.js'
import { createEngineProtocol } from '../protocols/define-protocol.js'
import type { EngineProtocol } from '../protocols/protocol.js'
import type { ModelFormat } from './model-format.js'

const CODE_FENCE = '```'

/**
 * Makes a protocol that asks in one format and reads many: the first mark in the text decides. A
 * call counts only if its tool is declared and it is not quoted. A call between backticks or in a
 * code fence is quoted, except in a fence at the start of the answer that begins with the call
 * (decision 34).
 */
export function autoProtocol(asked: ModelFormat, formats: readonly ModelFormat[]): EngineProtocol {
  const others = formats.filter(format => format.id !== asked.id)
  const own = asked.create().definition
  const foreign = others.map(format => format.create().definition)
  const foreignReasoning = foreign
    .flatMap(each => each.reasoning ?? [])
    .filter(marks => marks.opens.every(isSpecialToken))
    .map(marks => ({ ...marks, isForeign: true }))
  const foreignSilent = foreign.flatMap(each => each.silent ?? []).filter(isSpecialToken)
  return createEngineProtocol({
    ...own,
    grammar: autoGrammar(asked, others),
    otherForms: undefined,
    reasoning: [...(own.reasoning ?? []), ...foreignReasoning],
    silent: [...new Set([...(own.silent ?? []), ...foreignSilent])],
  })
}

/** The mark of a format. */
interface FormatMark extends CandidateMark {
  /** The family by which the format is read. */
  readonly grammar: ModelFormat['grammar']
  /** The format is the one that the prompt asked for. */
  readonly isOwn: boolean
  readonly named?: NamedMarks<FormatMark> | undefined
}

function autoGrammar(asked: ModelFormat, others: readonly ModelFormat[]): CallGrammar {
  return tools => {
    const own = askedMarks(formatMarks(asked, tools, true))
    const forms = otherFormMarks(asked, others, tools)
    const foreignMarks = others.flatMap(other => formatMarks(other, tools, false))
    const foreign = [
      // `get_weather{city:<|"|>Paris<|"|>}`: words of the format that was asked for come first.
      ...forms.asked.filter(mark => !isStrongMark(mark)),
      ...wholeFirst(foreignMarks.filter(isForeign).flatMap(asForeign)),
      ...forms.asked.filter(isStrongMark),
      ...forms.foreign,
    ]
    const groups = groupByPlace(own, foreign)
    const callMarks = groups.flat().filter(mark => !mark.opensNoCall)
    const otherShape = otherShapeMark(tools)
    const fence = (text: string, marks?: readonly Mark[]) =>
      afterOtherShape(fenceMark(text, marks), otherShape)
    const startFence = fence(CODE_FENCE, callMarks.filter(isStrong))
    const context: MarkContext = {
      isPrompted: !tools.isUnprompted,
      tokens: callMarks.filter(isToken),
      startFence,
      fence: fence(CODE_FENCE),
    }
    const marks = groups.flatMap(group => groupMark(group, findOthers(group, groups), context))
    return [...marks, startFence, context.fence, fence('~~~')]
  }
}

/** `{"name": …}` lacks a mark in some formats, but a format that writes no mark means just that. */
const wholeFirst = (marks: readonly FormatMark[]): FormatMark[] => [
  ...marks.filter(mark => !mark.lacksMark),
  ...marks.filter(mark => mark.lacksMark),
]

/** False for `[get_weather(…)]`, which is read as a call in another shape: as a whole (decision 81). */
const isForeign = (mark: FormatMark) => mark.grammar !== 'pythonic' || markStrength(mark) !== 'weak'

const isStrongMark = (mark: Mark) => markStrength(mark) !== 'weak'
const isToken = (mark: Mark) => markStrength(mark) === 'token'
const isStrong = (mark: FormatMark) => mark.proof !== 'key'

function formatMarks(
  { create, grammar }: ModelFormat,
  tools: ToolNames,
  isOwn: boolean,
): FormatMark[] {
  const strongProof = isOwn || grammar === 'json' ? 'name' : 'arguments'
  const withProof = (mark: Mark): FormatMark => {
    const { named } = mark
    const proof = markStrength(mark) === 'weak' ? 'key' : strongProof
    const proven = { ...mark, grammar, isOwn, proof } as const
    if (!named) return { ...proven, named: undefined }
    return { ...proven, named: { ...named, create: name => withProof(named.create(name)) } }
  }
  return create().definition.grammar(tools).map(withProof)
}

/**
 * Returns the marks of calls in other forms than that of their format (decision 82). Those of the
 * format that the prompt asked for count wherever they do in its own answers.
 */
function otherFormMarks(
  asked: ModelFormat,
  others: readonly ModelFormat[],
  tools: ToolNames,
): Readonly<Record<'asked' | 'foreign', FormatMark[]>> {
  const own = asked.create().definition.otherForms
  const foreign = new Set(others.map(format => format.create().definition.otherForms))
  const marksOf = (calls: CallGrammar | undefined) =>
    (calls?.(tools) ?? []).map(mark => asFormMark(mark))
  foreign.delete(own)
  const askedForms = marksOf(own)
  const atStart = askedForms.flatMap(asForeign).filter(mark => mark.onlyAtTextStart)
  return {
    asked: [...atStart, ...askedForms],
    foreign: [...foreign].flatMap(calls => marksOf(calls).flatMap(asForeign)),
  }
}

/** Other forms are those of no format, so they need the proof that a foreign one does. */
function asFormMark(mark: Mark): FormatMark {
  const { named } = mark
  const form = { ...asCandidate(mark), grammar: 'tagged', isOwn: false } as const
  if (!named) return { ...form, named: undefined }
  return { ...form, named: { ...named, create: name => asFormMark(named.create(name)) } }
}

/**
 * Returns the marks of the format that the prompt asked for, and where each of them counts. After
 * them the name of a tool proves a call. One that cannot be read is then reported, not emitted as
 * text.
 */
function askedMarks(own: readonly FormatMark[]): FormatMark[] {
  const atStart = own.flatMap(asForeign).filter(mark => mark.onlyAtTextStart)
  const fences = own
    .filter(mark => mark.text.startsWith(CODE_FENCE))
    .map(mark => ({ ...mark, onlyAtListItem: true }))
  return [...atStart, ...fences, ...own]
}

/**
 * Returns a mark of a format that the prompt did not ask for, with the places where it counts. A
 * weaker mark counts in fewer places (decision 70).
 */
function asForeign(mark: FormatMark): FormatMark[] {
  // `<|eom|>` of Muse is ignored in any answer, its other ignored marks only in its own.
  if (mark.opensNoCall) return isToken(mark) ? [mark] : []
  switch (markStrength(mark)) {
    case 'token':
    case 'tag':
      return [mark]
    case 'line':
      return [{ ...mark, onlyAtLineStart: true }]
    case 'weak':
      return [{ ...mark, onlyAtTextStart: true, onlyAtLineStart: undefined }]
    case 'own':
      return []
  }
}

/**
 * Groups marks that have the same text and count in the same place. At the start of an answer all
 * marks of a group are tried, those of the format that the prompt asked for first.
 */
function groupByPlace(own: readonly FormatMark[], foreign: readonly FormatMark[]): FormatMark[][] {
  const isStart = (mark: Mark) => mark.onlyAtTextStart
  const inOrder = [...own.filter(isStart), ...foreign.filter(isStart), ...own, ...foreign]
  const groups = new Map<string, FormatMark[]>()
  for (const mark of new Set(inOrder)) {
    const place = [placeOf(mark), textOf(mark)].join(' ')
    const group = groups.get(place) ?? []
    groups.set(place, group)
    if (!readsAlike(group, mark)) group.push(mark)
  }
  const all = [...groups.values()]
  const hasPlace = ([first]: FormatMark[]) => first !== undefined && placeOf(first) !== ''
  return [...all.filter(hasPlace), ...all.filter(group => !hasPlace(group))]
}

/** Where a mark counts; '' if it counts anywhere. */
const placeOf = ({ onlyAtTextStart, onlyAtLineStart, onlyAtListItem }: Mark) =>
  [onlyAtTextStart && 'text', onlyAtLineStart && 'line', onlyAtListItem && 'item']
    .filter(Boolean)
    .join(' ')

/** The text of a mark, or what is known of it where the name of a tool follows. */
const textOf = ({ text, named }: Mark) =>
  (named ? [text, named.minChars, named.maxChars, named.after] : [text, 'alone']).join(' ')

/**
 * Returns other marks with the text of a group that count where it counts: at the start of a line those
 * that count anywhere, and those for the names of other lengths.
 */
function findOthers(
  group: readonly FormatMark[],
  groups: readonly FormatMark[][],
): readonly FormatMark[] {
  const [first] = group
  if (!first) return []
  const { text, named } = first
  const places = placeOf(first) === 'line' ? ['line', ''] : [placeOf(first)]
  const hasText = (mark: FormatMark) =>
    mark.text === text && !mark.named === !named && mark.named?.after === named?.after
  return groups
    .flat()
    .filter(mark => !group.includes(mark) && hasText(mark) && places.includes(placeOf(mark)))
}

/** Returns true if a format of the group already reads the same after the mark. */
const readsAlike = (group: readonly FormatMark[], { grammar }: FormatMark) =>
  ['json', 'pythonic'].includes(grammar) && group.some(each => each.grammar === grammar)

/** All marks of a request that the reader of one mark refers to. */
interface MarkContext {
  /** The prompt asked for a format. */
  readonly isPrompted: boolean
  /** The marks of all formats that are special tokens. */
  readonly tokens: readonly FormatMark[]
  /** A code fence at the start of the answer, and one after text. */
  readonly startFence: Mark
  readonly fence: Mark
}

/** Returns one mark that tries all formats of a group. */
function groupMark(
  placed: readonly FormatMark[],
  others: readonly FormatMark[],
  context: MarkContext,
): readonly Mark[] {
  const [first] = placed
  if (!first || first.opensNoCall) return placed.slice(0, 1)
  const group = [...placed, ...others]
  const { named } = first
  if (!named) return [tryingMark(first, group, context)]
  // `<get_weather`: the marks of a name are tried as soon as the name is known.
  const create = (name: string) => {
    const marks = group.flatMap(each => (admits(each, name) ? each.named?.create(name) : []) ?? [])
    const [mark = named.create(name)] = marks
    return tryingMark(mark, marks, context)
  }
  return [{ ...first, notInInlineCode: true, named: { ...named, create } }]
}

/** True if the mark may contain a name of that length. */
const admits = ({ named }: FormatMark, { length }: string) =>
  length >= (named?.minChars ?? 0) && length <= (named?.maxChars ?? Infinity)

/** Returns the mark that tries all marks of a group, which have the same text. */
function tryingMark(first: FormatMark, group: readonly FormatMark[], context: MarkContext): Mark {
  // `<|start|>assistant to=`: where a long mark opens no call, one that it begins with may.
  const shorter = isToken(first)
    ? context.tokens.filter(token => token.text !== first.text && first.text.startsWith(token.text))
    : []
  // `<list>`: a tag that is named like a tool may be one of a text, unless the format was asked for.
  const provesCall = (mark: FormatMark) => mark.toolName === undefined || mark.isOwn
  const marks = [...group, ...shorter]
  const fallback = fallbackOf(first, context)
  const candidates = {
    marks,
    asked: context.isPrompted ? marks.find(isAsked) : undefined,
    acceptsNoCall: (mark: FormatMark) => mark.isOwn || isToken(mark),
    fallback,
  }
  return {
    ...first,
    whenShown: fallback,
    ends: [...new Set(group.filter(provesCall).flatMap(mark => mark.ends ?? []))],
    notInInlineCode: true,
    read: (cursor, output) => tryFormats(cursor, output, candidates),
  }
}

/** True for `<tool_call>`, but not for `{`, of the format that the prompt asked for. */
const isAsked = (mark: FormatMark) => mark.isOwn && isStrong(mark)

/** Returns the reader if no format finds a call: for "```json" that of a code fence. */
function fallbackOf(mark: Mark, { startFence, fence }: MarkContext): Mark | undefined {
  if (!mark.text.startsWith(CODE_FENCE)) return undefined
  if (mark.onlyAtTextStart) return startFence
  return mark.onlyAtListItem || mark.onlyAtLineStart ? fence : undefined
}
