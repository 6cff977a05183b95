/** What tokens cost, relative to a token of input. */
export interface Prices {
  /** A token of output. */
  readonly outputPriceRatio: number
  /** A token of input that the provider has in its cache. */
  readonly cacheRatio: number
}

/** What a protocol changes against a native baseline. */
export interface Difference {
  /**
   * Tokens of the manual beyond the native definitions, in every request. Negative if the manual is
   * smaller.
   */
  readonly extraManual: number
  /** Tokens of a native call beyond ours, on average. Negative if ours is longer. */
  readonly savedPerCall: number
}

/**
 * When a conversation is no dearer than a native one:
 * - `first`: from the first call on
 * - `after`: from call number `calls` on
 * - `until`: only up to call number `calls`; the manual is smaller, but the calls are longer
 * - `never`
 */
export type BreakEven =
  | { readonly type: 'first' }
  | { readonly type: 'after'; readonly calls: number }
  | { readonly type: 'until'; readonly calls: number }
  | { readonly type: 'never' }

export const defaultPrices: Prices = { outputPriceRatio: 4, cacheRatio: 0.1 }

/**
 * How much cheaper a conversation with `calls` calls is, in tokens of input. It has one request for
 * each call and one for the answer. Each carries the manual, and every call that was written before
 * it, again:
 *
 * gain(n) = saved × (r·n + reread(n)) − extra × carried(n)
 *
 * without a cache: carried(n) = n + 1, reread(n) = n(n + 1)/2 with a cache, which has a text from
 * its second reading on: carried(n) = 1 + c·n, reread(n) = n + c·n(n − 1)/2
 */
export function gainOf(
  calls: number,
  { extraManual, savedPerCall }: Difference,
  prices: Prices,
  isCached: boolean,
): number {
  const ratio = isCached ? prices.cacheRatio : 1
  const carried = 1 + ratio * calls
  const reread = calls + (ratio * calls * (calls - 1)) / 2
  return savedPerCall * (prices.outputPriceRatio * calls + reread) - extraManual * carried
}

export function findBreakEven(
  difference: Difference,
  prices: Prices,
  isCached: boolean,
): BreakEven {
  const { extraManual, savedPerCall } = difference
  const isAhead = (calls: number) => gainOf(calls, difference, prices, isCached) >= 0
  if (savedPerCall >= 0 && extraManual <= 0) return { type: 'first' }
  if (savedPerCall <= 0 && extraManual >= 0) return { type: 'never' }
  if (savedPerCall > 0) {
    if (isAhead(1)) return { type: 'first' }
    const calls = firstFrom(1, isAhead)
    return calls === undefined ? { type: 'never' } : { type: 'after', calls }
  }
  if (!isAhead(1)) return { type: 'never' }
  const behind = firstFrom(1, calls => !isAhead(calls))
  return behind === undefined ? { type: 'first' } : { type: 'until', calls: behind - 1 }
}

/** No conversation is longer; a gain that comes later is none. */
const MAX_CALLS = 2 ** 30

/**
 * The first number from `start` on for which it is true, if it stays so. The gain is a parabola
 * that begins on the other side of zero, so it crosses it once.
 */
function firstFrom(start: number, isTrue: (calls: number) => boolean): number | undefined {
  let low = start
  let high = start
  while (!isTrue(high)) {
    if (high >= MAX_CALLS) return undefined
    low = high
    high *= 2
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isTrue(middle)) high = middle
    else low = middle
  }
  return high
}
