import { isDeepStrictEqual } from 'node:util'
import type { Call, Contestant } from './contestants.js'
import { createCode, createProse } from './corpus.js'
import type { Outcome } from './outcome.js'

/** A text for a contestant, and the check of its result. */
export interface Workload {
  write(contestant: Contestant): string
  /** Returns what is wrong with the outcome; undefined if it is correct. */
  check(outcome: Outcome): string | undefined
}

/** Sizes and repetitions. */
export interface Plan {
  readonly textChars: number
  readonly callCount: number
  readonly smallChars: number
  readonly mediumChars: number
  /** Four times `mediumChars`, so that the growth of a linear parser is 4. */
  readonly largeChars: number
  /** Size of the argument whose deltas are traced. */
  readonly streamedChars: number
  /** A shorter text is read several times in one run. */
  readonly minChars: number
  /** Warm-up runs of each workload, with smaller sizes. */
  readonly warmUpRuns: number
  readonly repetitions: number
  /** A run that takes longer is stopped and not repeated. */
  readonly capMs: number
  /**
   * A run that takes longer than this is not repeated: a run of seconds needs no median.
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
      if (outcome.calls.length > 0) return `${outcome.calls.length} calls found in prose`
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
      // Formats differ in whether line breaks around a call belong to the markup or to the text.
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
      return `call ${i}: the call is correct, but its deltas are not`
    }
  }
  return undefined
}

function compareArgs(actual: unknown, expected: Call['args']): string | undefined {
  if (isDeepStrictEqual(actual, expected)) return undefined
  if (typeof actual !== 'object' || actual === null) return 'the arguments are not an object'
  for (const [key, value] of Object.entries(expected)) {
    const other: unknown = Reflect.get(actual, key)
    if (isDeepStrictEqual(other, value)) continue
    if (typeof other !== 'string' || typeof value !== 'string')
      return `${key} is ${JSON.stringify(other)?.slice(0, 40)}`
    if (other === value.trim()) return `the whitespace around ${key} is missing`
    return `${key} differs at ${firstDifference(other, value)} of ${value.length} characters`
  }
  return 'the call has additional arguments'
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
