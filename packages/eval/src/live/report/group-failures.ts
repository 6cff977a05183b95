import type { RunRecord } from '../record.js'

/** Failed runs of one model and one task that failed in the same way. The first is shown in full. */
export interface FailureGroup {
  readonly first: RunRecord
  readonly others: readonly RunRecord[]
}

/** Puts the runs together that failed alike. Groups and runs stay in the order of the records. */
export function groupFailures(records: readonly RunRecord[]): FailureGroup[] {
  const groups = new Map<string, { first: RunRecord; others: RunRecord[] }>()
  for (const record of records) {
    const { model, baseUrl, task } = record
    const key = JSON.stringify([model, baseUrl, task, kindOfFailure(record)])
    const group = groups.get(key)
    if (group) group.others.push(record)
    else groups.set(key, { first: record, others: [] })
  }
  return [...groups.values()]
}

/**
 * Returns what failed, without what differs from run to run: what the parser found, and the first
 * reason. `order: .days is "five" instead of 5` is of the kind `order: .days is`.
 */
export function kindOfFailure({ problems, reasons }: RunRecord): string {
  const codes = [...new Set(problems.map(({ code }) => code))].sort()
  return [...codes, withoutDetails(reasons[0] ?? '')].join(' · ')
}

/**
 * The part of a reason before its details: `add: .a is| 5 instead of 7`,
 * `the call of add was rejected|: …`, `the endpoint answered HTTP 400|: …`.
 */
const beforeDetails =
  /^.*?(?: is(?! missing)| has| differs| was rejected| run failed| HTTP \d+| connection broke)\b/s

function withoutDetails(reason: string): string {
  const start = beforeDetails.exec(reason)
  return start ? start[0] : reason
}
