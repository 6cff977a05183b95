import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listProtocols } from '@toolglot/parser'
import { maxDistractors } from './distractors.js'
import { findConnectionProblem } from './endpoint-check.js'
import { findKey, listSecrets } from './endpoints.js'
import type { Environment } from './environment.js'
import { help } from './help.js'
import { judgeAnswer } from './judge.js'
import { defaultSystem, type LiveOptions, parseLiveOptions } from './options.js'
import { makePlan, type Plan, type PlannedRun } from './plan.js'
import { createProgress } from './progress.js'
import type { RunRecord } from './record.js'
import { createRedact } from './redact.js'
import { renderSummary } from './render-summary.js'
import { renderReport } from './report/render-report.js'
import { openResultsFile } from './results-file.js'
import type { Fetch } from './retrying-fetch.js'
import { runPool } from './run-pool.js'
import { runTask } from './run-task.js'
import { selectTasks } from './select-tasks.js'
import { summarise } from './summary.js'
import { ExitCode, type Surroundings } from './surroundings.js'
import type { Task } from './task.js'
import { UsageError } from './usage-error.js'

/**
 * The number of failed runs in a row after which a model is given up.
 */
const giveUpAfter = 8

export interface LiveInternals {
  /** The first delay before a retry; for tests. */
  readonly firstDelayMs?: number | undefined
  /** Sends the requests; for tests. */
  readonly fetch?: Fetch | undefined
}

/** Runs the benchmark and resolves to the exit code. */
export async function runLive(
  surroundings: Surroundings,
  internals: LiveInternals = {},
): Promise<number> {
  const { argv, stdout, stderr } = surroundings
  try {
    const parsed = parseLiveOptions(argv, surroundings.env)
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
    .replace('{protocols}', wrapNames(listProtocols()))
    .replace('{system}', defaultSystem)
    .replace('{distractors}', String(maxDistractors))
}

/** Joins names with commas, in lines that fit a terminal. */
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

async function runBenchmark(
  options: LiveOptions,
  surroundings: Surroundings,
  internals: LiveInternals,
) {
  const { config, resultsFile, concurrency } = options
  const { stdout, stderr, env, signal } = surroundings
  const redact = createRedact(listSecrets(env))
  if (options.mustResume && !existsSync(resultsFile)) {
    throw new UsageError(`--resume: the file ${resultsFile} does not exist.`)
  }
  const selected = selectTasks({ ...options, seed: config.seed })
  const results = openResultsFile(resultsFile, config, redact)
  const plan = makePlan(options, selected.tasks, results.records())
  const notes = [...options.notes, ...selected.notes, ...results.warnings, ...describePlan(plan)]
  for (const note of notes) stderr.write(`${note}\n`)
  const overview = describeRuns(options, plan, env)
  if (options.isDry) {
    stdout.write(`${overview}\nNothing was sent.\n`)
    return ExitCode.success
  }
  stderr.write(`${overview}\n`)

  const problem = await findEndpointProblem(plan, signal, internals.fetch)
  if (problem !== undefined) {
    stderr.write(`bench:live: ${redact(problem)}\n`)
    return ExitCode.failure
  }

  const giveUp = createGiveUp(plan)
  const stop = AbortSignal.any([signal, giveUp.signal])
  const made: RunRecord[] = []
  const progress = createProgress(stderr, plan.all.length, plan.done.length)
  const makeRun = createRunner(options, env, stop, internals)
  const work = async (run: PlannedRun) => {
    if (giveUp.hasGivenUp(run.row.model)) return
    const record = await makeRun(run)
    if (!record) return
    results.append(record)
    made.push(record)
    progress.advance(record.outcome)
    giveUp.note(record)
  }
  await runPool(plan.open, concurrency, stop, work)
  progress.end()

  const records = [...plan.done, ...made]
  const isInterrupted = made.length < plan.open.length
  const summary = summarise({
    config,
    rows: plan.rows,
    records,
    planned: plan.all.length,
    isInterrupted,
  })
  const outDir = dirname(resultsFile)
  mkdirSync(outDir, { recursive: true })
  writeFileSync(join(outDir, 'summary.json'), redact(`${JSON.stringify(summary, undefined, 2)}\n`))
  writeFileSync(join(outDir, 'report.html'), redact(renderReport(summary, records)))
  stdout.write(`${renderSummary(summary)}\nWritten to ${join(outDir, 'report.html')}\n`)
  const lastBroken = made.findLast(({ outcome }) => outcome === 'infrastructure')
  if (lastBroken) {
    const message = describeBroken(
      lastBroken,
      giveUp.hasGivenUp(lastBroken.model),
      options.targets.length > 1,
    )
    stderr.write(`bench:live: ${redact(message)}\n`)
  }
  if (signal.aborted) return ExitCode.interrupted
  return lastBroken ? ExitCode.failure : ExitCode.success
}

/**
 * Creates a function that makes one run and lets the judge grade its answer, if there is a judge. It
 * returns undefined if the run was stopped.
 */
function createRunner(
  options: LiveOptions,
  env: Environment,
  signal: AbortSignal,
  internals: LiveInternals,
) {
  const { config, retries, targets, baseUrlFlag } = options
  const { firstDelayMs, fetch } = internals
  const keyFor = (baseUrl: string) => findKey(baseUrl, baseUrlFlag, env)?.value
  const judgeUrl = config.judgeBaseUrl ?? targets[0]?.baseUrl ?? ''
  return async (run: PlannedRun): Promise<RunRecord | undefined> => {
    const apiKey = keyFor(run.row.baseUrl)
    const record = await runTask({ run, config, retries, apiKey, signal, fetch, firstDelayMs })
    const isJudged = record?.kind === 'agent' && record.outcome !== 'infrastructure'
    if (config.judgeModel === undefined || !isJudged) return record
    record.judge = await judgeAnswer(run.task, record, {
      model: config.judgeModel,
      baseUrl: judgeUrl,
      retries,
      apiKey: env.TOOLGLOT_JUDGE_API_KEY || keyFor(judgeUrl),
      signal,
      fetch,
      firstDelayMs,
    })
    return signal.aborted ? undefined : record
  }
}

/**
 * Gives a model up after too many runs in a row that could not be made. Stops when no model is left.
 */
function createGiveUp({ rows }: Plan) {
  const controller = new AbortController()
  const models = new Set(rows.map(({ model }) => model))
  const brokenInARow = new Map<string, number>()
  const hasGivenUp = (model: string) => (brokenInARow.get(model) ?? 0) >= giveUpAfter
  return {
    signal: controller.signal,
    hasGivenUp,
    note({ model, outcome }: RunRecord) {
      // A parallel run may still succeed after its model was given up; that is ignored.
      if (hasGivenUp(model)) return
      brokenInARow.set(model, outcome === 'infrastructure' ? (brokenInARow.get(model) ?? 0) + 1 : 0)
      if ([...models].every(hasGivenUp)) controller.abort()
    },
  }
}

/** Returns why one of the needed endpoints cannot be reached; undefined if all can. */
async function findEndpointProblem(plan: Plan, signal: AbortSignal, fetch: Fetch | undefined) {
  const addresses = new Set(plan.open.map(({ row }) => row.baseUrl))
  for (const address of addresses) {
    const problem = await findConnectionProblem(address, signal, fetch)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Describes what the user may not expect of the plan. */
function describePlan({ leftOut, elsewhere, done, all }: Plan): string[] {
  const addresses = [...new Set(elsewhere.map(({ baseUrl }) => baseUrl))]
  return [
    ...(leftOut.length
      ? [`${leftOut.length} tasks are left out: --tool-choice required forces exactly one call.`]
      : []),
    ...(elsewhere.length
      ? [
          `Not counted: ${count(elsewhere.length, 'earlier run')} of the same model at ${addresses.join(', ')}.`,
        ]
      : []),
    ...(done.length ? [`${done.length} of ${all.length} runs exist already.`] : []),
  ]
}

/** Describes the runs, the models, and the variable of each key. */
function describeRuns(
  { targets, variants, reps, baseUrlFlag }: LiveOptions,
  plan: Plan,
  env: Environment,
): string {
  const models = targets.map(({ model, baseUrl }) => {
    const key = findKey(baseUrl, baseUrlFlag, env)
    return `${model} at ${baseUrl}, ${key ? `key from ${key.variable}` : 'without a key'}`
  })
  const names = variants.map(({ protocol, ablation }) =>
    ablation ? `${protocol} · ${ablation}` : protocol,
  )
  const factors = [
    count(targets.length, 'model'),
    `${count(variants.length, 'row')} (${names.join(', ')})`,
    count(plan.taskCount, 'task'),
    count(reps, 'repetition'),
  ]
  return [
    ...models,
    `${factors.join(' × ')}: ${count(plan.all.length, 'run')}, ${plan.open.length} to be made.`,
  ].join('\n')
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}

function describeBroken(record: RunRecord, hasGivenUp: boolean, hasModels: boolean): string {
  const { model, task, protocol, ablation, reasons } = record
  const who = hasModels ? ` of ${model}` : ''
  const what = hasGivenUp
    ? `gave up after ${giveUpAfter} runs${who} in a row that could not be made`
    : 'some runs failed'
  const how = [...(hasModels ? [model] : []), protocol, ...(ablation ? [ablation] : [])].join(' · ')
  return `${what}; the last one was ${task} with ${how}: ${reasons.join('; ')}`
}
