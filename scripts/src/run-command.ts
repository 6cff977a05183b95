import { spawnSync } from 'node:child_process'

export interface CommandResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program in the root of the repository. */
export type RunCommand = (
  program: 'git' | 'npm',
  args: readonly string[],
  /** `show`: the output goes to the terminal. `read`: it is in the result (the default). */
  output?: 'read' | 'show',
) => CommandResult

export function createRunCommand(root: string): RunCommand {
  return (program, args, output = 'read') => {
    const { status, stdout, stderr, error } = spawnSync(program, [...args], {
      cwd: root,
      encoding: 'utf8',
      stdio: output === 'show' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      maxBuffer: 100_000_000,
    })
    if (error) throw error
    return { exitCode: status ?? 1, stdout: stdout ?? '', stderr: stderr ?? '' }
  }
}
