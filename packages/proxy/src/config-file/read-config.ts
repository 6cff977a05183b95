import { changeAt } from './change-at.js'
import { describeIssue } from './describe-issue.js'
import type { Environment } from './environment.js'
import { type ConfigProblem, issuePath, type Path, showPath } from './problem.js'
import { resolveConfig } from './resolve.js'
import { configSchema } from './schema.js'
import type { Overrides, ServerConfig } from './server-config.js'
import { parseWithoutMistakes } from './skip-mistakes.js'
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
  const issues = (parsed.error?.issues ?? []).filter(issue => !source.isUnset(issuePath(issue)))
  const problems = [
    ...source.problems,
    ...issues.flatMap(issue => describeIssue(issue, source, fileName)),
  ]
  const onProblem = (path: Path, message: string, fix: string) => {
    // A value that is missing at the top level has no position in the file.
    const position = path.length === 0 ? {} : source.position(path)
    problems.push({ fileName, ...position, path: showPath(path), message, fix })
  }
  const data = parsed.data ?? parseWithoutMistakes(source.value, parsed.error.issues)
  const config = data && resolveConfig(data, { env, overrides, onProblem })
  return config && problems.length === 0 ? { config } : { problems: problems.sort(byPlace) }
}

/** Sorts problems by their places in the file. Those without a place come first. */
function byPlace(left: ConfigProblem, right: ConfigProblem): number {
  const { line = 0, column = 0 } = left
  return line - (right.line ?? 0) || column - (right.column ?? 0)
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
    const path = issuePath(issue)
    if (issue.code !== 'invalid_type' || !source.isFromEnvironment(path)) continue
    value = changeAt(value, path, written => fromText(written, issue.expected))
  }
  return value === source.value ? first : configSchema.safeParse(value)
}

/** `"4141"` becomes `4141` where the schema expects a number. Other text stays as it is. */
function fromText(written: unknown, expected: string): unknown {
  if (typeof written !== 'string') return written
  const text = written.trim()
  if (expected === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  const isNumber = expected === 'number' || expected === 'int'
  return isNumber && /^\d+(\.\d+)?$/.test(text) ? Number(text) : written
}
