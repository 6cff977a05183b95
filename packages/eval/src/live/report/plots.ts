import { formatPercent } from '../render-summary.js'
import type { Interval } from '../statistics.js'
import type { RowSummary, Share } from '../summary.js'
import { type Html, html } from './html.js'

// Positions are percentages of a drawing without a fixed size, so that it fits any screen and its
// text keeps its size.
const percent = (share: number): string => `${(share * 100).toFixed(2)}%`

/** Plots shares with their intervals, one row each. */
export function plotShares(
  title: string,
  rows: readonly { readonly label: string; readonly share: Share }[],
): Html {
  return html`<figure><figcaption>${title}, with 95 % intervals</figcaption>
${rows.map(({ label, share: { share, interval } }) =>
  row(
    label,
    share === undefined
      ? html``
      : html`${gridLines()}<line class="whisker" x1="${percent(interval.low)}" x2="${percent(interval.high)}" y1="11" y2="11"/><circle class="dot" cx="${percent(share)}" cy="11" r="5"/>`,
    formatPercent(share),
  ),
)}
${axis(['0', '25', '50', '75', '100 %'])}</figure>`
}

function gridLines(): Html {
  return html`${[0, 0.25, 0.5, 0.75, 1].map(at => html`<line class="grid" x1="${percent(at)}" x2="${percent(at)}" y1="0" y2="22"/>`)}`
}

interface Bar {
  readonly value: number
  readonly interval?: Interval | undefined
}

/** Plots tokens in and out on separate scales: the former are often twenty times the latter. */
export function plotTokens(rows: readonly RowSummary[]): Html[] {
  const draw = (
    title: string,
    className: string,
    read: (each: RowSummary) => RowSummary['inputTokens'],
  ) => {
    const bars = rows.map(each => ({ label: each.label, ...toBar(read(each)) }))
    return bars.some(({ value }) => value !== undefined) ? [plotBars(title, className, bars)] : []
  }
  return [
    ...draw('Tokens in, mean per run', 'bar', each => each.inputTokens),
    ...draw('Tokens out, mean per run', 'bar2', each => each.outputTokens),
  ]
}

function toBar({ mean, interval }: RowSummary['inputTokens']): Partial<Bar> {
  return mean === undefined ? {} : { value: mean, interval }
}

export function plotLatency(rows: readonly RowSummary[]): Html[] {
  const bars = rows.flatMap(({ label, latencyMs: { median, p90 } }) =>
    median === undefined || p90 === undefined
      ? []
      : [{ label, value: median / 1000, interval: { low: median / 1000, high: p90 / 1000 } }],
  )
  return bars.length
    ? [
        plotBars(
          'Seconds of a run: the bar is the median, the line ends at the 90th percentile',
          'bar',
          bars,
        ),
      ]
    : []
}

function plotBars(
  title: string,
  className: string,
  bars: readonly ({ readonly label: string } & Partial<Bar>)[],
): Html {
  const most = Math.max(
    Number.MIN_VALUE,
    ...bars.map(({ value, interval }) => Math.max(value ?? 0, interval?.high ?? 0)),
  )
  return html`<figure><figcaption>${title}</figcaption>
${bars.map(({ label, value, interval }) =>
  row(
    label,
    value === undefined
      ? html``
      : html`<rect class="${className}" x="0" y="4" width="${percent(value / most)}" height="14" rx="2"/>${
          interval
            ? html`<line class="error" x1="${percent(interval.low / most)}" x2="${percent(interval.high / most)}" y1="11" y2="11"/>`
            : undefined
        }`,
    value === undefined ? 'unknown' : formatValue(value),
  ),
)}</figure>`
}

function formatValue(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(2)
}

function row(label: string, marks: Html, value: string): Html {
  return html`<div class="row"><span>${label}</span><svg height="22" aria-hidden="true">${marks}</svg><span>${value}</span></div>`
}

function axis(labels: readonly string[]): Html {
  const last = labels.length - 1
  return html`<div class="row"><span></span><svg height="14" aria-hidden="true">${labels.map(
    (label, i) => {
      const inner = i === last ? 'end' : 'middle'
      const anchor = i === 0 ? 'start' : inner
      return html`<text x="${percent(i / last)}" y="10" text-anchor="${anchor}">${label}</text>`
    },
  )}</svg><span></span></div>`
}
