import { type LoadResult, runLoad } from './client.js'
import type { Launch } from './launch.js'
import type { Running, Usage } from './running.js'
import { type SubjectName, subjectNames } from './subjects.js'

export interface BenchPlan {
  readonly concurrency: number
  readonly seconds: number
  /** Tokens of a stream, approximately. */
  readonly tokens: number
  readonly paceMs: number
}

export interface SubjectResult extends LoadResult {
  readonly name: SubjectName
  /** CPU time of the subject's process. */
  readonly cpuMicrosPerToken: number
  /** Memory after the warm-up and after each turn. Growth would be a leak. */
  readonly memory: readonly Usage[]
}

/** The turns of each subject. They alternate, so that other work on the machine affects both. */
const TURNS = 3

/**
 * Estimated time of a token if the server does not wait between tokens, to estimate the length of a
 * stream.
 */
const FASTEST_PACE_MS = 1

/** Runs the same streams through both subjects, with the same server. */
export async function benchProxy(
  plan: BenchPlan,
  launch: Launch,
  onProgress: (text: string) => void = () => {},
): Promise<SubjectResult[]> {
  const upstream = await launch({ type: 'upstream', tokens: plan.tokens, paceMs: plan.paceMs })
  const subjects = await Promise.all(
    subjectNames.map(async name => {
      const server = await launch({ type: 'subject', name, upstreamUrl: upstream.url })
      return createSubject(name, server, plan)
    }),
  )
  for (const { name, run } of subjects) {
    onProgress(`warming up: ${name}`)
    await run({ isWarmUp: true })
  }
  for (let turn = 1; turn <= TURNS; turn++) {
    for (const { name, run } of subjects) {
      onProgress(`turn ${turn} of ${TURNS}: ${name}`)
      await run()
    }
  }
  const results = await Promise.all(subjects.map(({ result }) => result()))
  await Promise.all([...subjects.map(({ close }) => close()), upstream.close()])
  return results
}

function createSubject(
  name: SubjectName,
  server: Running,
  { concurrency, tokens, seconds, paceMs }: BenchPlan,
) {
  const roundSeconds = (tokens * Math.max(paceMs, FASTEST_PACE_MS)) / 1000
  const rounds = Math.max(1, Math.ceil(seconds / TURNS / roundSeconds))
  const errors: string[] = []
  const sum = { streams: 0, calls: 0, tokens: 0, seconds: 0, cpuMs: 0 }
  let first = 0
  const memory: Usage[] = []
  return {
    name,
    async run({ isWarmUp = false } = {}) {
      const begin = await server.usage()
      const hasCalls = name === 'proxy'
      const load = await runLoad({
        ...{ url: server.url, concurrency, tokens, hasCalls, first },
        rounds: isWarmUp ? 1 : rounds,
      })
      const end = await server.usage()
      first += load.streams
      errors.push(...load.errors)
      memory.push(end)
      if (isWarmUp) return
      sum.streams += load.streams
      sum.calls += load.calls
      sum.tokens += load.tokens
      sum.seconds += load.seconds
      sum.cpuMs += end.cpuMs - begin.cpuMs
    },
    async result(): Promise<SubjectResult> {
      const { cpuMs, ...counts } = sum
      const cpuMicrosPerToken = (cpuMs * 1000) / Math.max(1, sum.tokens)
      return { name, ...counts, errors, cpuMicrosPerToken, memory }
    },
    close: () => server.close(),
  }
}
