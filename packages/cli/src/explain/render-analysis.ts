import { wrapText } from '../command.js'
import { createPalette, type Paint } from '../palette.js'
import { charWidth, countOf, showInLine } from '../terminal-text.js'
import type { Analysis, PlacedDecision } from './analysis.js'
import type { Span, SpanType } from './spans.js'

export interface RenderOptions {
  readonly columns: number
  readonly hasColor: boolean
}

/** The sign below a character if there are no colors. */
const signs: Readonly<Record<SpanType, string>> = {
  text: ' ',
  reasoning: '.',
  markup: '-',
  name: '^',
  arguments: '=',
  problem: '!',
}

/** Renders the text with its spans marked, the decisions, and a summary. */
export function renderAnalysis(analysis: Analysis, options: RenderOptions): string {
  const { bold, dim } = createPalette(options.hasColor)
  const { decisions } = analysis
  const rows = renderDecisions(decisions, options)
  return [
    renderLegend(options),
    '',
    ...renderText(analysis, options),
    '',
    bold('Decisions'),
    ...(rows.length ? rows : [dim('  none: the text contains no mark of a call or of reasoning')]),
    '',
    bold(summarize(analysis)),
    '',
  ].join('\n')
}

function paints(hasColor: boolean): Readonly<Record<SpanType, Paint>> {
  const { bold, dim, red, green, yellow, cyan } = createPalette(hasColor)
  return {
    text: text => text,
    reasoning: dim,
    markup: cyan,
    name: text => bold(green(text)),
    arguments: yellow,
    problem: red,
  }
}

function renderLegend({ hasColor }: RenderOptions): string {
  const paint = paints(hasColor)
  const names: readonly SpanType[] = ['text', 'reasoning', 'markup', 'name', 'arguments', 'problem']
  const shown = names.map(name =>
    hasColor || name === 'text' ? paint[name](name) : `${signs[name]} ${name}`,
  )
  return shown.join('  ')
}

function renderText({ text, spans }: Analysis, options: RenderOptions): string[] {
  const { dim } = createPalette(options.hasColor)
  const lines = text.replace(/\n$/, '').split('\n')
  const gutter = String(lines.length).length
  const room = Math.max(20, options.columns - gutter - 4)
  const typeAt = spanReader(spans)
  const paint = paints(options.hasColor)
  const out: string[] = []
  let offset = 0
  for (const [i, line] of lines.entries()) {
    const rows = renderLine(line.replace(/\r$/, ''), offset, {
      room,
      typeAt,
      paint,
      hasColor: options.hasColor,
    })
    for (const [j, row] of rows.entries()) {
      const number = row.isSigns || j > 0 ? ' '.repeat(gutter) : String(i + 1).padStart(gutter)
      out.push(`${dim(` ${number} |`)} ${row.text}`.trimEnd())
    }
    offset += line.length + 1
  }
  return out
}

/** Returns a function that finds the span at an offset. Offsets must rise from call to call. */
function spanReader(spans: readonly Span[]): (offset: number) => SpanType {
  let at = 0
  return offset => {
    while (at < spans.length && (spans[at]?.end ?? 0) <= offset) at++
    const span = spans[at]
    return span && span.start <= offset ? span.type : 'text'
  }
}

interface LineOptions {
  readonly room: number
  readonly typeAt: (offset: number) => SpanType
  readonly paint: Readonly<Record<SpanType, Paint>>
  readonly hasColor: boolean
}

interface Row {
  readonly text: string
  readonly isSigns: boolean
}

/**
 * Breaks a line into rows that fit. Without colors each row is followed by a row of signs.
 */
function renderLine(
  line: string,
  offset: number,
  { room, typeAt, paint, hasColor }: LineOptions,
): Row[] {
  const rows: Row[] = []
  let shown = ''
  let run = ''
  let runType: SpanType = 'text'
  let signRow = ''
  let width = 0
  const endRun = () => {
    shown += paint[runType](run)
    run = ''
  }
  const endRow = () => {
    endRun()
    rows.push({ text: shown, isSigns: false })
    if (!hasColor && signRow.trim() !== '') rows.push({ text: signRow, isSigns: true })
    shown = ''
    signRow = ''
    width = 0
  }
  let at = offset
  for (const char of line) {
    const type = typeAt(at)
    at += char.length
    const visible = showInLine(char)
    const chars = [...visible].reduce((sum, each) => sum + charWidth(each), 0)
    if (width + chars > room) endRow()
    if (type !== runType) endRun()
    runType = type
    run += visible
    width += chars
    signRow += signs[type].repeat(chars)
  }
  endRow()
  return rows
}

function renderDecisions(decisions: readonly PlacedDecision[], options: RenderOptions): string[] {
  const { dim, red, green, yellow, cyan, bold } = createPalette(options.hasColor)
  const colors: Readonly<Record<PlacedDecision['type'], Paint>> = {
    mark: cyan,
    call: text => bold(green(text)),
    prose: dim,
    quote: dim,
    thought: dim,
    held: dim,
    repaired: yellow,
    guessed: red,
    coerced: yellow,
    undeclared: red,
    problem: red,
  }
  const placeOf = ({ line, column }: PlacedDecision) => `${line}:${column}`
  const widest = (texts: readonly string[]) =>
    texts.reduce((width, text) => Math.max(width, text.length), 0)
  const placeWidth = widest(decisions.map(placeOf))
  const typeWidth = widest(decisions.map(({ type }) => type))
  const indent = placeWidth + typeWidth + 6
  return decisions.flatMap(decision => {
    const words = showInLine(
      decision.code ? `${decision.code}: ${decision.message}` : decision.message,
    )
    const [first = '', ...rest] = wrapText(words, Math.max(20, options.columns - indent))
    const type = colors[decision.type](decision.type.padEnd(typeWidth))
    return [
      `  ${dim(placeOf(decision).padStart(placeWidth))}  ${type}  ${first}`,
      ...rest.map(line => ' '.repeat(indent) + line),
    ]
  })
}

function summarize({ calls, decisions, problemCount }: Analysis): string {
  const count = (type: PlacedDecision['type']) =>
    decisions.filter(each => each.type === type).length
  const parts = [
    countOf(calls.length, 'call'),
    ...(count('repaired') ? [`${count('repaired')} repaired`] : []),
    ...(count('guessed') ? [`${count('guessed')} guessed`] : []),
    ...(count('coerced') ? [`${countOf(count('coerced'), 'value')} coerced`] : []),
    ...(count('prose') ? [`${count('prose')} rolled back`] : []),
    problemCount ? countOf(problemCount, 'problem') : 'no problem',
  ]
  return parts.join(', ')
}
