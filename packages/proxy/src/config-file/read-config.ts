import { describeIssue } from './describe-issue.js'
import { type ConfigProblem, type Path, showPath } from './problem.js'
import { resolveConfig } from './resolve.js'
import { configSchema } from './schema.js'
import type { Overrides, ServerConfig } from './server-config.js'
import { readSource, type Source } from './source.js'

export interface ReadConfigOptions {
  /** Name of the file in problems. */
  readonly fileName?: string | undefined
  /** For `${NAME}`, `apiKeyEnv` and `keysEnv`. */
  readonly env?: Readonly<Record<string, string | undefined>>
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
  if (source.problems.length > 0) return { problems: source.problems }
  const parsed = parse(source)
  if (!parsed.success) {
    return {
      problems: parsed.error.issues.flatMap(issue => describeIssue(issue, source, fileName)),
    }
  }
  const problems: ConfigProblem[] = []
  const onProblem = (path: Path, message: string, fix: string) => {
    // A value that is missing at the top level has no position in the file.
    const position = path.length === 0 ? {} : source.position(path)
    problems.push({ fileName, ...position, path: showPath(path), message, fix })
  }
  const config = resolveConfig(parsed.data, { env, overrides, onProblem })
  return problems.length > 0 ? { problems } : { config }
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
