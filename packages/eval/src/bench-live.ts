import { loadEnvironment } from './live/environment.js'
import { runLive } from './live/run-live.js'
import { createStopHandler } from './live/stop-on-signal.js'
import { ExitCode } from './live/surroundings.js'

// Warnings of the SDK are about settings that an endpoint ignores; they would tear the progress
// line apart.
globalThis.AI_SDK_LOG_WARNINGS = false

// The first Ctrl-C keeps what was done, the second does not wait for it.
const controller = new AbortController()
const stop = createStopHandler({
  now: Date.now,
  onStop() {
    process.stderr.write('\nStopping. Once more to leave at once.\n')
    controller.abort()
  },
  onLeave: () => process.exit(130),
})
process.on('SIGINT', stop)
process.on('SIGTERM', stop)

// A reader that has seen enough (`--list | head`) is no reason for a stack trace.
process.stdout.on('error', error => {
  if ('code' in error && error.code === 'EPIPE') process.exit(0)
  throw error
})

const problem = loadEnvironment('.env')
if (problem === undefined) {
  process.exitCode = await runLive({
    argv: process.argv.slice(2),
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    signal: controller.signal,
  })
} else {
  process.stderr.write(`bench:live: ${problem}\n`)
  process.exitCode = ExitCode.usage
}
