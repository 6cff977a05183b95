import type { Comparison } from '../compare-rows.js'
import type { RunRecord } from '../record.js'
import { formatMean, formatPercent } from '../render-summary.js'
import type { Interval } from '../statistics.js'
import type { Mean, RowSummary, Share, Summary } from '../summary.js'
import { taskKinds } from '../task.js'
import { renderFailures } from './failures.js'
import { type Html, html } from './html.js'
import { renderMatrix } from './matrix.js'
import { plotLatency, plotShares, plotTokens } from './plots.js'
import { style } from './style.js'

/** The most bytes of the failures, so that the report stays below 300 kB. */
const maxFailureBytes = 200_000

/** The same for the runs that could not be made. */
const maxBrokenBytes = 50_000

/** Renders the report as one HTML file without dependencies. */
export function renderReport(summary: Summary, records: readonly RunRecord[]): string {
  const { config, rows, targets, comparisons, finishedAt, done, planned } = summary
  const models = targets.map(({ model }) => model).join(', ')
  const addresses = [...new Set(targets.map(({ baseUrl }) => baseUrl))].join(', ')
  const broken = rows.reduce((sum, { infrastructure }) => sum + infrastructure, 0)
  const hasReps = records.some(({ rep }) => rep > 0)
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Tool calling: ${models}</title>
<style>${{ html: style }}</style></head><body>
<h1>Tool calling of ${models}</h1>
<p class="soft">${addresses} · ${finishedAt.slice(0, 16).replace('T', ' ')} UTC · ${done} of ${planned} runs</p>
${summary.isInterrupted ? html`<p class="notice">Stopped before the end: ${done} of ${planned} runs. Run the same command again to continue.</p>` : undefined}
${broken ? html`<p class="notice">${broken} runs could not be made, for reasons outside the model. No figure includes them.</p>` : undefined}
<h2>Summary</h2>
<div class="scroll">${renderTable(rows)}</div>
<h2>Accuracy</h2><div class="plots">${renderAccuracy(rows)}</div>
${
  hasReps
    ? html`<p class="soft">The intervals assume that all runs are independent. Repetitions of one task are similar, so the real intervals are somewhat wider; the comparisons below sample whole tasks.</p>`
    : undefined
}
${comparisons.length ? html`<h2>Compared on the same tasks</h2>${renderComparisons(summary)}` : undefined}
<h2>Cost</h2><div class="plots">${plotTokens(rows)}${plotLatency(rows)}</div>
<p class="soft">Tokens are reported by the endpoint and summed over the steps of a run; runs without a report are left out. The lines on the bars are 95 % intervals, by bootstrap over tasks.</p>
<h2>Tasks</h2><div class="scroll">${renderMatrix(summary)}</div>
<h2>Failures</h2>${renderFailures(records, rows, 'fail', maxFailureBytes)}
${broken ? html`<h2>Runs that could not be made</h2>${renderFailures(records, rows, 'infrastructure', maxBrokenBytes)}` : undefined}
<h2>Settings</h2><dl>${targets.map(({ model, baseUrl }) => html`<dt>${model}</dt><dd>${baseUrl}</dd>`)}${Object.entries(config).map(([key, value]) => html`<dt>${key}</dt><dd>${value === undefined ? 'not set' : JSON.stringify(value)}</dd>`)}</dl>
</body></html>
`
  return page.html
}

function renderTable(rows: readonly RowSummary[]): Html {
  const hasJudge = rows.some(({ judge }) => judge)
  return html`<table><thead><tr><th>${rows.some(({ label, protocol }) => label !== protocol) ? 'row' : 'protocol'}</th><th>passed</th><th>accuracy</th><th>tokens in</th><th>tokens out</th><th>median s</th><th>steps</th><th>calls</th><th>invalid calls</th>${
    hasJudge ? html`<th>right answers,<br>by the judge</th>` : undefined
  }</tr></thead><tbody>${rows.map(
    each =>
      html`<tr><th scope="row">${each.label}</th><td>${each.accuracy.passed}/${each.accuracy.total}</td>${shareCell(each.accuracy)}${meanCell(each.inputTokens, each.accuracy.total)}${meanCell(each.outputTokens, each.accuracy.total)}<td>${
        each.latencyMs.median === undefined ? '-' : (each.latencyMs.median / 1000).toFixed(2)
      }</td><td>${each.steps.mean?.toFixed(1) ?? '-'}</td><td>${each.calls.mean?.toFixed(1) ?? '-'}</td><td>${each.invalidCalls.count}/${each.invalidCalls.total}</td>${
        hasJudge ? (each.judge ? shareCell(each.judge) : html`<td>-</td>`) : undefined
      }</tr>`,
  )}</tbody></table>`
}

function shareCell({ share, interval }: Share): Html {
  return html`<td>${formatPercent(share)}<small>${(interval.low * 100).toFixed(1)}–${(interval.high * 100).toFixed(1)}</small></td>`
}

/** The note names the number of runs that have the value, if not all have it. */
function meanCell(mean: Mean, runs: number): Html {
  const range = mean.interval
    ? `${mean.interval.low.toFixed(0)}–${mean.interval.high.toFixed(0)}`
    : ''
  const note = mean.count < runs ? `${range} (${mean.count} of ${runs} runs)` : range
  return html`<td>${formatMean(mean)}<small>${note}</small></td>`
}

function renderAccuracy(rows: readonly RowSummary[]): Html[] {
  const kinds = taskKinds.filter(kind => rows.some(({ byKind }) => byKind[kind]))
  const all = plotShares(
    'All tasks',
    rows.map(({ label, accuracy }) => ({ label, share: accuracy })),
  )
  if (kinds.length < 2) return [all]
  const names = { single: 'Single calls', agent: 'Agent tasks', bfcl: 'BFCL' }
  return [
    all,
    ...kinds.map(kind =>
      plotShares(
        names[kind],
        rows.flatMap(({ label, byKind }) => {
          const share = byKind[kind]
          return share ? [{ label, share }] : []
        }),
      ),
    ),
  ]
}

/** Renders one table for each row that others are compared with. */
function renderComparisons({ comparisons }: Summary): Html {
  const baselines = [...new Set(comparisons.map(({ baseline }) => baseline))]
  return html`${baselines.map(baseline => {
    const own = comparisons.filter(each => each.baseline === baseline)
    return html`${renderComparisonTable(baseline, own)}
<ul>${own.map(each => html`<li><b>${each.label}</b>: ${each.verdict}.</li>`)}</ul>
`
  })}<p class="soft">Only runs that both rows have are compared: same task, same repetition, same tools. Intervals are by bootstrap over tasks; p is from McNemar's exact test with Holm's correction, which assumes that repetitions are independent. If no difference is shown, there may still be one: with few tasks only a large one is visible.</p>`
}

function renderComparisonTable(baseline: string, comparisons: readonly Comparison[]): Html {
  const points = (share: number) => `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)}`
  const range = ({ low, high }: Interval, format: (value: number) => string) =>
    `${format(low)} to ${format(high)}`
  const tokens = (value: number) => `${value > 0 ? '+' : ''}${value.toFixed(0)}`
  return html`<div class="scroll"><table><thead><tr><th>against ${baseline}</th><th>pairs</th><th>both pass</th><th>only it</th><th>only ${baseline}</th><th>both fail</th><th>difference, points</th><th>p</th><th>tokens per run</th></tr></thead><tbody>${comparisons.map(
    each =>
      html`<tr><th scope="row">${each.label}</th><td>${each.pairs}</td><td>${each.bothPass}</td><td>${each.onlyRow}</td><td>${each.onlyBaseline}</td><td>${each.bothFail}</td><td>${
        each.difference === undefined ? '-' : points(each.difference)
      }<small>${each.interval ? range(each.interval, points) : ''}</small></td><td>${each.pValue?.toPrecision(2) ?? '-'}</td><td>${
        each.tokenDifference === undefined ? '-' : tokens(each.tokenDifference)
      }<small>${each.tokenInterval ? range(each.tokenInterval, tokens) : ''}</small></td></tr>`,
  )}</tbody></table></div>`
}
