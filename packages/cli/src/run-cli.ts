import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { runDemo } from './demo/run-demo.js'
import { ExitCode, type Surroundings } from './terminal.js'
import { parseOptions, UsageError } from './usage-error.js'

const help = `Usage: toolglot <command> [options]

Commands:
  demo         an agent loop on a model that writes tool calls as text

Options:
  --help       show this help; "toolglot demo --help" shows that of the command
  --version    show the version
`

const commands: ReadonlyMap<string, (surroundings: Surroundings) => Promise<number>> = new Map([['demo', runDemo]])

/** Runs one command and resolves to its exit code. */
export async function runCli(surroundings: Surroundings): Promise<number> {
  try {
    const [first, ...argv] = surroundings.argv
    const isCommand = first !== undefined && !first.startsWith('-')
    if (!isCommand) return runWithoutCommand(surroundings)
    const command = commands.get(first)
    const known = [...commands.keys()].join(', ')
    if (!command) throw new UsageError(`There is no command ${JSON.stringify(first)}. The commands are: ${known}.`)
    return await command({ ...surroundings, argv })
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    surroundings.stderr.write(`toolglot: ${error.message}\n`)
    return ExitCode.usage
  }
}

function runWithoutCommand({ argv, stdout, stderr }: Surroundings): number {
  const { values } = parseOptions({
    args: [...argv],
    options: { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } },
    allowPositionals: true,
  })
  if (values.version) stdout.write(`${readVersion()}\n`)
  else if (values.help) stdout.write(help)
  else {
    stderr.write(help)
    return ExitCode.usage
  }
  return ExitCode.success
}

function readVersion(): string {
  // The same relative path from src and from dist.
  const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(file)).version
}
