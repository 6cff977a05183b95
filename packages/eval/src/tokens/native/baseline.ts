import type { FunctionTool } from '@toolglot/parser'
import type { Call } from '../catalogue/case.js'
import type { Segment } from '../tokenizer.js'

/** A native format of tool calls, as far as it is public. */
export interface Baseline {
  readonly name: string
  /** The name in tables. */
  readonly title: string
  /** Returns the tools as the request contains them. */
  writeDefinitions(tools: readonly FunctionTool[]): readonly Segment[]
  /** Returns the calls of one message; with `idOf`, each has its id. */
  writeCalls(calls: readonly Call[], idOf?: (i: number) => string): readonly Segment[]
  /** Returns an id like the provider's. Absent if calls have no ids. */
  createId?(seed: string): string
}
