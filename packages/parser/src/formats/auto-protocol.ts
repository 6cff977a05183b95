import { fenceMark } from '../engine/code-fence.js'
import type { CallGrammar, Mark, ToolShapes } from '../engine/grammar.js'
import { type CandidateMark, tryFormats } from '../engine/try-formats.js'
import { createEngineProtocol } from '../protocols/define-protocol.js'
import type { EngineProtocol } from '../protocols/protocol.js'
import { isSpecialToken } from '../protocols/special-token.js'
import type { ModelFormat } from './model-format.js'

/**
 * So short a mark says little: it counts only where nothing was said since the beginning or the
 * last call.
 */
const MIN_MARK_CHARS = 5
const CODE_FENCE = '```'

/**
 * Asks in one format and reads many: whichever mark comes first decides. A call counts only if its
 * tool is declared, and not where it is quoted: between backticks, or in a fence, unless it is all
 * that a fence at the beginning of the answer begins with.
 */
export function autoProtocol(asked: ModelFormat, formats: readonly ModelFormat[]): EngineProtocol {
  const others = formats.filter(format => format.id !== asked.id)
  const own = asked.create().definition
  const foreign = others.map(format => format.create().definition)
  const foreignThoughts = foreign
    .flatMap(each => each.reasoning ?? [])
    .filter(marks => marks.opens.every(isSpecialToken))
  return createEngineProtocol({
    ...own,
    grammar: autoGrammar(asked, others),
    reasoning: [
      ...(own.reasoning ?? []),
      ...foreignThoughts.map(marks => ({ ...marks, isForeign: true })),
    ],
    silent: [
      ...new Set([
        ...(own.silent ?? []),
        ...foreign.flatMap(each => each.silent ?? []).filter(isSpecialToken),
      ]),
    ],
  })
}

function autoGrammar(asked: ModelFormat, others: readonly ModelFormat[]): CallGrammar {
  return tools => {
    const asOwn = formatMarks(asked, tools).map(asAsked)
    const fences = asOwn
      .filter(mark => mark.text.startsWith(CODE_FENCE))
      .map(mark => ({ ...mark, onlyAtListItem: true }))
    const owned = [
      ...asOwn.flatMap(asForeign).filter(each => each.onlyAtTextStart),
      ...fences,
      ...asOwn,
    ]
    const foreign = others.flatMap(other => formatMarks(other, tools).flatMap(asForeign))
    const candidatesByPlace = new Map<string, FormatMark[]>()
    // At the beginning of an answer all are tried, the one that was asked for first.
    const isStart = (mark: Mark) => mark.onlyAtTextStart
    for (const mark of new Set([
      ...owned.filter(isStart),
      ...foreign.filter(isStart),
      ...owned,
      ...foreign,
    ])) {
      const key = [mark.onlyAtTextStart, mark.onlyAtLineStart, mark.onlyAtListItem, mark.text].join(
        ' ',
      )
      const same = candidatesByPlace.get(key) ?? []
      // Formats of these grammars read alike behind the same mark: there it is tried once.
      const isAlike =
        ['json', 'pythonic'].includes(mark.grammar) &&
        same.some(each => each.grammar === mark.grammar)
      candidatesByPlace.set(key, isAlike ? same : [...same, mark])
    }
    const calls = [...candidatesByPlace.values()].flat().filter(({ opensNoCall }) => !opensNoCall)
    const tokens = calls.filter(({ text }) => isSpecialToken(text))
    const isOwnOrToken = (mark: Mark) =>
      owned.some(each => each === mark) || isSpecialToken(mark.text)
    const fence = fenceMark(CODE_FENCE)
    const strongMarks = calls.filter(mark => mark.proof !== 'key').map(({ text }) => text)
    const startFence = fenceMark(CODE_FENCE, strongMarks)
    const marks = [...candidatesByPlace.values()].flatMap(same => {
      const [first] = same
      // What opens no call is not on trial.
      if (!first || first.opensNoCall) return same.slice(0, 1)
      const { text, onlyAtTextStart, onlyAtListItem, onlyAtLineStart } = first
      // Where a long mark opens no call, one that it begins with may.
      const sameStart = [
        ...same,
        ...tokens.filter(token => token.text !== text && text.startsWith(token.text)),
      ]
      const lineFence = onlyAtListItem || onlyAtLineStart ? fence : undefined
      const fallback = text.startsWith(CODE_FENCE)
        ? onlyAtTextStart
          ? startFence
          : lineFence
        : undefined
      const candidates = { marks: sameStart, acceptsNoCall: isOwnOrToken, fallback }
      return [
        {
          ...first,
          notInInlineCode: true,
          read: (cursor, output) => tryFormats(cursor, output, candidates),
        } satisfies Mark,
      ]
    })
    return [...marks, startFence, fence, fenceMark('~~~')]
  }
}

type FormatMark = CandidateMark & Pick<ModelFormat, 'grammar'>

function formatMarks({ create, grammar }: ModelFormat, tools: ToolShapes): FormatMark[] {
  const proof = grammar === 'json' ? 'name' : 'arguments'
  const marks = create().definition.grammar(tools)
  return marks.map(mark => ({ ...mark, grammar, proof: isWeakMark(mark.text) ? 'key' : proof }))
}

/**
 * Behind a mark of the format that was asked for a name is enough: a call that cannot be read is
 * then reported, and not shown as text.
 */
const asAsked = (mark: FormatMark): FormatMark =>
  mark.proof === 'key' ? mark : { ...mark, proof: 'name' }

const isLong = (text: string) => text.length >= MIN_MARK_CHARS && /^(?:[<[]|\]<)/.test(text)
const isLineMark = (text: string) => /^(?:Action|functools|```tool_)/.test(text)
/** True for a mark that stands in much that is no call. */
const isWeakMark = (text: string) =>
  !isLong(text) && !isLineMark(text) && /^(?:[{[`\w]|>>>)/.test(text)

/**
 * A mark of a format that was not asked for. The less it says, the fewer are the places where it
 * counts.
 */
function asForeign(mark: FormatMark): FormatMark[] {
  const { text } = mark
  if (mark.opensNoCall) return isSpecialToken(text) ? [mark] : []
  if (isWeakMark(text)) return [{ ...mark, onlyAtTextStart: true, onlyAtLineStart: undefined }]
  if (isLineMark(text)) return [{ ...mark, onlyAtLineStart: true }]
  return isLong(text) ? [mark] : []
}
