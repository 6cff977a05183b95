import { parseArgs } from 'node:util'
import { didYouMean } from '@toolglot/parser'

/**
 * Wrong usage: an unknown option, a missing argument. Ends the program with exit code 2.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * The usage is right but the command cannot do its work: a file is missing or has the wrong
 * content. Ends the program with exit code 1.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

type ParseConfig = NonNullable<Parameters<typeof parseArgs>[0]>

/** Node's `parseArgs` with messages that list the valid options. */
export function parseOptions<Config extends ParseConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config)
  } catch (error) {
    // Node's first sentence says what is wrong. The ones after it explain positional arguments that
    // start with `-`, which does not help here.
    const message = error instanceof Error ? error.message : String(error)
    const [problem = message] = message.split(/\. |\n/)
    const options = Object.keys(config.options ?? {}).map(name => `--${name}`)
    const unknown = /^Unknown option '(--[^']+)'/.exec(problem)?.[1]
    const hint = unknown === undefined ? '' : didYouMean(unknown, options)
    throw new UsageError(
      `${problem.replace(/\.$/, '')}.${hint} The options are: ${options.join(', ')}.`,
    )
  }
}
