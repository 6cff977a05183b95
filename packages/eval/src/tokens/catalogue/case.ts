import type { FunctionTool } from '@toolglot/parser'

/** One call as an application gets it. */
export interface Call {
  readonly toolName: string
  readonly args: Readonly<Record<string, unknown>>
}

/** One message of a model: one call, or several at once. */
export interface Case {
  readonly name: string
  /**
   * What makes it cheap or dear: `flat`, `lists`, `nested` or `text`; other catalogues have their
   * own.
   */
  readonly group: string
  readonly calls: readonly Call[]
}

/** Tools, and calls of them. */
export interface Catalogue {
  readonly tools: readonly FunctionTool[]
  readonly cases: readonly Case[]
}

/** The groups of a catalogue, in the order in which they first occur. */
export function groupsOf({ cases }: Catalogue): string[] {
  return [...new Set(cases.map(each => each.group))]
}

/**
 * How cases are written down: `name`, then the calls of the message as tool and arguments in turn.
 */
export type CaseWriter = (
  name: string,
  ...calls: readonly (readonly [toolName: string, args: Call['args']])[]
) => Case

export function writeCasesOf(group: string): CaseWriter {
  return (name, ...calls) => ({
    name,
    group,
    calls: calls.map(([toolName, args]) => ({ toolName, args })),
  })
}
