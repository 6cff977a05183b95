import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Running } from './running.js'
import { startSubject, subjectNames } from './subjects.js'
import { startUpstream } from './upstream.js'

/** What a child process runs. */
export const job = z.discriminatedUnion('type', [
  z.object({ type: z.literal('upstream'), tokens: z.number(), paceMs: z.number() }),
  z.object({ type: z.literal('subject'), name: z.enum(subjectNames), upstreamUrl: z.string() }),
])
export type Job = z.infer<typeof job>

export type Launch = (job: Job) => Promise<Running>

/** In this process: good for a test, not for a figure. */
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

/** In a process of its own, whose processor time is its own as well. */
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

/** Where the profile of a subject goes, for who looks for what takes the time. */
function profileArgs(each: Job): string[] {
  const directory = process.env.BENCH_PROXY_PROFILE
  return directory && each.type === 'subject'
    ? ['--cpu-prof', `--cpu-prof-dir=${directory}/${each.name}`]
    : []
}
