import { type LoadResult, runLoad } from './client.js'
import type { Launch } from './launch.js'
import type { Running, Usage } from './running.js'
import { type SubjectName, subjectNames } from './subjects.js'

export interface BenchPlan {
  readonly concurrency: number
  readonly seconds: number
  /** Of a stream, more or less. */
  readonly tokens: number
  readonly paceMs: number
}

export interface SubjectResult extends LoadResult {
  readonly name: SubjectName
  /** Processor time of the subject's process. */
  readonly cpuMicrosPerToken: number
  /** When all is warm. */
  readonly before: Usage
  readonly after: Usage
}

/** Each subject has its turn this many times, so that what else the machine does meets both. */
const TURNS = 3

/** Runs the same streams through both subjects, in front of one server. */
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
    await run(Math.min(3, plan.seconds / 4), { isWarmUp: true })
  }
  for (let turn = 1; turn <= TURNS; turn++) {
    for (const { name, run } of subjects) {
      onProgress(`turn ${turn} of ${TURNS}: ${name}`)
      await run(plan.seconds / TURNS)
    }
  }
  const results = await Promise.all(subjects.map(({ result }) => result()))
  await Promise.all([...subjects.map(({ close }) => close()), upstream.close()])
  return results
}

function createSubject(name: SubjectName, server: Running, { concurrency, tokens }: BenchPlan) {
  const errors: string[] = []
  const sum = { streams: 0, calls: 0, tokens: 0, seconds: 0, cpuMs: 0 }
  let first = 0
  let before: Usage | undefined
  return {
    name,
    async run(seconds: number, { isWarmUp = false } = {}) {
      const begin = await server.usage()
      const load = await runLoad({ url: server.url, concurrency, seconds, tokens, hasCalls: name === 'proxy', first })
      const end = await server.usage()
      first += load.streams
      errors.push(...load.errors)
      if (isWarmUp) {
        before = end
        return
      }
      sum.streams += load.streams
      sum.calls += load.calls
      sum.tokens += load.tokens
      sum.seconds += load.seconds
      sum.cpuMs += end.cpuMs - begin.cpuMs
    },
    async result(): Promise<SubjectResult> {
      const { cpuMs, ...counts } = sum
      const after = await server.usage()
      const cpuMicrosPerToken = (cpuMs * 1000) / Math.max(1, sum.tokens)
      return { name, ...counts, errors, cpuMicrosPerToken, before: before ?? after, after }
    },
    close: () => server.close(),
  }
}
