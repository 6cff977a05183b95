import { createRandom } from './random.js'
import type { RunRecord } from './record.js'
import { bootstrapMean, holm, type Interval, mcnemarExact, mean } from './statistics.js'

/** Two protocols on the runs that both have made: same task, same repetition. */
export interface Comparison {
  readonly protocol: string
  readonly baseline: string
  readonly pairs: number
  readonly bothPass: number
  readonly onlyProtocol: number
  readonly onlyBaseline: number
  readonly bothFail: number
  /** Share of the protocol minus share of the baseline; absent without pairs. */
  readonly difference?: number | undefined
  /** By bootstrap over tasks. */
  readonly interval?: Interval | undefined
  /** McNemar, exact, corrected for the number of comparisons. Takes the repetitions of a task for independent. */
  readonly pValue?: number | undefined
  /** Mean tokens (in and out) of the protocol minus those of the baseline, where both were reported. */
  readonly tokenDifference?: number | undefined
  readonly tokenInterval?: Interval | undefined
  /** In words, no stronger than the figures. */
  readonly verdict: string
}

export function compareProtocols(
  protocols: readonly string[],
  records: readonly RunRecord[],
  seed: number,
): Comparison[] {
  const baseline = protocols.includes('native') ? 'native' : protocols[0]
  if (baseline === undefined) return []
  const found = protocols
    .filter(protocol => protocol !== baseline)
    .map(protocol => ({ protocol, pairs: pairRuns(protocol, baseline, records) }))
  const pValues = holm(
    found.map(({ pairs }) => {
      const { onlyProtocol, onlyBaseline } = countPairs(pairs)
      return mcnemarExact(onlyProtocol, onlyBaseline)
    }),
  )
  return found.map(({ protocol, pairs }, i) => {
    const counts = countPairs(pairs)
    const base = { protocol, baseline, pairs: pairs.length, ...counts }
    if (pairs.length === 0) return { ...base, verdict: 'no runs that both have made' }
    const differences = groupDifferences(pairs, ({ own, other }) => passed(own) - passed(other))
    const tokens = groupDifferences(pairs, ({ own, other }) => {
      const ownTokens = tokensOf(own)
      const otherTokens = tokensOf(other)
      return ownTokens === undefined || otherTokens === undefined ? undefined : ownTokens - otherTokens
    })
    const difference = mean(differences.flat())
    const interval = bootstrapMean(differences, createRandom(`${seed}/${protocol}/${baseline}/accuracy`))
    return {
      ...base,
      difference,
      interval,
      pValue: pValues[i],
      ...(tokens.flat().length
        ? {
            tokenDifference: mean(tokens.flat()),
            tokenInterval: bootstrapMean(tokens, createRandom(`${seed}/${protocol}/${baseline}/tokens`)),
          }
        : {}),
      verdict: describe({ difference, interval, pValue: pValues[i] ?? 1, pairs: pairs.length, baseline }),
    }
  })
}

interface Pair {
  readonly own: RunRecord
  readonly other: RunRecord
}

function pairRuns(protocol: string, baseline: string, records: readonly RunRecord[]): Pair[] {
  const keyOf = ({ task, rep }: RunRecord) => JSON.stringify([task, rep])
  const others = new Map(records.filter(each => each.protocol === baseline).map(each => [keyOf(each), each]))
  return records.flatMap(own => {
    const other = own.protocol === protocol ? others.get(keyOf(own)) : undefined
    return other ? [{ own, other }] : []
  })
}

function countPairs(pairs: readonly Pair[]) {
  const count = (isOwn: boolean, isOther: boolean) =>
    pairs.filter(({ own, other }) => (passed(own) === 1) === isOwn && (passed(other) === 1) === isOther).length
  return {
    bothPass: count(true, true),
    onlyProtocol: count(true, false),
    onlyBaseline: count(false, true),
    bothFail: count(false, false),
  }
}

function passed({ outcome }: RunRecord): number {
  return outcome === 'pass' ? 1 : 0
}

function tokensOf({ inputTokens, outputTokens }: RunRecord): number | undefined {
  return inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens
}

function groupDifferences(pairs: readonly Pair[], read: (pair: Pair) => number | undefined): number[][] {
  const groups = new Map<string, number[]>()
  for (const pair of pairs) {
    const group = groups.get(pair.own.task) ?? []
    groups.set(pair.own.task, group)
    const value = read(pair)
    if (value !== undefined) group.push(value)
  }
  return [...groups.values()]
}

interface Finding {
  readonly difference: number
  readonly interval: Interval
  readonly pValue: number
  readonly pairs: number
  readonly baseline: string
}

/** Both tests must agree before a difference is called one; each makes an assumption that the other does not. */
function describe({ difference, interval: { low, high }, pValue, pairs, baseline }: Finding): string {
  const points = (share: number) => `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)}`
  const range = `${points(difference)} points (95 % interval ${points(low)} to ${points(high)}, ${pairs} pairs)`
  const isApart = low > 0 || high < 0
  const direction = difference > 0 ? 'better' : 'worse'
  if (isApart && pValue < 0.05) return `${direction} than ${baseline}: ${range}`
  if (isApart || pValue < 0.05) return `perhaps ${direction} than ${baseline}, more runs would tell: ${range}`
  return `no difference to ${baseline} shown: ${range}`
}
