import type { Mark } from './grammar.js'
import { markStrength } from './mark-strength.js'
import { type CandidateMark, tryFormats } from './try-formats.js'

/**
 * The marks of calls in an answer that must be JSON unless it is a call (decision 87):
 *
 *     {"name": "Paris", "parameters": {"size": 2}}   a brace opens a call only of a declared tool, by its keys
 *     {"code": "<tool_call>{…}</tool_call>"}         in brackets, a mark is part of the JSON
 */
export const marksAroundJson = (marks: readonly Mark[]): Mark[] =>
  marks.map(mark => ({ ...withProof(mark), notInBrackets: true }))

function withProof(mark: Mark): Mark {
  if (isTried(mark) || mark.opensNoCall || markStrength(mark) !== 'weak') return mark
  const { named } = mark
  if (named) return { ...mark, named: { ...named, create: name => withProof(named.create(name)) } }
  const candidates = {
    marks: [{ ...mark, proof: 'key' as const }],
    acceptsNoCall: () => false,
  }
  return { ...mark, read: (cursor, output) => tryFormats(cursor, output, candidates) }
}

/** The marks of `auto` need a proof already. */
const isTried = (mark: Mark | CandidateMark): mark is CandidateMark => 'proof' in mark
