import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { protocolNames } from '@toolglot/parser'
import { maxDistractors } from './distractors.js'
import { findConnectionProblem } from './endpoint-check.js'
import { help } from './help.js'
import { judgeAnswer } from './judge.js'
import { defaultSystem, type LiveOptions, parseLiveOptions } from './options.js'
import { makePlan, type PlannedRun } from './plan.js'
import { createProgress } from './progress.js'
import type { RunRecord } from './record.js'
import { createRedact } from './redact.js'
import { renderSummary } from './render-summary.js'
import { renderReport } from './report/render-report.js'
import { openResultsFile } from './results-file.js'
import { runPool } from './run-pool.js'
import { runTask } from './run-task.js'
import { selectTasks } from './select-tasks.js'
import { summarise } from './summary.js'
import { ExitCode, type Surroundings } from './surroundings.js'
import type { Task } from './task.js'
import { UsageError } from './usage-error.js'

/** So many runs in a row that could not be made: the endpoint is gone, and to go on would only take time. */
const giveUpAfter = 8

export interface LiveInternals {
  /** The first wait before another try; for tests. */
  readonly firstDelayMs?: number | undefined
}

/** Runs the benchmark and resolves to the exit code. */
export async function runLive(surroundings: Surroundings, internals: LiveInternals = {}): Promise<number> {
  const { argv, stdout, stderr } = surroundings
  try {
    const parsed = parseLiveOptions(argv)
    if (parsed.type === 'help') {
      stdout.write(fillHelp())
      return ExitCode.success
    }
    if (parsed.type === 'list') {
      stdout.write(listTasks(selectTasks(parsed.selection).tasks))
      return ExitCode.success
    }
    return await runBenchmark(parsed.options, surroundings, internals)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    stderr.write(`bench:live: ${error.message}\n`)
    return ExitCode.usage
  }
}

function fillHelp(): string {
  return help
    .replace('{protocols}', wrapNames(protocolNames()))
    .replace('{system}', defaultSystem)
    .replace('{distractors}', String(maxDistractors))
}

/** Names separated by commas, in lines that fit a terminal. */
function wrapNames(names: readonly string[]): string {
  const lines = ['']
  for (const name of names) {
    const last = lines.length - 1
    const line = lines[last] ?? ''
    if (line.length + name.length > 70) lines.push(name)
    else lines[last] = line ? `${line}, ${name}` : name
  }
  return lines.join(`,\n${' '.repeat(24)}`)
}

function listTasks(tasks: readonly Task[]): string {
  const width = Math.max(...tasks.map(({ id }) => id.length))
  return `${tasks.map(({ id, category }) => `${id.padEnd(width)}  ${category}`).join('\n')}\n${tasks.length} tasks\n`
}

async function runBenchmark(options: LiveOptions, surroundings: Surroundings, internals: LiveInternals) {
  const { config, outDir, retries, concurrency, protocols } = options
  const { stdout, stderr, env, signal } = surroundings
  // An empty variable is one that is not set. A key is only sent to the endpoint that it is meant for.
  const apiKey = env.TOOLGLOT_API_KEY || undefined
  const judgeKey = env.TOOLGLOT_JUDGE_API_KEY || (config.judgeBaseUrl === undefined ? apiKey : undefined)
  const redact = createRedact([apiKey, judgeKey])
  const selected = selectTasks({ ...options, seed: config.seed })
  const results = openResultsFile(join(outDir, 'results.jsonl'), config, redact)
  const plan = makePlan(options, selected.tasks, results.records())
  const notes = [...selected.notes, ...results.warnings]
  if (plan.leftOut.length) {
    notes.push(`${plan.leftOut.length} tasks are left out: --tool-choice required forces exactly one call.`)
  }
  if (plan.done.length) notes.push(`${plan.done.length} of ${plan.all.length} runs are there already.`)
  for (const note of notes) stderr.write(`${note}\n`)

  if (plan.open.length) {
    const problem = await findConnectionProblem(config.baseUrl, signal)
    if (problem !== undefined) {
      stderr.write(`bench:live: ${redact(problem)}\n`)
      return ExitCode.failure
    }
  }

  const giveUp = new AbortController()
  const stop = AbortSignal.any([signal, giveUp.signal])
  const made: RunRecord[] = []
  let brokenInARow = 0
  const progress = createProgress(stderr, plan.all.length, plan.done.length)
  const work = async (run: PlannedRun) => {
    const { firstDelayMs } = internals
    const record = await runTask({ run, config, retries, apiKey, signal: stop, firstDelayMs })
    if (!record) return
    const isJudged = config.judgeModel !== undefined && record.kind === 'agent' && record.outcome !== 'infrastructure'
    if (isJudged) {
      const judge = { config, retries, apiKey: judgeKey, signal: stop, firstDelayMs }
      record.judge = await judgeAnswer(run.task, record, judge)
      if (stop.aborted) return
    }
    results.append(record)
    made.push(record)
    progress.advance(record.outcome)
    brokenInARow = record.outcome === 'infrastructure' ? brokenInARow + 1 : 0
    if (brokenInARow < giveUpAfter) return
    giveUp.abort()
  }
  await runPool(plan.open, concurrency, stop, work)
  progress.end()

  const records = [...plan.done, ...made]
  const summary = summarise({
    config,
    protocols,
    records,
    planned: plan.all.length,
    isInterrupted: made.length < plan.open.length,
  })
  mkdirSync(outDir, { recursive: true })
  writeFileSync(join(outDir, 'summary.json'), redact(`${JSON.stringify(summary, undefined, 2)}\n`))
  writeFileSync(join(outDir, 'report.html'), redact(renderReport(summary, records)))
  stdout.write(`${renderSummary(summary)}\nWritten to ${join(outDir, 'report.html')}\n`)
  const lastBroken = made.findLast(({ outcome }) => outcome === 'infrastructure')
  if (lastBroken) stderr.write(`bench:live: ${redact(describeBroken(lastBroken, giveUp.signal.aborted))}\n`)
  if (signal.aborted) return ExitCode.interrupted
  return lastBroken ? ExitCode.failure : ExitCode.success
}

function describeBroken({ task, protocol, reasons }: RunRecord, hasGivenUp: boolean): string {
  const what = hasGivenUp ? `gave up after ${giveUpAfter} runs in a row that could not be made` : 'some runs failed'
  return `${what}; the last one was ${task} with ${protocol}: ${reasons.join('; ')}`
}
