import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createToolMiddleware } from '@toolglot/parser'
import { stepCountIs, streamText, tool, wrapLanguageModel } from 'ai'
import { z } from 'zod'

const { BASE_URL = 'http://localhost:8080/v1', MODEL = 'qwen3', API_KEY } = process.env
const server = createOpenAICompatible({ name: 'local', baseURL: BASE_URL, apiKey: API_KEY })

/** @type {Record<string, string>} */
const notes = {
  'monday.md': 'Buy bread. Call the bank.',
  'tuesday.md': 'Lunch with Ada at 12:30, Café Central.',
}

const result = streamText({
  // This line is all that a model without tool calling needs.
  model: wrapLanguageModel({ model: server(MODEL), middleware: createToolMiddleware() }),
  tools: {
    list_notes: tool({
      description: 'Lists the names of all notes.',
      inputSchema: z.object({}),
      execute: async () => Object.keys(notes),
    }),
    read_note: tool({
      description: 'Reads a note.',
      inputSchema: z.object({ name: z.string().describe('Its name, such as monday.md.') }),
      execute: async ({ name }) => notes[name] ?? `There is no note ${name}.`,
    }),
  },
  prompt: 'Where and when do I meet Ada? Look it up in my notes.',
  // Each answer with a call is one step, and so is the last answer.
  stopWhen: stepCountIs(10),
})

for await (const part of result.fullStream) {
  if (part.type === 'text-delta') process.stdout.write(part.text)
  if (part.type === 'tool-call') console.log(`\n> ${part.toolName} ${JSON.stringify(part.input)}`)
  if (part.type === 'tool-result') console.log(`< ${JSON.stringify(part.output)}`)
  if (part.type === 'tool-error') console.log(`< ${part.error}`)
  if (part.type === 'error') throw part.error
}
console.log()
