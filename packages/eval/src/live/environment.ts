/** Environment variables. An empty one counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads a file such as `.env` into `process.env`. Variables that are already set win. Returns a
 * message if the file cannot be read.
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
