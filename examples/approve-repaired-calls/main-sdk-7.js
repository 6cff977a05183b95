import { createToolMiddleware } from '@toolglot/parser'
// AI SDK 7 has another name here, so that both versions fit into one package.json. In yours it is `ai`.
import { generateText, stepCountIs, tool, wrapLanguageModel } from 'ai-v7'
import { createOpenAICompatible } from 'openai-compatible-v3'
import { z } from 'zod'
import { askPerson } from './ask-person.js'

const { BASE_URL = 'http://localhost:8080/v1', MODEL = 'qwen3', API_KEY } = process.env
const server = createOpenAICompatible({ name: 'local', baseURL: BASE_URL, apiKey: API_KEY })

const files = new Set(['app.log', 'old.log', 'report.pdf'])

const tools = {
  delete_file: tool({
    description: `Deletes a file. The files are ${[...files].join(', ')}.`,
    inputSchema: z.object({ path: z.string() }),
    execute: async ({ path }) => (files.delete(path) ? `${path} is deleted` : `no file ${path}`),
  }),
}

/**
 * The codes of the repairs of a call: `extra-comma`.
 *
 * @param {{ providerMetadata?: Record<string, Record<string, unknown>> }} toolCall
 */
function repairsOf({ providerMetadata }) {
  const repairs = providerMetadata?.toolglot?.repairs
  return Array.isArray(repairs) ? repairs.map(({ code }) => String(code)) : []
}

/** @type {import('ai-v7').ModelMessage[]} */
const messages = [{ role: 'user', content: 'Delete all log files.' }]

for (;;) {
  const { content, response, text } = await generateText({
    model: wrapLanguageModel({ model: server(MODEL), middleware: createToolMiddleware() }),
    tools,
    messages,
    stopWhen: stepCountIs(10),
    toolApproval: ({ toolCall }) => (repairsOf(toolCall).length > 0 ? 'user-approval' : undefined),
  })
  messages.push(...response.messages)
  const requests = content.filter(part => part.type === 'tool-approval-request')
  if (requests.length === 0) {
    console.log(text)
    break
  }
  /** @type {import('ai-v7').ToolContent} */
  const answers = []
  for (const { approvalId, toolCall } of requests) {
    const approved = await askPerson(toolCall, repairsOf(toolCall))
    answers.push({ type: 'tool-approval-response', approvalId, approved })
  }
  messages.push({ role: 'tool', content: answers })
}

console.log(`Files: ${[...files].join(', ')}`)
