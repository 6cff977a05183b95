import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ProxyServer, startProxyServer } from './support/proxy-server.js'
import {
  type ScriptedUpstream,
  sendJson,
  startScriptedUpstream,
} from './support/scripted-upstream.js'
import { refuseAsAll } from './support/strict-server.js'

let upstream: ScriptedUpstream
let proxy: ProxyServer
let verbatim: ProxyServer

beforeAll(async () => {
  upstream = await startScriptedUpstream({
    intercept({ body }, response) {
      const refusal = body && refuseAsAll(body)
      if (refusal === undefined) return false
      sendJson(response, 400, { error: { message: refusal, type: 'invalid_request_error' } })
      return true
    },
  })
  proxy = await startProxyServer(upstream.baseUrl)
  verbatim = await startProxyServer(upstream.baseUrl, { rule: { messages: 'verbatim' } })
})
afterAll(async () => {
  await Promise.all([proxy.close(), verbatim.close(), upstream.close()])
})
beforeEach(() => upstream.forget())

async function ask(path: string, body: object, { origin } = proxy) {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'plain', ...body }),
  })
  return { status: response.status, text: await response.text() }
}

const schema = { type: 'object', properties: { city: { type: 'string' } } }
const image = { type: 'image_url', image_url: { url: 'https://x.test/a.png', detail: 'low' } }
const seen = () => upstream.requests.at(-1)?.body

describe('strict servers accept', () => {
  const vendor = {
    client_metadata: { installation: 'x' },
    metadata: { a: 'b' },
    store: false,
    prompt_cache_key: 'k',
    service_tier: 'auto',
    safety_identifier: 's',
  }
  const others = { top_k: 20, min_p: 0.1, chat_template_kwargs: { enable_thinking: false } }
  const call = { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{}' } }
  const history = [
    { role: 'system', content: 'One.' },
    { role: 'developer', content: 'Two.' },
    { role: 'user', content: 'Three.' },
    { role: 'user', content: [{ type: 'text', text: 'Four.' }, image] },
    { role: 'assistant', content: 'Five.', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'Six.' },
    { role: 'system', content: 'Seven.' },
    { role: 'user', content: 'Eight.' },
    { role: 'assistant', content: 'Nine.' },
    { role: 'assistant', content: 'Ten.' },
    { role: 'user', content: 'Eleven.' },
  ]
  const tools = [{ type: 'function', function: { name: 'get_weather', parameters: schema } }]
  const roles = ['system', 'user', 'assistant', 'user', 'assistant', 'user']

  it.each([
    ['with tools', { tools }],
    ['without tools', {}],
  ])('a chat completion %s', async (_, more) => {
    const { status, text } = await ask('/v1/chat/completions', {
      ...{ ...vendor, ...others, ...more },
      messages: history,
    })
    expect({ status, text }).toMatchObject({ status: 200 })
    expect(seen()).toMatchObject(others)
    expect(seen()?.messages.map(({ role }) => role)).toEqual(roles)
    const [first, asked, , results, said] = seen()?.messages ?? []
    expect(first?.content).toContain('One.\n\nTwo.')
    expect(asked?.content).toMatchObject([
      { type: 'text', text: 'Three.\n\nFour.' },
      { type: 'image_url', image_url: { url: 'https://x.test/a.png' } },
    ])
    expect(results?.content).toMatch(/Six\.[\s\S]*Seven\.\n\nEight\./)
    expect(said?.content).toBe('Nine.\n\nTen.')
  })

  it('a response, as Codex asks for one', async () => {
    const { status, text } = await ask('/v1/responses', {
      ...vendor,
      top_k: 20,
      include: ['reasoning.encrypted_content'],
      reasoning: { summary: 'auto', effort: 'low' },
      input: [
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'One.' }] },
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Two.' }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Three.' }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Four.' }] },
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Five.' }] },
      ],
      tools: [{ type: 'function', name: 'get_weather', parameters: schema }],
    })
    expect({ status, text }).toMatchObject({ status: 200 })
    expect(seen()).toMatchObject({ top_k: 20, reasoning_effort: 'low' })
    expect(seen()?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(seen()?.messages[1]?.content).toBe('Three.\n\nFour.\n\nFive.')
  })

  it('a message of the API of Anthropic that begins with the assistant', async () => {
    const { status, text } = await ask('/v1/messages', {
      ...{ metadata: { user_id: 'u' }, service_tier: 'auto', top_k: 20, max_tokens: 9 },
      system: 'One.',
      messages: [
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: 'Hi.' },
      ],
      tools: [{ name: 'get_weather', input_schema: schema }],
    })
    expect({ status, text }).toMatchObject({ status: 200 })
    expect(seen()).toMatchObject({ top_k: 20, user: 'u' })
    expect(seen()?.messages.slice(1)).toEqual([
      { role: 'user', content: '[The conversation begins with the assistant.]' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'Hi.' },
    ])
  })
})

describe('with messages: verbatim', () => {
  const messages = [
    { role: 'user', content: 'a' },
    { role: 'developer', content: 'b' },
  ]

  it('a server gets what the client sent, and may refuse it', async () => {
    const body = { messages, store: false }
    expect(await ask('/v1/chat/completions', body, verbatim)).toMatchObject({ status: 400 })
    expect(seen()?.messages).toEqual(messages)
    expect(seen()?.store).toBe(false)
  })

  it('what the rule strips is stripped all the same', async () => {
    const strict = await startProxyServer(upstream.baseUrl, {
      rule: { messages: 'verbatim', strip: ['store'] },
    })
    await ask('/v1/chat/completions', { messages, store: false }, strict)
    expect(seen()?.store).toBeUndefined()
    await strict.close()
  })
})
