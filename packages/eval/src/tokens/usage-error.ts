/** Wrong usage. Reported without a stack trace, with exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}
