import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { isRecord } from '../src/is-record.js'
import { type ProxyServer, startProxyServer } from './support/proxy-server.js'
import {
  type ScriptedUpstream,
  sendJson,
  startScriptedUpstream,
} from './support/scripted-upstream.js'

const logprobs = { content: [{ token: 'Hi', logprob: -0.1, bytes: null, top_logprobs: [] }] }
const choice = (index: number) => ({
  index,
  message: { role: 'assistant', content: `<think>hm</think>${index}`, refusal: null },
  logprobs,
  finish_reason: 'stop',
})
const whole = {
  ...{ id: 'cmpl-1', object: 'chat.completion', created: 1, model: 'its-own-id' },
  choices: [choice(0), choice(1)],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
}
const piece = { id: 'cmpl-1', object: 'chat.completion.chunk', created: 1, model: 'its-own-id' }
const chunks = [
  ...[0, 1].map(index => ({
    ...piece,
    choices: [
      { index, delta: { role: 'assistant', content: '<think>' }, logprobs, finish_reason: null },
    ],
  })),
  ...[0, 1].map(index => ({ ...piece, choices: [{ index, delta: {}, finish_reason: 'stop' }] })),
  { ...piece, choices: [], usage: whole.usage },
]

let upstream: ScriptedUpstream
let proxy: ProxyServer

beforeAll(async () => {
  upstream = await startScriptedUpstream({
    intercept({ body }, response) {
      if (body?.model === 'leak') {
        const leak = { choices: [{ index: 0, delta: {}, message: {}, finish_reason: 'stop' }] }
        const json = JSON.stringify({ ...leak, system_fingerprint: `key ${whole.model}` })
        const type = body.stream ? 'text/event-stream' : 'application/json'
        response.writeHead(200, { 'content-type': type })
        response.end(body.stream ? `data: ${json}\n\ndata: [DONE]\n\n` : json)
        return true
      }
      if (body?.model !== 'raw') return false
      if (!body.stream) sendJson(response, 200, whole)
      else {
        const events = chunks.map(chunk => `data: ${JSON.stringify(chunk)}\n\n`).join('')
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(`${events}data: [DONE]\n\n`)
      }
      return true
    },
  })
  proxy = await startProxyServer(upstream.baseUrl)
})
afterAll(async () => {
  await Promise.all([proxy.close(), upstream.close()])
})
beforeEach(() => upstream.forget())

async function ask(body: object) {
  const response = await fetch(`${proxy.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'plain', messages: [{ role: 'user', content: 'Hi' }], ...body }),
  })
  const text = await response.text()
  const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream')
  const value: unknown = isEvents ? undefined : JSON.parse(text)
  return { status: response.status, text, value: isRecord(value) ? value : {} }
}

const seen = () => upstream.requests.at(-1)?.body
const image = { type: 'image_url', image_url: { url: 'https://x.test/a.png', detail: 'low' } }
const video = { type: 'video_url', video_url: { url: 'https://x.test/a.mp4' } }
const parameters = { type: 'object', properties: {} }
const tools = ['get_weather', 'get_time'].map(name => ({
  type: 'function',
  function: { name, parameters },
}))

describe('a chat without tools', () => {
  it('keeps all fields of its messages', async () => {
    const messages = [
      { role: 'user', name: 'Ann', content: [{ type: 'text', text: 'Hi' }, image, video] },
      { role: 'assistant', content: 'Hello', refusal: null },
      { role: 'user', content: 'And?' },
    ]
    expect(await ask({ messages })).toMatchObject({ status: 200 })
    expect(seen()?.messages).toEqual(messages)
  })

  it('keeps all other fields', async () => {
    const fields = {
      n: 1,
      logit_bias: { 5: 1 },
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'x', schema: {}, strict: false },
      },
      reasoning_effort: 'high',
      user: 'Ann',
      stop: ['END'],
      max_completion_tokens: 9,
    }
    expect(await ask(fields)).toMatchObject({ status: 200 })
    const { max_completion_tokens, ...others } = fields
    expect(seen()).toMatchObject({ ...others, max_tokens: max_completion_tokens })
  })

  it('still shows old calls and results as text', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'get_time', arguments: '{}' } }
    const messages = [
      { role: 'user', content: 'When?' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'noon' },
    ]
    await ask({ messages })
    expect(seen()?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(seen()?.messages[1]?.content).toContain('get_time')
    expect(seen()?.messages[2]?.content).toContain('noon')
  })

  it('gets several whole answers with their probabilities as the server wrote them', async () => {
    const { value } = await ask({ model: 'raw', n: 2, logprobs: true, top_logprobs: 0 })
    expect(value).toEqual({ ...whole, model: 'raw' })
    expect(seen()).toMatchObject({ n: 2, logprobs: true, top_logprobs: 0 })
  })

  it.each([
    ['with the usage', { stream_options: { include_usage: true } }, chunks],
    ['without the usage', {}, chunks.slice(0, -1)],
  ])('gets the chunks of several answers as the server wrote them, %s', async (_, more, wanted) => {
    const { text } = await ask({ model: 'raw', n: 2, stream: true, ...more })
    const events = text.split('\n\n').filter(event => event !== '')
    expect(events.pop()).toBe('data: [DONE]')
    expect(events.map(event => JSON.parse(event.slice('data: '.length)))).toEqual(
      wanted.map(chunk => ({ ...chunk, model: 'raw' })),
    )
  })

  it.each([false, true])('never gets the key of the server, streamed: %s', async stream => {
    const upstreams = [{ name: 'a', baseUrl: upstream.baseUrl, apiKey: whole.model }]
    const keyed = await startProxyServer(upstream.baseUrl, { upstreams })
    onTestFinished(() => keyed.close())
    const response = await fetch(`${keyed.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'leak',
        messages: [{ role: 'user', content: 'x' }],
        n: 2,
        stream,
      }),
    })
    const text = await response.text()
    expect(text).toContain('[redacted]')
    expect(text).not.toContain(whole.model)
  })

  it('gets one answer as ever where neither is asked for', async () => {
    const { value } = await ask({ model: 'raw', n: 1, logprobs: false, reasoning_effort: 'low' })
    expect(value.choices).toMatchObject([{ message: { content: '0', reasoning_content: 'hm' } }])
  })
})

describe('a chat with tools', () => {
  it.each([
    ['n', { n: 2 }],
    ['logprobs', { logprobs: true }],
    ['top_logprobs', { top_logprobs: 3 }],
  ])('is refused with %s, and hears why', async (param, fields) => {
    expect(await ask({ tools, ...fields })).toMatchObject({
      status: 400,
      value: {
        error: {
          param,
          message: expect.stringContaining('the proxy reads the calls from the text'),
        },
      },
    })
    expect(upstream.requests).toEqual([])
  })

  it('is not refused where the fields ask for nothing', async () => {
    const body = { tools, n: 1, logprobs: false, top_logprobs: null }
    expect(await ask(body)).toMatchObject({ status: 200 })
  })

  it('shows the image of a result to the model', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'get_time', arguments: '{}' } }
    const messages = [
      { role: 'user', content: 'When?' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'See.' }, image] },
    ]
    expect(await ask({ tools, messages })).toMatchObject({ status: 200 })
    expect(seen()?.messages.at(-1)?.content).toMatchObject([
      { type: 'text', text: expect.stringContaining('See.') },
      { type: 'image_url', image_url: { url: 'https://x.test/a.png' } },
    ])
  })

  const allow = (mode: string, names: readonly string[]) => ({
    type: 'allowed_tools',
    allowed_tools: { mode, tools: names.map(name => ({ type: 'function', function: { name } })) },
  })

  it('shows only the allowed tools', async () => {
    const tool_choice = allow('auto', ['get_time'])
    expect(await ask({ tools, tool_choice })).toMatchObject({ status: 200 })
    const system = String(seen()?.messages[0]?.content)
    expect(system).toContain('get_time')
    expect(system).not.toContain('get_weather')
  })

  it('forces one of the allowed tools where that is required', async () => {
    const { value } = await ask({ tools, tool_choice: allow('required', ['get_time']) })
    expect(value.error).toBeUndefined()
    expect(JSON.stringify(seen()?.response_format)).toContain('get_time')
    expect(JSON.stringify(seen()?.response_format)).not.toContain('get_weather')
  })

  it.each([
    ['tool_choice.allowed_tools', { type: 'allowed_tools' }],
    ['tool_choice.allowed_tools.mode', allow('none', ['get_time'])],
    ['tool_choice.allowed_tools.tools[1].function.name', allow('auto', ['get_time', 'x'])],
  ])('is refused with the path %s', async (param, tool_choice) => {
    expect(await ask({ tools, tool_choice })).toMatchObject({
      status: 400,
      value: { error: { param } },
    })
  })
})
