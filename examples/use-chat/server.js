import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createToolMiddleware } from '@toolglot/parser'
import { convertToModelMessages, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai'
import { z } from 'zod'

const { BASE_URL = 'http://localhost:8080/v1', MODEL = 'qwen3', API_KEY } = process.env
const PORT = Number(process.env.PORT ?? 3000)
const provider = createOpenAICompatible({ name: 'local', baseURL: BASE_URL, apiKey: API_KEY })
const model = wrapLanguageModel({ model: provider(MODEL), middleware: createToolMiddleware() })

const tools = {
  get_weather: tool({
    description: 'The weather in a city.',
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => ({ city, sky: 'clear', celsius: 21 }),
  }),
}

const server = createServer(async (request, response) => {
  if (request.method === 'POST' && request.url === '/api/chat') await chat(request, response)
  else if (request.url === '/') sendFile(response, 'index.html', 'text/html; charset=utf-8')
  else if (request.url === '/page.js') sendFile(response, 'dist/page.js', 'text/javascript')
  else response.writeHead(404).end()
})
server.listen(PORT, '127.0.0.1', () => console.log(`Open http://localhost:${PORT}`))

/**
 * Streams the answer to the messages of `useChat`.
 *
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function chat(request, response) {
  const { messages } = /** @type {{ messages: import('ai').UIMessage[] }} */ (await json(request))
  const result = streamText({
    model,
    tools,
    messages: await convertToModelMessages(messages),
    stopWhen: stepCountIs(5),
  })
  result.pipeUIMessageStreamToResponse(response)
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {string} path
 * @param {string} type
 */
function sendFile(response, path, type) {
  response.writeHead(200, { 'content-type': type })
  createReadStream(new URL(path, import.meta.url)).pipe(response)
}
