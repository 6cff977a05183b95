import { loadEnvironment } from './live/environment.js'
import { runLive } from './live/run-live.js'
import { createStopHandler } from './live/stop-on-signal.js'
import { ExitCode } from './live/surroundings.js'

// The SDK warns about settings that an endpoint ignores. The warnings would break the progress line.
globalThis.AI_SDK_LOG_WARNINGS = false

// The first Ctrl-C stops and writes the results, the second exits at once.
const controller = new AbortController()
const stop = createStopHandler({
  now: Date.now,
  onStop() {
    process.stderr.write('\nStopping. Press again to exit at once.\n')
    controller.abort()
  },
  onLeave: () => process.exit(130),
})
process.on('SIGINT', stop)
process.on('SIGTERM', stop)

// `--list | head`: a reader that stops early is not an error.
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
