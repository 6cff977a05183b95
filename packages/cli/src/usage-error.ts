import { parseArgs } from 'node:util'
import { didYouMean } from '@toolglot/parser'

/**
 * The command was called in a way that it does not understand. Ends the program with exit code 2.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * The command was called rightly but cannot do its work: a file is missing, or not what it should
 * be. Exit code 1.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

type ParseConfig = NonNullable<Parameters<typeof parseArgs>[0]>

/** `parseArgs` with messages that name the options that there are. */
export function parseOptions<Config extends ParseConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config)
  } catch (error) {
    // Node's first sentence says what is wrong; those behind it are about positional arguments,
    // which help nobody here.
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
