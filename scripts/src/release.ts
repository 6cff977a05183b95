import { createRunCommand } from './run-command.js'
import { runRelease } from './run-release.js'

const root = process.cwd()
process.exitCode = runRelease({
  root,
  argv: process.argv.slice(2),
  env: process.env,
  run: createRunCommand(root),
  write: text => process.stdout.write(text),
})
