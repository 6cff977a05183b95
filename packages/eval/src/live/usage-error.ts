/** The program was called in a way that it does not understand. Ends it with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
