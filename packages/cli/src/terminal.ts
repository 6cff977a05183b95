/** Where a command writes to: `process.stdout`, or whatever stands in for it. */
export interface Output {
  write(text: string): unknown
  once?(event: 'drain' | 'close', listener: () => void): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  readonly rows?: number | undefined
}

/** Where a command reads from: `process.stdin`, or whatever stands in for it. */
export interface Input extends AsyncIterable<unknown> {
  readonly isTTY?: boolean | undefined
}

/** What a command is run with. */
export interface Surroundings {
  /** The arguments behind the program's name. */
  readonly argv: readonly string[]
  readonly stdin?: Input | undefined
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Writes, and waits while the reader is behind: what it has not taken yet would pile up in memory.
 */
export async function writeAll(output: Output, text: string): Promise<void> {
  const { once } = output
  if (output.write(text) !== false || !once) return
  await new Promise<void>(resolve => {
    once.call(output, 'drain', resolve)
    once.call(output, 'close', resolve)
  })
}

/** Every command ends with one of these. */
export const ExitCode = { success: 0, failure: 1, usage: 2 } as const

/**
 * Colors: in a terminal that can show them, unless NO_COLOR is set; FORCE_COLOR asks for them
 * anywhere.
 */
export function hasColor({ stdout, env }: Pick<Surroundings, 'stdout' | 'env'>): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = env
  if (NO_COLOR) return false
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return stdout.isTTY === true && TERM !== 'dumb'
}
