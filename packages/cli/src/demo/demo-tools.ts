import type { FunctionTool } from '@toolglot/parser'
import { type ToolSet, tool } from 'ai'
import { z } from 'zod'

/**
 * The tools of the demo. They run, but have no effect outside the process, because a real model may
 * call them too.
 */
export interface DemoTools {
  readonly tools: ToolSet
  /** The same tools as the model gets them. */
  readonly declarations: readonly FunctionTool[]
  /** Contents of the files that write_file wrote, by path. */
  readonly files: ReadonlyMap<string, string>
}

const weather: ReadonlyMap<string, { readonly celsius: number; readonly sky: string }> = new Map([
  ['Kyoto', { celsius: 21, sky: 'clear' }],
  ['Lisbon', { celsius: 17, sky: 'windy' }],
  ['Nairobi', { celsius: 24, sky: 'cloudy' }],
  ['Oslo', { celsius: 4, sky: 'snow' }],
])

const stop = z.object({ city: z.string(), nights: z.int().min(1) })
const inputs = {
  get_weather: z.object({ city: z.string().describe(`One of ${[...weather.keys()].join(', ')}`) }),
  book_trip: z.object({
    trip: z.object({
      traveller: z.string(),
      stops: z.array(stop).min(1).describe('In the order of travel'),
    }),
  }),
  write_file: z.object({
    path: z.string(),
    content: z.string().describe('The whole text of the file'),
  }),
  set_reminder: z.object({ title: z.string(), minutes: z.int().min(1).describe('From now') }),
}
const descriptions = {
  get_weather: 'The weather in a city.',
  book_trip: 'Books a trip of one or more stops.',
  write_file: 'Writes a text file.',
  set_reminder: 'Reminds the user of something.',
}

export function createDemoTools(): DemoTools {
  const files = new Map<string, string>()
  const tools = {
    get_weather: tool({
      description: descriptions.get_weather,
      inputSchema: inputs.get_weather,
      execute: ({ city }) => {
        const report = weather.get(city)
        if (!report)
          throw new Error(
            `There is no weather station in ${city}. The cities are: ${[...weather.keys()].join(', ')}.`,
          )
        return { city, ...report }
      },
    }),
    book_trip: tool({
      description: descriptions.book_trip,
      inputSchema: inputs.book_trip,
      execute: ({ trip: { traveller, stops } }) => ({
        traveller,
        route: stops.map(({ city }) => city).join(' - '),
        total_nights: stops.reduce((sum, { nights }) => sum + nights, 0),
      }),
    }),
    write_file: tool({
      description: descriptions.write_file,
      inputSchema: inputs.write_file,
      execute: ({ path, content }) => {
        files.set(path, content)
        return {
          path,
          line_count: content.trimEnd().split('\n').length,
          char_count: content.length,
        }
      },
    }),
    set_reminder: tool({
      description: descriptions.set_reminder,
      inputSchema: inputs.set_reminder,
      execute: ({ title, minutes }) => ({ title, rings_in_minutes: minutes }),
    }),
  }
  const declare = (name: keyof typeof inputs): FunctionTool => ({
    type: 'function',
    name,
    description: descriptions[name],
    inputSchema: z.toJSONSchema(inputs[name]),
  })
  return {
    tools,
    declarations: [
      declare('get_weather'),
      declare('book_trip'),
      declare('write_file'),
      declare('set_reminder'),
    ],
    files,
  }
}
