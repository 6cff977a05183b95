/** The variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the value of a variable. `constructor` is none, although every object has it. */
export function variableOf(env: Environment, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined
}
