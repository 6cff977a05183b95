import { parseArgs } from 'node:util'
import { type BenchPlan, benchProxy, type SubjectResult } from './proxy-load/bench.js'
import { launchChild } from './proxy-load/launch.js'

const help = `Measures the cost of the proxy relative to a bare pass-through on hono, with many streams at a time.

  npm run build && npm run bench:proxy -- [options]

  --seconds N    how long each of the two is measured, in whole streams (default: 60)
  --quick        5 seconds
  --streams N    streams at a time (default: 200)
  --tokens N     tokens per stream, approximately (default: 200)
  --pace N       milliseconds between two tokens of a stream; 0 for as fast as possible (default: 40)
  --json         print the result as JSON
  --help         show this help

autocannon creates the load. Every stream has a checksum, and every fourth a tool call; both are checked. The cost of a token is the CPU time of
the measured process. BENCH_PROXY_PROFILE=DIRECTORY writes profiles there.
Exit code 1 if a stream was lost, mixed up or wrong, 2 for wrong usage.`

/** The highest cost of the proxy, as a multiple of the pass-through. */
const TARGET = 1.4

function readOptions() {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      quick: { type: 'boolean', default: false },
      streams: { type: 'string', default: '200' },
      tokens: { type: 'string', default: '200' },
      pace: { type: 'string', default: '40' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const number = (name: 'seconds' | 'streams' | 'tokens' | 'pace', least: number) => {
    const value = Number(values[name])
    if (!(value >= least))
      throw new TypeError(`--${name} is ${values[name]}; expected a number of at least ${least}.`)
    return value
  }
  const plan: BenchPlan = {
    seconds: values.quick ? 5 : number('seconds', 1),
    concurrency: number('streams', 1),
    tokens: number('tokens', 1),
    paceMs: number('pace', 0),
  }
  return { plan, isJson: values.json, isHelp: values.help }
}

async function main(): Promise<number> {
  const { plan, isJson, isHelp } = readOptions()
  if (isHelp) {
    console.log(help)
    return 0
  }
  const results = await benchProxy(
    plan,
    launchChild,
    text => process.stderr.isTTY && process.stderr.write(`${text}\n`),
  )
  const ratio = ratioOf(results)
  if (isJson)
    console.log(
      JSON.stringify({ plan, node: process.version, target: TARGET, ratio, results }, undefined, 2),
    )
  else console.log(render(plan, results, ratio))
  return results.some(({ errors, streams }) => errors.length > 0 || streams === 0) ? 1 : 0
}

function ratioOf(results: readonly SubjectResult[]): number {
  const cost = (name: string) =>
    results.find(each => each.name === name)?.cpuMicrosPerToken ?? Number.NaN
  return cost('proxy') / cost('pass-through')
}

function render(plan: BenchPlan, results: readonly SubjectResult[], ratio: number): string {
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0)
  const rows = results.map(
    ({ name, streams, calls, seconds, errors, tokens, cpuMicrosPerToken, memory }) =>
      [
        name.padEnd(13),
        String(streams).padStart(7),
        String(calls).padStart(6),
        String(errors.length).padStart(6),
        (streams / seconds).toFixed(1).padStart(9),
        (tokens / seconds).toFixed(0).padStart(8),
        cpuMicrosPerToken.toFixed(1).padStart(12),
        memory
          .map(({ heapBytes }) => megabytes(heapBytes))
          .join(' ')
          .padStart(16),
        memory
          .map(({ rssBytes }) => megabytes(rssBytes))
          .join(' ')
          .padStart(20),
      ].join('  '),
  )
  return [
    `${plan.concurrency} streams at a time, ${plan.seconds} s each, ${plan.paceMs} ms between tokens, Node ${process.version}`,
    '',
    'subject        streams   calls  errors  streams/s  tokens/s  CPU us/token           heap MB                RSS MB',
    ...rows,
    '',
    `A token costs ${ratio.toFixed(2)} times as much as in the pass-through (target: <= ${TARGET}).`,
    ...results.flatMap(({ name, errors }) => errors.slice(0, 10).map(error => `${name}: ${error}`)),
  ].join('\n')
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
