import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { compactTools } from '@toolglot/parser'
import { generateText, stepCountIs, tool, wrapLanguageModel } from 'ai'
import { z } from 'zod'

const { BASE_URL = 'https://openrouter.ai/api/v1', API_KEY } = process.env
const { MODEL = 'openai/gpt-4.1-mini' } = process.env
const hosted = createOpenAICompatible({ name: 'hosted', baseURL: BASE_URL, apiKey: API_KEY })

const tools = {
  search_flights: tool({
    description: 'Finds flights.',
    inputSchema: z.object({
      from: z.string(),
      to: z.string(),
      date: z.string(),
      seats: z.number().default(1),
    }),
    execute: async ({ from, to }) => [{ flight: 'TG 204', route: `${from}-${to}`, price: 89 }],
  }),
  book_flight: tool({
    description: 'Books a flight.',
    inputSchema: z.object({ flight: z.string(), passengers: z.array(z.string()) }),
    execute: async ({ flight }) => ({ flight, code: 'K7QX2P' }),
  }),
}

const models = {
  native: hosted(MODEL),
  // `@search_flights from=Rome to=Oslo date=2027-03-01` instead of JSON.
  compact: wrapLanguageModel({
    model: hosted(MODEL),
    middleware: compactTools({ syntax: 'line' }),
  }),
}

for (const [name, model] of Object.entries(models)) {
  const { text, steps, totalUsage } = await generateText({
    model,
    tools,
    prompt: 'Book the cheapest flight from Rome to Oslo on 2027-03-01 for Ada and Grace.',
    stopWhen: stepCountIs(5),
  })
  const calls = steps.flatMap(step => step.toolCalls.map(call => call.toolName))
  console.log(`${name}: ${text}`)
  console.log(`  calls: ${calls.join(', ') || 'none'}`)
  console.log(`  tokens: ${totalUsage.inputTokens} in, ${totalUsage.outputTokens} out`)
}
