import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)

/** The shell commands of the README of an example, one text for each block. */
export function readCommands(folder: string): string[] {
  const page = readFileSync(new URL(`examples/${folder}/README.md`, root), 'utf8')
  return [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
}

export interface Running {
  readonly child: ChildProcess
  /** What was written so far, to standard output and standard error. */
  readonly output: () => string
  /** Waits until a text is written. Fails if the commands end before. */
  waitFor(text: string): Promise<void>
  /** The exit code. */
  readonly exit: Promise<number | null>
  /** Ends the commands and all processes that they started. */
  stop(): Promise<void>
}

/**
 * Runs commands of a README in the root of the repository, as they are written there. Only two things
 * differ: the packages are installed and built already, and `BASE_URL` is the scripted server.
 */
export function runCommands(
  commands: string,
  baseURL: string,
  env: Readonly<Record<string, string>> = {},
): Running {
  const script = commands
    .replace(/^npm ci && npm run build .*\n/, '')
    .replace(/\bBASE_URL=\S+/, `BASE_URL=${baseURL}`)
  const child = spawn('bash', ['--norc', '-euc', script], {
    cwd: fileURLToPath(root),
    // A group of its own, so that `stop` also ends what npm has started.
    detached: true,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/tmp', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  let hasEnded = false
  /** Called when something is written. */
  let onOutput = () => {}
  const collect = (text: string) => {
    output += text
    onOutput()
  }
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr.setEncoding('utf8').on('data', collect)
  const exit = once(child, 'close').then(([code]): number | null => {
    hasEnded = true
    return code
  })
  return {
    child,
    output: () => output,
    async waitFor(text) {
      while (!output.includes(text)) {
        if (hasEnded) throw new Error(`ended without ${JSON.stringify(text)}:\n${output}`)
        const written = new Promise<void>(resolve => {
          onOutput = resolve
        })
        await Promise.race([written, exit])
      }
    },
    exit,
    async stop() {
      if (!hasEnded && child.pid) process.kill(-child.pid, 'SIGTERM')
      await exit
    },
  }
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
