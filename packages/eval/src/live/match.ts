import { isRecord } from '../is-record.js'
import { isEqualJson, preview } from './json.js'

/** Returns what is wrong with a value; undefined if it matches. */
export type Matcher = (value: unknown) => string | undefined

/** An expected argument: a value, which must be equal, or a rule. */
export type Expected =
  | Matcher
  | string
  | number
  | boolean
  | null
  | readonly Expected[]
  | { readonly [key: string]: Expected }

export interface ExpectedCall {
  readonly name: string
  readonly args: Readonly<Record<string, Expected>>
}

const optionalMatchers = new WeakSet<Matcher>()

/** Accepts any of these. */
export function oneOf(...choices: readonly Expected[]): Matcher {
  return value => {
    const problems = choices.map(choice => findMismatch(value, choice))
    if (problems.includes(undefined)) return undefined
    return `is ${preview(value)}, none of the ${choices.length} correct values`
  }
}

/** Accepts a missing argument. One that is present must match. */
export function optional(expected: Expected): Matcher {
  const matcher: Matcher = value => findMismatch(value, expected)
  optionalMatchers.add(matcher)
  return matcher
}

/** Accepts a sentence or a name, whatever its case, whitespace and full stop. */
export function words(expected: string): Matcher {
  const normalise = (text: string) =>
    text
      .normalize('NFC')
      .toLowerCase()
      .replace(/\s+/g, ' ')
      .replace(/[\s.!]+$/, '')
      .trim()
  return value =>
    typeof value === 'string' && normalise(value) === normalise(expected)
      ? undefined
      : `is ${preview(value)} instead of ${preview(expected)}`
}

/** Accepts source code. Only the kind of line ends and empty lines around it may differ. */
export function code(expected: string): Matcher {
  const normalise = (text: string) => text.replace(/\r\n/g, '\n').replace(/^\n+|\s+$/g, '')
  return value => {
    if (typeof value !== 'string') return `is ${preview(value)} instead of code`
    const found = normalise(value)
    const wanted = normalise(expected)
    if (found === wanted) return undefined
    const at = [...wanted].findIndex((char, i) => char !== [...found][i])
    const from = at < 0 ? wanted.length : at
    return `differs from the expected code at character ${from}: ${preview(found.slice(from, from + 40))} instead of ${preview(wanted.slice(from, from + 40))}`
  }
}

/**
 * Accepts SQL. The case of keywords and names, whitespace, quotes around identifiers and the last
 * semicolon may differ.
 */
export function sql(...expected: readonly string[]): Matcher {
  const normalise = (text: string) =>
    text
      .split(/('(?:[^']|'')*')/)
      .map((part, i) => (i % 2 ? part : part.toLowerCase().replace(/["`]/g, '')))
      .join('')
      .replace(/\s+/g, ' ')
      .replace(/\s*([(),=<>;])\s*/g, '$1')
      .replace(/;$/, '')
      .trim()
  const wanted = expected.map(normalise)
  return value =>
    typeof value === 'string' && wanted.includes(normalise(value))
      ? undefined
      : `is ${preview(value)}, which is not ${preview(expected[0])}`
}

/** Accepts the same items in any order. */
export function anyOrder(...expected: readonly Expected[]): Matcher {
  return value => {
    if (!Array.isArray(value)) return `is ${preview(value)} instead of a list`
    if (value.length !== expected.length)
      return `has ${value.length} items instead of ${expected.length}`
    const fits = (i: number, j: number) => findMismatch(value[j], expected[i] ?? null) === undefined
    return pairUp(expected.length, fits) ? undefined : `has different items: ${preview(value)}`
  }
}

export function findMismatch(value: unknown, expected: Expected): string | undefined {
  if (typeof expected === 'function') return expected(value)
  if (Array.isArray(expected)) {
    if (!Array.isArray(value)) return `is ${preview(value)} instead of a list`
    if (value.length !== expected.length)
      return `has ${value.length} items instead of ${expected.length}`
    return firstProblem(
      expected.map((item, i) => ({ at: `[${i}]`, problem: findMismatch(value[i], item) })),
    )
  }
  if (isExpectedObject(expected)) return findObjectMismatch(value, expected)
  return isEqualJson(value, expected)
    ? undefined
    : `is ${preview(value)} instead of ${preview(expected)}`
}

function isExpectedObject(expected: Expected): expected is { readonly [key: string]: Expected } {
  return isRecord(expected)
}

function findObjectMismatch(
  value: unknown,
  expected: { readonly [key: string]: Expected },
): string | undefined {
  if (!isRecord(value)) return `is ${preview(value)} instead of an object`
  const unexpected = Object.keys(value).find(key => !Object.hasOwn(expected, key))
  if (unexpected !== undefined) return `has ${JSON.stringify(unexpected)}, which is not expected`
  return firstProblem(
    Object.entries(expected).map(([key, each]) => {
      if (Object.hasOwn(value, key))
        return { at: `.${key}`, problem: findMismatch(value[key], each) }
      const mayLack = typeof each === 'function' && optionalMatchers.has(each)
      return { at: `.${key}`, problem: mayLack ? undefined : 'is missing' }
    }),
  )
}

function firstProblem(
  found: readonly { at: string; problem: string | undefined }[],
): string | undefined {
  const first = found.find(({ problem }) => problem !== undefined)
  return first && `${first.at} ${first.problem}`.replace(/^(\S+) ([.[])/, '$1$2')
}

/** Compares calls in any order. */
export function checkCalls(
  calls: readonly { readonly name: string; readonly args: unknown }[],
  expected: readonly ExpectedCall[],
): string[] {
  const names = (list: readonly { readonly name: string }[]) =>
    list.map(({ name }) => name).join(', ') || 'none'
  if (calls.length !== expected.length) {
    return [
      `${calls.length} calls (${names(calls)}) instead of ${expected.length} (${names(expected)})`,
    ]
  }
  const problemOf = (
    wanted: ExpectedCall,
    call: { readonly name: string; readonly args: unknown } | undefined,
  ) => {
    if (call?.name !== wanted.name)
      return `${call?.name ?? 'nothing'} was called instead of ${wanted.name}`
    const mismatch = findMismatch(call.args, wanted.args)
    return mismatch === undefined ? undefined : `${wanted.name}: ${mismatch}`
  }
  const isPaired = pairUp(expected.length, (i, j) => {
    const wanted = expected[i]
    return wanted !== undefined && problemOf(wanted, calls[j]) === undefined
  })
  if (isPaired) return []
  // The most useful message is that of a call of the same tool.
  const problems = expected.flatMap(wanted => {
    const candidates = calls.map(call => problemOf(wanted, call))
    if (candidates.includes(undefined)) return []
    return [
      candidates.find(problem => problem?.startsWith(`${wanted.name}:`)) ??
        `${wanted.name} was not called`,
    ]
  })
  return problems.length ? problems : ['two expected calls match the same call']
}

/** Returns true if every i can be paired with its own j so that `fits(i, j)`. */
export function pairUp(count: number, fits: (i: number, j: number) => boolean): boolean {
  const ownerOf = new Map<number, number>()
  const place = (i: number, tried: Set<number>): boolean => {
    for (let j = 0; j < count; j++) {
      if (tried.has(j) || !fits(i, j)) continue
      tried.add(j)
      const owner = ownerOf.get(j)
      if (owner === undefined || place(owner, tried)) {
        ownerOf.set(j, i)
        return true
      }
    }
    return false
  }
  return Array.from({ length: count }, (_, i) => i).every(i => place(i, new Set()))
}
