import type { Tolerance } from '@toolglot/parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProxyServer } from './support/proxy-server.js'
import {
  type ScriptedUpstream,
  startScriptedUpstream,
  weatherTool,
} from './support/scripted-upstream.js'

/** `"a "b" c"`: the quotes are not escaped, and the first one closes. */
const doubtful =
  '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"s "old town"", "days": 2}}</tool_call>'
const meant = { city: 'Oslo"s "old town"', days: 2 }

let upstream: ScriptedUpstream
beforeAll(async () => {
  upstream = await startScriptedUpstream({ play: () => ({ text: doubtful, toolCalls: [] }) })
})
afterAll(() => upstream.close())

async function ask(tolerance: Tolerance | undefined) {
  const proxy = await startProxyServer(upstream.baseUrl, {
    rule: { protocol: 'hermes', tolerance },
  })
  const { name, description, inputSchema: parameters } = weatherTool
  const response = await fetch(`${proxy.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'plain',
      messages: [{ role: 'user', content: 'How is it?' }],
      tools: [{ type: 'function', function: { name, description, parameters } }],
    }),
  })
  const answer = await response.json()
  await proxy.close()
  return answer.choices[0].message.tool_calls[0].function
}

describe('a doubtful call through the proxy', () => {
  it.each([undefined, 'safe', 'exact'] as const)('has no JSON with %s', async tolerance => {
    const { name, arguments: input } = await ask(tolerance)
    expect(name).toBe('get_weather')
    expect(() => JSON.parse(input)).toThrow()
    expect(input).toContain('old town')
  })

  it('is a call with eager', async () => {
    const { arguments: input } = await ask('eager')
    expect(JSON.parse(input)).toEqual(meant)
  })
})
