import type { FunctionTool } from '@toolglot/parser'
import { jsonSchema, type ToolSet, tool } from 'ai'
import type { LiveTool } from './task.js'

/**
 * Returns the tools in the form of the SDK. Arguments that the schema does not allow become invalid
 * calls.
 */
export function createToolSet(tools: readonly LiveTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema, findProblem, execute }) => [
      name,
      tool({
        ...(description ? { description } : {}),
        // A copy through JSON, because the types of the two libraries differ.
        inputSchema: jsonSchema<unknown>(JSON.parse(JSON.stringify(inputSchema)), {
          validate: value => {
            const problem = findProblem?.(value)
            return problem === undefined
              ? { success: true, value }
              : { success: false, error: new Error(problem) }
          },
        }),
        execute: (input: unknown) => execute(input),
      }),
    ]),
  )
}

/** Returns the tools in the form of a protocol. */
export function declareTools(tools: readonly LiveTool[]): FunctionTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    name,
    ...(description ? { description } : {}),
    inputSchema,
  }))
}
