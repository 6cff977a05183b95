import { createRandom } from '../random.js'
import { type Comparison, compareRows } from './compare-rows.js'
import type { Target } from './endpoints.js'
import type { RunConfig } from './options.js'
import type { RunRecord } from './record.js'
import { keyOfRow, type Row } from './rows.js'
import { bootstrapMean, type Interval, mean, quantile, wilson } from './statistics.js'
import type { TaskKind } from './task.js'

export interface Share {
  readonly passed: number
  readonly total: number
  /** Absent without runs. */
  readonly share?: number | undefined
  readonly interval: Interval
}

/** A mean, with the number of runs that have the value. */
export interface Mean {
  readonly count: number
  /** Absent if no run has the value. */
  readonly mean?: number | undefined
  readonly interval?: Interval | undefined
}

export interface RowSummary extends Row {
  readonly accuracy: Share
  readonly byKind: Readonly<Partial<Record<TaskKind, Share>>>
  readonly inputTokens: Mean
  readonly outputTokens: Mean
  readonly latencyMs: { readonly median?: number | undefined; readonly p90?: number | undefined }
  readonly steps: Mean
  readonly calls: Mean
  /** Shares of all calls, not of runs. */
  readonly invalidCalls: { readonly count: number; readonly total: number }
  /** Runs that could not be made. No other figure includes them. */
  readonly infrastructure: number
  /** The judge's grades of final answers. They do not affect other figures. */
  readonly judge?: Share | undefined
}

export interface TaskRow {
  readonly task: string
  readonly kind: TaskKind
  readonly category: string
  readonly cells: readonly {
    readonly label: string
    readonly passed: number
    readonly total: number
  }[]
}

export interface Summary {
  readonly config: RunConfig
  readonly targets: readonly Target[]
  readonly finishedAt: string
  readonly planned: number
  readonly done: number
  readonly isInterrupted: boolean
  readonly rows: readonly RowSummary[]
  readonly comparisons: readonly Comparison[]
  readonly tasks: readonly TaskRow[]
}

export interface SummaryOptions {
  readonly config: RunConfig
  readonly rows: readonly Row[]
  readonly records: readonly RunRecord[]
  readonly planned: number
  readonly isInterrupted: boolean
}

export function summarise({
  config,
  rows,
  records,
  planned,
  isInterrupted,
}: SummaryOptions): Summary {
  const valid = records.filter(({ outcome }) => outcome !== 'infrastructure')
  const summaries = rows.map(row => {
    const own = records.filter(record => keyOfRow(record) === keyOfRow(row))
    const counted = own.filter(({ outcome }) => outcome !== 'infrastructure')
    return summariseRow(row, counted, own.length - counted.length, config.seed)
  })
  const targets = new Map(rows.map(({ model, baseUrl }) => [model, { model, baseUrl }]))
  return {
    config,
    targets: [...targets.values()],
    finishedAt: new Date().toISOString(),
    planned,
    done: valid.length,
    isInterrupted,
    rows: summaries,
    comparisons: compareRows(rows, valid, config.seed),
    tasks: listTasks(rows, valid),
  }
}

function summariseRow(
  row: Row,
  records: readonly RunRecord[],
  infrastructure: number,
  seed: number,
): RowSummary {
  const meanBy = (name: string, read: (record: RunRecord) => number | undefined): Mean => {
    const groups = groupByTask(records).map(group => group.flatMap(record => read(record) ?? []))
    const values = groups.flat()
    if (values.length === 0) return { count: 0 }
    const interval = bootstrapMean(groups, createRandom(`${seed}/${row.label}/${name}`))
    return { count: values.length, mean: mean(values), interval }
  }
  const kinds = [...new Set(records.map(({ kind }) => kind))]
  const calls = records.flatMap(record => record.calls)
  const latencies = records.map(({ latencyMs }) => latencyMs)
  const judged = records.flatMap(({ judge }) =>
    judge?.verdict === 'right' || judge?.verdict === 'wrong' ? [judge] : [],
  )
  return {
    ...row,
    accuracy: shareOf(records),
    byKind: Object.fromEntries(
      kinds.map(kind => [kind, shareOf(records.filter(record => record.kind === kind))]),
    ),
    inputTokens: meanBy('input', ({ inputTokens }) => inputTokens),
    outputTokens: meanBy('output', ({ outputTokens }) => outputTokens),
    latencyMs: latencies.length
      ? { median: quantile(latencies, 0.5), p90: quantile(latencies, 0.9) }
      : {},
    steps: meanBy('steps', ({ steps }) => steps),
    calls: meanBy('calls', record => record.calls.length),
    invalidCalls: {
      count: calls.filter(({ invalid }) => invalid !== undefined).length,
      total: calls.length,
    },
    infrastructure,
    ...(judged.length
      ? {
          judge: toShare(judged.filter(({ verdict }) => verdict === 'right').length, judged.length),
        }
      : {}),
  }
}

function shareOf(records: readonly RunRecord[]): Share {
  return toShare(records.filter(({ outcome }) => outcome === 'pass').length, records.length)
}

function toShare(passed: number, total: number): Share {
  return {
    passed,
    total,
    ...(total ? { share: passed / total } : {}),
    interval: wilson(passed, total),
  }
}

export function groupByTask(records: readonly RunRecord[]): RunRecord[][] {
  const groups = new Map<string, RunRecord[]>()
  for (const record of records) {
    const group = groups.get(record.task)
    if (group) group.push(record)
    else groups.set(record.task, [record])
  }
  return [...groups.values()]
}

function listTasks(rows: readonly Row[], records: readonly RunRecord[]): TaskRow[] {
  return groupByTask(records)
    .flatMap(group => {
      const [first] = group
      if (!first) return []
      const cells = rows.map(row => {
        const own = group.filter(record => keyOfRow(record) === keyOfRow(row))
        return {
          label: row.label,
          passed: own.filter(({ outcome }) => outcome === 'pass').length,
          total: own.length,
        }
      })
      return [{ task: first.task, kind: first.kind, category: first.category, cells }]
    })
    .sort(
      (a, b) =>
        b.kind.localeCompare(a.kind) || a.task.localeCompare(b.task, 'en', { numeric: true }),
    )
}
