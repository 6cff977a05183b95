import type { Mean, Share, Summary } from './summary.js'

/** Renders the table for the terminal. */
export function renderSummary(summary: Summary): string {
  const { rows: lines, comparisons, done, planned, isInterrupted } = summary
  const kinds = [...new Set(lines.flatMap(({ byKind }) => Object.keys(byKind)))]
  const hasJudge = lines.some(({ judge }) => judge)
  const header = [
    lines.some(({ label, protocol }) => label !== protocol) ? 'row' : 'protocol',
    'passed',
    'accuracy (95 %)',
    ...kinds,
    'tokens in',
    'tokens out',
    'median s',
    'invalid',
    ...(hasJudge ? ['judge'] : []),
  ]
  const rows = lines.map(each => [
    each.label,
    `${each.accuracy.passed}/${each.accuracy.total}`,
    formatShare(each.accuracy),
    ...kinds.map(kind => {
      const share = Object.entries(each.byKind).find(([key]) => key === kind)?.[1]
      return share ? formatPercent(share.share) : '-'
    }),
    formatMean(each.inputTokens),
    formatMean(each.outputTokens),
    each.latencyMs.median === undefined ? '-' : (each.latencyMs.median / 1000).toFixed(1),
    `${each.invalidCalls.count}/${each.invalidCalls.total}`,
    ...(hasJudge ? [each.judge ? formatShare(each.judge) : '-'] : []),
  ])
  const broken = lines.reduce((sum, { infrastructure }) => sum + infrastructure, 0)
  const notes = [
    ...comparisons.map(({ label, verdict }) => `${label}: ${verdict}`),
    ...(broken
      ? [`${broken} runs could not be made; run the same command again to retry them.`]
      : []),
    ...(isInterrupted
      ? [`Stopped with ${done} of ${planned} runs; run the same command again to continue.`]
      : []),
  ]
  return `${align([header, ...rows])}\n${notes.map(note => `\n${note}`).join('')}${notes.length ? '\n' : ''}`
}

function align(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map(row => row[i]?.length ?? 0))) ?? []
  return rows
    .map(row =>
      row
        .map((cell, i) => (i ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
        .join('  '),
    )
    .join('\n')
}

export function formatPercent(share: number | undefined): string {
  return share === undefined ? '-' : `${(share * 100).toFixed(1)} %`
}

export function formatShare({ share, interval }: Share): string {
  if (share === undefined) return '-'
  return `${formatPercent(share)} (${(interval.low * 100).toFixed(0)}-${(interval.high * 100).toFixed(0)})`
}

export function formatMean({ mean }: Mean): string {
  return mean === undefined ? '-' : mean.toFixed(0)
}
