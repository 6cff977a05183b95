/** Where a command writes to: `process.stdout`, or whatever stands in for it. */
export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  readonly rows?: number | undefined
}

/** What a command is run with. */
export interface Surroundings {
  /** The arguments behind the program's name. */
  readonly argv: readonly string[]
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Every command ends with one of these. */
export const ExitCode = { success: 0, failure: 1, usage: 2 } as const
