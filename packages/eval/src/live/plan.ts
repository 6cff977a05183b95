import { fingerprintOf } from './fingerprint.js'
import type { LiveOptions } from './options.js'
import { keyOf, type RunRecord } from './record.js'
import { createRows, type Row } from './rows.js'
import type { Task } from './task.js'

export interface PlannedRun {
  readonly task: Task
  readonly row: Row
  readonly rep: number
  readonly fingerprint: string
}

export interface Plan {
  /** The lines of the report. */
  readonly rows: readonly Row[]
  /** How many tasks each row has. */
  readonly taskCount: number
  readonly all: readonly PlannedRun[]
  /** Those that are still to be made. */
  readonly open: readonly PlannedRun[]
  /** Records of earlier runs that belong to the plan and count. */
  readonly done: readonly RunRecord[]
  /** Tasks that the choice of tools leaves no way to pass. */
  readonly leftOut: readonly Task[]
  /** Records of the same models at other addresses. They do not count. */
  readonly elsewhere: readonly RunRecord[]
}

/**
 * Repetition by repetition, model by model, task by task, and only then protocol by protocol: an
 * endpoint that becomes slow or is stopped hits all protocols alike, and a server that has to load
 * each model loads it once a repetition.
 */
export function makePlan(
  options: LiveOptions,
  tasks: readonly Task[],
  earlier: readonly RunRecord[],
): Plan {
  const { config, targets, variants, reps } = options
  const rows = createRows(targets, variants)
  const leftOut =
    config.toolChoice === 'required' ? tasks.filter(task => !fitsForcedChoice(task)) : []
  const kept = tasks.filter(task => !leftOut.includes(task))
  const all = Array.from({ length: reps }, (_, rep) => rep).flatMap(rep =>
    targets.flatMap(target =>
      kept.flatMap(task =>
        rows
          .filter(({ model }) => model === target.model)
          .map(row => ({ task, row, rep, fingerprint: fingerprintOf(task, row, rep, config) })),
      ),
    ),
  )
  const byKey = new Map(earlier.map(record => [keyOf(record), record]))
  const open: PlannedRun[] = []
  const done: RunRecord[] = []
  for (const run of all) {
    const record = byKey.get(keyOf({ ...run.row, task: run.task.id, rep: run.rep }))
    const isSame = record?.fingerprint === run.fingerprint
    if (record && isSame && record.outcome !== 'infrastructure') done.push(record)
    else open.push(run)
  }
  const elsewhere = earlier.filter(({ model, baseUrl }) =>
    targets.some(target => target.model === model && target.baseUrl !== baseUrl),
  )
  return { rows, taskCount: kept.length, all, open, done, leftOut, elsewhere }
}

/**
 * A protocol forces a call by asking for one JSON object: no call, or several at once, cannot be
 * had that way.
 */
function fitsForcedChoice({ firstStepCalls }: Task): boolean {
  return firstStepCalls === 1 || firstStepCalls === 'any'
}
