import { job, startJob } from './launch.js'

const running = await startJob(job.parse(JSON.parse(process.argv[2] ?? '')))

async function report(): Promise<void> {
  // Memory is read after a garbage collection, so that it shows only what is kept.
  globalThis.gc?.()
  process.send?.({ url: running.url, ...(await running.usage()) })
}

process.on('message', message => {
  if (message === 'usage') void report()
  else process.exit(0)
})
process.on('disconnect', () => process.exit(0))
await report()
