import { closestName } from '@toolglot/parser'
import {
  defaultLimits,
  defaultRule,
  defaultStore,
  type Limits,
  type ModelRule,
  type StoreLimits,
  type UpstreamConfig,
} from '../config.js'
import { isLoopbackHost } from '../http/loopback.js'
import { type Environment, variableOf } from './environment.js'
import type { Path } from './problem.js'
import { type ConfigFile, isHeaderText } from './schema.js'
import {
  checkExposure,
  defaultHeartbeatMs,
  defaultListen,
  defaultServerLimits,
  type Overrides,
  type ServerConfig,
  type ServerLimits,
} from './server-config.js'

export interface ResolveOptions {
  readonly env: Environment
  readonly overrides: Overrides
  readonly onProblem: (path: Path, message: string, fix: string) => void
}

/** Merges a file with its defaults and with flags and environment, which win over the file. */
export function resolveConfig(file: ConfigFile, options: ResolveOptions): ServerConfig {
  const { overrides } = options
  const { limits = {}, log = {}, listen = {} } = file
  const upstreams = resolveUpstreams(file, options)
  const { port, drainMs, logLevel, logBodies } = overrides
  const clientKeys = overrides.clientKeys ?? resolveClientKeys(file, options)
  const host = overrides.host ?? listen.host ?? defaultListen.host
  return {
    upstreams,
    models: resolveModels(file, upstreams, options),
    clientKeys,
    ...resolveAccess(file, host, clientKeys, options),
    limits: resolveLimits(limits, options),
    store: resolveStore(file.store),
    heartbeatMs: file.heartbeat ?? defaultHeartbeatMs,
    serverTools: file.serverTools ?? 'drop',
    listen: { ...defaultListen, ...optional(listen), ...optional({ port }), host },
    server: { ...resolveServerLimits(limits), ...optional({ drainMs }) },
    log: { ...defaultLog, ...optional(log), ...optional({ level: logLevel, bodies: logBodies }) },
  }
}

/** Who may use the proxy without a key. */
function resolveAccess(
  { hosts = [], cors = {}, clients = {} }: ConfigFile,
  host: string,
  clientKeys: readonly string[],
  { overrides, onProblem }: ResolveOptions,
): Pick<ServerConfig, 'hosts' | 'cors' | 'insecure'> {
  const { insecure = false } = overrides
  const exposure = checkExposure(host, { clientKeys, insecure })
  // A variable with keys that is not set is a problem of its own, and the only one.
  if (exposure && clients.keysEnv === undefined) {
    const { message, fix } = exposure
    if (overrides.host === undefined) onProblem(['listen', 'host'], message, fix)
    else onProblem([], `The address to listen on ${message}`, fix)
  }
  // An address that other machines reach has names that only its user knows.
  const anyHost = insecure && !isLoopbackHost(host) ? ['*'] : []
  return {
    hosts: hosts.length > 0 ? hosts : anyHost,
    cors: { origins: cors.origins ?? [] },
    insecure,
  }
}

const defaultLog = { level: 'info', bodies: false } as const

type FileLimits = NonNullable<ConfigFile['limits']>

/** How many bodies of the longest allowed size may arrive at the same time, by default. */
const DEFAULT_BODIES = defaultLimits.bodiesBytes / defaultLimits.bodyBytes

/** The smallest bound on all bodies. Each of them counts as at least 64 KB. */
const MIN_BODIES_BYTES = 1024 * 1024

function resolveLimits(limits: FileLimits, { onProblem }: ResolveOptions): Limits {
  const { body = defaultLimits.bodyBytes, bodies, concurrency, heldChars } = limits
  const minBodies = Math.max(body, MIN_BODIES_BYTES)
  if (bodies !== undefined && bodies < minBodies)
    onProblem(
      ['limits', 'bodies'],
      'is too small: even one long body, or a few short ones, could not arrive',
      `Write ${minBodies} or more.`,
    )
  const given = {
    bodyBytes: body,
    bodiesBytes: bodies ?? Math.max(DEFAULT_BODIES * body, defaultLimits.bodiesBytes),
    bodyMs: limits.bodyTimeout,
    requestMs: limits.request,
    firstByteMs: limits.firstByte,
    idleMs: limits.idle,
    concurrency,
    answerBytes: limits.answer,
    heldChars,
  }
  return { ...defaultLimits, ...optional(given) }
}

function resolveStore(store: ConfigFile['store'] = {}): StoreLimits {
  if (store === 0) return { ...defaultStore, responses: 0 }
  const { responses, bytes, age } = store
  return { ...defaultStore, ...optional({ responses, bytes, ageMs: age }) }
}

function resolveServerLimits(limits: FileLimits): ServerLimits {
  const given = {
    headerBytes: limits.headers,
    headersMs: limits.headersTimeout,
    keepAliveMs: limits.keepAlive,
    drainMs: limits.drain,
  }
  return { ...defaultServerLimits, ...optional(given) }
}

function resolveUpstreams(file: ConfigFile, options: ResolveOptions): UpstreamConfig[] {
  const [first, ...others] = readUpstreams(file, options)
  const { upstream, upstreamKey } = options.overrides
  // Another server must not get the key and the headers of the one in the file.
  const replaced =
    upstream === undefined ? first : { name: first?.name ?? 'default', baseUrl: upstream }
  if (!replaced) {
    options.onProblem(
      [],
      'No upstream is configured',
      'Set the URL of a server: upstream: http://127.0.0.1:8080/v1 in the file, --upstream or TOOLGLOT_UPSTREAM.',
    )
    return []
  }
  return [{ ...replaced, ...optional({ apiKey: upstreamKey }) }, ...others]
}

/** Reads the servers of the file, and checks that they do not contradict one another. */
function readUpstreams(file: ConfigFile, options: ResolveOptions): UpstreamConfig[] {
  const { upstream, upstreams = [] } = file
  const { onProblem } = options
  if (upstream !== undefined && upstreams.length > 0) {
    onProblem(
      ['upstream'],
      'is set together with upstreams',
      'Keep one of the two; the first of upstreams is the default.',
    )
  }
  const names = upstreams.map(({ name }) => name)
  const named = upstreams.map((entry, i) => {
    if (names.indexOf(entry.name) < i)
      onProblem(['upstreams', i, 'name'], 'is used twice', 'Give each server its own name.')
    return readUpstream(entry, i, options)
  })
  return upstream === undefined ? named : [{ name: 'default', baseUrl: upstream }, ...named]
}

function readUpstream(
  { name, baseUrl, apiKey, apiKeyEnv, headers }: FileUpstream,
  index: number,
  { env, overrides, onProblem }: ResolveOptions,
): UpstreamConfig {
  const path: Path = ['upstreams', index, 'apiKeyEnv']
  if (apiKey !== undefined && apiKeyEnv !== undefined)
    onProblem(path, 'is set together with apiKey', 'Keep one of the two.')
  // The flags replace the first server or its key, so the variable need not be set.
  const isReplaced =
    index === 0 && (overrides.upstream !== undefined || overrides.upstreamKey !== undefined)
  if (apiKeyEnv === undefined || isReplaced)
    return { name, baseUrl, ...optional({ apiKey, headers }) }
  const ownKey = variableOf(env, apiKeyEnv)?.trim()
  checkVariable(path, apiKeyEnv, ownKey, onProblem)
  return { name, baseUrl, ...optional({ apiKey: apiKey ?? ownKey, headers }) }
}

type FileUpstream = NonNullable<ConfigFile['upstreams']>[number]

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
        `is never used, because models[${catchAll}] matches every model`,
        'Move it above that rule.',
      )
    }
    if (rule.upstream !== undefined && names.length > 0 && !names.includes(rule.upstream)) {
      const near = closestName(rule.upstream, names)
      const meant = near === undefined ? '' : `Did you mean "${near}"? `
      onProblem(
        ['models', i, 'upstream'],
        'is not the name of an upstream',
        `${meant}Choose one of: ${[...new Set(names)].join(', ')}.`,
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
  const text = variableOf(env, keysEnv)?.trim()
  checkVariable(path, keysEnv, text, onProblem)
  const more = splitKeys(text ?? '')
  // `,`: whoever sets the variable does not want a proxy without keys.
  if (text && more.length === 0)
    onProblem(path, `The value of ${keysEnv} contains no key`, 'Write keys, separated by commas.')
  return [...keys, ...more]
}

/** Splits a list of keys at its commas. */
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
    onProblem(path, `The environment variable ${name} is not set`, 'Set it, or leave the key out.')
  else if (value === '')
    onProblem(path, `The environment variable ${name} is empty`, 'Set it, or leave the key out.')
  else if (!isHeaderText(value))
    onProblem(path, `The value of ${name} cannot be sent as a key`, 'It must be one line.')
}

type Defined<Value> = { [Key in keyof Value]?: Exclude<Value[Key], undefined> }

/** Removes the keys whose value is undefined, so that they do not hide a default. */
function optional<Value extends object>(value: Value): Defined<Value>
function optional(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined))
}
