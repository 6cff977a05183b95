import { z } from 'zod'
import type { LiveTool } from './task.js'

export interface ToolDefinition<Input> {
  readonly name: string
  readonly description: string
  readonly input: z.ZodType<Input>
  readonly execute: (input: Input) => unknown
}

export function defineTool<Input>({
  name,
  description,
  input,
  execute,
}: ToolDefinition<Input>): LiveTool {
  // The input side of the schema: a parameter with a default is not required.
  const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(input, { io: 'input' })
  return {
    name,
    description,
    inputSchema,
    findProblem(value) {
      const result = input.safeParse(value)
      return result.success ? undefined : z.prettifyError(result.error)
    },
    execute: value => execute(input.parse(value)),
  }
}
