import type { Environment } from './environment.js'

/** An output: `process.stdout`, or a replacement in tests. */
export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** The process around the benchmark. */
export interface Surroundings {
  readonly argv: readonly string[]
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Environment
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal
}

export const ExitCode = { success: 0, failure: 1, usage: 2, interrupted: 130 } as const
