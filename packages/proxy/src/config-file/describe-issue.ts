import { closestName } from '@toolglot/parser'
import { z } from 'zod'
import { type ConfigProblem, issuePath, type Path, showPath } from './problem.js'
import { configSchema, splitMessage } from './schema.js'
import type { Source } from './source.js'

type Issue = z.core.$ZodIssue

/** Turns an issue of the schema into problems: where it is, what it is, and how to fix it. */
export function describeIssue(
  issue: Issue,
  source: Source,
  fileName: string | undefined,
): ConfigProblem[] {
  const path = issuePath(issue)
  const inner = issue.code === 'invalid_union' ? issuesInside(issue) : undefined
  if (inner) return inner.flatMap(each => describeIssue(each, source, fileName))
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(key => {
      const own = [...path, key]
      return {
        fileName,
        ...source.keyPosition(own),
        path: showPath(own),
        message: 'is not a known key',
        fix: chooseFrom(key, keysAt(path)),
      }
    })
  }
  const value = valueAt(source.value, path)
  // A value from the environment may be an API key.
  const shown = source.isFromEnvironment(path) ? undefined : value
  const position = issue.code === 'invalid_key' ? source.keyPosition(path) : source.position(path)
  return [
    { fileName, ...position, path: showPath(path), ...explain(issue, shown, value === undefined) },
  ]
}

/** `store: { age: soon }`: of the alternatives, a mapping was meant, and a key of it is wrong. */
function issuesInside({ errors, path }: z.core.$ZodIssueInvalidUnion): Issue[] | undefined {
  const meant = errors.find(issues =>
    issues.every(({ code, path: inner }) => inner.length > 0 || code === 'unrecognized_keys'),
  )
  return meant?.map(issue => ({ ...issue, path: [...path, ...issue.path] }))
}

function explain(
  issue: Issue,
  shown: unknown,
  isMissing: boolean,
): { readonly message: string; readonly fix: string } {
  const own = splitMessage(
    issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? '') : issue.message,
  )
  if (own.fix !== undefined && !isMissing) return { message: own.message, fix: own.fix }
  if (isMissing) return { message: 'is missing', fix: 'Add it here.' }
  switch (issue.code) {
    case 'invalid_value': {
      const values = issue.values.map(String)
      const message =
        typeof shown === 'string'
          ? `is ${JSON.stringify(shown)}`
          : 'is not one of the possible values'
      return { message, fix: chooseFrom(typeof shown === 'string' ? shown : '', values) }
    }
    case 'invalid_type':
      return {
        message: `must be ${kindOf(issue.expected)}`,
        fix: `Found: ${describeValue(shown)}.`,
      }
    case 'too_small':
      return { message: 'is too small', fix: `Write ${issue.minimum} or more.` }
    case 'too_big':
      return { message: 'is too large', fix: `Write ${issue.maximum} or less.` }
    default:
      return { message: own.message, fix: 'See docs/proxy.md.' }
  }
}

function chooseFrom(word: string, words: readonly string[]): string {
  const near = closestName(word, words)
  const meant = near === undefined ? '' : `Did you mean "${near}"? `
  return `${meant}Choose one of: ${words.join(', ')}.`
}

function kindOf(expected: string): string {
  const kinds: Readonly<Record<string, string>> = {
    object: 'a mapping of keys to values',
    record: 'a mapping of keys to values',
    array: 'a list',
    string: 'a string',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
  }
  return kinds[expected] ?? expected
}

/** Names only the type: the value may be an API key. */
function describeValue(value: unknown): string {
  if (value === null) return 'no value'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a mapping'
  if (typeof value === 'string') return 'a string'
  return value === undefined ? 'another type' : `a ${typeof value}`
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((parent, key) => {
    if (typeof parent !== 'object' || parent === null) return undefined
    return Object.entries(parent).find(([name]) => name === String(key))?.[1]
  }, value)
}

/** Returns the keys that the schema allows at a path. */
function keysAt(path: Path): string[] {
  let schema: unknown = configSchema
  for (const key of path) {
    const outer = unwrap(schema)
    if (outer instanceof z.ZodArray) schema = outer.element
    else if (outer instanceof z.ZodObject) schema = outer.shape[key]
    else return []
  }
  const found = unwrap(schema)
  return found instanceof z.ZodObject
    ? Object.keys(found.shape).filter(key => key !== '$schema')
    : []
}

function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodUnion)
    return schema.options.find(option => option instanceof z.ZodObject)
  return schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema
}
