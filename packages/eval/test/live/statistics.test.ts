import { describe, expect, it } from 'vitest'
import { bootstrapMean, holm, mcnemarExact, quantile, wilson } from '../../src/live/statistics.js'
import { createRandom, sample, shuffle } from '../../src/random.js'

describe('statistics', () => {
  it('returns the Wilson intervals of textbooks', () => {
    const { low, high } = wilson(81, 263)
    expect(low).toBeCloseTo(0.2553, 4)
    expect(high).toBeCloseTo(0.3662, 4)
    expect(wilson(0, 10)).toEqual({ low: 0, high: expect.closeTo(0.2775, 4) })
    expect(wilson(10, 10)).toEqual({ low: expect.closeTo(0.7225, 4), high: 1 })
    expect(wilson(0, 0)).toEqual({ low: 0, high: 1 })
  })

  it('returns exact p values for discordant pairs', () => {
    expect(mcnemarExact(0, 0)).toBe(1)
    expect(mcnemarExact(5, 5)).toBe(1)
    // 2 * (1 + 10 + 45) / 1024
    expect(mcnemarExact(2, 8)).toBeCloseTo(112 / 1024, 10)
    expect(mcnemarExact(8, 2)).toBeCloseTo(112 / 1024, 10)
    expect(mcnemarExact(0, 6)).toBeCloseTo(2 / 64, 10)
    expect(mcnemarExact(1000, 3000)).toBeLessThan(1e-100)
  })

  it('corrects several p values together', () => {
    expect(holm([0.01, 0.04, 0.03])).toEqual(
      [0.03, 0.06, 0.06].map(value => expect.closeTo(value, 10)),
    )
    expect(holm([0.5, 0.9])).toEqual([1, 1])
    expect(holm([])).toEqual([])
  })

  it('draws the same bootstrap for the same seed, around the mean', () => {
    const groups = Array.from({ length: 40 }, (_, i) => [i % 7, (i * 3) % 5])
    const first = bootstrapMean(groups, createRandom('a'))
    expect(bootstrapMean(groups, createRandom('a'))).toEqual(first)
    const mean = groups.flat().reduce((sum, value) => sum + value, 0) / groups.flat().length
    expect(first.low).toBeLessThan(mean)
    expect(first.high).toBeGreaterThan(mean)
    expect(bootstrapMean([[5, 5], [5]], createRandom('b'))).toEqual({ low: 5, high: 5 })
  })

  it('draws whole tasks, so that repetitions make no interval narrower', () => {
    const once = Array.from({ length: 30 }, (_, i) => [i % 2])
    const often = once.map(([value = 0]) => Array.from({ length: 10 }, () => value))
    const width = (groups: number[][]) => {
      const { low, high } = bootstrapMean(groups, createRandom('w'))
      return high - low
    }
    expect(width(often)).toBeCloseTo(width(once), 5)
  })

  it('takes quantiles between values', () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5)
    expect(quantile([1, 2, 3, 4, 5], 0.9)).toBeCloseTo(4.6)
  })

  it('shuffles and samples by the seed', () => {
    const items = Array.from({ length: 20 }, (_, i) => i)
    expect(shuffle(items, createRandom('x'))).toEqual(shuffle(items, createRandom('x')))
    expect(shuffle(items, createRandom('x'))).not.toEqual(shuffle(items, createRandom('y')))
    expect(shuffle(items, createRandom('x')).toSorted((a, b) => a - b)).toEqual(items)
    const some = sample(items, 5, createRandom('x'))
    expect(some).toHaveLength(5)
    expect(some).toEqual(some.toSorted((a, b) => a - b))
    expect(sample(items, 50, createRandom('x'))).toEqual(items)
  })
})
