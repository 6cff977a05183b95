import type { FunctionTool, ToolCall } from '@toolglot/parser'
import { z } from 'zod'

/** The calls of one answer. */
export type SampleCalls = readonly Pick<ToolCall, 'toolName' | 'input'>[]

/** The strict schemas of the tools: no argument that is not declared, and no other type. */
const inputs = {
  get_weather: z.strictObject({
    location: z.string(),
    units: z.enum(['metric', 'imperial']).optional(),
    days: z.int().optional(),
  }),
  send_money: z.strictObject({
    account: z.string(),
    amount: z.number(),
    memo: z.string().optional(),
    dry_run: z.boolean().optional(),
  }),
  write_file: z.strictObject({ path: z.string(), content: z.string() }),
  book_trip: z.strictObject({
    traveller: z.string(),
    stops: z.array(z.strictObject({ city: z.string(), nights: z.int() })),
    tags: z.array(z.string()).optional(),
    insurance: z.strictObject({ plan: z.string(), excess: z.number() }).optional(),
  }),
  search: z.strictObject({ query: z.string(), sites: z.array(z.string()), limit: z.int() }),
} as const

export const sampleTools: readonly FunctionTool[] = Object.entries(inputs).map(([name, input]) => {
  const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(input, { io: 'input' })
  return { type: 'function', name, inputSchema }
})

/** Tells whether a strict schema accepts the input, so that an application would run the call. */
export function isAccepted(toolName: string, input: unknown): boolean {
  const schema = Object.entries(inputs).find(([name]) => name === toolName)?.[1]
  return schema?.safeParse(input).success === true
}

/** Answers with one call or two. No value occurs twice in an answer, so each can be found in it. */
export const sampleAnswers: readonly SampleCalls[] = [
  [{ toolName: 'get_weather', input: { location: 'New York', units: 'metric', days: 4 } }],
  [
    {
      toolName: 'send_money',
      input: { account: 'DE-8842', amount: 25.5, memo: 'rent for May, flat 7', dry_run: true },
    },
  ],
  [
    {
      toolName: 'write_file',
      input: {
        path: 'src/app.ts',
        content: 'const xs = [1, 2]\nif (xs[0] < 3) {\n  log("ok", `x`)\n}\n',
      },
    },
  ],
  [
    {
      toolName: 'book_trip',
      input: {
        traveller: 'Ada Byron',
        stops: [
          { city: 'Oslo', nights: 2 },
          { city: 'Kyoto', nights: 3 },
        ],
        tags: ['slow', 'by train'],
        insurance: { plan: 'basic', excess: 150 },
      },
    },
  ],
  [
    {
      toolName: 'search',
      input: { query: 'who said "less is more"?', sites: ['a.example', 'b.example'], limit: 9 },
    },
  ],
  [
    { toolName: 'get_weather', input: { location: 'Lima' } },
    { toolName: 'send_money', input: { account: 'FR-11', amount: 8 } },
  ],
]
