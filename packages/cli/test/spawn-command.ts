import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const register = new URL('../../proxy/test/support/register-sources.mjs', import.meta.url).href
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** The arguments that run the command from its sources, as a user's shell would run it. */
export const commandLine = [process.execPath, '--import', register, main]

/** Runs the command in its own process, with pipes. */
export function spawnCommand(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const [program = '', ...first] = commandLine
  const child = spawn(program, [...first, ...argv], {
    env: { PATH: process.env.PATH ?? '', TMPDIR: process.env.TMPDIR ?? '/tmp', ...env },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const end = once(child, 'close').then(([exitCode]) => ({ exitCode, stdout, stderr }))
  return {
    child,
    end,
    /** Waits until this many characters were written. */
    async until(part: string) {
      while (!stdout.includes(part)) await once(child.stdout, 'data')
      return stdout
    },
  }
}
