import type { RecordedStep, Recording } from './record-demo.js'
import type { Cell } from './screen.js'

const FONT_SIZE = 13
const CHAR_WIDTH = 7.8
const ROW_HEIGHT = 18
const MARGIN = 20
/** How long a step stays when it is complete. */
const HOLD_MS = 2200
/** The screen is empty before the first character of a step. */
const EMPTY_MS = 200

/** The classes of the codes that the palette writes. */
const classOf: Readonly<Record<string, string>> = {
  1: 'b',
  2: 'd',
  31: 'r',
  32: 'g',
  33: 'y',
  36: 'c',
}

/**
 * The style, for both color schemes and for readers who want no motion: they see the first step,
 * complete. The picture has its own background, because a page that shows it may have any.
 */
const style = `
text{font:${FONT_SIZE}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;fill:#1f2328}
.card{fill:#fff;stroke:#d0d7de}
.b{font-weight:600}.d{fill:#59636e}.r{fill:#cf222e}.g{fill:#1a7f37}.y{fill:#9a6700}.c{fill:#0969da}
@media(prefers-color-scheme:dark){
text{fill:#e6edf3}
.card{fill:#0d1117;stroke:#30363d}
.d{fill:#9198a1}.r{fill:#ff7b72}.g{fill:#3fb950}.y{fill:#d29922}.c{fill:#79c0ff}
}
.step~.step{display:none}
`

/** Neighbouring characters of a row that have one style and were shown at one time. */
interface Piece {
  readonly text: string
  readonly style: string
  readonly row: number
  readonly column: number
  readonly since: number
}

/** A step, and when it is shown in the picture. */
interface TimedStep extends RecordedStep {
  readonly from: number
  readonly to: number
}

/**
 * Draws a recording as an animated SVG that repeats: the heading, and one step after the other. All
 * motion is CSS.
 */
export function renderPicture({ heading, steps }: Recording, columns: number): string {
  const timed = placeInTime(steps)
  const total = timed.at(-1)?.to ?? 0
  const stepRows = Math.max(...timed.map(({ rows }) => usedRows(rows)))
  const width = Math.ceil(2 * MARGIN + columns * CHAR_WIDTH)
  const height = 2 * MARGIN + (usedRows(heading) + stepRows) * ROW_HEIGHT
  const times = createTimes(total)
  const groups = timed.flatMap(step => drawStep(step, usedRows(heading), times))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    '<title>The demo in a terminal. On the left what the model writes: text, and tool calls as text. On the right what the middleware emits: tool calls, as they are written.</title>',
    `<style>${style}${times.css()}</style>`,
    `<rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    ...piecesOf(heading).map(piece => drawPiece(piece, 0, '')),
    ...groups,
    '</svg>',
    '',
  ].join('\n')
}

function placeInTime(steps: readonly RecordedStep[]): TimedStep[] {
  const timed: TimedStep[] = []
  for (const step of steps) {
    const from = timed.at(-1)?.to ?? 0
    timed.push({ ...step, from, to: from + EMPTY_MS + step.endsAt + HOLD_MS })
  }
  return timed
}

interface Times {
  /** The class of what is hidden until a time. */
  appearAt(time: number): string
  /** The class of what is shown only between two times. */
  showBetween(from: number, to: number): string
  css(): string
}

/** Collects the keyframes. What appears at one time shares them. */
function createTimes(total: number): Times {
  const rules = new Map<string, string>()
  const percent = (time: number) => Number(((100 * time) / total).toFixed(2))
  const classFor = (frames: string) => {
    const name = rules.get(frames) ?? `k${rules.size.toString(36)}`
    rules.set(frames, name)
    return name
  }
  return {
    appearAt: time => classFor(`0%{opacity:0}${percent(time)}%{opacity:1}`),
    showBetween(from, to) {
      const start = from > 0 ? `0%{opacity:0}${percent(from)}%{opacity:1}` : '0%{opacity:1}'
      return classFor(to < total ? `${start}${percent(to)}%,to{opacity:0}` : start)
    },
    css: () =>
      [
        '@media(prefers-reduced-motion:no-preference){',
        `.step,.step text{animation:${total}ms step-end infinite}`,
        '.step~.step{display:inline}',
        '}',
        ...[...rules].map(([frames, name]) => {
          return `@keyframes ${name}{${frames}}svg .${name}{animation-name:${name}}`
        }),
        '',
      ].join('\n'),
  }
}

function drawStep({ rows, from, to }: TimedStep, top: number, times: Times): string[] {
  return [
    `<g class="step ${times.showBetween(from, to)}">`,
    ...piecesOf(rows).map(piece =>
      drawPiece(piece, top, times.appearAt(from + EMPTY_MS + piece.since)),
    ),
    '</g>',
  ]
}

function drawPiece({ text, style, row, column }: Piece, top: number, time: string): string {
  const x = Number((MARGIN + column * CHAR_WIDTH).toFixed(1))
  const y = MARGIN + (top + row + 1) * ROW_HEIGHT - 5
  const names = [...style.split(' ').flatMap(code => classOf[code] ?? []), time].filter(Boolean)
  const kind = names.length > 0 ? ` class="${names.join(' ')}"` : ''
  // Another font than the expected one must not move what comes after a long text.
  const length =
    text.length > 6 ? ` textLength="${Number((text.length * CHAR_WIDTH).toFixed(1))}"` : ''
  return `<text${kind} x="${x}" y="${y}"${length}>${escapeXml(text)}</text>`
}

/** Splits rows into pieces, without the spaces around them. */
function piecesOf(rows: readonly (readonly Cell[])[]): Piece[] {
  return rows.flatMap((cells, row) => {
    const pieces: Piece[] = []
    cells.forEach(({ char, style, since }, column) => {
      const last = pieces.at(-1)
      const isSame = last?.style === style && last.since === since
      if (last && isSame) pieces[pieces.length - 1] = { ...last, text: last.text + char }
      else pieces.push({ text: char, style, row, column, since })
    })
    return pieces.map(trimPiece).filter(({ text }) => text !== '')
  })
}

function trimPiece(piece: Piece): Piece {
  const text = piece.text.trimStart()
  const column = piece.column + piece.text.length - text.length
  return { ...piece, column, text: text.trimEnd() }
}

/** The number of rows up to the last one with text. */
function usedRows(rows: readonly (readonly Cell[])[]): number {
  return rows.findLastIndex(cells => cells.some(({ char }) => char !== ' ')) + 1
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
