import type { JsonObject } from './json.js'

export const taskKinds = ['single', 'agent', 'bfcl'] as const
export type TaskKind = (typeof taskKinds)[number]

/** A tool that has an effect in a world that exists only for one run. */
export interface LiveTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject
  /** Returns what is wrong with the arguments. Without it any arguments are accepted. */
  readonly findProblem?: ((input: unknown) => string | undefined) | undefined
  readonly execute: (input: unknown) => unknown
}

export interface Call {
  readonly name: string
  readonly args: JsonObject
}

/** The result of a run, as a task checks it. */
export interface Outcome {
  /** All calls that could be read, in order, without those that the schema rejected. */
  readonly calls: readonly { readonly name: string; readonly args: unknown }[]
  /** The text of the last step. */
  readonly text: string
}

/** A task set up for one run. */
export interface OpenTask {
  readonly tools: readonly LiveTool[]
  /**
   * Returns the problems of the outcome; none if the run passed. Also checks the state of the world
   * after the run.
   */
  check(outcome: Outcome): string[]
}

export interface TaskMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

export interface Task {
  readonly id: string
  readonly kind: TaskKind
  /** The topic, for `--filter` and the report. */
  readonly category: string
  readonly messages: readonly TaskMessage[]
  /** The number of calls of a correct first step; `any` if it is not fixed. */
  readonly firstStepCalls: number | 'any'
  /** Creates a new world for a run. */
  open(): OpenTask
  /**
   * One correct solution: the calls step by step, and the answer after them. For the judge and for
   * scripted models.
   */
  readonly solution: Solution
}

export interface Solution {
  readonly steps: readonly (readonly Call[])[]
  readonly answer: string
}
