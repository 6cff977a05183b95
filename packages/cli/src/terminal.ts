/** The output of a command: `process.stdout`, or a replacement in tests. */
export interface Output {
  write(text: string): unknown
  once?(event: 'drain' | 'close', listener: () => void): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  readonly rows?: number | undefined
}

/** The input of a command: `process.stdin`, or a replacement in tests. */
export interface Input extends AsyncIterable<unknown> {
  readonly isTTY?: boolean | undefined
}

/** The process around a command. */
export interface Surroundings {
  /** The arguments after the program's name. */
  readonly argv: readonly string[]
  readonly stdin?: Input | undefined
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Writes a text, and waits while the reader is slow, so that output does not fill the memory.
 */
export async function writeAll(output: Output, text: string): Promise<void> {
  const { once } = output
  if (output.write(text) !== false || !once) return
  await new Promise<void>(resolve => {
    once.call(output, 'drain', resolve)
    once.call(output, 'close', resolve)
  })
}

/** The exit codes of all commands. */
export const ExitCode = { success: 0, failure: 1, usage: 2 } as const

/**
 * Returns whether to use colors: in a terminal that can show them, unless NO_COLOR is set.
 * FORCE_COLOR turns them on anywhere.
 */
export function hasColor({ stdout, env }: Pick<Surroundings, 'stdout' | 'env'>): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = env
  if (NO_COLOR) return false
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return stdout.isTTY === true && TERM !== 'dumb'
}
