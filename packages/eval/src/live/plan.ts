import { fingerprintOf } from './fingerprint.js'
import type { LiveOptions } from './options.js'
import { keyOf, type RunRecord } from './record.js'
import type { Task } from './task.js'

export interface PlannedRun {
  readonly task: Task
  readonly protocol: string
  readonly rep: number
  readonly fingerprint: string
}

export interface Plan {
  readonly all: readonly PlannedRun[]
  /** Those that are still to be made. */
  readonly open: readonly PlannedRun[]
  /** Records of earlier runs that belong to the plan and count. */
  readonly done: readonly RunRecord[]
  /** Tasks that the choice of tools leaves no way to pass. */
  readonly leftOut: readonly Task[]
}

/**
 * Repetition by repetition, task by task, and only then protocol by protocol: an endpoint that becomes slow or is stopped
 * hits all protocols alike.
 */
export function makePlan(options: LiveOptions, tasks: readonly Task[], earlier: readonly RunRecord[]): Plan {
  const { config, protocols, reps } = options
  const leftOut = config.toolChoice === 'required' ? tasks.filter(task => !fitsForcedChoice(task)) : []
  const kept = tasks.filter(task => !leftOut.includes(task))
  const all = Array.from({ length: reps }, (_, rep) => rep).flatMap(rep =>
    kept.flatMap(task =>
      protocols.map(protocol => ({ task, protocol, rep, fingerprint: fingerprintOf(task, protocol, rep, config) })),
    ),
  )
  const byKey = new Map(earlier.map(record => [keyOf(record), record]))
  const open: PlannedRun[] = []
  const done: RunRecord[] = []
  for (const run of all) {
    const record = byKey.get(keyOf({ ...run, task: run.task.id }))
    const isSame = record?.fingerprint === run.fingerprint
    if (record && isSame && record.outcome !== 'infrastructure') done.push(record)
    else open.push(run)
  }
  return { all, open, done, leftOut }
}

/** A protocol forces a call by asking for one JSON object: no call, or several at once, cannot be had that way. */
function fitsForcedChoice({ firstStepCalls }: Task): boolean {
  return firstStepCalls === 1 || firstStepCalls === 'any'
}
