import { closestName } from '@toolglot/parser'
import { defaultLimits, defaultRule, type ModelRule, type UpstreamConfig } from '../config.js'
import type { Path } from './problem.js'
import { type ConfigFile, isHeaderText } from './schema.js'
import {
  defaultHeartbeatMs,
  defaultListen,
  defaultServerLimits,
  type Overrides,
  type ServerConfig,
} from './server-config.js'

export interface ResolveOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly overrides: Overrides
  readonly onProblem: (path: Path, message: string, fix: string) => void
}

/** What a file comes to, with what is left out filled in and what is said elsewhere put over it. */
export function resolveConfig(file: ConfigFile, options: ResolveOptions): ServerConfig {
  const { overrides } = options
  const { limits = {}, log = {}, listen = {} } = file
  const upstreams = resolveUpstreams(file, options)
  return {
    upstreams,
    models: resolveModels(file, upstreams, options),
    clientKeys: overrides.clientKeys ?? resolveClientKeys(file, options),
    limits: {
      ...defaultLimits,
      bodyBytes: limits.body ?? defaultLimits.bodyBytes,
      requestMs: limits.request ?? defaultLimits.requestMs,
      firstByteMs: limits.firstByte ?? defaultLimits.firstByteMs,
      idleMs: limits.idle ?? defaultLimits.idleMs,
      concurrency: limits.concurrency ?? defaultLimits.concurrency,
      answerBytes: limits.answer ?? defaultLimits.answerBytes,
      heldChars: limits.heldChars ?? defaultLimits.heldChars,
    },
    heartbeatMs: file.heartbeat ?? defaultHeartbeatMs,
    listen: {
      host: overrides.host ?? listen.host ?? defaultListen.host,
      port: overrides.port ?? listen.port ?? defaultListen.port,
    },
    server: {
      headerBytes: limits.headers ?? defaultServerLimits.headerBytes,
      headersMs: limits.headersTimeout ?? defaultServerLimits.headersMs,
      keepAliveMs: limits.keepAlive ?? defaultServerLimits.keepAliveMs,
      drainMs: overrides.drainMs ?? limits.drain ?? defaultServerLimits.drainMs,
    },
    log: {
      level: overrides.logLevel ?? log.level ?? 'info',
      bodies: overrides.logBodies ?? log.bodies ?? false,
    },
  }
}

function resolveUpstreams(
  file: ConfigFile,
  { env, overrides, onProblem }: ResolveOptions,
): UpstreamConfig[] {
  const { upstream, upstreams = [] } = file
  if (upstream !== undefined && upstreams.length > 0) {
    onProblem(
      ['upstream'],
      'stands beside upstreams',
      'Keep one of the two; the first of upstreams is the default.',
    )
  }
  const names = upstreams.map(({ name }) => name)
  const found: UpstreamConfig[] =
    upstream === undefined ? [] : [{ name: 'default', baseUrl: upstream }]
  upstreams.forEach(({ name, baseUrl, apiKey, apiKeyEnv, headers }, i) => {
    const path: Path = ['upstreams', i]
    if (names.indexOf(name) < i)
      onProblem([...path, 'name'], 'is given twice', 'Give each server a name of its own.')
    if (apiKey !== undefined && apiKeyEnv !== undefined) {
      onProblem([...path, 'apiKeyEnv'], 'stands beside apiKey', 'Keep one of the two.')
    }
    // The key of a server that is replaced is not needed, and neither is its variable.
    const isReplaced =
      i === 0 && (overrides.upstream !== undefined || overrides.upstreamKey !== undefined)
    const own = apiKeyEnv === undefined || isReplaced ? undefined : env[apiKeyEnv]?.trim()
    if (apiKeyEnv !== undefined && !isReplaced)
      checkVariable([...path, 'apiKeyEnv'], apiKeyEnv, own, onProblem)
    found.push({ name, baseUrl, ...optional({ apiKey: apiKey ?? own, headers }) })
  })
  const [first, ...others] = found
  // Another server must not be given the key and the headers that are meant for the one in the
  // file.
  const replaced =
    overrides.upstream === undefined
      ? first
      : { name: first?.name ?? 'default', baseUrl: overrides.upstream }
  if (!replaced) {
    onProblem(
      [],
      'There is no upstream',
      'Give the address of a server: upstream: http://127.0.0.1:8080/v1 in the file, --upstream or TOOLGLOT_UPSTREAM.',
    )
    return []
  }
  return [
    { ...replaced, ...optional({ apiKey: overrides.upstreamKey ?? replaced.apiKey }) },
    ...others,
  ]
}

function resolveModels(
  { models = [] }: ConfigFile,
  upstreams: readonly UpstreamConfig[],
  { overrides, onProblem }: ResolveOptions,
): ModelRule[] {
  const names = upstreams.map(({ name }) => name)
  const { protocol, mode, reasoning } = overrides
  const common = optional({ protocol, mode, reasoning })
  const catchAll = models.findIndex(({ match }) => /^\*+$/.test(match))
  const rules = models.map((rule, i): ModelRule => {
    if (catchAll >= 0 && i > catchAll) {
      onProblem(
        ['models', i, 'match'],
        `is never asked, since models[${catchAll}] fits every model`,
        'Put it above.',
      )
    }
    if (rule.upstream !== undefined && names.length > 0 && !names.includes(rule.upstream)) {
      const near = closestName(rule.upstream, names)
      const meant = near === undefined ? '' : `Did you mean "${near}"? `
      onProblem(
        ['models', i, 'upstream'],
        'is no upstream',
        `${meant}There are: ${names.join(', ')}.`,
      )
    }
    const { match } = rule
    return { ...defaultRule, ...optional(rule), match, ...common }
  })
  const isDefaultEnough = catchAll >= 0 || Object.keys(common).length === 0
  return isDefaultEnough ? rules : [...rules, { ...defaultRule, ...common }]
}

function resolveClientKeys(
  { clients = {} }: ConfigFile,
  { env, onProblem }: ResolveOptions,
): readonly string[] {
  const { keys = [], keysEnv } = clients
  if (keysEnv === undefined) return keys
  const path = ['clients', 'keysEnv']
  checkVariable(path, keysEnv, env[keysEnv]?.trim(), onProblem)
  return [...keys, ...splitKeys(env[keysEnv] ?? '')]
}

/** Keys that are separated by commas. */
export function splitKeys(text: string): string[] {
  return text
    .split(',')
    .map(key => key.trim())
    .filter(key => key !== '')
}

function checkVariable(
  path: Path,
  name: string,
  value: string | undefined,
  onProblem: ResolveOptions['onProblem'],
) {
  if (value === undefined)
    onProblem(path, `The environment has no variable ${name}`, 'Set it, or leave the key out.')
  else if (value === '')
    onProblem(path, `The variable ${name} is empty`, 'Put the key into it, or leave the key out.')
  else if (!isHeaderText(value))
    onProblem(path, `What ${name} holds cannot be sent as a key`, 'It must be one line.')
}

type Defined<Value> = { [Key in keyof Value]?: Exclude<Value[Key], undefined> }

/** Without the keys whose value is undefined, so that they do not hide what stands behind them. */
function optional<Value extends object>(value: Value): Defined<Value>
function optional(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined))
}
