import type { Random } from '../random.js'

export interface Interval {
  readonly low: number
  readonly high: number
}

/** The quantile of the normal distribution at 0.975, for 95 % intervals. */
const z = 1.959963984540054

/** Returns the Wilson interval of a share: 0 to 1 without runs. */
export function wilson(passed: number, total: number): Interval {
  if (total === 0) return { low: 0, high: 1 }
  const share = passed / total
  const scale = 1 + z ** 2 / total
  const middle = (share + z ** 2 / (2 * total)) / scale
  const reach = (z / scale) * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2))
  // Rounding must not push the interval beyond 0 or 1.
  return {
    low: passed === 0 ? 0 : Math.max(0, middle - reach),
    high: passed === total ? 1 : Math.min(1, middle + reach),
  }
}

/**
 * McNemar's exact test, two-sided: the probability of a split at least as uneven if each discordant
 * pair favours either side with the same probability.
 */
export function mcnemarExact(onlyFirst: number, onlySecond: number): number {
  const total = onlyFirst + onlySecond
  const least = Math.min(onlyFirst, onlySecond)
  let tail = 0
  // With logarithms, because 2 ** -total is 0 for a few thousand pairs.
  let logChoose = -total * Math.LN2
  for (let i = 0; i <= least; i++) {
    tail += Math.exp(logChoose)
    logChoose += Math.log(total - i) - Math.log(i + 1)
  }
  return Math.min(1, 2 * tail)
}

/** Corrects p values for the number of tests, by Holm's method. */
export function holm(values: readonly number[]): number[] {
  const order = [...values.keys()].sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  const corrected = new Array<number>(values.length).fill(1)
  let highest = 0
  order.forEach((index, rank) => {
    highest = Math.max(highest, Math.min(1, (values[index] ?? 1) * (values.length - rank)))
    corrected[index] = highest
  })
  return corrected
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const low = sorted[Math.floor(at)] ?? Number.NaN
  const high = sorted[Math.ceil(at)] ?? Number.NaN
  return low + (high - low) * (at - Math.floor(at))
}

/**
 * Returns a 95 % bootstrap interval of the mean of groups of values. It samples whole groups:
 * repetitions of one task are similar, and sampling them one by one would make the interval too
 * narrow.
 */
export function bootstrapMean(
  groups: readonly (readonly number[])[],
  random: Random,
  rounds = 2000,
): Interval {
  const filled = groups.filter(group => group.length > 0)
  const sums = filled.map(group => ({
    sum: group.reduce((total, value) => total + value, 0),
    count: group.length,
  }))
  if (sums.length === 0) return { low: Number.NaN, high: Number.NaN }
  const means: number[] = []
  for (let round = 0; round < rounds; round++) {
    let sum = 0
    let count = 0
    for (let i = 0; i < sums.length; i++) {
      const drawn = sums[Math.floor(random() * sums.length)]
      sum += drawn?.sum ?? 0
      count += drawn?.count ?? 0
    }
    means.push(sum / count)
  }
  return { low: quantile(means, 0.025), high: quantile(means, 0.975) }
}
