import type { z } from 'zod'
import { isRecord } from '../is-record.js'
import { changeAt } from './change-at.js'
import { issuePath, type Path, showPath } from './problem.js'
import { type ConfigFile, configSchema } from './schema.js'

// A file with a mistake is read without the mistake, so that one run also finds values that
// contradict one another:
//
//     limits: { body: soon }                       is not a size
//     models: [{ match: "a*", upstream: clod }]    is not the name of an upstream
//
// What is read here only shows further problems. It is never used as a configuration.

type Issue = z.core.$ZodIssue

/**
 * Reads a file without its mistakes. Returns undefined if the schema still refuses it.
 */
export function parseWithoutMistakes(
  file: unknown,
  mistakes: readonly Issue[],
): ConfigFile | undefined {
  const repaired = withoutUndefined(mistakes.reduce(withoutMistake, file))
  const isNameUnknown = mistakes.some(hidesServerName)
  return configSchema.safeParse(isNameUnknown ? withoutServerOfRules(repaired) : repaired).data
}

/** Returns a copy in which a mistake is left out, or replaced if the value is required. */
function withoutMistake(file: unknown, mistake: Issue): unknown {
  const path = issuePath(mistake)
  if (mistake.code !== 'unrecognized_keys') return changeAt(file, path, () => validValue(path))
  const left = mistake.keys.reduce<unknown>(
    (rest, key) => changeAt(rest, [...path, key], () => undefined),
    file,
  )
  // `upstreem: http://a/v1`: the server is not missing, its key is written wrong.
  return path.length === 0 ? withSomeServer(left) : left
}

const SOME_URL = 'http://127.0.0.1'

function withSomeServer(file: unknown): unknown {
  if (!isRecord(file) || file.upstream !== undefined || file.upstreams !== undefined) return file
  return { ...file, upstream: SOME_URL }
}

/** Returns a valid value for a key or an item that is required; undefined if it may be left out. */
function validValue(path: Path): unknown {
  const [section] = path
  const key = path.at(-1)
  // A text that is neither the name of another server nor the pattern of another rule.
  const name = showPath(path)
  // `upstream: nowhere`, `upstreams: [{ name: a, baseUrl: nowhere }]`
  if (key === 'baseUrl' || (key === 'upstream' && path.length === 1)) return SOME_URL
  // `upstreams: [{ name: 7 }]`, `models: [{ match: 7 }]`
  if (key === 'name' || key === 'match') return name
  // `upstreams: all`
  if (section === 'upstreams' && path.length === 1) return [{ name, baseUrl: SOME_URL }]
  // `upstreams: [all]`
  if (section === 'upstreams' && path.length === 2) return { name, baseUrl: SOME_URL }
  // `models: [all]`
  if (section === 'models' && path.length === 2) return { match: name }
  return undefined
}

/** True if the mistake hides how a server is named, so that no rule can be compared with its name. */
function hidesServerName({ code, path }: Issue): boolean {
  if (path[0] !== 'upstreams') return false
  // `upstreams: all`, `upstreams: [all]`
  const isWholeServer = path.length <= 2 && code !== 'unrecognized_keys'
  // `upstreams: [{ name: 7 }]`
  return isWholeServer || path.at(-1) === 'name'
}

/** `models: [{ match: a, upstream: b }]` becomes `models: [{ match: a }]`. */
function withoutServerOfRules(file: unknown): unknown {
  if (!isRecord(file) || !Array.isArray(file.models)) return file
  const models = file.models.map(rule => (isRecord(rule) ? { ...rule, upstream: undefined } : rule))
  return { ...file, models }
}

/** Returns a copy without the keys and items that are undefined. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(item => item !== undefined).map(withoutUndefined)
  if (!isRecord(value)) return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutUndefined(each)]))
}
