import { findBreakEven, type Prices } from './break-even.js'
import { type Case, type Catalogue, groupsOf } from './catalogue/case.js'
import { type Contestant, createContestants } from './contestant.js'
import type { Comparison, ContestantResult, TokenCounts, TokensResult } from './result.js'
import { countSegments, type TokenizerName } from './tokenizer.js'
import { forEachTokenizer } from './tokenizers.js'

type Counts = Readonly<Record<TokenizerName, TokenCounts>>

/** Counts all tokens. The same catalogue and prices always return exactly the same result. */
export async function runTokens(
  catalogue: Catalogue,
  prices: Prices,
  contestants?: readonly Contestant[],
): Promise<TokensResult> {
  const { tools, cases } = catalogue
  const groups = groupsOf(catalogue)
  const all = contestants ?? (await createContestants(tools))
  const natives = all
    .filter(each => each.isNative)
    .map(each => ({ each, counts: countTokens(each, catalogue) }))
  const versusNatives = (own: TokenCounts, tokenizer: TokenizerName) =>
    Object.fromEntries(
      natives.map(({ each, counts }) => [
        each.name,
        compareCounts(own, counts[tokenizer], cases.length, prices),
      ]),
    )
  const results: ContestantResult[] = natives.map(({ each, counts }) => describe(each, {}, counts))
  for (const each of all.filter(({ isNative }) => !isNative)) {
    const losses = await findLosses(each, cases)
    const isWhole = Object.keys(losses).length === 0
    results.push(
      describe(each, losses, isWhole ? countTokens(each, catalogue, versusNatives) : null),
    )
  }
  return {
    catalogue: {
      tools: tools.length,
      cases: cases.length,
      calls: cases.reduce((total, { calls }) => total + calls.length, 0),
      groups: Object.fromEntries(
        groups.map(group => [group, cases.filter(each => each.group === group).length]),
      ),
    },
    prices,
    contestants: results,
  }
}

async function findLosses(
  contestant: Contestant,
  cases: readonly Case[],
): Promise<Record<string, string>> {
  const losses: Record<string, string> = {}
  for (const each of cases) {
    const loss = await findLoss(contestant, each)
    if (loss !== undefined) losses[each.name] = loss
  }
  return losses
}

/** Reads a case back. A protocol that throws loses only this case. */
async function findLoss(contestant: Contestant, each: Case): Promise<string | undefined> {
  try {
    return await contestant.findLoss(each)
  } catch (error) {
    return `it throws: ${error instanceof Error ? error.message : String(error)}`
  }
}

function describe(
  { name, title, isNative }: Contestant,
  losses: ContestantResult['losses'],
  tokens: Counts | null,
): ContestantResult {
  return { name, title, isNative, losses, tokens }
}

function countTokens(
  contestant: Contestant,
  catalogue: Catalogue,
  versus: (own: TokenCounts, tokenizer: TokenizerName) => TokenCounts['versus'] = () => ({}),
): Counts {
  return forEachTokenizer(tokenizer => {
    const countWith = (write: Contestant['write']) =>
      catalogue.cases.map(each => ({ each, tokens: countSegments(tokenizer, write(each)) }))
    const counted = countWith(contestant.write)
    const sumOf = (of: typeof counted) => of.reduce((total, { tokens }) => total + tokens, 0)
    const calls = sumOf(counted)
    const { withTools, withoutTools } = contestant.manual
    const counts: TokenCounts = {
      manual: countSegments(tokenizer, withTools) - countSegments(tokenizer, withoutTools),
      calls,
      ids: sumOf(countWith(contestant.writeWithIds ?? contestant.write)) - calls,
      groups: Object.fromEntries(
        groupsOf(catalogue).map(group => [
          group,
          sumOf(counted.filter(({ each }) => each.group === group)),
        ]),
      ),
      cases: Object.fromEntries(counted.map(({ each, tokens }) => [each.name, tokens])),
      versus: {},
    }
    return { ...counts, versus: versus(counts, tokenizer.name) }
  })
}

function compareCounts(
  own: TokenCounts,
  native: TokenCounts,
  cases: number,
  prices: Prices,
): Comparison {
  const difference = {
    extraManual: own.manual - native.manual,
    savedPerCall: (native.calls - own.calls) / cases,
  }
  return {
    callsPercent: round(100 * (own.calls / native.calls - 1), 1),
    extraManual: difference.extraManual,
    savedPerCall: round(difference.savedPerCall, 2),
    breakEven: {
      uncached: findBreakEven(difference, prices, false),
      cached: findBreakEven(difference, prices, true),
    },
  }
}

/** Rounds a number. Never returns -0. */
function round(value: number, decimals: number): number {
  return Number(value.toFixed(decimals)) + 0
}
