import { type Contestant, type OpenStream, openEmptyTransform } from './contestants.js'
import { type Outcome, readOutcome } from './outcome.js'
import { cpuMs, createPullSource, TimeCapError } from './part-source.js'
import type { Plan, Workload } from './workloads.js'

/** The cost of one contestant at one workload. */
export interface Cost {
  /**
   * The cost relative to an empty TransformStream over the same chunks: the median over the
   * repetitions.
   */
  readonly ratio: number
  /** The lowest and the highest repetition, to show how stable the median is. */
  readonly lowestRatio: number
  readonly highestRatio: number
  /** The median CPU time of a run. */
  readonly ms: number
  readonly baselineMs: number
  /** The number of repetitions; fewer than planned for slow runs. */
  readonly repetitions: number
  /** The run took longer than the cap: `ratio` and `ms` are lower bounds. */
  readonly isCapped: boolean
  /**
   * What is wrong with the result; undefined if it is correct. The speed of a wrong result has no
   * meaning.
   */
  readonly problem: string | undefined
}

/** The repeated runs of one contestant with one workload. */
export interface Series {
  /** Runs once, together with a run of the empty stream. Which comes first alternates. */
  step(): Promise<void>
  cost(): Cost
  /** The CPU time of each run. */
  times(): readonly number[]
}

interface Timing {
  readonly ms: number
  /**
   * Outcomes of all runs, checked after the clock has stopped; undefined if a run was stopped at the
   * cap.
   */
  readonly outcomes: readonly Outcome[] | undefined
}

type Limits = Pick<Plan, 'capMs' | 'slowMs' | 'minChars'>

export function createSeries(
  open: OpenStream,
  text: string,
  check: Workload['check'],
  limits: Limits,
): Series {
  const times: number[] = []
  const baselines: number[] = []
  /** The number of times that a short text is read in one run; the times are those of one reading. */
  const rounds = Math.max(1, Math.ceil(limits.minChars / text.length))
  let isCapped = false
  let isSlow = false
  let problem: string | undefined

  const runBaseline = async () => {
    const { ms, outcomes } = await timeRuns(openEmptyTransform, {
      text,
      rounds,
      limits: { ...limits, capMs: Number.POSITIVE_INFINITY },
    })
    if (!outcomes?.every(outcome => outcome.text === text))
      throw new Error('The empty stream lost text: the benchmark itself is broken.')
    baselines.push(ms)
  }
  const runOnce = async () => {
    const { ms, outcomes } = await timeRuns(open, { text, rounds, limits })
    times.push(ms)
    isSlow = ms > limits.slowMs
    if (!outcomes) isCapped = true
    else for (const outcome of outcomes) problem ??= check(outcome)
  }
  return {
    async step() {
      if (isSlow || isCapped) return
      const order = times.length % 2 === 0 ? [runBaseline, runOnce] : [runOnce, runBaseline]
      for (const run of order) await run()
    },
    cost() {
      // The first run is a warm-up, and counts only if it is the only one.
      const first = times.length > 1 ? 1 : 0
      const ratios = times.map((ms, i) => ms / (baselines[i] ?? Number.NaN)).slice(first)
      return {
        ratio: median(ratios),
        lowestRatio: Math.min(...ratios),
        highestRatio: Math.max(...ratios),
        ms: median(times.slice(first)),
        baselineMs: median(baselines.slice(first)),
        repetitions: ratios.length,
        isCapped,
        problem,
      }
    },
    times: () => times,
  }
}

/** Creates the series of a contestant with a workload. */
export function createContestantSeries(
  contestant: Contestant,
  workload: Workload,
  limits: Limits,
): Series {
  return createSeries(contestant.open, workload.write(contestant), workload.check, limits)
}

interface Runs {
  readonly text: string
  readonly rounds: number
  readonly limits: Limits
}

/**
 * Measures the time of one run, as the mean of several. It does not force a garbage collection
 * before: that would also discard the optimized code of closures, and measure the compiler.
 */
async function timeRuns(open: OpenStream, { text, rounds, limits }: Runs): Promise<Timing> {
  const begin = cpuMs()
  let end = begin
  const outcomes: Outcome[] = []
  while (outcomes.length < rounds && end - begin <= limits.slowMs) {
    const deadline = end + limits.capMs
    const outcome = await readUntil(open, text, deadline)
    end = cpuMs()
    if (!outcome || end > deadline) return { ms: limits.capMs, outcomes: undefined }
    outcomes.push(outcome)
  }
  return { ms: (end - begin) / outcomes.length, outcomes }
}

async function readUntil(
  open: OpenStream,
  text: string,
  deadline: number,
): Promise<Outcome | undefined> {
  try {
    return await readOutcome(await open(createPullSource(text, deadline)))
  } catch (error) {
    if (error instanceof TimeCapError) return undefined
    throw error
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}
