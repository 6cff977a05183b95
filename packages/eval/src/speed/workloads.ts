import { isDeepStrictEqual } from 'node:util'
import type { Call, Contestant } from './contestants.js'
import { createCode, createProse } from './corpus.js'
import type { Outcome } from './outcome.js'

/** What a contestant has to read, and what must come of it. */
export interface Workload {
  write(contestant: Contestant): string
  /** What is wrong with the outcome; undefined if nothing is. */
  check(outcome: Outcome): string | undefined
}

/** How large everything is, and how often it is run. */
export interface Plan {
  readonly textChars: number
  readonly callCount: number
  readonly smallChars: number
  readonly mediumChars: number
  /** Four times `mediumChars`, so that the growth of a linear parser is 4. */
  readonly largeChars: number
  /** The argument whose deltas are looked at. */
  readonly streamedChars: number
  /** A text that is shorter is read several times over in one run. */
  readonly minChars: number
  /** Runs before the clock counts, of each workload, smaller. */
  readonly warmUpRuns: number
  readonly repetitions: number
  /** A run that takes longer is stopped, and not tried again. */
  readonly capMs: number
  /**
   * A run that takes longer than this is not repeated: what is slow by the second needs no median.
   */
  readonly slowMs: number
}

export const fullPlan: Plan = {
  textChars: 1_000_000,
  callCount: 200,
  smallChars: 50_000,
  mediumChars: 200_000,
  largeChars: 800_000,
  streamedChars: 40_000,
  minChars: 400_000,
  warmUpRuns: 3,
  repetitions: 9,
  capMs: 20_000,
  slowMs: 5_000,
}

export const quickPlan: Plan = {
  textChars: 200_000,
  callCount: 100,
  smallChars: 10_000,
  mediumChars: 40_000,
  largeChars: 160_000,
  streamedChars: 8_000,
  minChars: 100_000,
  warmUpRuns: 3,
  repetitions: 5,
  capMs: 10_000,
  slowMs: 2_000,
}

export function createTextWorkload(chars: number): Workload {
  const text = createProse(chars)
  return {
    write: () => text,
    check(outcome) {
      if (outcome.calls.length > 0) return `${outcome.calls.length} calls out of prose`
      return checkText(outcome.text, text)
    },
  }
}

export function createCallsWorkload(count: number): Workload {
  const cities = ['Paris', 'New York', 'São Paulo', 'Reykjavík']
  const calls = Array.from({ length: count }, (_, i): Call => {
    if (i % 3 === 2)
      return { toolName: 'search_docs', args: { query: `how to "stream" part ${i}` } }
    const city = cities[i % cities.length]
    return { toolName: 'get_weather', args: { city, days: (i % 7) + 1, isMetric: i % 2 === 0 } }
  })
  const prose = (i: number) => `Now number ${i}: let me look that up.\n`
  const text = calls.map((_, i) => prose(i)).join('')
  return {
    write: contestant =>
      calls.map((call, i) => `${prose(i)}${contestant.formatCall(call)}\n`).join(''),
    check(outcome) {
      // Line breaks around a call belong to the markup or to the text; formats differ in that.
      return (
        checkCalls(outcome, calls) ?? checkText(withoutBreaks(outcome.text), withoutBreaks(text))
      )
    },
  }
}

export function createArgumentWorkload(chars: number): Workload {
  const call: Call = {
    toolName: 'write_file',
    args: { path: 'src/count-words.ts', content: createCode(chars) },
  }
  return {
    write: contestant => `I write the file.\n${contestant.formatCall(call)}`,
    check: outcome => checkCalls(outcome, [call]),
  }
}

function withoutBreaks(text: string): string {
  return text.replaceAll('\n', '')
}

function checkText(text: string, expected: string): string | undefined {
  if (text === expected) return undefined
  return `text differs at ${firstDifference(text, expected)} of ${expected.length} characters`
}

function checkCalls({ calls }: Outcome, expected: readonly Call[]): string | undefined {
  if (calls.length !== expected.length) return `${calls.length} calls instead of ${expected.length}`
  for (const [i, { toolName, args }] of expected.entries()) {
    const call = calls[i]
    if (call?.toolName !== toolName)
      return `call ${i} is of ${call?.toolName} instead of ${toolName}`
    const problem = compareArgs(parseJson(call.input), args)
    if (problem) return `call ${i}: ${problem}`
    if (!isDeepStrictEqual(parseJson(call.streamedInput), args)) {
      return `call ${i}: the call is right, but its deltas are not`
    }
  }
  return undefined
}

function compareArgs(actual: unknown, expected: Call['args']): string | undefined {
  if (isDeepStrictEqual(actual, expected)) return undefined
  if (typeof actual !== 'object' || actual === null) return 'the arguments are no object'
  for (const [key, value] of Object.entries(expected)) {
    const other: unknown = Reflect.get(actual, key)
    if (isDeepStrictEqual(other, value)) continue
    if (typeof other !== 'string' || typeof value !== 'string')
      return `${key} is ${JSON.stringify(other)?.slice(0, 40)}`
    if (other === value.trim()) return `the space around ${key} is gone`
    return `${key} differs at ${firstDifference(other, value)} of ${value.length} characters`
  }
  return 'arguments that were not given'
}

function firstDifference(text: string, expected: string): number {
  let i = 0
  while (i < expected.length && text.charCodeAt(i) === expected.charCodeAt(i)) i++
  return i
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
