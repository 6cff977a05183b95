import { job, startJob } from './launch.js'

const running = await startJob(job.parse(JSON.parse(process.argv[2] ?? '')))

async function report(): Promise<void> {
  // What is left after a collection is what is kept.
  globalThis.gc?.()
  process.send?.({ url: running.url, ...(await running.usage()) })
}

process.on('message', message => {
  if (message === 'usage') void report()
  else process.exit(0)
})
process.on('disconnect', () => process.exit(0))
await report()
