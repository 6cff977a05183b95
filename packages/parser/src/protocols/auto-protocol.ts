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
    // What reads the same in the same way is tried once.
    const known = new Set(owned.map(mark => `${asked.grammar} ${mark.text}`))
    const foreign = others.flatMap(other =>
      marksOf(other, tools)
        .flatMap(asForeign)
        .filter(({ text }) => {
          const key = `${other.grammar} ${text}`
          const isNew = !known.has(key) || !['json', 'pythonic'].includes(other.grammar)
          known.add(key)
          return isNew
        }),
    )
    const places = new Map<string, Mark[]>()
    // At the beginning of an answer all are tried, the one that was asked for first.
    for (const mark of new Set([...foreign.filter(each => each.isAtStart), ...owned, ...foreign])) {
      const key = `${mark.isAtStart} ${mark.isAtLineStart} ${mark.text}`
      const same = places.get(key) ?? (mark.isAtStart ? owned.filter(each => each.text === mark.text) : [])
      places.set(key, [...same, mark])
    }
    const tokens = [...owned, ...foreign].filter(
      ({ text, isSilent, isAtStart, isAtLineStart }) => isToken(text) && !isSilent && !isAtStart && !isAtLineStart,
    )
    const isOwnOrToken = (mark: Mark) => owned.includes(mark) || isToken(mark.text)
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

const marksOf = (format: ModelFormat, tools: ToolShapes) => format.create().definition.grammar(tools)

/** A mark of a format that was not asked for. The less it says, the fewer are the places where it counts. */
function asForeign(mark: Mark): Mark[] {
  const { text } = mark
  if (mark.isSilent) return isToken(text) ? [mark] : []
  if (text.length >= MIN_MARK_CHARS && /^(?:[<[]|\]<)/.test(text)) return [mark]
  if (/^(?:Action|functools|```tool_)/.test(text)) return [{ ...mark, isAtLineStart: true }]
  return /^(?:[{[`\w]|>>>)/.test(text) ? [{ ...mark, isAtStart: true, isAtLineStart: undefined }] : []
}
