import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const packages = new URL('../../../', import.meta.url)
const register = new URL('./register-sources.mjs', import.meta.url).href
const main = fileURLToPath(new URL('cli/src/main.ts', packages))

/** The arguments of Node that run the command from the sources. */
export const cliArguments: readonly string[] = ['--import', register, main]

export interface CliProcess {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  /** The lines of the log so far. */
  readonly log: () => Record<string, unknown>[]
  /** Waits for a line of the log; fails if the process ends before. */
  line(message: string, count?: number): Promise<Record<string, unknown>>
  /** Resolves to the exit code, or the signal that ended it. */
  readonly exit: Promise<number | NodeJS.Signals | null>
}

/** Runs the command in a process of its own, from the sources. */
export function spawnCli(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): CliProcess {
  const child = spawn(process.execPath, [...cliArguments, ...argv], {
    // Nothing of the surroundings may decide a test.
    env: { PATH: process.env.PATH ?? '', TMPDIR: process.env.TMPDIR ?? '/tmp', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  let isOver = false
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const exit = once(child, 'close').then(([code, signal]) => {
    isOver = true
    return code ?? signal
  })
  const log = () =>
    stdout
      .slice(0, stdout.lastIndexOf('\n') + 1)
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    log,
    exit,
    async line(message, count = 1) {
      for (;;) {
        const found = log().filter(({ msg }) => msg === message)[count - 1]
        if (found) return found
        if (isOver)
          throw new Error(`It ended before it said ${JSON.stringify(message)}: ${stdout}${stderr}`)
        await Promise.race([once(child.stdout, 'data'), exit])
      }
    },
  }
}
