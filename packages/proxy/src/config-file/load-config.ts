import { type Environment, variableOf } from './environment.js'
import type { ConfigProblem } from './problem.js'
import { type ReadConfigResult, readConfig } from './read-config.js'
import { splitKeys } from './resolve.js'
import { checkProtocol, checkUrl, isHeaderText, logLevels, modes, splitMessage } from './schema.js'
import type { Overrides } from './server-config.js'
import { parseDuration } from './units.js'

/** Flags of the command, as the user wrote them. */
export interface ConfigFlags {
  readonly config?: string | undefined
  readonly host?: string | undefined
  readonly port?: string | undefined
  readonly insecure?: boolean | undefined
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
  readonly env: Environment
  readonly readFile: (fileName: string) => string
}

/** Reads the configuration. Flags win over the environment, and both win over the file. */
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
          { fileName, path: '', message, fix: 'Check the path of the file.' },
        ],
      }
    }
  }
  // A URL that is wrong is not missing as well.
  const isWrongUrl = problems.some(({ path }) => /^(--upstream|TOOLGLOT_UPSTREAM)$/.test(path))
  const upstream = isWrongUrl ? 'http://127.0.0.1' : overrides.upstream
  const result = readConfig(text, { fileName, env, overrides: { ...overrides, upstream } })
  const all = [...problems, ...(result.problems ?? [])]
  return all.length > 0 ? { problems: all } : result
}

/** A value that was read, or what is wrong with it. */
type Checked<Value> = { readonly value: Value } | { readonly message: string; readonly fix: string }

function readOverrides(flags: ConfigFlags, env: LoadConfigOptions['env']) {
  const problems: ConfigProblem[] = []
  const accept = <Value>(path: string, checked: Checked<Value>): Value | undefined => {
    if ('value' in checked) return checked.value
    problems.push({ path, ...checked })
    return undefined
  }
  const fromEnv = <Value>(variable: string, read: (text: string) => Checked<Value>) => {
    const text = nonEmpty(variableOf(env, variable))
    return text === undefined ? undefined : accept(variable, read(text))
  }
  /** Reads a flag, or the variable if the flag was not given. */
  const pick = <Value>(
    flag: keyof ConfigFlags,
    variable: string | undefined,
    read: (text: string) => Checked<Value>,
  ): Value | undefined => {
    const given = flags[flag]
    if (typeof given === 'string') return accept(`--${flag}`, read(given))
    return variable === undefined ? undefined : fromEnv(variable, read)
  }
  /** Reads the variable that a flag names, or `variable` if the flag was not given. */
  const pickKey = <Value>(
    flag: 'upstream-key-env' | 'api-key-env',
    variable: string,
    read: (text: string) => Checked<Value>,
  ): Value | undefined => {
    const name = flags[flag]
    if (name === undefined) return fromEnv(variable, read)
    const text = nonEmpty(variableOf(env, name))
    return accept(`--${flag}`, text === undefined ? missingVariable(name) : read(text))
  }
  const overrides: Overrides = {
    upstreamKey: pickKey('upstream-key-env', 'TOOLGLOT_UPSTREAM_API_KEY', readKey),
    clientKeys: pickKey('api-key-env', 'TOOLGLOT_API_KEYS', readKeys),
    host: pick('host', 'TOOLGLOT_HOST', text => ({ value: text })),
    port: pick('port', 'TOOLGLOT_PORT', readPort),
    insecure: flags.insecure,
    upstream: pick('upstream', 'TOOLGLOT_UPSTREAM', text => checkText(text, checkUrl)),
    protocol: pick('protocol', 'TOOLGLOT_PROTOCOL', text => checkText(text, checkProtocol)),
    mode: pick('mode', 'TOOLGLOT_MODE', text => oneOf(text, modes)),
    reasoning: flags.reasoning,
    logLevel: pick('log-level', 'TOOLGLOT_LOG_LEVEL', text => oneOf(text, logLevels)),
    logBodies: flags['log-bodies'],
    drainMs: pick('drain', undefined, readDuration),
  }
  return { overrides, problems }
}

function readPort(text: string): Checked<number> {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return { value: Number(text) }
  return { message: `is ${JSON.stringify(text)}`, fix: 'Write a whole number from 0 to 65535.' }
}

function readDuration(text: string): Checked<number> {
  const duration = parseDuration(text)
  if (duration >= 1) return { value: duration }
  return { message: `is ${JSON.stringify(text)}`, fix: 'Write a duration such as 30s.' }
}

function readKey(text: string): Checked<string> {
  if (isHeaderText(text)) return { value: text }
  return { message: 'cannot be sent as a key', fix: 'It must be one line of plain characters.' }
}

function readKeys(text: string): Checked<readonly string[]> {
  const keys = splitKeys(text)
  // `,`: whoever sets the variable does not want a proxy without keys.
  if (keys.length > 0) return { value: keys }
  return { message: 'contains no key', fix: 'Write keys, separated by commas.' }
}

function oneOf<Value extends string>(text: string, values: readonly Value[]): Checked<Value> {
  const value = values.find(each => each === text)
  if (value !== undefined) return { value }
  return { message: `is ${JSON.stringify(text)}`, fix: `Choose one of: ${values.join(', ')}.` }
}

/** Checks a text with a function that returns what is wrong with it. */
function checkText(text: string, check: (text: string) => string | undefined): Checked<string> {
  const problem = check(text)
  if (problem === undefined) return { value: text }
  const { message, fix = '' } = splitMessage(problem)
  return { message, fix }
}

function missingVariable(name: string): Checked<never> {
  return {
    message: `The environment variable ${name} is not set`,
    fix: 'Set it, or leave the option out.',
  }
}

/** Treats a variable that is empty as one that is not set. */
function nonEmpty(text: string | undefined): string | undefined {
  const trimmed = text?.trim()
  return trimmed === '' ? undefined : trimmed
}
