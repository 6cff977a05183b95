import { readChoice } from '../engine/bodies/choice-body.js'
import { fenceMark } from '../engine/bodies/silent-body.js'
import type { CallGrammar, Mark, ToolShapes } from '../engine/body.js'
import { defineProtocol, isToken } from './define-protocol.js'
import type { ModelFormat } from './model-format.js'
import type { EngineProtocol } from './tool-call-protocol.js'

/** So short a mark says little: it counts only where nothing was said since the beginning or the last call. */
const MIN_MARK_CHARS = 5

/**
 * Asks in one format and reads many: whichever mark comes first decides. A call counts only if its tool is declared, and not
 * where it is quoted: in a fence that does not begin the answer, or right behind a backtick.
 */
export function autoProtocol(asked: ModelFormat, formats: readonly ModelFormat[]): EngineProtocol {
  const others = formats.filter(format => format.id !== asked.id)
  const own = asked.create().definition
  const foreign = others.map(format => format.create().definition)
  const foreignThoughts = foreign.flatMap(each => each.reasoning ?? [])
  return defineProtocol({
    ...own,
    grammar: autoGrammar(asked, others),
    reasoning: [...(own.reasoning ?? []), ...foreignThoughts.filter(marks => marks.opens.every(isToken))],
    silent: [...new Set([...(own.silent ?? []), ...foreign.flatMap(each => each.silent ?? []).filter(isToken)])],
  })
}

function autoGrammar(asked: ModelFormat, others: readonly ModelFormat[]): CallGrammar {
  return tools => {
    const owned = marksOf(asked, tools)
    const foreign = others.flatMap(other => marksOf(other, tools).flatMap(asForeign))
    const places = new Map<string, FormatMark[]>()
    // At the beginning of an answer all are tried, the one that was asked for first.
    for (const mark of new Set([...foreign.filter(each => each.isAtStart), ...owned, ...foreign])) {
      const key = `${mark.isAtStart} ${mark.isAtLineStart} ${mark.text}`
      const same = places.get(key) ?? (mark.isAtStart ? owned.filter(each => each.text === mark.text) : [])
      // Formats of these grammars read alike behind the same mark: there it is tried once.
      const isAlike = ['json', 'pythonic'].includes(mark.grammar) && same.some(each => each.grammar === mark.grammar)
      places.set(key, isAlike ? same : [...same, mark])
    }
    const tokens = [...places.values()].flat().filter(({ text, isSilent }) => isToken(text) && !isSilent)
    const isOwnOrToken = (mark: Mark) => owned.some(each => each === mark) || isToken(mark.text)
    const marks = [...places.values()].flatMap(same => {
      const [first] = same
      // What opens no call is not on trial.
      if (!first || first.isSilent) return same.slice(0, 1)
      // Where a long mark opens no call, one that it begins with may.
      const ways = [...same, ...tokens.filter(({ text }) => text !== first.text && first.text.startsWith(text))]
      const isAtStart = same.some(mark => mark.isAtStart)
      const read: Mark['read'] = (cursor, port) => readChoice(cursor, port, ways, isOwnOrToken)
      return [{ ...first, isAtStart, isUnquoted: true, read }]
    })
    return [...marks, fenceMark]
  }
}

type FormatMark = Mark & Pick<ModelFormat, 'grammar'>

function marksOf({ create, grammar }: ModelFormat, tools: ToolShapes): FormatMark[] {
  const marks = create().definition.grammar(tools)
  return marks.map(mark => ({ ...mark, grammar }))
}

/** A mark of a format that was not asked for. The less it says, the fewer are the places where it counts. */
function asForeign(mark: FormatMark): FormatMark[] {
  const { text } = mark
  if (mark.isSilent) return isToken(text) ? [mark] : []
  if (text.length >= MIN_MARK_CHARS && /^(?:[<[]|\]<)/.test(text)) return [mark]
  if (/^(?:Action|functools|```tool_)/.test(text)) return [{ ...mark, isAtLineStart: true }]
  return /^(?:[{[`\w]|>>>)/.test(text) ? [{ ...mark, isAtStart: true, isAtLineStart: undefined }] : []
}
