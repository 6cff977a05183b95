import type { ContestantResult, TokensResult } from './result.js'
import { describeCatalogue, formatCount, formatPercent, nativesOf } from './tables.js'

interface Bar {
  readonly title: string
  readonly isNative: boolean
  readonly calls: number
  readonly manual: number
  /** Change of the calls relative to the longest and the shortest baseline. */
  readonly note: string
}

const WIDTH = 880
const MARGIN = 24
const TOP = 104
const ROW = 30
const BAR = 18
const CALLS = { left: 172, width: 300 }
const MANUAL = { left: 664, width: 140 }

/**
 * The style, for both colour schemes. The chart has its own background, because a page that shows the
 * image may not know the reader's scheme.
 */
const style = `
    .card { fill: #ffffff; stroke: #d0d7de }
    .title { fill: #1f2328; font-weight: 600; font-size: 16px }
    .name, .value { fill: #1f2328; font-size: 13px }
    .name { text-anchor: end }
    .value { paint-order: stroke; stroke: #ffffff; stroke-width: 4px }
    .note, .head { fill: #59636e; font-size: 12px }
    .native { fill: #afb8c1 }
    .protocol { fill: #0969da }
    .line { stroke: #59636e; stroke-dasharray: 3 3 }
    text { font-family: system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif }
    @media (prefers-color-scheme: dark) {
      .card { fill: #0d1117; stroke: #30363d }
      .title, .name, .value { fill: #e6edf3 }
      .value { stroke: #0d1117 }
      .note, .head { fill: #9198a1 }
      .native { fill: #57606a }
      .protocol { fill: #4493f8 }
      .line { stroke: #9198a1 }
    }
  `

/**
 * Draws calls and manuals of all listed contestants as bars, from the longest calls to the shortest.
 */
export function renderChart(result: TokensResult): string {
  const { longest, shortest } = endsOf(result)
  const bars = readBars(result)
  const bottom = TOP + bars.length * ROW
  const height = bottom + 44
  const summary = bars.map(({ title, calls }) => `${title} ${formatCount(calls)}`).join(', ')
  const notListed = result.contestants.filter(({ tokens }) => !tokens).map(({ name }) => name)
  const legend = [
    'Grey: native. Blue: protocols of toolglot.',
    `Dashed: ${shortest.title}, a name and compact JSON with nothing around it.`,
    ...(notListed.length > 0 ? [`Not listed: ${notListed.join(', ')}.`] : []),
  ]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `  <title>Tokens of tool calls: ${escapeXml(summary)}</title>`,
    `  <style>${style}</style>`,
    `  <rect class="card" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>`,
    text('title', MARGIN, 36, 'Tokens of the same tool calls, native and by protocol'),
    text('note', MARGIN, 58, `${describeCatalogue(result)}; tokenizer o200k_base`),
    text(
      'head',
      CALLS.left,
      TOP - 12,
      `the model writes (vs ${longest.title} / vs ${shortest.title})`,
    ),
    text('head', MANUAL.left, TOP - 12, 'the tools add to the prompt'),
    ...drawBars(bars, shortest.title),
    text('note', MARGIN, bottom + 26, legend.join(' ')),
    '</svg>',
    '',
  ].join('\n')
}

/** The baselines are in order, from the longest to the shortest. */
function endsOf(result: TokensResult): { longest: ContestantResult; shortest: ContestantResult } {
  const natives = nativesOf(result)
  const [longest] = natives
  const shortest = natives.at(-1)
  if (!longest || !shortest) throw new Error('There is no baseline to compare with.')
  return { longest, shortest }
}

function readBars(result: TokensResult): Bar[] {
  const { longest, shortest } = endsOf(result)
  const bars = result.contestants.flatMap(({ title, isNative, tokens }): Bar[] => {
    if (!tokens) return []
    const { calls, manual, versus } = tokens.o200k_base
    const changes = [longest, shortest].map(({ name }) => formatPercent(versus[name]?.callsPercent))
    return [{ title, isNative, calls, manual, note: isNative ? '' : changes.join(' / ') }]
  })
  return bars.sort((left, right) => right.calls - left.calls)
}

function drawBars(bars: readonly Bar[], lineTitle: string): string[] {
  const scaleTo = (width: number, values: readonly number[]) => {
    const most = Math.max(...values)
    return (value: number) => Math.round((width * value) / most)
  }
  const callsWidth = scaleTo(
    CALLS.width,
    bars.map(({ calls }) => calls),
  )
  const manualWidth = scaleTo(
    MANUAL.width,
    bars.map(({ manual }) => manual),
  )
  const rects = bars.flatMap(({ isNative, calls, manual }, i) => {
    const kind = isNative ? 'native' : 'protocol'
    const y = TOP + i * ROW
    return [
      rect(kind, CALLS.left, y, callsWidth(calls)),
      rect(kind, MANUAL.left, y, manualWidth(manual)),
    ]
  })
  const lines = bars
    .filter(({ title }) => title === lineTitle)
    .map(({ calls }) => {
      const x = CALLS.left + callsWidth(calls)
      return `  <line class="line" x1="${x}" y1="${TOP - 6}" x2="${x}" y2="${TOP + bars.length * ROW - 6}"/>`
    })
  const texts = bars.flatMap(({ title, calls, manual, note }, i) => {
    const y = TOP + i * ROW + 14
    return [
      text('name', CALLS.left - 12, y, title),
      text('value', CALLS.left + callsWidth(calls) + 8, y, formatCount(calls), note),
      text('value', MANUAL.left + manualWidth(manual) + 8, y, formatCount(manual)),
    ]
  })
  // The line is drawn over the bars and under the figures.
  return [...rects, ...lines, ...texts]
}

function rect(kind: string, x: number, y: number, width: number): string {
  return `  <rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${BAR}" rx="2"/>`
}

function text(kind: string, x: number, y: number, content: string, note = ''): string {
  const tail = note === '' ? '' : `<tspan class="note" dx="8">${escapeXml(note)}</tspan>`
  return `  <text class="${kind}" x="${x}" y="${y}">${escapeXml(content)}${tail}</text>`
}

function escapeXml(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
