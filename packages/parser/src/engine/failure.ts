import { malformed, type Problem } from './events.js'

/** Why a call cannot be read. It goes from the place where that was found to the call's reader. */
class Failure {
  readonly problem: Problem

  constructor(problem: Problem) {
    this.problem = problem
  }
}

/** Stops reading the call (decision 71). The reader of the call catches it, once, with `problemOf`. */
export function failWith(problem: Problem): never {
  throw new Failure(problem)
}

/** The same, for arguments that cannot be read. The message says what was expected and found. */
export function fail(message: string): never {
  failWith(malformed(message))
}

/** The message for an argument that a call has twice. */
export const givenTwice = (name: string) => `the argument ${JSON.stringify(name)} is given twice`

/** Returns why the call cannot be read. Any other error is a fault of this code, and is thrown. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Failure) return error.problem
  throw error
}
