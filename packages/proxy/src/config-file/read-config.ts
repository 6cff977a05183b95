import type { z } from 'zod'
import { isRecord } from '../is-record.js'
import { describeIssue } from './describe-issue.js'
import type { Environment } from './environment.js'
import { type ConfigProblem, type Path, showPath } from './problem.js'
import { resolveConfig } from './resolve.js'
import { configSchema } from './schema.js'
import type { Overrides, ServerConfig } from './server-config.js'
import { readSource, type Source } from './source.js'

export interface ReadConfigOptions {
  /** Name of the file in problems. */
  readonly fileName?: string | undefined
  /** For `${NAME}`, `apiKeyEnv` and `keysEnv`. */
  readonly env?: Environment
  /** Values of flags and environment, which win over the file. */
  readonly overrides?: Overrides
}

/** A configuration, or all problems with it. */
export type ReadConfigResult =
  | { readonly config: ServerConfig; readonly problems?: undefined }
  | { readonly config?: undefined; readonly problems: readonly ConfigProblem[] }

/** Reads a configuration from the text of a YAML or JSON file. */
export function readConfig(text: string, options: ReadConfigOptions = {}): ReadConfigResult {
  const { fileName, env = {}, overrides = {} } = options
  const source = readSource(text, { fileName, env })
  if (source.value === undefined) return { problems: source.problems }
  const parsed = parse(source)
  const issues = (parsed.error?.issues ?? []).filter(issue => !source.isUnset(pathOf(issue)))
  const problems = [
    ...source.problems,
    ...issues.flatMap(issue => describeIssue(issue, source, fileName)),
  ]
  const onProblem = (path: Path, message: string, fix: string) => {
    // A value that is missing at the top level has no position in the file.
    const position = path.length === 0 ? {} : source.position(path)
    problems.push({ fileName, ...position, path: showPath(path), message, fix })
  }
  const data = parsed.data ?? parseRest(source.value, parsed.error.issues)
  const config = data && resolveConfig(data, { env, overrides, onProblem })
  return config && problems.length === 0 ? { config } : { problems: problems.sort(byPlace) }
}

/** Sorts problems by their places in the file. Those without a place come first. */
function byPlace(left: ConfigProblem, right: ConfigProblem): number {
  const { line = 0, column = 0 } = left
  return line - (right.line ?? 0) || column - (right.column ?? 0)
}

type Issue = z.core.$ZodIssue

function pathOf({ path }: Issue): Path {
  return path.map(key => (typeof key === 'symbol' ? String(key) : key))
}

/**
 * Reads what is left of a file without its mistakes, so that the values that contradict one another
 * are found in the same run. Returns undefined if nothing can be read.
 */
function parseRest(value: unknown, issues: readonly Issue[]) {
  const rest = withoutUndefined(issues.reduce(withoutMistake, value))
  return configSchema.safeParse(issues.some(hidesName) ? withoutUpstreamNames(rest) : rest).data
}

/** True if the name of a server is not known, so that rules cannot be checked against it. */
function hidesName({ code, path }: Issue): boolean {
  const isEntry = path.length <= 2 && code !== 'unrecognized_keys'
  return path[0] === 'upstreams' && (isEntry || path.at(-1) === 'name')
}

/** Returns a copy in which a mistake is left out, or replaced if the value is required. */
function withoutMistake(value: unknown, issue: Issue): unknown {
  const path = pathOf(issue)
  if (issue.code === 'unrecognized_keys') {
    const left = issue.keys.reduce((rest, key) => setAt(rest, [...path, key], undefined), value)
    // `upstreem: http://…`: the unknown key may be the one that is missing.
    return path.length === 0 && isRecord(left) ? { ...someUpstream(left), ...left } : left
  }
  return setAt(value, path, standIn(path))
}

const anyServer = 'http://127.0.0.1'

function someUpstream({ upstreams }: Readonly<Record<string, unknown>>): object {
  return upstreams === undefined ? { upstream: anyServer } : {}
}

/** Returns a valid value for a key that is required. */
function standIn(path: Path): unknown {
  const key = path.at(-1)
  const [first] = path
  if (key === 'baseUrl' || (key === 'upstream' && path.length === 1)) return anyServer
  // No name of a server, and no pattern, is the same text.
  if (key === 'name' || key === 'match') return showPath(path)
  if (first === 'upstreams' && path.length === 1) return [{ name: 'any', baseUrl: anyServer }]
  if (first === 'upstreams' && path.length === 2)
    return { name: showPath(path), baseUrl: anyServer }
  return first === 'models' && path.length === 2 ? { match: showPath(path) } : undefined
}

function withoutUpstreamNames(value: unknown): unknown {
  if (!isRecord(value) || !Array.isArray(value.models)) return value
  const models = value.models.map(rule =>
    isRecord(rule) ? { ...rule, upstream: undefined } : rule,
  )
  return { ...value, models }
}

/** Returns a copy with the value at a path set. */
function setAt(value: unknown, path: Path, next: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return next
  if (Array.isArray(value))
    return value.map((item, i) => (i === key ? setAt(item, rest, next) : item))
  const record = isRecord(value) ? value : {}
  return { ...record, [key]: setAt(record[key], rest, next) }
}

/** Returns a copy without the keys and items that are undefined. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(item => item !== undefined).map(withoutUndefined)
  if (!isRecord(value)) return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutUndefined(each)]))
}

/**
 * Checks the file against the schema. Environment variables are always strings, so one that is used
 * where the schema expects a number or a boolean is converted: `port: ${PORT}`.
 */
function parse(source: Source) {
  const first = configSchema.safeParse(source.value)
  if (first.success) return first
  let value = source.value
  for (const issue of first.error.issues) {
    const path = issue.path.filter(key => typeof key !== 'symbol')
    if (issue.code !== 'invalid_type' || !source.isFromEnvironment(path)) continue
    value = replaceAt(value, path, written => fromText(written, issue.expected))
  }
  return value === source.value ? first : configSchema.safeParse(value)
}

function fromText(written: unknown, expected: string): unknown {
  if (typeof written !== 'string') return written
  const text = written.trim()
  if (expected === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  const isNumber = expected === 'number' || expected === 'int'
  return isNumber && /^\d+(\.\d+)?$/.test(text) ? Number(text) : written
}

/** Returns a copy with the value at a path replaced. */
function replaceAt(value: unknown, path: Path, replace: (value: unknown) => unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return replace(value)
  if (Array.isArray(value))
    return value.map((item, i) => (i === key ? replaceAt(item, rest, replace) : item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === key ? replaceAt(item, rest, replace) : item,
    ]),
  )
}
