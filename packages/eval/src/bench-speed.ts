import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createContestants } from './speed/contestants.js'
import { describeProblems, renderTable, targets } from './speed/render-table.js'
import { runSpeed } from './speed/run-speed.js'
import { fullPlan, quickPlan } from './speed/workloads.js'

const help = `Measures the cost of the parser on streams of 4-character chunks, relative to an empty TransformStream.

  npm run build && npm run bench:speed -- [options]

  --quick        smaller sizes and fewer repetitions: faster, but less reliable
  --only NAME    only the contestants whose name contains NAME, such as hermes or peer; may be repeated
  --json PATH    the file for the result as JSON (default: packages/eval/results/speed.json)
  --help         show this help

Exit code 1 if one of our own protocols returns a wrong result, 2 for wrong usage.`

function readOptions() {
  return parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      json: {
        type: 'string',
        default: fileURLToPath(new URL('../results/speed.json', import.meta.url)),
      },
      help: { type: 'boolean', default: false },
    },
  }).values
}

async function main(): Promise<number> {
  const { quick, only, json, help: isHelp } = readOptions()
  if (isHelp) {
    console.log(help)
    return 0
  }
  const all = createContestants()
  const contestants = all.filter(
    ({ name }) => only.length === 0 || only.some(part => name.includes(part)),
  )
  if (contestants.length === 0) {
    console.error(
      `--only ${only.join(', ')} matches none of: ${all.map(({ name }) => name).join(', ')}.`,
    )
    return 2
  }
  const result = await runSpeed(contestants, quick ? quickPlan : fullPlan, showProgress)
  showProgress('')
  console.log(renderTable(result))
  await mkdir(dirname(json), { recursive: true })
  await writeFile(json, `${JSON.stringify({ ...result, targets }, undefined, 2)}\n`)
  console.log(`\nWritten to ${json}`)
  const isOwnWrong = result.contestants.some(
    each => !each.isPeer && describeProblems(each).length > 0,
  )
  return isOwnWrong ? 1 : 0
}

/** Shows the progress in one line of a terminal. */
function showProgress(message: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${message}`)
}

try {
  process.exitCode = await main()
} catch (error) {
  const isUsage =
    error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  if (!isUsage) throw error
  console.error(`${error.message}\n\n${help}`)
  process.exitCode = 2
}
