import type { ConfigProblem } from './problem.js'
import { type ReadConfigResult, readConfig } from './read-config.js'
import { splitKeys } from './resolve.js'
import { checkProtocol, checkUrl, isHeaderText, logLevels, modes, splitMessage } from './schema.js'
import type { Overrides } from './server-config.js'
import { parseDuration } from './units.js'

/** Flags of the command, as they were given. */
export interface ConfigFlags {
  readonly config?: string | undefined
  readonly host?: string | undefined
  readonly port?: string | undefined
  readonly upstream?: string | undefined
  readonly 'upstream-key-env'?: string | undefined
  readonly protocol?: string | undefined
  readonly mode?: string | undefined
  readonly 'api-key-env'?: string | undefined
  readonly 'log-level'?: string | undefined
  readonly 'log-bodies'?: boolean | undefined
  readonly reasoning?: boolean | undefined
  readonly drain?: string | undefined
}

export interface LoadConfigOptions {
  readonly flags: ConfigFlags
  readonly env: Readonly<Record<string, string | undefined>>
  readonly readFile: (fileName: string) => string
}

/**
 * The configuration that flags, environment and file come to, in this order: what comes first wins.
 */
export function loadConfig({ flags, env, readFile }: LoadConfigOptions): ReadConfigResult {
  const { overrides, problems } = readOverrides(flags, env)
  const fileName = flags.config ?? nonEmpty(env.TOOLGLOT_CONFIG)
  let text = ''
  if (fileName !== undefined) {
    try {
      text = readFile(fileName)
    } catch (error) {
      const message = `cannot be read: ${error instanceof Error ? error.message : String(error)}`
      return {
        problems: [
          ...problems,
          { fileName, path: '', message, fix: 'Give the path of a file that is there.' },
        ],
      }
    }
  }
  const result = readConfig(text, { fileName, env, overrides })
  const all = [...problems, ...(result.problems ?? [])]
  return all.length > 0 ? { problems: all } : result
}

function readOverrides(flags: ConfigFlags, env: LoadConfigOptions['env']) {
  const problems: ConfigProblem[] = []
  const refuse = (path: string, message: string, fix: string) => {
    problems.push({ path, message, fix })
    return undefined
  }
  /** A flag, or else a variable, checked by something that says what is wrong with it. */
  const pick = <Value>(
    flag: keyof ConfigFlags,
    variable: string | undefined,
    read: (text: string, path: string) => Value | undefined,
  ): Value | undefined => {
    const given = flags[flag]
    if (typeof given === 'string') return read(given, `--${flag}`)
    const text = variable === undefined ? undefined : nonEmpty(env[variable])
    return text === undefined || variable === undefined ? undefined : read(text, variable)
  }
  const checked = (check: (text: string) => string | undefined) => (text: string, path: string) => {
    const wrong = check(text)
    if (wrong === undefined) return text
    const { message, fix = '' } = splitMessage(wrong)
    return refuse(path, message, fix)
  }
  const oneOf =
    <Value extends string>(values: readonly Value[]) =>
    (text: string, path: string) =>
      values.find(value => value === text) ??
      refuse(path, `is ${JSON.stringify(text)}`, `There are: ${values.join(', ')}.`)
  /** The value of the variable that a flag names. */
  const fromVariable = (name: string, path: string) =>
    nonEmpty(env[name]) ??
    refuse(path, `The environment has no variable ${name}`, 'Set it, or leave the option out.')
  const oneLine = (text: string | undefined, path: string) =>
    text === undefined || isHeaderText(text)
      ? text
      : refuse(path, 'cannot be sent as a key', 'It must be one line.')

  const upstreamKey =
    flags['upstream-key-env'] === undefined
      ? oneLine(nonEmpty(env.TOOLGLOT_UPSTREAM_API_KEY), 'TOOLGLOT_UPSTREAM_API_KEY')
      : oneLine(fromVariable(flags['upstream-key-env'], '--upstream-key-env'), '--upstream-key-env')
  const clientKeys =
    flags['api-key-env'] === undefined
      ? nonEmpty(env.TOOLGLOT_API_KEYS)
      : fromVariable(flags['api-key-env'], '--api-key-env')

  const overrides: Overrides = {
    host: pick('host', 'TOOLGLOT_HOST', text => text),
    port: pick('port', 'TOOLGLOT_PORT', (text, path) =>
      /^\d{1,5}$/.test(text) && Number(text) <= 65_535
        ? Number(text)
        : refuse(path, `is ${JSON.stringify(text)}`, 'Write a whole number from 0 to 65535.'),
    ),
    upstream: pick('upstream', 'TOOLGLOT_UPSTREAM', checked(checkUrl)),
    upstreamKey,
    clientKeys: clientKeys === undefined ? undefined : splitKeys(clientKeys),
    protocol: pick('protocol', 'TOOLGLOT_PROTOCOL', checked(checkProtocol)),
    mode: pick('mode', 'TOOLGLOT_MODE', oneOf(modes)),
    reasoning: flags.reasoning,
    logLevel: pick('log-level', 'TOOLGLOT_LOG_LEVEL', oneOf(logLevels)),
    logBodies: flags['log-bodies'],
    drainMs: pick('drain', undefined, (text, path) => {
      const duration = parseDuration(text)
      return duration >= 1
        ? duration
        : refuse(path, `is ${JSON.stringify(text)}`, 'Write a duration such as 30s.')
    }),
  }
  return { overrides, problems }
}

/** A variable that is set to nothing is not set. */
function nonEmpty(text: string | undefined): string | undefined {
  const trimmed = text?.trim()
  return trimmed === '' ? undefined : trimmed
}
