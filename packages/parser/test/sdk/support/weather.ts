import type { FunctionTool, ToolCallProtocol } from '@toolglot/parser'
import { z } from 'zod'
import type { Data } from './sdk-versions.js'

/** The tool of most tests: a string, a number, a boolean and a list, so that types matter. */

export interface Forecast {
  readonly city: string
  readonly days: number
  readonly hourly: boolean
  readonly tags: readonly string[]
}

export const paris: Forecast = { city: 'Paris', days: 3, hourly: true, tags: ['rain', 'wind'] }
export const oslo: Forecast = { city: 'Oslo <north>', days: 12, hourly: false, tags: ['snow'] }

/** The tool as a model is told of it. */
export const weatherTool: FunctionTool = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather of the next days.',
  inputSchema: {
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { type: 'number' },
      hourly: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['city'],
    additionalProperties: false,
  },
}

/** The tool as an application has it; it keeps what it was called with. */
export function createWeatherTools(): { tools: Data; executed: Data[] } {
  const executed: Data[] = []
  const tools = {
    get_weather: {
      description: 'The weather of the next days.',
      inputSchema: z.object({
        city: z.string(),
        days: z.number(),
        hourly: z.boolean(),
        tags: z.array(z.string()),
      }),
      execute: async (input: Data) => {
        executed.push(input)
        return { sky: `clear over ${String(input.city)}` }
      },
    },
  }
  return { tools, executed }
}

/** A call as a model of this protocol writes it. */
export function writeCall(
  protocol: ToolCallProtocol,
  input: unknown,
  toolName = 'get_weather',
): string {
  return protocol.formatToolCall({ toolCallId: 'x', toolName, input }, { tools: [weatherTool] })
}
