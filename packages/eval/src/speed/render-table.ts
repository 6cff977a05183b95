import type { Cost } from './measure.js'
import type { ContestantResult, SpeedResult } from './run-speed.js'
import type { Plan } from './workloads.js'

/** The targets, relative to an empty TransformStream except for the last two. */
export const targets = {
  text: 0.7,
  calls: 1.2,
  largeArgument: 1,
  growth: 4.2,
  firstDeltaChunks: 2,
} as const

/** Renders the result as a table, with the problems below it. */
export function renderTable(result: SpeedResult): string {
  const { plan } = result
  const rows = [
    headings(plan),
    targetRow(),
    ...result.contestants.map(contestantRow),
    ...result.idle.map(({ name, text }) => [name, formatCost(text, undefined)]),
  ]
  const baseline = result.contestants[0]?.text ?? result.idle[0]?.text
  const lines = [
    `Node ${result.node}. CPU time relative to an empty TransformStream over the same chunks of 4 characters,`,
    `median of ${plan.repetitions} interleaved repetitions (fewer if a run takes over ${plan.slowMs / 1000} s).`,
    ...(baseline
      ? [
          `The empty stream takes ${baseline.baselineMs.toFixed(0)} ms for the ${formatChars(plan.textChars)} of text.`,
        ]
      : []),
    '',
    ...align(rows),
    '',
    '✓ target met   ✗ not met   ! wrong result   > stopped at the time cap',
    ...result.contestants.flatMap(describeProblems),
  ]
  return lines.join('\n')
}

function headings(plan: Plan): string[] {
  return [
    'protocol',
    `text ${formatChars(plan.textChars)}`,
    `${plan.callCount} calls`,
    `arg ${formatChars(plan.smallChars)}`,
    `arg ${formatChars(plan.mediumChars)}`,
    `arg ${formatChars(plan.largeChars)}`,
    'growth x4',
    '1st delta',
    `deltas of ${formatChars(plan.streamedChars)}`,
    'first at',
    'median at',
  ]
}

function targetRow(): string[] {
  const { text, calls, largeArgument, growth, firstDeltaChunks } = targets
  return [
    'target',
    `<= ${text}`,
    `<= ${calls}`,
    '',
    '',
    `<= ${largeArgument.toFixed(1)}`,
    `<= ${growth}`,
    `<= ${firstDeltaChunks}`,
  ]
}

function contestantRow(result: ContestantResult): string[] {
  const { deltas } = result
  return [
    result.name,
    formatCost(result.text, targets.text),
    formatCost(result.calls, targets.calls),
    formatCost(result.smallArgument, undefined),
    formatCost(result.mediumArgument, undefined),
    formatCost(result.largeArgument, targets.largeArgument),
    formatGrowth(result),
    deltas.firstDeltaChunks === undefined
      ? `never ${mark(false)}`
      : `${deltas.firstDeltaChunks} ${mark(deltas.firstDeltaChunks <= targets.firstDeltaChunks)}`,
    String(deltas.deltaCount),
    formatShare(deltas.firstAt),
    formatShare(deltas.medianAt),
  ]
}

/** Returns every missed target and every wrong result of a contestant. */
export function describeProblems(result: ContestantResult): string[] {
  const costs: readonly (readonly [string, Cost])[] = [
    ['text', result.text],
    ['calls', result.calls],
    ['small argument', result.smallArgument],
    ['medium argument', result.mediumArgument],
    ['large argument', result.largeArgument],
  ]
  return costs.flatMap(([name, { problem, isCapped, ms }]) => {
    if (isCapped) return [`> ${result.name}, ${name}: stopped after ${(ms / 1000).toFixed(0)} s`]
    return problem === undefined ? [] : [`! ${result.name}, ${name}: ${problem}`]
  })
}

function formatCost({ ratio, isCapped, problem }: Cost, target: number | undefined): string {
  const flags = [
    target === undefined ? '' : ` ${mark(ratio <= target && !isCapped && problem === undefined)}`,
    problem === undefined ? '' : '!',
  ]
  return `${isCapped ? '> ' : ''}${ratio.toFixed(2)}${flags.join('')}`
}

function formatGrowth({ growth, largeArgument: { isCapped } }: ContestantResult): string {
  if (growth === undefined) return `- ${mark(false)}`
  return `${isCapped ? '> ' : ''}${growth.toFixed(2)} ${mark(growth <= targets.growth && !isCapped)}`
}

function mark(isMet: boolean): string {
  return isMet ? '✓' : '✗'
}

function formatShare(share: number | undefined): string {
  return share === undefined ? '-' : `${(100 * share).toFixed(1)} %`
}

function formatChars(chars: number): string {
  return chars >= 1_000_000 ? `${chars / 1_000_000} MB` : `${chars / 1000} KB`
}

/** Aligns cells in columns: the first to the left, the numbers to the right. */
function align(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const row of rows)
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length)
  return rows.map(row =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}
