import type { FunctionTool } from '@toolglot/parser'

/** One call, as an application gets it. */
export interface Call {
  readonly toolName: string
  readonly args: Readonly<Record<string, unknown>>
}

/** One message of a model, with one call or several. */
export interface Case {
  readonly name: string
  /**
   * The property that makes it cheap or expensive: `flat`, `lists`, `nested` or `text`. Other
   * catalogues have their own groups.
   */
  readonly group: string
  readonly calls: readonly Call[]
}

/** Tools and calls of them. */
export interface Catalogue {
  readonly tools: readonly FunctionTool[]
  readonly cases: readonly Case[]
}

/** Returns the groups of a catalogue, in the order of their first case. */
export function groupsOf({ cases }: Catalogue): string[] {
  return [...new Set(cases.map(each => each.group))]
}

/**
 * The notation of cases: `name`, then the calls of the message as tool, arguments, tool, arguments.
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
