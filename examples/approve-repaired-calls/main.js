import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createToolMiddleware } from '@toolglot/parser'
import { generateText, stepCountIs, tool, wrapLanguageModel } from 'ai'
import { z } from 'zod'
import { askPerson } from './ask-person.js'

const { BASE_URL = 'http://localhost:8080/v1', MODEL = 'qwen3', API_KEY } = process.env
const server = createOpenAICompatible({ name: 'local', baseURL: BASE_URL, apiKey: API_KEY })

// AI SDK 6 does not show the metadata of a call to `needsApproval`, so the repairs are kept by id.
/** @type {Map<string, string[]>} */
const repairsById = new Map()
const middleware = createToolMiddleware({
  onRepair: ({ message }, { toolCallId }) =>
    repairsById.set(toolCallId, [...(repairsById.get(toolCallId) ?? []), message]),
})

const files = new Set(['app.log', 'old.log', 'report.pdf'])

const tools = {
  delete_file: tool({
    description: `Deletes a file. The files are ${[...files].join(', ')}.`,
    inputSchema: z.object({ path: z.string() }),
    needsApproval: (_input, { toolCallId }) => repairsById.has(toolCallId),
    execute: async ({ path }) => (files.delete(path) ? `${path} is deleted` : `no file ${path}`),
  }),
}

/** @type {import('ai').ModelMessage[]} */
const messages = [{ role: 'user', content: 'Delete all log files.' }]

for (;;) {
  const { content, response, text } = await generateText({
    model: wrapLanguageModel({ model: server(MODEL), middleware }),
    tools,
    messages,
    stopWhen: stepCountIs(10),
  })
  messages.push(...response.messages)
  const requests = content.filter(part => part.type === 'tool-approval-request')
  if (requests.length === 0) {
    console.log(text)
    break
  }
  /** @type {import('ai').ToolContent} */
  const answers = []
  for (const { approvalId, toolCall } of requests) {
    const approved = await askPerson(toolCall, repairsById.get(toolCall.toolCallId) ?? [])
    answers.push({ type: 'tool-approval-response', approvalId, approved })
  }
  messages.push({ role: 'tool', content: answers })
}

console.log(`Files: ${[...files].join(', ')}`)
