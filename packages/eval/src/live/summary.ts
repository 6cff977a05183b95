import { type Comparison, compareProtocols } from './compare-protocols.js'
import type { RunConfig } from './options.js'
import { createRandom } from './random.js'
import type { RunRecord } from './record.js'
import { bootstrapMean, type Interval, mean, quantile, wilson } from './statistics.js'
import type { TaskKind } from './task.js'

export interface Share {
  readonly passed: number
  readonly total: number
  /** Absent without runs. */
  readonly share?: number | undefined
  readonly interval: Interval
}

/** A mean, with the number of runs in which the value was there. */
export interface Mean {
  readonly count: number
  /** Absent if no run has the value. */
  readonly mean?: number | undefined
  readonly interval?: Interval | undefined
}

export interface ProtocolSummary {
  readonly protocol: string
  readonly accuracy: Share
  readonly byKind: Readonly<Partial<Record<TaskKind, Share>>>
  readonly inputTokens: Mean
  readonly outputTokens: Mean
  readonly latencyMs: { readonly median?: number | undefined; readonly p90?: number | undefined }
  readonly steps: Mean
  readonly calls: Mean
  /** Shares of all calls, not of runs. */
  readonly invalidCalls: { readonly count: number; readonly total: number }
  /** Runs that could not be made; they are in no other figure. */
  readonly infrastructure: number
  /** What the judge says of final answers, apart from all else. */
  readonly judge?: Share | undefined
}

export interface TaskRow {
  readonly task: string
  readonly kind: TaskKind
  readonly category: string
  readonly cells: readonly { readonly protocol: string; readonly passed: number; readonly total: number }[]
}

export interface Summary {
  readonly config: RunConfig
  readonly finishedAt: string
  readonly planned: number
  readonly done: number
  readonly isInterrupted: boolean
  readonly protocols: readonly ProtocolSummary[]
  /** Each protocol against the first of them, or native. */
  readonly comparisons: readonly Comparison[]
  readonly tasks: readonly TaskRow[]
}

export interface SummaryOptions {
  readonly config: RunConfig
  readonly protocols: readonly string[]
  readonly records: readonly RunRecord[]
  readonly planned: number
  readonly isInterrupted: boolean
}

export function summarise({ config, protocols, records, planned, isInterrupted }: SummaryOptions): Summary {
  const valid = records.filter(({ outcome }) => outcome !== 'infrastructure')
  const summaries = protocols.map(protocol => {
    const own = valid.filter(record => record.protocol === protocol)
    const failed = records.filter(record => record.protocol === protocol && record.outcome === 'infrastructure')
    return summariseProtocol(protocol, own, failed.length, config.seed)
  })
  return {
    config,
    finishedAt: new Date().toISOString(),
    planned,
    done: valid.length,
    isInterrupted,
    protocols: summaries,
    comparisons: compareProtocols(protocols, valid, config.seed),
    tasks: rowsOf(protocols, valid),
  }
}

function summariseProtocol(
  protocol: string,
  records: readonly RunRecord[],
  infrastructure: number,
  seed: number,
): ProtocolSummary {
  const meanBy = (name: string, read: (record: RunRecord) => number | undefined): Mean => {
    const groups = groupByTask(records).map(group => group.flatMap(record => read(record) ?? []))
    const values = groups.flat()
    if (values.length === 0) return { count: 0 }
    const interval = bootstrapMean(groups, createRandom(`${seed}/${protocol}/${name}`))
    return { count: values.length, mean: mean(values), interval }
  }
  const kinds = [...new Set(records.map(({ kind }) => kind))]
  const calls = records.flatMap(record => record.calls)
  const latencies = records.map(({ latencyMs }) => latencyMs)
  const judged = records.flatMap(({ judge }) =>
    judge?.verdict === 'right' || judge?.verdict === 'wrong' ? [judge] : [],
  )
  return {
    protocol,
    accuracy: shareOf(records),
    byKind: Object.fromEntries(kinds.map(kind => [kind, shareOf(records.filter(record => record.kind === kind))])),
    inputTokens: meanBy('input', ({ inputTokens }) => inputTokens),
    outputTokens: meanBy('output', ({ outputTokens }) => outputTokens),
    latencyMs: latencies.length ? { median: quantile(latencies, 0.5), p90: quantile(latencies, 0.9) } : {},
    steps: meanBy('steps', ({ steps }) => steps),
    calls: meanBy('calls', record => record.calls.length),
    invalidCalls: { count: calls.filter(({ invalid }) => invalid !== undefined).length, total: calls.length },
    infrastructure,
    ...(judged.length
      ? { judge: toShare(judged.filter(({ verdict }) => verdict === 'right').length, judged.length) }
      : {}),
  }
}

function shareOf(records: readonly RunRecord[]): Share {
  return toShare(records.filter(({ outcome }) => outcome === 'pass').length, records.length)
}

function toShare(passed: number, total: number): Share {
  return { passed, total, ...(total ? { share: passed / total } : {}), interval: wilson(passed, total) }
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

function rowsOf(protocols: readonly string[], records: readonly RunRecord[]): TaskRow[] {
  return groupByTask(records)
    .flatMap(group => {
      const [first] = group
      if (!first) return []
      const cells = protocols.map(protocol => {
        const own = group.filter(record => record.protocol === protocol)
        return { protocol, passed: own.filter(({ outcome }) => outcome === 'pass').length, total: own.length }
      })
      return [{ task: first.task, kind: first.kind, category: first.category, cells }]
    })
    .sort((a, b) => b.kind.localeCompare(a.kind) || a.task.localeCompare(b.task, 'en', { numeric: true }))
}
