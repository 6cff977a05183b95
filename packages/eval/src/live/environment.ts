/** Variables of the environment. An empty one counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads a file such as `.env` into `process.env`; variables that are already set win. Returns what
 * is wrong with the file.
 */
export function loadEnvironment(path: string): string | undefined {
  try {
    process.loadEnvFile(path)
    return undefined
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isMissing) return undefined
    return `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}
