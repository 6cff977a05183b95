import type { JsonObject } from './json.js'

export const taskKinds = ['single', 'agent', 'bfcl'] as const
export type TaskKind = (typeof taskKinds)[number]

/** A tool that really does something, in a world that exists only for one run. */
export interface LiveTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject
  /** What is wrong with the arguments, if anything. Without it any arguments are taken. */
  readonly findProblem?: ((input: unknown) => string | undefined) | undefined
  readonly execute: (input: unknown) => unknown
}

export interface Call {
  readonly name: string
  readonly args: JsonObject
}

/** What came out of a run, as far as a task looks at it. */
export interface Outcome {
  /** All calls that could be read, in order. Those that the schema refused are not among them. */
  readonly calls: readonly { readonly name: string; readonly args: unknown }[]
  /** The text of the last step. */
  readonly text: string
}

/** A task set up for one run. */
export interface OpenTask {
  readonly tools: readonly LiveTool[]
  /**
   * What is wrong with the outcome; empty if the run passed. Looks at the world as the run has left
   * it.
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
  /** What it is about, for `--filter` and the report. */
  readonly category: string
  readonly messages: readonly TaskMessage[]
  /** How many calls a right first step has, where that is fixed; `any` where there is a choice. */
  readonly firstStepCalls: number | 'any'
  /** A world of its own for each run. */
  open(): OpenTask
  /**
   * One right way, step by step, and the answer behind it. For the judge and for models that are
   * scripted.
   */
  readonly solution: Solution
}

export interface Solution {
  readonly steps: readonly (readonly Call[])[]
  readonly answer: string
}
