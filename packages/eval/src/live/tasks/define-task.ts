import type { JsonObject } from '../json.js'
import { checkCalls, type Expected } from '../match.js'
import type { Call, LiveTool, OpenTask, Task } from '../task.js'

/** A call that is wanted: arguments that are right, and rules where others are right, too. */
export interface WantedCall {
  readonly name: string
  readonly args: JsonObject & { readonly [name: string]: Expected }
  /** By argument; an argument that is only here may be left out if its rule is `optional`. */
  readonly rules?: Readonly<Record<string, Expected>>
}

export interface SingleDefinition {
  readonly id: string
  readonly category: string
  readonly prompt: string
  readonly open: () => { readonly tools: readonly LiveTool[] }
  /** Empty: the right thing is to call nothing. */
  readonly calls: readonly WantedCall[]
}

/** One message and the calls that are right for it, in any order. */
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

/** Several steps, of which the later ones depend on what the earlier ones have found. */
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

/** The messages of those conditions that do not hold. */
export function listProblems(
  ...conditions: readonly (readonly [isMet: boolean, problem: string])[]
): string[] {
  return conditions.flatMap(([isMet, problem]) => (isMet ? [] : [problem]))
}
