import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Running } from './running.js'
import { startSubject, subjectNames } from './subjects.js'
import { startUpstream } from './upstream.js'

/** The program of a child process. */
export const job = z.discriminatedUnion('type', [
  z.object({ type: z.literal('upstream'), tokens: z.number(), paceMs: z.number() }),
  z.object({ type: z.literal('subject'), name: z.enum(subjectNames), upstreamUrl: z.string() }),
])
export type Job = z.infer<typeof job>

export type Launch = (job: Job) => Promise<Running>

/** Starts a server in this process: for tests, not for measurements. */
export const launchHere: Launch = each => startJob(each)

export function startJob(each: Job): Promise<Running> {
  return each.type === 'upstream' ? startUpstream(each) : startSubject(each.name, each.upstreamUrl)
}

const reply = z.object({
  url: z.string(),
  cpuMs: z.number(),
  rssBytes: z.number(),
  heapBytes: z.number(),
})

/** Starts a server in its own process, so that its CPU time can be measured. */
export const launchChild: Launch = async each => {
  const child = fork(
    fileURLToPath(new URL('./child.js', import.meta.url)),
    [JSON.stringify(each)],
    {
      execArgv: ['--expose-gc', ...profileArgs(each)],
    },
  )
  const answer = async () => {
    const [message] = await once(child, 'message')
    return reply.parse(message)
  }
  const { url } = await answer()
  return {
    url,
    usage() {
      child.send('usage')
      return answer()
    },
    async close() {
      const exited = once(child, 'exit')
      child.send('stop')
      await exited
    },
  }
}

/** Returns the arguments that write a CPU profile of a subject. */
function profileArgs(each: Job): string[] {
  const directory = process.env.BENCH_PROXY_PROFILE
  return directory && each.type === 'subject'
    ? ['--cpu-prof', `--cpu-prof-dir=${directory}/${each.name}`]
    : []
}
