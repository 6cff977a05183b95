import { ablateTools } from './ablate-tools.js'
import { messageOf } from './json.js'
import type { RunConfig } from './options.js'
import type { PlannedRun } from './plan.js'
import type { RunRecord } from './record.js'
import {
  createRetryingFetch,
  type Exchange,
  type Fetch,
  isRetryableStatus,
} from './retrying-fetch.js'
import { createLoopLog, type LoopLog, runLoop } from './sdk-loop.js'
import type { Task } from './task.js'
import { createToolSet } from './tool-set.js'

export interface RunTaskOptions {
  readonly run: PlannedRun
  readonly config: RunConfig
  readonly retries: number
  readonly apiKey: string | undefined
  /** Aborts the run without a record. */
  readonly signal: AbortSignal
  readonly fetch?: Fetch | undefined
  readonly firstDelayMs?: number | undefined
}

/** Makes one run. Resolves to undefined if it was stopped from outside. */
export async function runTask(options: RunTaskOptions): Promise<RunRecord | undefined> {
  const { config, signal, retries } = options
  const deadline = createDeadline(config.timeoutSeconds * 1000, signal)
  try {
    for (let tries = 1; ; tries++) {
      const record = await runOnce(options, deadline)
      if (signal.aborted) return undefined
      // `fetch` retries until an answer begins. If a stream breaks later, the run starts again in a
      // new world.
      const isBrokenStream =
        record.exchanges.at(-1)?.brokeOff !== undefined && record.exchanges.at(-1)?.status === 200
      if (!isBrokenStream || tries > retries || deadline.signal.aborted) return record
    }
  } finally {
    deadline.clear()
  }
}

async function runOnce(options: RunTaskOptions, deadline: Deadline): Promise<RunRecord> {
  const { config, retries, apiKey } = options
  const { task, row, rep, fingerprint } = options.run
  const open = task.open()
  const wire = createRetryingFetch({
    retries,
    fetch: options.fetch,
    firstDelayMs: options.firstDelayMs,
  })
  const log = createLoopLog()
  const startedAt = new Date().toISOString()
  const maxSteps = task.kind === 'agent' ? config.maxSteps : 1
  let failure: unknown
  try {
    const tools = createToolSet(ablateTools(open.tools, config, task.id, rep))
    const { messages } = task
    const { signal } = deadline
    await runLoop(
      { config, row, rep, messages, tools, maxSteps, apiKey, fetch: wire.fetch, signal },
      log,
    )
  } catch (error) {
    failure = error
  }
  const exchanges = wire.exchanges()
  const { outcome, reasons } = judgeRun({
    task,
    log,
    failure,
    exchanges,
    deadline,
    config,
    check: open.check,
  })
  return {
    type: 'run',
    task: task.id,
    kind: task.kind,
    category: task.category,
    model: row.model,
    baseUrl: row.baseUrl,
    protocol: row.protocol,
    ablation: row.ablation,
    rep,
    fingerprint,
    outcome,
    reasons,
    startedAt,
    latencyMs: Math.round(exchanges.reduce((sum, { latencyMs }) => sum + latencyMs, 0)),
    steps: log.steps,
    inputTokens: sumAll(exchanges.map(({ answer }) => answer.inputTokens)),
    outputTokens: sumAll(exchanges.map(({ answer }) => answer.outputTokens)),
    calls: log.calls,
    problems: log.problems,
    text: log.text,
    exchanges,
  }
}

interface JudgeOptions {
  readonly task: Task
  readonly log: LoopLog
  readonly failure: unknown
  readonly exchanges: readonly Exchange[]
  readonly deadline: Deadline
  readonly config: RunConfig
  readonly check: ReturnType<Task['open']>['check']
}

function judgeRun(options: JudgeOptions): Pick<RunRecord, 'outcome' | 'reasons'> {
  const { task, log, failure, exchanges, deadline, config, check } = options
  if (deadline.isOver())
    return { outcome: 'fail', reasons: [`took longer than ${config.timeoutSeconds} seconds`] }
  const trouble = findTrouble(exchanges.at(-1))
  if (trouble) return trouble
  if (failure !== undefined)
    return { outcome: 'fail', reasons: [`the run failed: ${messageOf(failure)}`] }

  const valid = log.calls.filter(({ invalid }) => invalid === undefined)
  const reasons = check({ calls: valid, text: log.text })
  const refused = log.calls.flatMap(({ name, invalid }) =>
    invalid === undefined ? [] : [`the call of ${name} was rejected: ${invalid}`],
  )
  // An agent may correct itself; a single call may not.
  if (task.kind !== 'agent') reasons.push(...refused)
  if (reasons.length === 0) return { outcome: 'pass', reasons }
  if (task.kind === 'agent') {
    reasons.push(...refused)
    const isStopped = log.steps >= config.maxSteps && log.finishReason === 'tool-calls'
    if (isStopped) reasons.push(`stopped after ${config.maxSteps} steps`)
  }
  if (log.finishReason === 'length') reasons.push('a token limit cut the last answer off')
  return { outcome: 'fail', reasons }
}

/** Returns the outcome of a run that the endpoint ended early; undefined if it did not. */
function findTrouble(
  exchange: Exchange | undefined,
): Pick<RunRecord, 'outcome' | 'reasons'> | undefined {
  if (!exchange) return undefined
  const { status, brokeOff, answer } = exchange
  if (brokeOff !== undefined)
    return { outcome: 'infrastructure', reasons: [`the connection broke: ${brokeOff}`] }
  const said = answer.error ?? answer.body?.slice(0, 500)
  if (status !== undefined && status >= 400) {
    // An endpoint that rejects such requests (no tools, too long) is a result; a wrong key or model
    // name is not.
    const isSetup = isRetryableStatus(status) || [401, 402, 403, 404].includes(status)
    return {
      outcome: isSetup ? 'infrastructure' : 'fail',
      reasons: [`the endpoint answered HTTP ${status}: ${said}`],
    }
  }
  if (said === undefined) return undefined
  return {
    outcome: 'infrastructure',
    reasons: [`the endpoint sent an answer that cannot be read: ${said}`],
  }
}

/** Returns the sum; undefined if one of the counts is. */
function sumAll(counts: readonly (number | undefined)[]): number | undefined {
  let sum = 0
  for (const count of counts) {
    if (count === undefined) return undefined
    sum += count
  }
  return counts.length ? sum : undefined
}

interface Deadline {
  readonly signal: AbortSignal
  isOver(): boolean
  clear(): void
}

function createDeadline(ms: number, outer: AbortSignal): Deadline {
  const controller = new AbortController()
  let isOver = false
  const stop = () => controller.abort(outer.reason)
  const timer = setTimeout(() => {
    isOver = true
    controller.abort(new Error('The run took too long.'))
  }, ms)
  if (outer.aborted) stop()
  outer.addEventListener('abort', stop)
  return {
    signal: controller.signal,
    isOver: () => isOver,
    clear() {
      clearTimeout(timer)
      outer.removeEventListener('abort', stop)
    },
  }
}
