/** Something is wrong with what the user asked for: said without a stack, with exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}
