import type { BreakEven } from './break-even.js'
import type { ContestantResult, TokensResult } from './result.js'
import type { TokenizerName } from './tokenizer.js'

/** Rows of cells. The first column is text, the others are numbers. */
export interface Table {
  readonly headings: readonly string[]
  readonly rows: readonly (readonly string[])[]
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
