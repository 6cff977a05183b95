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
  /** The rows of the report. */
  readonly rows: readonly Row[]
  /** The number of tasks of each row. */
  readonly taskCount: number
  readonly all: readonly PlannedRun[]
  /** Runs that are still missing. */
  readonly open: readonly PlannedRun[]
  /** Records of earlier runs that are part of the plan. */
  readonly done: readonly RunRecord[]
  /** Tasks that cannot pass with `--tool-choice required`. */
  readonly leftOut: readonly Task[]
  /** Records of the same models at other endpoints. They are not used. */
  readonly elsewhere: readonly RunRecord[]
}

/**
 * Orders the runs by repetition, model, task, and only then by protocol. An endpoint that becomes
 * slow or stops then affects all protocols alike, and a server that loads models on demand loads
 * each once per repetition.
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
 * Returns whether a task can pass with a forced call. A protocol forces a call by asking for one
 * JSON object, so no call and several calls are impossible.
 */
function fitsForcedChoice({ firstStepCalls }: Task): boolean {
  return firstStepCalls === 1 || firstStepCalls === 'any'
}
