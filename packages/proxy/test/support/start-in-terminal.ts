import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { cliArguments } from './spawn-cli.js'

const script = '/usr/bin/script'

/** True where util-linux has a program that gives a command a terminal. */
export const hasScript = process.platform === 'linux' && existsSync(script)

export interface TerminalProcess {
  /** Waits until the terminal shows a text, and returns all of it. */
  until(pattern: RegExp): Promise<string>
  /** Closes the terminal, as a user closes its window. */
  close(): void
}

/** Runs `toolglot proxy` in a terminal. */
export function startInTerminal(argv: readonly string[]): TerminalProcess {
  const words = [process.execPath, ...cliArguments, 'proxy', ...argv]
  const command = words.map(word => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  const child = spawn(script, ['-qefc', command, '/dev/null'], {
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
  })
  return {
    async until(pattern) {
      while (!pattern.test(shown)) {
        if (child.exitCode !== null)
          throw new Error(`It ended before it showed ${pattern}: ${shown}`)
        await sleep(20)
      }
      return shown
    },
    close: () => void child.kill('SIGKILL'),
  }
}
