import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProxyServer } from './support/proxy-server.js'
import {
  type ScriptedUpstream,
  startScriptedUpstream,
  weatherTool,
} from './support/scripted-upstream.js'

const json = '{"sky": "clear"}'
const text = `Here it is:\n\`\`\`json\n${json}\n\`\`\`\n`

let upstream: ScriptedUpstream
beforeAll(async () => {
  upstream = await startScriptedUpstream({ play: () => ({ text, toolCalls: [] }) })
})
afterAll(() => upstream.close())

/** Asks for an answer, whole or streamed, and returns its text. */
async function ask(stream: boolean, more: object): Promise<string> {
  const proxy = await startProxyServer(upstream.baseUrl, { rule: { protocol: 'hermes' } })
  const { name, description, inputSchema: parameters } = weatherTool
  const response = await fetch(`${proxy.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'plain',
      stream,
      messages: [{ role: 'user', content: 'How is it?' }],
      tools: [{ type: 'function', function: { name, description, parameters } }],
      ...more,
    }),
  })
  const body = await response.text()
  await proxy.close()
  if (!stream) return JSON.parse(body).choices[0].message.content
  const events = [...body.matchAll(/^data: (\{.*)$/gm)].map(([, event = '']) => JSON.parse(event))
  return events.map(event => event.choices[0]?.delta.content ?? '').join('')
}

describe.each([false, true])('an answer through the proxy, stream: %s', stream => {
  it('is the JSON in the fence if the client wants JSON', async () => {
    expect(await ask(stream, { response_format: { type: 'json_object' } })).toBe(json)
  })

  it('is unchanged otherwise', async () => {
    expect(await ask(stream, {})).toBe(text)
  })
})
