import { type Contestant, idleStreams } from './contestants.js'
import { createProse } from './corpus.js'
import { type Cost, createContestantSeries, createSeries, median, type Series } from './measure.js'
import { type DeltaTrace, traceDeltas } from './trace-deltas.js'
import {
  createArgumentWorkload,
  createCallsWorkload,
  createTextWorkload,
  type Plan,
} from './workloads.js'

/** All measurements of one contestant. */
export interface ContestantResult {
  readonly name: string
  readonly isPeer: boolean
  readonly text: Cost
  readonly calls: Cost
  readonly smallArgument: Cost
  readonly mediumArgument: Cost
  readonly largeArgument: Cost
  /**
   * The time of the large argument divided by that of the medium one, which is a quarter of it. A
   * lower bound if the large one was stopped; undefined if the medium one was.
   */
  readonly growth: number | undefined
  readonly deltas: DeltaTrace
}

/** The cost of a stream that does nothing, on the text. */
export interface IdleResult {
  readonly name: string
  readonly text: Cost
}

export interface SpeedResult {
  readonly node: string
  readonly plan: Plan
  readonly idle: readonly IdleResult[]
  readonly contestants: readonly ContestantResult[]
}

const workloadKinds = [
  ['text'],
  ['calls'],
  ['smallArgument', 'mediumArgument', 'largeArgument'],
] as const
type SeriesOf = Record<(typeof workloadKinds)[number][number], Series>

const warmUpChars = 20_000

/** Measures all contestants in turn, so that other work on the machine affects all alike. */
export async function runSpeed(
  contestants: readonly Contestant[],
  plan: Plan,
  onProgress: (message: string) => void = () => {},
): Promise<SpeedResult> {
  onProgress('warming up')
  for (const contestant of contestants) await warmUp(contestant, plan)

  const text = createTextWorkload(plan.textChars)
  const idle = idleStreams.map(({ name, open }) => ({
    name,
    series: createSeries(open, createProse(plan.textChars), text.check, plan),
  }))
  const entries = contestants.map(contestant => ({
    contestant,
    series: createAllSeries(contestant, plan),
  }))
  // One kind of workload after another: code that was optimized for one kind is slow at first for
  // the next.
  for (const kind of workloadKinds) {
    const idleSeries = kind[0] === 'text' ? idle.map(({ series }) => series) : []
    const ownSeries = entries.flatMap(({ series }) => kind.map(workload => series[workload]))
    for (let i = 0; i <= plan.repetitions; i++) {
      onProgress(`${kind[0]}: ${i === 0 ? 'warming up' : `repetition ${i} of ${plan.repetitions}`}`)
      for (const series of [...idleSeries, ...ownSeries]) await series.step()
    }
  }
  const results: ContestantResult[] = []
  for (const { contestant, series } of entries) {
    onProgress(`deltas: ${contestant.name}`)
    results.push(summarize(contestant, series, await traceDeltas(contestant, plan.streamedChars)))
  }
  return {
    node: process.version,
    plan,
    idle: idle.map(({ name, series }) => ({ name, text: series.cost() })),
    contestants: results,
  }
}

function createAllSeries(contestant: Contestant, plan: Plan): SeriesOf {
  const argument = (chars: number) =>
    createContestantSeries(contestant, createArgumentWorkload(chars), plan)
  return {
    text: createContestantSeries(contestant, createTextWorkload(plan.textChars), plan),
    calls: createContestantSeries(contestant, createCallsWorkload(plan.callCount), plan),
    smallArgument: argument(plan.smallChars),
    mediumArgument: argument(plan.mediumChars),
    largeArgument: argument(plan.largeChars),
  }
}

/** Runs all code before the measurement, so that it is compiled. */
async function warmUp(contestant: Contestant, plan: Plan): Promise<void> {
  const chars = Math.min(warmUpChars, plan.mediumChars)
  const workloads = [
    createTextWorkload(Math.min(5 * warmUpChars, plan.textChars)),
    createCallsWorkload(Math.min(50, plan.callCount)),
    createArgumentWorkload(chars),
  ]
  for (const workload of workloads) {
    const series = createContestantSeries(contestant, workload, plan)
    for (let i = 0; i < plan.warmUpRuns; i++) await series.step()
  }
}

function summarize(contestant: Contestant, series: SeriesOf, deltas: DeltaTrace): ContestantResult {
  const mediumTimes = series.mediumArgument.times()
  const growths = series.largeArgument.times().map((ms, i) => ms / (mediumTimes[i] ?? Number.NaN))
  return {
    name: contestant.name,
    isPeer: contestant.isPeer,
    text: series.text.cost(),
    calls: series.calls.cost(),
    smallArgument: series.smallArgument.cost(),
    mediumArgument: series.mediumArgument.cost(),
    largeArgument: series.largeArgument.cost(),
    growth: series.mediumArgument.cost().isCapped ? undefined : median(growths),
    deltas,
  }
}
