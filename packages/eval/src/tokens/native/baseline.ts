import type { FunctionTool } from '@toolglot/parser'
import type { Call } from '../catalogue/case.js'
import type { Segment } from '../tokenizer.js'

/** A native way of calling tools, as far as it can be seen from outside. */
export interface Baseline {
  readonly name: string
  /** The name for people. */
  readonly title: string
  /** The tools as the request carries them. */
  writeDefinitions(tools: readonly FunctionTool[]): readonly Segment[]
  /** The calls of one message. `idOf` gives the id of each. */
  writeCalls(calls: readonly Call[], idOf: (i: number) => string): readonly Segment[]
  /** Where calls have ids: one that looks as the provider's do. */
  createId?(seed: string): string
}
