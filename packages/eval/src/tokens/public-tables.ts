import { ownSyntaxes } from '../bench-protocols.js'
import type { Published, PublishedCounts } from './catalogue/public-cases.js'
import type { ContestantResult, TokensResult } from './result.js'
import { formatChange, formatCount, leadersOf, type Table } from './tables.js'

/** Our counts of the public cases, with the published figures. */
export interface PublicResult extends TokensResult {
  readonly published: Published
}

/** The tokenizer of the published figures. */
const tokenizer = 'o200k_base'
/** The baseline with the calls and definitions of the published native figures. */
const recountName = 'published_json'
/** The shortest baseline. */
const leaderName = 'bare_json'
/**
 * The contestants in the table by case: the shortest baseline, our own syntaxes, and the published
 * shape.
 */
const shownByCase = [leaderName, ...ownSyntaxes, recountName]

/**
 * The published figures, then ours, each relative to the leading baselines and the published figures.
 */
export function publishedTable(result: PublicResult): Table {
  const {
    published: { native, compact },
    contestants,
  } = result
  const leaders = leadersOf(result).flatMap(({ name, tokens }) =>
    tokens ? [{ name, counts: tokens[tokenizer] }] : [],
  )
  const callsOf = [...leaders.map(({ counts }) => counts), native, compact]
  const row = (name: string, own: Totals) => [
    name,
    formatCount(own.calls),
    ...callsOf.map(other => (own === other ? '' : formatChange(own.calls, other.calls))),
    formatCount(own.manual),
    ...[native, compact].map(other =>
      own === other ? '' : formatChange(own.manual, other.manual),
    ),
  ]
  const versus = ['vs published native', 'vs published compact']
  return {
    headings: [
      tokenizer,
      'calls',
      ...leaders.map(({ name }) => `vs ${name}`),
      ...versus,
      'manual',
      ...versus,
    ],
    rows: [
      row('published: native', native),
      row('published: compact', compact),
      ...contestants.map(({ name, tokens }) =>
        tokens ? row(name, tokens[tokenizer]) : [name, 'not listed'],
      ),
    ],
  }
}

type Totals = Pick<PublishedCounts, 'calls' | 'manual'>

/**
 * The table by case: the published figures, then the contestants of `shownByCase`.
 */
export function publishedCasesTable({
  published: { native, compact },
  contestants,
}: PublicResult): Table {
  const listed = shownByCase.flatMap(shown =>
    contestants.filter(({ name, tokens }) => tokens && name === shown),
  )
  return {
    headings: [
      'case',
      'published: native',
      'published: compact',
      ...listed.map(({ name }) => name),
    ],
    rows: Object.keys(native.cases).map(name => [
      name,
      formatCount(native.cases[name] ?? 0),
      formatCount(compact.cases[name] ?? 0),
      ...listed.map(({ tokens }) => formatCount(tokens?.[tokenizer].cases[name] ?? 0)),
    ]),
  }
}

/** Describes which of the published figures our count confirms, and which it cannot check. */
export function describeRecount({ published, contestants }: PublicResult): string[] {
  const recount = contestants.find(({ name }) => name === recountName)
  return [
    ...describeNative(published.native, recount),
    'The published compact figures cannot be counted again: the texts that were counted are not among the data. They are shown as published.',
  ]
}

function describeNative(native: PublishedCounts, recount: ContestantResult | undefined): string[] {
  const counts = recount?.tokens?.[tokenizer]
  if (!counts) return []
  const shape = `${recountName} writes calls and definitions in the shape of the published native figures`
  const different = Object.entries(native.cases).filter(
    ([name, tokens]) => counts.cases[name] !== tokens,
  )
  const isSame =
    different.length === 0 && counts.calls === native.calls && counts.manual === native.manual
  if (isSame) return [`${shape}; our count is the same for every case and for the definitions.`]
  const cases = different.map(
    ([name, tokens]) => `${name} (published ${tokens}, here ${counts.cases[name] ?? 'none'})`,
  )
  return [
    `${shape}; our count differs: calls ${native.calls} published, ${counts.calls} here; definitions ${native.manual} published, ${counts.manual} here.`,
    ...(cases.length ? [`Cases that differ: ${cases.join('; ')}.`] : []),
  ]
}
