import { readFileSync } from 'node:fs'
import { didYouMean } from '@toolglot/parser'
import { z } from 'zod'
import { type Command, renderRows } from './command.js'
import { commands } from './commands.js'
import { ExitCode, type Surroundings } from './terminal.js'
import { showControls } from './terminal-text.js'
import { CommandError, parseOptions, UsageError } from './usage-error.js'

const help = `Usage: toolglot <command> [options]

Tool calling for models that only write text.

Commands:
${renderRows(commands.map(({ name, summary }) => ({ names: name, about: summary })))}

Options:
  -h, --help  show this help; "toolglot help COMMAND" shows a command's help
  --version   show the version

Exit codes: 0 done, 1 the command failed or the input has a problem,
2 wrong usage.
`

/** Runs one command and resolves to its exit code. */
export async function runCli(surroundings: Surroundings): Promise<number> {
  try {
    const [first, ...argv] = surroundings.argv
    const isCommand = first !== undefined && !first.startsWith('-')
    if (!isCommand) return runWithoutCommand(surroundings)
    if (first === 'help') return await runHelp({ ...surroundings, argv })
    return await findCommand(first).run({ ...surroundings, argv })
  } catch (error) {
    const isUsage = error instanceof UsageError
    if (!isUsage && !(error instanceof CommandError)) throw error
    // The message may quote a file or the command line, so control characters are replaced.
    surroundings.stderr.write(`toolglot: ${showControls(error.message)}\n`)
    return isUsage ? ExitCode.usage : ExitCode.failure
  }
}

function findCommand(name: string): Command {
  const command = commands.find(each => each.name === name)
  if (command) return command
  const names = commands.map(each => each.name)
  const hint = didYouMean(name, names)
  throw new UsageError(
    `Unknown command ${JSON.stringify(name)}.${hint} The commands are: ${names.join(', ')}.`,
  )
}

/** `toolglot help demo` is `toolglot demo --help`. */
async function runHelp(surroundings: Surroundings): Promise<number> {
  const [name] = surroundings.argv
  if (name !== undefined && !name.startsWith('-'))
    return findCommand(name).run({ ...surroundings, argv: ['--help'] })
  surroundings.stdout.write(help)
  return ExitCode.success
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
