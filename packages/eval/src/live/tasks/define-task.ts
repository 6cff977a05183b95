import type { JsonObject } from '../json.js'
import { checkCalls, type Expected } from '../match.js'
import type { Call, LiveTool, OpenTask, Task } from '../task.js'

/** An expected call: correct arguments, and rules if others are correct too. */
export interface WantedCall {
  readonly name: string
  readonly args: JsonObject & { readonly [name: string]: Expected }
  /** Rules by argument. An argument with only an `optional` rule may be left out. */
  readonly rules?: Readonly<Record<string, Expected>>
}

export interface SingleDefinition {
  readonly id: string
  readonly category: string
  readonly prompt: string
  readonly open: () => { readonly tools: readonly LiveTool[] }
  /** Empty: no tool should be called. */
  readonly calls: readonly WantedCall[]
}

/** Defines a task with one message and its correct calls, in any order. */
export function defineSingle({ id, category, prompt, open, calls }: SingleDefinition): Task {
  const expected = calls.map(({ name, args, rules }) => ({ name, args: { ...args, ...rules } }))
  return {
    id: `single/${id}`,
    kind: 'single',
    category,
    messages: [{ role: 'user', content: prompt }],
    firstStepCalls: calls.length,
    open: () => ({
      tools: open().tools,
      check: outcome => checkCalls(outcome.calls, expected),
    }),
    solution: {
      steps: calls.length ? [calls.map(({ name, args }) => ({ name, args }))] : [],
      answer: calls.length ? 'Done.' : 'None of my tools can do that.',
    },
  }
}

export interface AgentDefinition {
  readonly id: string
  readonly category: string
  readonly prompt: string
  readonly open: () => OpenTask
  readonly steps: readonly (readonly Call[])[]
  readonly answer: string
}

/** Defines a task of several steps, in which later steps depend on the results of earlier ones. */
export function defineAgent({ id, category, prompt, open, steps, answer }: AgentDefinition): Task {
  return {
    id: `agent/${id}`,
    kind: 'agent',
    category,
    messages: [{ role: 'user', content: prompt }],
    firstStepCalls: 'any',
    open,
    solution: { steps, answer },
  }
}

/** Returns the messages of the conditions that are false. */
export function listProblems(
  ...conditions: readonly (readonly [isMet: boolean, problem: string])[]
): string[] {
  return conditions.flatMap(([isMet, problem]) => (isMet ? [] : [problem]))
}
