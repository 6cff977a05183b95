import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createToolMiddleware } from '@toolglot/parser'
import { stepCountIs, streamText, tool, wrapLanguageModel } from 'ai'
import { z } from 'zod'
import { dollarProtocol } from './dollar-protocol.js'

const { BASE_URL = 'http://localhost:8080/v1', MODEL = 'qwen3', API_KEY } = process.env
const server = createOpenAICompatible({ name: 'local', baseURL: BASE_URL, apiKey: API_KEY })

const result = streamText({
  model: wrapLanguageModel({
    model: server(MODEL),
    middleware: createToolMiddleware({ protocol: dollarProtocol }),
  }),
  tools: {
    roll_dice: tool({
      description: 'Rolls dice and returns the sum.',
      inputSchema: z.object({ count: z.number(), sides: z.number().default(6) }),
      execute: async ({ count, sides }) => {
        const roll = () => 1 + Math.floor(Math.random() * sides)
        return Array.from({ length: count }, roll).reduce((sum, each) => sum + each, 0)
      },
    }),
  },
  prompt: 'Roll three dice with eight sides.',
  stopWhen: stepCountIs(5),
})

for await (const part of result.fullStream) {
  if (part.type === 'text-delta') process.stdout.write(part.text)
  if (part.type === 'tool-call') console.log(`\n> ${part.toolName} ${JSON.stringify(part.input)}`)
  if (part.type === 'tool-result') console.log(`< ${JSON.stringify(part.output)}`)
  if (part.type === 'error') throw part.error
}
console.log()
