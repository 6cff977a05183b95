import { isRecord } from '../is-record.js'
import type { Call, LiveTool, Outcome, Task } from '../live/task.js'
import type { BfclFunction, BfclQuestion, BfclRule, BfclTruth } from './bfcl-entry.js'
import { checkBfclCalls, toToolName } from './check-bfcl.js'
import { toJsonSchema } from './to-json-schema.js'

export interface BfclTaskOptions {
  readonly question: BfclQuestion
  readonly category: string
  readonly rule: BfclRule
  readonly truths: readonly BfclTruth[]
}

export function toTask({ question, category, rule, truths }: BfclTaskOptions): Task {
  const { id, question: turns, function: functions } = question
  const tools = functions.map(toTool)
  const calls = truths.map(toCall)
  return {
    id: `bfcl/${id}`,
    kind: 'bfcl',
    category,
    messages: turns[0] ?? [],
    firstStepCalls: rule === 'some-call' ? 'any' : truths.length,
    open: () => ({ tools, check: outcome => check(outcome, rule, truths, functions) }),
    solution: {
      steps:
        rule === 'no-call'
          ? []
          : [rule === 'calls' ? calls : tools.slice(0, 1).map(({ name }) => ({ name, args: {} }))],
      answer: 'Done.',
    },
  }
}

function check(
  { calls }: Outcome,
  rule: BfclRule,
  truths: readonly BfclTruth[],
  functions: readonly BfclFunction[],
): string[] {
  if (rule === 'calls') return checkBfclCalls(calls, truths, functions)
  if (rule === 'some-call') return calls.length ? [] : ['no tool was called']
  return calls.length
    ? [`${calls.map(({ name }) => name).join(', ')} was called, although no tool is suitable`]
    : []
}

/**
 * Creates a tool without effect: the leaderboard's functions are only descriptions, and only the
 * calls are checked.
 */
function toTool({ name, description = '', parameters }: BfclFunction): LiveTool {
  return {
    name: toToolName(name),
    description,
    inputSchema: toJsonSchema({ ...parameters, type: 'object' }),
    execute: () => ({ ok: true }),
  }
}

/** Returns a correct call, with the first value of each parameter. */
function toCall(truth: BfclTruth): Call {
  const [[name, allowed] = ['', {}]] = Object.entries(truth)
  return { name: toToolName(name), args: chooseValues(allowed) }
}

function chooseValues(allowed: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(allowed).flatMap(([key, values]): [string, unknown][] => {
      if (!Array.isArray(values)) return [[key, values]]
      const value: unknown = values.find(each => each !== '')
      return value === undefined ? [] : [[key, chooseValue(value)]]
    }),
  )
}

/** Chooses a value. In objects, and in objects of a list, each key has a list of values. */
function chooseValue(value: unknown): unknown {
  if (isAlternatives(value)) return chooseValues(value)
  return Array.isArray(value)
    ? value.map(each => (isAlternatives(each) ? chooseValues(each) : each))
    : value
}

function isAlternatives(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && Object.values(value).every(Array.isArray)
}
