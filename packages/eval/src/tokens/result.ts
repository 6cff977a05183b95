import type { BreakEven, Prices } from './break-even.js'
import type { TokenizerName } from './tokenizer.js'

/** All that the benchmark finds out; what `results/tokens.json` holds. */
export interface TokensResult {
  readonly catalogue: {
    readonly tools: number
    /** Messages: each has one call or several. */
    readonly cases: number
    readonly calls: number
    /** How many cases are in each group. */
    readonly groups: Readonly<Record<string, number>>
  }
  readonly prices: Prices
  readonly contestants: readonly ContestantResult[]
}

export interface ContestantResult {
  readonly name: string
  /** The name for people. */
  readonly title: string
  readonly isNative: boolean
  /**
   * The cases whose calls do not come back as they were, and why. With one of them there are no
   * tokens.
   */
  readonly losses: Readonly<Record<string, string>>
  readonly tokens: Readonly<Record<TokenizerName, TokenCounts>> | null
}

export interface TokenCounts {
  /** What the tools add to the input of every request. */
  readonly manual: number
  /** What the model writes for all cases. */
  readonly calls: number
  /** How much of that are ids, which a provider adds and no model writes. */
  readonly ids: number
  readonly groups: Readonly<Record<string, number>>
  readonly cases: Readonly<Record<string, number>>
  /** Against each native baseline, by its name; empty for the baselines themselves. */
  readonly versus: Readonly<Record<string, Comparison>>
}

export interface Comparison {
  /** Change of the call tokens in percent, to one decimal. Negative is less. */
  readonly callsPercent: number
  readonly extraManual: number
  /** Mean over the cases, to two decimals. */
  readonly savedPerCall: number
  readonly breakEven: { readonly uncached: BreakEven; readonly cached: BreakEven }
}
