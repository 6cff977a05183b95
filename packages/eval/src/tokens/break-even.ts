/** Prices of tokens, relative to a token of input. */
export interface Prices {
  /** Price of a token of output. */
  readonly outputPriceRatio: number
  /** Price of a token of input that is in the provider's cache. */
  readonly cacheRatio: number
}

/** The difference between a protocol and a native baseline. */
export interface Difference {
  /**
   * Tokens of the manual minus those of the native definitions, in every request. Negative if the
   * manual is smaller.
   */
  readonly extraManual: number
  /** Mean tokens of a native call minus those of ours. Negative if ours is longer. */
  readonly savedPerCall: number
}

/**
 * When a conversation is not more expensive than a native one:
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
 * Returns how much cheaper a conversation with `calls` calls is, in tokens of input. It has one
 * request per call and one for the answer. Each request contains the manual and all earlier calls
 * again:
 *
 * gain(n) = saved × (r·n + reread(n)) − extra × carried(n)
 *
 * - without a cache: carried(n) = n + 1, reread(n) = n(n + 1)/2
 * - with a cache, which contains a text from its second reading on: carried(n) = 1 + c·n, reread(n) =
 *   n + c·n(n − 1)/2
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
  const firstLoss = firstFrom(1, calls => !isAhead(calls))
  return firstLoss === undefined ? { type: 'first' } : { type: 'until', calls: firstLoss - 1 }
}

/** The longest conversation. A later gain does not count. */
const MAX_CALLS = 2 ** 30

/**
 * Returns the first number from `start` on for which the condition is true. The gain is a parabola
 * that begins on the other side of zero, so it crosses zero once.
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
