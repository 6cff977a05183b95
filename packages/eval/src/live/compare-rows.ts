import { createRandom } from '../random.js'
import type { RunRecord } from './record.js'
import { keyOfRow, type Row } from './rows.js'
import { bootstrapMean, holm, type Interval, mcnemarExact, mean } from './statistics.js'

/** Two rows compared on the runs that both have: same task, same repetition. */
export interface Comparison {
  /** Labels of the two rows. */
  readonly label: string
  readonly baseline: string
  readonly pairs: number
  readonly bothPass: number
  readonly onlyRow: number
  readonly onlyBaseline: number
  readonly bothFail: number
  /** Share of the row minus share of the baseline. Absent without pairs. */
  readonly difference?: number | undefined
  /** By bootstrap over tasks. */
  readonly interval?: Interval | undefined
  /**
   * Exact McNemar test, corrected for the number of comparisons. It assumes that the repetitions of
   * a task are independent.
   */
  readonly pValue?: number | undefined
  /** Mean tokens (in and out) of the row minus those of the baseline, if both were reported. */
  readonly tokenDifference?: number | undefined
  readonly tokenInterval?: Interval | undefined
  /** The result in words, not stronger than the figures. */
  readonly verdict: string
}

export function compareRows(
  rows: readonly Row[],
  records: readonly RunRecord[],
  seed: number,
): Comparison[] {
  const found = listComparisons(rows).map(({ row, baseline }) => ({
    label: row.label,
    baseline: baseline.label,
    pairs: pairRuns(row, baseline, records),
  }))
  const pValues = holm(
    found.map(({ pairs }) => {
      const { onlyRow, onlyBaseline } = countPairs(pairs)
      return mcnemarExact(onlyRow, onlyBaseline)
    }),
  )
  return found.map(({ label, baseline, pairs }, i) => {
    const counts = countPairs(pairs)
    const base = { label, baseline, pairs: pairs.length, ...counts }
    if (pairs.length === 0) return { ...base, verdict: `no runs in common with ${baseline}` }
    const differences = groupDifferences(pairs, ({ own, other }) => passed(own) - passed(other))
    const tokens = groupDifferences(pairs, ({ own, other }) => {
      const ownTokens = tokensOf(own)
      const otherTokens = tokensOf(other)
      return ownTokens === undefined || otherTokens === undefined
        ? undefined
        : ownTokens - otherTokens
    })
    const difference = mean(differences.flat())
    const interval = bootstrapMean(
      differences,
      createRandom(`${seed}/${label}/${baseline}/accuracy`),
    )
    return {
      ...base,
      difference,
      interval,
      pValue: pValues[i],
      ...(tokens.flat().length
        ? {
            tokenDifference: mean(tokens.flat()),
            tokenInterval: bootstrapMean(
              tokens,
              createRandom(`${seed}/${label}/${baseline}/tokens`),
            ),
          }
        : {}),
      verdict: describe({
        difference,
        interval,
        pValue: pValues[i] ?? 1,
        pairs: pairs.length,
        baseline,
      }),
    }
  })
}

/**
 * Lists the rows that are compared:
 * - a protocol with `native`, or with the first protocol, of the same model
 * - an ablation with the unchanged protocol of the same model
 * - every row of a later model with the same row of the first model
 */
function listComparisons(rows: readonly Row[]): { readonly row: Row; readonly baseline: Row }[] {
  const [first] = rows
  return rows.flatMap(row => {
    const sameModel = rows.filter(({ model }) => model === row.model)
    const reference =
      row.ablation === undefined
        ? (sameModel.find(({ protocol }) => protocol === 'native') ?? sameModel[0])
        : sameModel.find(
            ({ protocol, ablation }) => protocol === row.protocol && ablation === undefined,
          )
    const firstModel = rows.find(
      ({ model, protocol, ablation }) =>
        model === first?.model && protocol === row.protocol && ablation === row.ablation,
    )
    return [reference, firstModel].flatMap(baseline =>
      baseline && baseline !== row ? [{ row, baseline }] : [],
    )
  })
}

interface Pair {
  readonly own: RunRecord
  readonly other: RunRecord
}

function pairRuns(row: Row, baseline: Row, records: readonly RunRecord[]): Pair[] {
  const keyOf = ({ task, rep }: RunRecord) => JSON.stringify([task, rep])
  const others = new Map(
    records.filter(each => keyOfRow(each) === keyOfRow(baseline)).map(each => [keyOf(each), each]),
  )
  return records.flatMap(own => {
    const other = keyOfRow(own) === keyOfRow(row) ? others.get(keyOf(own)) : undefined
    return other ? [{ own, other }] : []
  })
}

function countPairs(pairs: readonly Pair[]) {
  const count = (isOwn: boolean, isOther: boolean) =>
    pairs.filter(
      ({ own, other }) => (passed(own) === 1) === isOwn && (passed(other) === 1) === isOther,
    ).length
  return {
    bothPass: count(true, true),
    onlyRow: count(true, false),
    onlyBaseline: count(false, true),
    bothFail: count(false, false),
  }
}

function passed({ outcome }: RunRecord): number {
  return outcome === 'pass' ? 1 : 0
}

function tokensOf({ inputTokens, outputTokens }: RunRecord): number | undefined {
  return inputTokens === undefined || outputTokens === undefined
    ? undefined
    : inputTokens + outputTokens
}

function groupDifferences(
  pairs: readonly Pair[],
  read: (pair: Pair) => number | undefined,
): number[][] {
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

/**
 * Describes the result. It claims a difference only if both tests agree, because each makes an
 * assumption that the other does not.
 */
function describe({
  difference,
  interval: { low, high },
  pValue,
  pairs,
  baseline,
}: Finding): string {
  const points = (share: number) => `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)}`
  const range = `${points(difference)} points (95 % interval ${points(low)} to ${points(high)}, ${pairs} pairs)`
  const excludesZero = low > 0 || high < 0
  const direction = difference > 0 ? 'better' : 'worse'
  if (excludesZero && pValue < 0.05) return `${direction} than ${baseline}: ${range}`
  if (excludesZero || pValue < 0.05)
    return `perhaps ${direction} than ${baseline}, more runs are needed: ${range}`
  return `no difference from ${baseline} shown: ${range}`
}
