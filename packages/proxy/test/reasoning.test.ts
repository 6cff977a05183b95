import type { ModelRule } from '@toolglot/proxy'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isRecord } from '../src/is-record.js'
import { type ProxyServer, startProxyServer } from './support/proxy-server.js'
import { type ScriptedUpstream, startScriptedUpstream } from './support/scripted-upstream.js'

const long = 'I weigh what the user may want to know about the weather in that city. '.repeat(3)
const answers: Readonly<Record<string, string>> = {
  opened: `${long}</think>\n\nIt is sunny.`,
  'opened-short': 'Hm.</think>\n\nIt is sunny.',
}

let upstream: ScriptedUpstream

beforeAll(async () => {
  upstream = await startScriptedUpstream({
    play: ({ model, messages }) => {
      const asked = String(messages.at(-1)?.content)
      const text = answers[asked] ?? `<think>\n${long}\n</think>\n\nIt is sunny in ${model}.`
      return { text, toolCalls: [] }
    },
  })
})
afterAll(() => upstream.close())

const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]

/** Text and reasoning of an answer in each of the three APIs. */
async function ask(
  proxy: ProxyServer,
  path: string,
  body: object,
): Promise<{ readonly text: string; readonly reasoning: string }> {
  const response = await fetch(proxy.baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', max_tokens: 99, ...body }),
  })
  const answer: unknown = await response.json()
  if (!isRecord(answer)) throw new Error('The answer is no object.')
  const texts = collect(answer)
  return { text: texts.text.trim(), reasoning: texts.reasoning.trim() }
}

/** Collects the texts of an answer, by the fields and types of the three APIs. */
function collect(answer: Readonly<Record<string, unknown>>) {
  const found = { text: '', reasoning: '' }
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isRecord(value)) return
    if (value.role === 'assistant' && typeof value.content === 'string') found.text += value.content
    if (typeof value.reasoning_content === 'string') found.reasoning += value.reasoning_content
    const isText = value.type === 'text' || value.type === 'output_text'
    if (isText && typeof value.text === 'string') found.text += value.text
    if (value.type === 'reasoning_text' && typeof value.text === 'string')
      found.reasoning += value.text
    if (value.type === 'thinking') found.reasoning += String(value.thinking)
    for (const key of ['choices', 'message', 'output', 'content']) visit(value[key])
  }
  visit(answer)
  return found
}

const apis = [
  ['/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }],
  ['/chat/completions', { messages: [{ role: 'user', content: 'Hi' }], tools }],
  ['/responses', { input: 'Hi' }],
  ['/messages', { messages: [{ role: 'user', content: 'Hi' }] }],
] as const

async function withProxy<Value>(
  rule: Partial<ModelRule>,
  use: (proxy: ProxyServer) => Promise<Value>,
): Promise<Value> {
  const proxy = await startProxyServer(upstream.baseUrl, { rule })
  try {
    return await use(proxy)
  } finally {
    await proxy.close()
  }
}

describe('<think> of a model', () => {
  let proxy: ProxyServer
  beforeAll(async () => {
    proxy = await startProxyServer(upstream.baseUrl)
  })
  afterAll(() => proxy.close())

  it.each(apis)('that is known to think is not in the text of %s', async (path, body) => {
    const { text, reasoning } = await ask(proxy, path, { ...body, model: 'qwen3' })
    expect(text).toBe('It is sunny in qwen3.')
    // The API of Anthropic shows it only to a client that asks.
    expect(reasoning).toBe(path === '/messages' ? '' : long.trim())
  })

  it.each(apis)('of another one stays in the text of %s', async (path, body) => {
    const { text, reasoning } = await ask(proxy, path, body)
    expect(text).toMatch(/^<think>[\s\S]*<\/think>\s+It is sunny in m\.$/)
    expect(reasoning).toBe('')
  })

  it.each([
    ['/chat/completions', { reasoning_effort: 'high' }],
    ['/chat/completions', { thinking: { type: 'enabled' } }],
    ['/chat/completions', { enable_thinking: true }],
    ['/chat/completions', { chat_template_kwargs: { enable_thinking: true } }],
    ['/chat/completions', { reasoning: { effort: 'low' } }],
    ['/responses', { reasoning: { effort: 'minimal' } }],
    ['/responses', { reasoning: { summary: 'auto' } }],
    ['/messages', { thinking: { type: 'enabled', budget_tokens: 2000 } }],
    ['/messages', { thinking: { type: 'adaptive' } }],
  ])('is reasoning where the client of %s says %j', async (path, fields) => {
    const body = { messages: [{ role: 'user', content: 'Hi' }], input: 'Hi' }
    const answer = await ask(proxy, path, { ...body, ...fields })
    expect(answer).toEqual({ text: 'It is sunny in m.', reasoning: long.trim() })
    // The same model, asked without: nothing of the last request is left.
    expect((await ask(proxy, path, body)).text).toContain('<think>')
  })

  it.each([
    ['/chat/completions', { reasoning_effort: 'none' }],
    ['/chat/completions', { chat_template_kwargs: { enable_thinking: false } }],
    ['/responses', { reasoning: { effort: 'none', summary: 'auto' } }],
    ['/messages', { thinking: { type: 'disabled' } }],
  ])('stays in the text where the client of %s says %j', async (path, fields) => {
    const body = { messages: [{ role: 'user', content: 'Hi' }], input: 'Hi' }
    expect((await ask(proxy, path, { ...body, ...fields })).text).toContain('<think>')
  })
})

describe('the rule of a model', () => {
  const messages = [{ role: 'user', content: 'Hi' }]

  it('wins with reasoning: false', async () => {
    const { text } = await withProxy({ reasoning: false }, proxy =>
      ask(proxy, '/chat/completions', { messages, model: 'qwen3', reasoning_effort: 'high' }),
    )
    expect(text).toContain('<think>')
  })

  it('wins with reasoning: true', async () => {
    const { text } = await withProxy({ reasoning: true }, proxy =>
      ask(proxy, '/chat/completions', { messages }),
    )
    expect(text).toBe('It is sunny in m.')
  })

  it('names the model on the server, which may be the one that is known to think', async () => {
    const { text } = await withProxy({ model: 'org/qwen3-8b' }, proxy =>
      ask(proxy, '/chat/completions', { messages, model: 'fast' }),
    )
    expect(text).toBe('It is sunny in org/qwen3-8b.')
  })
})

describe('reasoning that the template has opened', () => {
  const asked = (content: string) => ({ messages: [{ role: 'user', content }], model: 'qwen3' })
  let proxy: ProxyServer
  beforeAll(async () => {
    proxy = await startProxyServer(upstream.baseUrl)
  })
  afterAll(() => proxy.close())
  beforeEach(() => proxy.forget())

  it('is reported where its end shows that startWithReasoning is missing', async () => {
    await ask(proxy, '/chat/completions', asked('opened'))
    expect(proxy.records).toMatchObject([
      {
        warnings: [
          expect.stringMatching(/<\/think> without a <think>.*startWithReasoning: true.*"qwen3"/),
        ],
      },
    ])
  })

  it('is not reported where the parser recognizes it', async () => {
    const answer = await ask(proxy, '/chat/completions', asked('opened-short'))
    expect(answer).toEqual({ text: 'It is sunny.', reasoning: 'Hm.' })
    expect(proxy.records[0]?.warnings).toBeUndefined()
  })

  it('is not reported where the answer opens it', async () => {
    await ask(proxy, '/chat/completions', asked('Hi'))
    expect(proxy.records).toMatchObject([{ status: 200 }])
    expect(proxy.records[0]?.warnings).toBeUndefined()
  })

  it('is reasoning with startWithReasoning, which needs no reasoning: true', async () => {
    await withProxy({ startWithReasoning: true }, async own => {
      const answer = await ask(own, '/chat/completions', { ...asked('opened'), model: 'm' })
      expect(answer).toEqual({ text: 'It is sunny.', reasoning: long.trim() })
      expect(own.records[0]?.warnings).toBeUndefined()
    })
  })
})
