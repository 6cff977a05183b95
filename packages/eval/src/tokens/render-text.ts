import {
  describeRecount,
  type PublicResult,
  publishedCasesTable,
  publishedTable,
} from './public-tables.js'
import type { TokensResult } from './result.js'
import {
  breakEvenTable,
  callsTable,
  casesTable,
  describeCatalogue,
  describeIds,
  describeLosses,
  headlineTable,
  type Table,
} from './tables.js'
import { tokenizerNames } from './tokenizer.js'

/** Renders the result for the terminal. */
export function renderText(
  result: TokensResult,
  { withCases }: { readonly withCases: boolean },
): string {
  const { outputPriceRatio, cacheRatio } = result.prices
  const sections = [
    [
      `Tokens of ${describeCatalogue(result)}.`,
      'calls: tokens that the model writes; shapes of APIs without ids. manual: tokens that the tools add to the input of every request.',
    ],
    align(headlineTable(result)),
    ...tokenizerNames.map(name => align(callsTable(result, name))),
    describeIds(result),
    [
      'When the manual has paid for itself, counted in calls of one conversation, without / with a prompt cache',
      `(a token of output costs ${outputPriceRatio} tokens of input, a cached one ${cacheRatio}):`,
    ],
    ...tokenizerNames.map(name => align(breakEvenTable(result, name))),
    ...(withCases ? tokenizerNames.map(name => align(casesTable(result, name))) : []),
    describeLosses(result),
  ]
  return sections
    .filter(lines => lines.length > 0)
    .map(lines => lines.join('\n'))
    .join('\n\n')
}

/** Renders the public cases, with the published figures first. */
export function renderPublicText(
  result: PublicResult,
  options: { readonly withCases: boolean },
): string {
  const sections = [
    [`Published figures and ours: ${result.published.source}.`],
    align(publishedTable(result)),
    describeRecount(result),
    ...(options.withCases ? [align(publishedCasesTable(result))] : []),
  ]
  return [...sections.map(lines => lines.join('\n')), renderText(result, options)].join('\n\n')
}

/** Aligns cells in columns: the first to the left, the numbers to the right. */
function align({ headings, rows }: Table): string[] {
  const all = [headings, ...rows]
  const widths = headings.map((_, i) => Math.max(...all.map(row => row[i]?.length ?? 0)))
  return all.map(row =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}
