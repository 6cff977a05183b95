import { describe, expect, it } from 'vitest'
import { findBreakEven, gainOf } from '../../src/tokens/break-even.js'

const prices = { outputPriceRatio: 4, cacheRatio: 0.1 }

describe('the gain of a conversation', () => {
  it('counts manual, output and history of one call', () => {
    // 2 requests carry 100 more tokens: -200. The call saves 10 x 4, and 10 when it is read again:
    // +50.
    expect(gainOf(1, { extraManual: 100, savedPerCall: 10 }, prices, false)).toBe(-150)
    // The cache has the manual in the second request: -110. The call is read again for the first
    // time: +50.
    expect(gainOf(1, { extraManual: 100, savedPerCall: 10 }, prices, true)).toBeCloseTo(-60, 9)
  })

  it('counts earlier calls again in each later request', () => {
    // 4 requests: -400. Output 3 x 40 = 120. The calls are read 3, 2 and 1 times: 60.
    expect(gainOf(3, { extraManual: 100, savedPerCall: 10 }, prices, false)).toBe(-220)
    // Manual 100 + 3 x 10 = 130. Output 120. Each call once in full (30), then 2 + 1 times from the
    // cache (3).
    expect(gainOf(3, { extraManual: 100, savedPerCall: 10 }, prices, true)).toBeCloseTo(23, 9)
  })
})

describe('the break-even', () => {
  it('is at the first call where the manual is smaller and the calls too', () => {
    expect(findBreakEven({ extraManual: -5, savedPerCall: 1 }, prices, false)).toEqual({
      type: 'first',
    })
    expect(findBreakEven({ extraManual: 0, savedPerCall: 0 }, prices, true)).toEqual({
      type: 'first',
    })
  })

  it('is at the first call where that alone saves more than the manual costs', () => {
    // Two requests: 2 x 20 = 40 against 4 x 10 + 10 = 50.
    expect(findBreakEven({ extraManual: 20, savedPerCall: 10 }, prices, false)).toEqual({
      type: 'first',
    })
  })

  it('is never where nothing is saved', () => {
    expect(findBreakEven({ extraManual: 1, savedPerCall: 0 }, prices, true)).toEqual({
      type: 'never',
    })
    expect(findBreakEven({ extraManual: 0, savedPerCall: -1 }, prices, false)).toEqual({
      type: 'never',
    })
    // 5 x 1.1 from the manual against 4 x 2 + 2 for the longer call.
    expect(findBreakEven({ extraManual: -5, savedPerCall: -2 }, prices, true)).toEqual({
      type: 'never',
    })
  })

  it('comes after as many calls as the formula says', () => {
    // Without a cache: 10 (4n + n(n + 1)/2) >= 100 (n + 1), so n^2 - 11n - 20 >= 0: n = 12.6.
    expect(findBreakEven({ extraManual: 100, savedPerCall: 10 }, prices, false)).toEqual({
      type: 'after',
      calls: 13,
    })
    // With one: 3 calls gain 23 (above); 2 gain 10 (8 + 2 + 0.1) - 100 x 1.2 = -19.
    expect(findBreakEven({ extraManual: 100, savedPerCall: 10 }, prices, true)).toEqual({
      type: 'after',
      calls: 3,
    })
  })

  it('counts a call at which both cost the same', () => {
    // r = 0: 6 x n(n + 1)/2 = 12 (n + 1) at n = 4.
    expect(
      findBreakEven(
        { extraManual: 12, savedPerCall: 6 },
        { outputPriceRatio: 0, cacheRatio: 0 },
        false,
      ),
    ).toEqual({
      type: 'after',
      calls: 4,
    })
  })

  it('is turned round where the manual is smaller but the calls are longer', () => {
    // 100 (n + 1) >= 10 (4n + n(n + 1)/2): the same parabola, to n = 12.6.
    expect(findBreakEven({ extraManual: -100, savedPerCall: -10 }, prices, false)).toEqual({
      type: 'until',
      calls: 12,
    })
  })

  it('takes its time where little is saved', () => {
    const difference = { extraManual: 3000, savedPerCall: 0.5 }
    const found = findBreakEven(difference, prices, false)
    if (found.type !== 'after') throw new Error(found.type)
    expect(gainOf(found.calls, difference, prices, false)).toBeGreaterThanOrEqual(0)
    expect(gainOf(found.calls - 1, difference, prices, false)).toBeLessThan(0)
  })
})
