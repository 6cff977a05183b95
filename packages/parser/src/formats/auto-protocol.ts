import { fenceMark } from '../engine/code-fence.js'
import type { CallGrammar, Mark, ToolShapes } from '../engine/grammar.js'
import { isSpecialToken, markStrength } from '../engine/mark-strength.js'
import { type CandidateMark, tryFormats } from '../engine/try-formats.js'
import { createEngineProtocol } from '../protocols/define-protocol.js'
import type { EngineProtocol } from '../protocols/protocol.js'
import type { ModelFormat } from './model-format.js'

const CODE_FENCE = '```'

/**
 * Asks in one format and reads many: whichever mark comes first decides. A call counts only if its
 * tool is declared, and not where it is quoted: between backticks, or in a fence, unless it is all
 * that a fence at the start of the answer begins with (decision 34).
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
    reasoning: [...(own.reasoning ?? []), ...foreignReasoning],
    silent: [...new Set([...(own.silent ?? []), ...foreignSilent])],
  })
}

/** The mark of a format, and the family by which that format is read. */
type FormatMark = CandidateMark & Pick<ModelFormat, 'grammar'>

function autoGrammar(asked: ModelFormat, others: readonly ModelFormat[]): CallGrammar {
  return tools => {
    const own = askedMarks(formatMarks(asked, tools))
    const foreign = others.flatMap(other => formatMarks(other, tools).flatMap(asForeign))
    const groups = groupByPlace(own, foreign)
    const callMarks = groups.flat().filter(mark => !mark.opensNoCall)
    const startFence = fenceMark(
      CODE_FENCE,
      callMarks.filter(isStrong).map(mark => mark.text),
    )
    const context: MarkContext = {
      own: new Set(own),
      tokens: callMarks.filter(isToken),
      startFence,
      fence: fenceMark(CODE_FENCE),
    }
    const marks = groups.flatMap(group => groupMark(group, context))
    return [...marks, startFence, context.fence, fenceMark('~~~')]
  }
}

const isToken = (mark: Mark) => markStrength(mark) === 'token'
const isStrong = (mark: FormatMark) => mark.proof !== 'key'

function formatMarks({ create, grammar }: ModelFormat, tools: ToolShapes): FormatMark[] {
  const proof = grammar === 'json' ? 'name' : 'arguments'
  const marks = create().definition.grammar(tools)
  return marks.map(mark => ({
    ...mark,
    grammar,
    proof: markStrength(mark) === 'weak' ? 'key' : proof,
  }))
}

/** The marks of the format that was asked for, and where each of them counts. */
function askedMarks(marks: readonly FormatMark[]): FormatMark[] {
  const own = marks.map(withNameAsProof)
  const atStart = own.flatMap(asForeign).filter(mark => mark.onlyAtTextStart)
  const fences = own
    .filter(mark => mark.text.startsWith(CODE_FENCE))
    .map(mark => ({ ...mark, onlyAtListItem: true }))
  return [...atStart, ...fences, ...own]
}

/**
 * After a mark of the format that was asked for a name is enough: a call that cannot be read is
 * then reported, and not shown as text.
 */
const withNameAsProof = (mark: FormatMark): FormatMark =>
  isStrong(mark) ? { ...mark, proof: 'name' } : mark

/**
 * A mark of a format that was not asked for. The less it proves, the fewer are the places where it
 * counts (decision 70).
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
 * The marks of one text that count in one place. At the start of an answer all are tried, the one
 * that was asked for first.
 */
function groupByPlace(own: readonly FormatMark[], foreign: readonly FormatMark[]): FormatMark[][] {
  const isStart = (mark: Mark) => mark.onlyAtTextStart
  const inOrder = [...own.filter(isStart), ...foreign.filter(isStart), ...own, ...foreign]
  const groups = new Map<string, FormatMark[]>()
  for (const mark of new Set(inOrder)) {
    const { onlyAtTextStart, onlyAtLineStart, onlyAtListItem, text } = mark
    const place = [onlyAtTextStart, onlyAtLineStart, onlyAtListItem, text].join(' ')
    const group = groups.get(place) ?? []
    groups.set(place, group)
    if (!readsAlike(group, mark)) group.push(mark)
  }
  return [...groups.values()]
}

/** True if another format of the group reads the same after the mark: then it is tried once. */
const readsAlike = (group: readonly FormatMark[], { grammar }: FormatMark) =>
  ['json', 'pythonic'].includes(grammar) && group.some(each => each.grammar === grammar)

/** What a mark needs to know about the others. */
interface MarkContext {
  readonly own: ReadonlySet<Mark>
  /** The marks of all formats that are special tokens. */
  readonly tokens: readonly FormatMark[]
  /** A code fence at the start of the answer, and one after text. */
  readonly startFence: Mark
  readonly fence: Mark
}

/** One mark for all formats that have it in one place. */
function groupMark(group: readonly FormatMark[], context: MarkContext): readonly Mark[] {
  const [first] = group
  if (!first || first.opensNoCall) return group.slice(0, 1)
  // `<|start|>assistant to=`: where a long mark opens no call, one that it begins with may.
  const shorter = context.tokens.filter(
    token => token.text !== first.text && first.text.startsWith(token.text),
  )
  const candidates = {
    marks: [...group, ...shorter],
    acceptsNoCall: (mark: Mark) => context.own.has(mark) || isToken(mark),
    fallback: fallbackOf(first, context),
  }
  return [
    {
      ...first,
      notInInlineCode: true,
      read: (cursor, output) => tryFormats(cursor, output, candidates),
    },
  ]
}

/** "```json": a code fence, if no format finds a call in it. */
function fallbackOf(mark: Mark, { startFence, fence }: MarkContext): Mark | undefined {
  if (!mark.text.startsWith(CODE_FENCE)) return undefined
  if (mark.onlyAtTextStart) return startFence
  return mark.onlyAtListItem || mark.onlyAtLineStart ? fence : undefined
}
