import { type Bar, barGroups, type Group } from './chart-bars.js'
import type { TokensResult } from './result.js'
import { callsChange, describeCatalogue, formatCount, leadersOf, ownOf } from './tables.js'

const WIDTH = 880
const MARGIN = 24
const TOP = 122
/** Height of the heading of a group, of a bar with its space, and of the space after a group. */
const HEADING = 24
const ROW = 27
const GROUP_SPACE = 12
const BAR = 18
const CALLS = { left: 172, width: 300 }
const MANUAL = { left: 664, width: 140 }

/**
 * The style, for both colour schemes. Only our own syntaxes have a colour and bold text. The chart
 * has its own background, because a page that shows the image may not know the reader's scheme.
 */
const style = `
    .card { fill: #ffffff; stroke: #d0d7de }
    .title { fill: #1f2328; font-weight: 600; font-size: 16px }
    .name, .value { fill: #1f2328; font-size: 13px }
    .name { text-anchor: end }
    .value { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round }
    .own .name, .own .value { font-weight: 700 }
    .note, .head, .group { fill: #59636e; font-size: 12px }
    .group { font-weight: 600 }
    .own .name, .own .note { fill: #0550ae }
    .baseline rect { fill: #6e7781 }
    .own rect { fill: #0969da }
    .other rect, .api rect { fill: #b6bfc9 }
    .line { stroke: #59636e; stroke-dasharray: 3 3 }
    text { font-family: system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif }
    @media (prefers-color-scheme: dark) {
      .card { fill: #0d1117; stroke: #30363d }
      .title, .name, .value { fill: #e6edf3 }
      .value { stroke: #0d1117 }
      .note, .head, .group { fill: #9198a1 }
      .own .name, .own .note { fill: #79c0ff }
      .baseline rect { fill: #8b949e }
      .own rect { fill: #388bfd }
      .other rect, .api rect { fill: #484f58 }
      .line { stroke: #9198a1 }
    }
  `

/** A group and its place in the chart. */
interface PlacedGroup extends Group {
  /** The upper end of its heading. */
  readonly top: number
}

/**
 * Draws calls and manuals of all listed contestants as bars: the leading baselines, our own syntaxes,
 * other formats, shapes of APIs.
 */
export function renderChart(result: TokensResult): string {
  const groups = placeGroups(barGroups(result))
  const bars = groups.flatMap(group => group.bars)
  const bottom = endOf(groups)
  const height = bottom + 30
  const summary = bars.map(({ title, calls }) => `${title} ${formatCount(calls)}`).join(', ')
  const leaders = leadersOf(result).map(({ title }) => title)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `  <title>Tokens of tool calls: ${escapeXml(summary)}</title>`,
    `  <style>${style}</style>`,
    `  <rect class="card" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>`,
    text('title', MARGIN, 36, `Tokens of the same tool calls, next to ${leaders.join(' and ')}`),
    text('note', MARGIN, 58, describeHeadline(result)),
    text('note', MARGIN, 76, `${describeCatalogue(result)}; tokenizer o200k_base`),
    text('head', CALLS.left, TOP - 16, `the model writes (vs ${leaders.join(' / vs ')})`),
    text('head', MANUAL.left, TOP - 16, 'the tools add to the prompt'),
    ...drawGroups(groups),
    text('note', MARGIN, bottom + 10, legend(result)),
    '</svg>',
    '',
  ].join('\n')
}

/** `vs bare JSON: line -11.0 %, wire +2.3 %; …`: our own syntaxes, by leading baseline. */
function describeHeadline(result: TokensResult): string {
  const own = ownOf(result)
  return leadersOf(result)
    .map(leader => {
      const changes = own.map(each => `${each.title} ${callsChange(each, leader)}`)
      return `vs ${leader.title}: ${changes.join(', ')}`
    })
    .join('; ')
}

function legend(result: TokensResult): string {
  const notListed = result.contestants.filter(({ tokens }) => !tokens).map(({ name }) => name)
  return [
    'Dashed: the shortest baseline. Bare JSON is name{…} with nothing around it. Ids of calls are not counted.',
    ...(notListed.length > 0 ? [`Not listed: ${notListed.join(', ')}.`] : []),
  ].join(' ')
}

function placeGroups(groups: readonly Group[]): PlacedGroup[] {
  const placed: PlacedGroup[] = []
  for (const group of groups) placed.push({ ...group, top: endOf(placed) })
  return placed
}

/** The lower end of the last group. */
function endOf(groups: readonly PlacedGroup[]): number {
  const last = groups.at(-1)
  return last ? last.top + HEADING + last.bars.length * ROW + GROUP_SPACE : TOP
}

function drawGroups(groups: readonly PlacedGroup[]): string[] {
  const bars = groups.flatMap(group => group.bars)
  const callsWidth = scaleTo(
    CALLS.width,
    bars.map(({ calls }) => calls),
  )
  const manualWidth = scaleTo(
    MANUAL.width,
    bars.map(({ manual }) => manual),
  )
  const lineX = CALLS.left + callsWidth(bars[0]?.calls ?? 0)
  const end = endOf(groups) - GROUP_SPACE
  return [
    ...groups.flatMap(group => [
      text('group', MARGIN, group.top + 14, group.title),
      `  <g class="${group.kind}">`,
      ...group.bars.flatMap((bar, i) => {
        const y = group.top + HEADING + i * ROW
        return [
          rect(CALLS.left, y, callsWidth(bar.calls)),
          rect(MANUAL.left, y, manualWidth(bar.manual)),
        ]
      }),
      '  </g>',
    ]),
    `  <line class="line" x1="${lineX}" y1="${TOP + HEADING - 6}" x2="${lineX}" y2="${end}"/>`,
    // The line is drawn over the bars and under the figures.
    ...groups.flatMap(group => [
      `  <g class="${group.kind}">`,
      ...group.bars.flatMap((bar, i) =>
        drawTexts(bar, group.top + HEADING + i * ROW + 14, {
          calls: CALLS.left + callsWidth(bar.calls),
          manual: MANUAL.left + manualWidth(bar.manual),
        }),
      ),
      '  </g>',
    ]),
  ]
}

function drawTexts(bar: Bar, y: number, ends: { calls: number; manual: number }): string[] {
  return [
    text('name', CALLS.left - 12, y, bar.title),
    text('value', ends.calls + 8, y, formatCount(bar.calls), bar.note),
    text('value', ends.manual + 8, y, formatCount(bar.manual)),
  ]
}

function scaleTo(width: number, values: readonly number[]): (value: number) => number {
  const most = Math.max(...values)
  return value => Math.round((width * value) / most)
}

function rect(x: number, y: number, width: number): string {
  return `  <rect x="${x}" y="${y}" width="${width}" height="${BAR}" rx="2"/>`
}

function text(kind: string, x: number, y: number, content: string, note = ''): string {
  const tail = note === '' ? '' : `<tspan class="note" dx="8">${escapeXml(note)}</tspan>`
  return `  <text class="${kind}" x="${x}" y="${y}">${escapeXml(content)}${tail}</text>`
}

function escapeXml(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
