import type { FunctionTool } from '@toolglot/parser'
import { jsonSchema, type ToolSet, tool } from 'ai'
import type { LiveTool } from './task.js'

/**
 * The tools as the SDK wants them. Arguments that the schema does not allow become invalid calls,
 * whoever wrote them.
 */
export function createToolSet(tools: readonly LiveTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema, findProblem, execute }) => [
      name,
      tool({
        ...(description ? { description } : {}),
        // A copy by way of JSON, which has no type that could be in the way.
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

/** The same as a protocol is given them. */
export function declareTools(tools: readonly LiveTool[]): FunctionTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    name,
    ...(description ? { description } : {}),
    inputSchema,
  }))
}
