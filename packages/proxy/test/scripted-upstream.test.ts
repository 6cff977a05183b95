import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type ProxyServer, startProxyServer } from './support/proxy-server.js'
import { manners } from './support/scripted-manners.js'
import {
  type ScriptedUpstream,
  startScriptedUpstream,
  weatherAnswer,
  weatherArgs,
  weatherTool,
} from './support/scripted-upstream.js'

const completion = z.object({
  choices: z.tuple([
    z.object({
      message: z.object({
        content: z.string().nullable(),
        reasoning_content: z.string().optional(),
        tool_calls: z
          .array(
            z.object({
              id: z.string(),
              function: z.object({ name: z.string(), arguments: z.string() }),
            }),
          )
          .optional(),
      }),
      finish_reason: z.string(),
    }),
  ]),
})

const servers: (ScriptedUpstream | ProxyServer)[] = []
afterEach(async () => {
  for (const server of servers.splice(0).reverse()) await server.close()
})

const { name, description, inputSchema } = weatherTool
const tools = [{ type: 'function', function: { name, description, parameters: inputSchema } }]

async function ask(url: string, model: string, messages: readonly unknown[]) {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages, tools }),
  })
  return completion.parse(await response.json()).choices[0]
}

describe('the scripted upstream, seen through the proxy', () => {
  for (const mode of ['prompt', 'rescue'] as const) {
    for (const manner of manners) {
      for (const protocol of ['hermes', 'mistral', 'qwen3_coder']) {
        it(`plays ${manner} in ${protocol}, in ${mode} mode`, async () => {
          const upstream = await startScriptedUpstream()
          servers.push(upstream)
          const proxy = await startProxyServer(upstream.baseUrl, {
            rule: { mode, protocol, reasoning: true },
          })
          servers.push(proxy)
          const model = `${manner}-${protocol}`
          const question = { role: 'user', content: 'How is the weather in Berlin?' }
          const first = await ask(proxy.baseUrl, model, [question])
          if (manner === 'plain') {
            expect(first.message.tool_calls).toBeUndefined()
            expect(first.finish_reason).toBe('stop')
            return
          }
          expect(
            first.message.tool_calls?.map(call => [
              call.function.name,
              JSON.parse(call.function.arguments),
            ]),
          ).toEqual([['get_weather', weatherArgs]])
          expect(first.finish_reason).toBe('tool_calls')
          const [call] = first.message.tool_calls ?? []
          const result = { role: 'tool', tool_call_id: call?.id, content: '21 °C, sunny' }
          const second = await ask(proxy.baseUrl, model, [
            question,
            { role: 'assistant', ...first.message },
            result,
          ])
          expect(second.message.content).toContain(weatherAnswer)
          expect(second.message.tool_calls).toBeUndefined()
          expect(upstream.requests).toHaveLength(2)
        })
      }
    }
  }
})
