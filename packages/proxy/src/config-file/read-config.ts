import { describeIssue } from './describe-issue.js'
import { type ConfigProblem, type Path, showPath } from './problem.js'
import { resolveConfig } from './resolve.js'
import { configSchema } from './schema.js'
import type { Overrides, ServerConfig } from './server-config.js'
import { readSource, type Source } from './source.js'

export interface ReadConfigOptions {
  /** How the file is called in problems. */
  readonly fileName?: string | undefined
  /** For `${NAME}`, `apiKeyEnv` and `keysEnv`. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** What is said elsewhere and wins over the file. */
  readonly overrides?: Overrides
}

/** A configuration, or all that is wrong with it. */
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
    // What is missing altogether has no place in a file.
    const position = path.length === 0 ? {} : source.position(path)
    problems.push({ fileName, ...position, path: showPath(path), message, fix })
  }
  const config = resolveConfig(parsed.data, { env, overrides, onProblem })
  return problems.length > 0 ? { problems } : { config }
}

/**
 * The environment has only texts. One that stands where a number or a truth value belongs is taken
 * for that; the schema tells where.
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

/** A copy in which the value at a path is another. */
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
