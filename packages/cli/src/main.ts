#!/usr/bin/env node
import { runCli } from './run-cli.js'

// `toolglot demo | head`: a reader that stops early is not an error.
process.stdout.on('error', error => {
  if ('code' in error && error.code === 'EPIPE') process.exit(0)
  throw error
})

// `process.exit` would lose output that is still being written to a pipe.
process.exitCode = await runCli({
  argv: process.argv.slice(2),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
})
