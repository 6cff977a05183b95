import type { ContestantResult, TokensResult } from './result.js'
import { callsChange, leadersOf, nativesOf, ownOf } from './tables.js'

/** The bars of a contestant. */
export interface Bar {
  readonly title: string
  readonly calls: number
  readonly manual: number
  /** `-11.0 % / -22.4 %`: the change of the calls from each leading baseline. Empty for these. */
  readonly note: string
}

/** Bars below one heading, from the shortest calls to the longest. */
export interface Group {
  readonly title: string
  /** The class of the style. */
  readonly kind: 'baseline' | 'own' | 'other' | 'api'
  readonly bars: readonly Bar[]
}

/** Groups the listed contestants. The leading baselines come first; empty groups are left out. */
export function barGroups(result: TokensResult): Group[] {
  const leaders = leadersOf(result)
  const own = ownOf(result)
  const apis = nativesOf(result).filter(each => !leaders.includes(each))
  const others = result.contestants.filter(each => !each.isNative && !own.includes(each))
  const group = (
    kind: Group['kind'],
    title: string,
    contestants: readonly ContestantResult[],
  ): Group => ({ kind, title, bars: barsOf(result, contestants) })
  const groups = [
    group('baseline', 'Baselines', leaders),
    group('own', 'Syntaxes of toolglot', own),
    group('other', 'Formats of models, and others', others),
    group('api', 'JSON of APIs, without ids', apis),
  ]
  return groups.filter(({ bars }) => bars.length > 0)
}

function barsOf(result: TokensResult, contestants: readonly ContestantResult[]): Bar[] {
  const leaders = leadersOf(result)
  const bars = contestants.flatMap((each): Bar[] => {
    if (!each.tokens) return []
    const { calls, manual } = each.tokens.o200k_base
    const changes = leaders.map(leader => callsChange(each, leader))
    const note = leaders.includes(each) ? '' : changes.join(' / ')
    return [{ title: each.title, calls, manual, note }]
  })
  return bars.sort((left, right) => left.calls - right.calls)
}
