import { ownSyntaxes } from '../bench-protocols.js'
import type { BreakEven } from './break-even.js'
import type { ContestantResult, TokensResult } from './result.js'
import type { TokenizerName } from './tokenizer.js'

/** Rows of cells. The first column is text, the others are numbers. */
export interface Table {
  readonly headings: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/**
 * The headline: per syntax of ours, the change of calls and manual relative to each leading baseline.
 */
export function headlineTable(result: TokensResult): Table {
  const leaders = leadersOf(result)
  const columns = (['calls', 'manual'] as const).flatMap(part =>
    leaders.map(leader => ({ part, leader })),
  )
  return {
    headings: ['o200k_base', ...columns.map(({ part, leader }) => `${part} vs ${leader.name}`)],
    rows: ownOf(result).map(own => [
      own.name,
      ...columns.map(({ part, leader }) => changeOf(part, own, leader)),
    ]),
  }
}

/** The change of the calls, with `o200k_base`. */
export function callsChange(own: ContestantResult, other: ContestantResult): string {
  return changeOf('calls', own, other)
}

function changeOf(
  part: 'calls' | 'manual',
  own: ContestantResult,
  other: ContestantResult,
): string {
  if (!own.tokens || !other.tokens) return 'not listed'
  return formatChange(own.tokens.o200k_base[part], other.tokens.o200k_base[part])
}

/**
 * Per contestant: the tokens of calls and manual, the change relative to each baseline, and the
 * calls by group.
 */
export function callsTable(result: TokensResult, tokenizer: TokenizerName): Table {
  const natives = nativesOf(result)
  const groups = Object.keys(result.catalogue.groups)
  return {
    headings: [tokenizer, 'calls', ...natives.map(({ name }) => `vs ${name}`), 'manual', ...groups],
    rows: result.contestants.map(({ name, tokens }) => {
      if (!tokens) return [name, 'not listed']
      const { calls, manual, groups: byGroup, versus } = tokens[tokenizer]
      return [
        name,
        formatCount(calls),
        ...natives.map(native => formatPercent(versus[native.name]?.callsPercent)),
        formatCount(manual),
        ...groups.map(group => formatCount(byGroup[group] ?? 0)),
      ]
    }),
  }
}

/**
 * Per protocol and baseline: when the manual pays off, without and with a prompt cache.
 */
export function breakEvenTable(result: TokensResult, tokenizer: TokenizerName): Table {
  const natives = nativesOf(result)
  return {
    headings: [tokenizer, ...natives.map(({ name }) => `vs ${name}`)],
    rows: listedProtocols(result).map(({ name, counts }) => [
      name,
      ...natives.map(native => formatBreakEven(counts[tokenizer].versus[native.name]?.breakEven)),
    ]),
  }
}

/** Per case: the tokens of each contestant. */
export function casesTable(result: TokensResult, tokenizer: TokenizerName): Table {
  const listed = result.contestants.flatMap(({ name, tokens }) =>
    tokens ? [{ name, cases: tokens[tokenizer].cases }] : [],
  )
  const names = Object.keys(listed[0]?.cases ?? {})
  return {
    headings: [tokenizer, ...listed.map(({ name }) => name)],
    rows: names.map(name => [name, ...listed.map(({ cases }) => formatCount(cases[name] ?? 0))]),
  }
}

/** Returns one line for each protocol that is not listed. */
export function describeLosses({ catalogue, contestants }: TokensResult): string[] {
  return contestants.flatMap(({ name, losses }) => {
    const lost = Object.entries(losses)
    if (lost.length === 0) return []
    const details = lost.map(([caseName, reason]) => `${caseName} (${reason})`).join('; ')
    return [
      `${name} is not listed: ${lost.length} of ${catalogue.cases} cases do not survive: ${details}`,
    ]
  })
}

/**
 * Returns a line about ids of calls, which no column contains. Empty if no contestant has ids.
 */
export function describeIds({ contestants }: TokensResult): string[] {
  const shares = contestants.flatMap(({ name, tokens }) =>
    tokens && tokens.o200k_base.ids > 0
      ? [
          `${formatCount(tokens.o200k_base.ids)} tokens to the calls of \`${name}\` (${formatCount(tokens.llama3.ids)} with Llama 3)`,
        ]
      : [],
  )
  if (shares.length === 0) return []
  return [
    `Ids of calls are not counted, because the API adds them and no model writes them. They would add ${shares.join(' and ')}.`,
  ]
}

/** Describes in one line what was counted. */
export function describeCatalogue({
  catalogue: { tools, cases, calls, groups },
}: TokensResult): string {
  const parts = Object.entries(groups).map(([group, amount]) => `${amount} ${group}`)
  return `${count(tools, 'tool')}, ${count(cases, 'message')} with ${count(calls, 'call')} (${parts.join(', ')})`
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}

export function nativesOf({ contestants }: TokensResult): ContestantResult[] {
  return contestants.filter(each => each.isNative)
}

/** The two baselines that lead every table: what JSON takes at least, and a model's own format. */
export function leadersOf(result: TokensResult): ContestantResult[] {
  return nativesOf(result).slice(0, 2)
}

/** The syntaxes of this project, in the order of `ownSyntaxes`. */
export function ownOf({ contestants }: TokensResult): ContestantResult[] {
  return ownSyntaxes.flatMap(name => contestants.filter(each => each.name === name))
}

function listedProtocols({ contestants }: TokensResult) {
  return contestants.flatMap(({ name, isNative, tokens }) =>
    isNative || !tokens ? [] : [{ name, counts: tokens }],
  )
}

export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}

export function formatPercent(percent: number | undefined): string {
  if (percent === undefined) return ''
  return `${percent > 0 ? '+' : ''}${percent.toFixed(1)} %`
}

/** The change from `other` to `own`: 90 and 100 are `-10.0 %`. */
export function formatChange(own: number, other: number): string {
  return formatPercent(100 * (own / other - 1))
}

function formatBreakEven(both: { uncached: BreakEven; cached: BreakEven } | undefined): string {
  if (!both) return ''
  const [uncached, cached] = [both.uncached, both.cached].map(nameBreakEven)
  return uncached === cached ? `${uncached}` : `${uncached} / ${cached}`
}

function nameBreakEven(breakEven: BreakEven): string {
  if (breakEven.type === 'first') return 'from the first call'
  if (breakEven.type === 'never') return 'never'
  return breakEven.type === 'after'
    ? `from call ${breakEven.calls}`
    : `only to call ${breakEven.calls}`
}
