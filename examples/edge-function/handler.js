import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createFormatMiddleware, hermes } from '@toolglot/parser/formats'
import { stepCountIs, streamText, tool, wrapLanguageModel } from 'ai'
import { z } from 'zod'

const tools = {
  get_time: tool({
    description: 'The time in a time zone.',
    inputSchema: z.object({ timeZone: z.string().describe('Such as Europe/Paris.') }),
    execute: async ({ timeZone }) => new Date().toLocaleTimeString('en-GB', { timeZone }),
  }),
}

export default {
  /**
   * Streams the answer to the question in the body of a POST, as text.
   *
   * @param {Request} request
   * @param {{ BASE_URL?: string, MODEL?: string, API_KEY?: string }} [env] What Cloudflare passes.
   * Other runtimes have it in `process.env`, and pass something else or nothing.
   */
  async fetch(request, env) {
    if (request.method !== 'POST') return new Response('POST a question.\n', { status: 405 })
    const settings = { ...globalThis.process?.env, ...env }
    const { BASE_URL = 'http://localhost:8080/v1', MODEL = 'qwen3', API_KEY } = settings
    const provider = createOpenAICompatible({ name: 'edge', baseURL: BASE_URL, apiKey: API_KEY })
    const result = streamText({
      model: wrapLanguageModel({
        model: provider(MODEL),
        // Only the formats that are imported become part of the bundle.
        middleware: createFormatMiddleware([hermes]),
      }),
      tools,
      prompt: await request.text(),
      stopWhen: stepCountIs(5),
      abortSignal: request.signal,
    })
    return result.toTextStreamResponse()
  },
}
