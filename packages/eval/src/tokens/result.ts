import type { BreakEven, Prices } from './break-even.js'
import type { TokenizerName } from './tokenizer.js'

/** All results of the benchmark: the content of `results/tokens.json`. */
export interface TokensResult {
  readonly catalogue: {
    readonly tools: number
    /** The number of messages; each has one call or several. */
    readonly cases: number
    readonly calls: number
    /** The number of cases in each group. */
    readonly groups: Readonly<Record<string, number>>
  }
  readonly prices: Prices
  readonly contestants: readonly ContestantResult[]
}

export interface ContestantResult {
  readonly name: string
  /** The name in tables. */
  readonly title: string
  readonly isNative: boolean
  /**
   * The cases whose calls change when they are read back, and how. A contestant with such a case has
   * no tokens.
   */
  readonly losses: Readonly<Record<string, string>>
  readonly tokens: Readonly<Record<TokenizerName, TokenCounts>> | null
}

export interface TokenCounts {
  /** Tokens that the tools add to the input of every request. */
  readonly manual: number
  /** Tokens that the model writes for all cases: calls without ids. */
  readonly calls: number
  /** Tokens that ids add to the calls, in shapes of APIs. No model writes them. */
  readonly ids: number
  readonly groups: Readonly<Record<string, number>>
  readonly cases: Readonly<Record<string, number>>
  /** Differences from each native baseline, by name. Empty for the baselines themselves. */
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
