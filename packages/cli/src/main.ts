#!/usr/bin/env node
import { runCli } from './run-cli.js'

// A reader that has seen enough (`toolglot demo | head`) is no reason for a stack trace.
process.stdout.on('error', error => {
  if ('code' in error && error.code === 'EPIPE') process.exit(0)
  throw error
})

// The code is set, not exited with: what is still on its way into a pipe must arrive.
process.exitCode = await runCli({
  argv: process.argv.slice(2),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
})
