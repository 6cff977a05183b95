import { connect } from 'node:net'
import { createProxy, defaultLimits } from '@toolglot/proxy'
import { afterEach, describe, expect, it } from 'vitest'
import { chatBody, errorOf, send, sleep, until } from './support/raw-client.js'
import { exchange, rawRequest, statusOf } from './support/raw-socket.js'
import { startScriptedUpstream } from './support/scripted-upstream.js'
import { type NodeProxy, serveNode } from './support/serve-node.js'
import { passTimeUntil, stopClock } from './support/stopped-clock.js'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function serve(more = ''): Promise<NodeProxy> {
  const upstream = await startScriptedUpstream({ play: () => ({ text: 'Hi.', toolCalls: [] }) })
  open.push(() => upstream.close())
  const proxy = await serveNode(`upstream: ${upstream.baseUrl}\n${more}`)
  open.push(() => proxy.close())
  return proxy
}

const isHealthy = async (proxy: NodeProxy) =>
  (await send(`${proxy.origin}/health`, { method: 'GET' })).status === 200

/** Sends a request and asks for `/health` until it is answered. */
async function sendAndWatch(proxy: NodeProxy, path: string, body: unknown) {
  let isOver = false
  const reply = send(`${proxy.origin}${path}`, { body }).finally(() => {
    isOver = true
  })
  while (!isOver) expect(await isHealthy(proxy)).toBe(true)
  return reply
}

const messages = [{ role: 'user', content: 'Hello.' }]
const schema = { type: 'object', properties: { city: { type: 'string' } } }
const names = Array.from({ length: 20_000 }, (_, i) => `tool_${i}`)

describe('a request that is large', () => {
  it.each([
    ['/v1/chat/completions', { messages }],
    ['/v1/responses', { input: 'Hello.' }],
    ['/v1/messages', { messages, max_tokens: 5 }],
  ])('with a model id of 200 KB is answered: %s', async (path, body) => {
    const proxy = await serve("models: [{ match: '*a*a*a*a*a*a*a*a*b' }, { match: '*-*-*-*-x' }]")
    for (const model of ['a'.repeat(200_000), '-'.repeat(200_000), 'qwen '.repeat(40_000)])
      expect((await sendAndWatch(proxy, path, { model, ...body })).status).toBe(200)
    const logged = proxy.lines().filter(line => line.msg === 'request')
    expect(logged[0]?.model).toBe('a'.repeat(128))
  })

  it.each([
    ['/v1/chat/completions', { messages }],
    ['/v1/responses', { input: 'Hello.' }],
    ['/v1/messages', { messages, max_tokens: 5 }],
    ['/v1/messages/count_tokens', { messages }],
  ])('with 1,000 fields is answered, with more it is a 400: %s', async (path, body) => {
    const proxy = await serve()
    const withFields = (count: number) => {
      const fields = Object.entries({ model: 'm', ...body })
      const others = Array.from({ length: count - fields.length }, (_, i) => [`field_${i}`, 1])
      return Object.fromEntries([...fields, ...others])
    }
    for (const count of [1000, 1001, 1_000_000]) {
      const reply = await sendAndWatch(proxy, path, withFields(count))
      expect(reply.status, `${count} fields`).toBe(count === 1000 ? 200 : 400)
    }
  })

  it.each([
    [
      '/v1/chat/completions',
      {
        messages,
        tools: names.map(name => ({ type: 'function', function: { name, parameters: schema } })),
      },
    ],
    [
      '/v1/responses',
      { input: 'x', tools: names.map(name => ({ type: 'function', name, parameters: schema })) },
    ],
    [
      '/v1/messages',
      { messages, max_tokens: 5, tools: names.map(name => ({ name, input_schema: schema })) },
    ],
  ])('with 20,000 tools is answered, and others meanwhile: %s', async (path, body) => {
    const proxy = await serve()
    expect((await sendAndWatch(proxy, path, { model: 'm', ...body })).status).toBe(200)
  })

  const fn = { type: 'function', name: 'f', parameters: schema }
  const chat = { model: 'm', tools: [{ type: 'function', function: fn }] }
  const start = { role: 'user', content: 'x' }
  it.each<[string, string, (times: <Item>(item: Item) => Item[]) => object]>([
    [
      'messages of the user',
      '/v1/chat/completions',
      times => ({ ...chat, messages: times(start) }),
    ],
    [
      'messages of the assistant',
      '/v1/chat/completions',
      times => ({ ...chat, messages: [start, ...times({ role: 'assistant', content: 'x' })] }),
    ],
    [
      'system messages',
      '/v1/chat/completions',
      times => ({ ...chat, messages: [...times({ role: 'system', content: 'x' }), start] }),
    ],
    [
      'texts in a message',
      '/v1/chat/completions',
      times => ({
        ...chat,
        messages: [{ role: 'user', content: times({ type: 'text', text: 'x' }) }],
      }),
    ],
    [
      'items',
      '/v1/responses',
      times => ({
        model: 'm',
        tools: [fn],
        input: [start, ...times({ role: 'assistant', content: 'x' })],
      }),
    ],
  ])('with 200,000 %s is answered', async (_, path, bodyOf) => {
    const proxy = await serve()
    const body = bodyOf(item => Array.from({ length: 200_000 }, () => item))
    expect((await send(`${proxy.origin}${path}`, { body })).status).toBe(200)
  })
})

describe('JSON that is nested deeply', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  const open257 = '{"a":'.repeat(257)

  it.each([
    ['deep', deep],
    ['just too deep', `${open257}1${'}'.repeat(257)}`],
    ['without an end', open257],
    ['in a field', `{"model":"m","messages":[],"metadata":${deep}}`],
  ])('is a 400 on every path: %s', async (_, body) => {
    const proxy = await serve()
    for (const path of ['/v1/chat/completions', '/v1/responses', '/v1/messages', '/v1/embeddings'])
      for (const type of ['application/json', 'text/plain']) {
        if (type === 'text/plain' && path !== '/v1/embeddings') continue
        if (type === 'text/plain' && !body.startsWith('{')) continue
        const reply = await send(`${proxy.origin}${path}`, {
          body,
          headers: { 'content-type': type },
        })
        expect(reply.status, path).toBe(400)
        expect(reply.body).toContain('nested deeper than 256 levels')
      }
  })

  it('is a 400 in the arguments of a call', async () => {
    const proxy = await serve()
    const call = { name: 'f', arguments: `{"a":${deep}}` }
    const chat = { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: call }] }
    const replies = [
      await send(`${proxy.origin}/v1/chat/completions`, {
        body: chatBody('m', { messages: [...messages, chat] }),
      }),
      await send(`${proxy.origin}/v1/responses`, {
        body: { model: 'm', input: [{ type: 'function_call', call_id: 'c', ...call }] },
      }),
    ]
    for (const reply of replies)
      expect([reply.status, errorOf(reply).param]).toEqual([400, 'arguments'])
  })

  it('of 256 levels is read', async () => {
    const proxy = await serve()
    const metadata = JSON.parse('['.repeat(255) + ']'.repeat(255))
    const reply = await send(`${proxy.origin}/v1/chat/completions`, {
      body: chatBody('m', { metadata }),
    })
    expect(reply.status).toBe(200)
  })
})

describe('a body that arrives slowly', () => {
  const head = (path: string, type: string) =>
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\ncontent-length: 1000\r\n\r\n`

  it.each([
    ['/v1/chat/completions', 'application/json', '{'],
    ['/v1/embeddings', 'application/json', '{'],
    ['/v1/files', 'text/csv', 'a'],
    ['/v1/files', 'text/csv', ''],
  ])('is given up after limits.bodyTimeout: %s %s %j', async (path, type, begun) => {
    const proxy = await serve('limits: { bodyTimeout: 100ms }')
    const answer = await exchange(proxy.port, [head(path, type), begun])
    expect(statusOf(answer)).toBe(408)
    expect(answer).toContain('"code":"body_timeout"')
    expect(answer.toLowerCase()).toContain('connection: close')
    expect(proxy.lines().at(-1)).toMatchObject({ status: 408, code: 'body_timeout' })
  })

  it('may take 60 s by default, and no longer', async () => {
    expect(defaultLimits.bodyMs).toBe(60_000)
    stopClock()
    const proxy = createProxy({
      upstreams: [{ name: 'a', baseUrl: 'http://127.0.0.1:9/v1' }],
      ...{ models: [], clientKeys: [], limits: defaultLimits, heartbeatMs: 1000 },
    })
    const body = new ReadableStream({ start: controller => controller.enqueue(new Uint8Array(1)) })
    const headers = { 'content-type': 'application/json' }
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
    const coming = proxy.fetch(new Request('http://localhost/v1/chat/completions', init))
    const reply = await passTimeUntil(coming, 60_000)
    expect(reply.status).toBe(408)
  })

  it('takes no slot from others', async () => {
    const proxy = await serve('limits: { concurrency: 1, bodyTimeout: 10m }')
    const slow = ['/v1/chat/completions', '/v1/files', '/v1/embeddings'].map(path => {
      const socket = connect(proxy.port, '127.0.0.1')
      socket.write(`${head(path, path === '/v1/files' ? 'text/csv' : 'application/json')}a`)
      return socket
    })
    await sleep(50)
    for (let i = 0; i < 3; i++) {
      const reply = await send(`${proxy.origin}/v1/chat/completions`, { body: chatBody('m') })
      expect(reply.status).toBe(200)
    }
    const ready = await send(`${proxy.origin}/ready`, { method: 'GET' })
    expect(JSON.parse(ready.body)).toEqual({ status: 'ready', active: 0 })
    for (const socket of slow) socket.destroy()
    await until(() => proxy.lines().filter(line => line.status === 499).length === 3)
  })
})

describe('bodies that arrive slowly, many at a time', () => {
  const kilobytes = (count: number) => 'x'.repeat(count * 1024)
  const limits = 'limits: { body: 600kb, bodies: 1mb, bodyTimeout: 10m }'
  const path = '/v1/chat/completions'

  /** Begins a body and does not end it. `answer` is what came back so far. */
  function begin(
    proxy: NodeProxy,
    begun: string,
    line = `POST ${path}`,
    type = 'application/json',
  ) {
    let answer = ''
    const socket = connect(proxy.port, '127.0.0.1')
    socket.on('data', piece => {
      answer += piece
    })
    socket.on('error', () => {})
    open.push(async () => socket.destroy())
    const headers = ['host: localhost', `content-type: ${type}`, 'content-length: 600000']
    socket.write([`${line} HTTP/1.1`, ...headers, '', begun].join('\r\n'))
    return { answer: () => answer, socket }
  }
  const quick = (proxy: NodeProxy, model: string) =>
    send(`${proxy.origin}${path}`, { body: chatBody(model) })
  const bytesIn = async (proxy: NodeProxy) => {
    const metrics = await send(`${proxy.origin}/metrics`, { method: 'GET' })
    return Number(/direction="in"\} (\d+)/.exec(metrics.body)?.[1])
  }
  const arrived = async (proxy: NodeProxy, bytes: number) => {
    while ((await bytesIn(proxy)) < bytes) await sleep(5)
  }

  it('make room for one that arrives quickly: the first of them is given up', async () => {
    const proxy = await serve(limits)
    const first = begin(proxy, `{"a":"${kilobytes(400)}`)
    await arrived(proxy, 400 * 1024)
    const second = begin(proxy, `{"a":"${kilobytes(400)}`)
    await arrived(proxy, 800 * 1024)
    const reply = await quick(proxy, kilobytes(300))
    expect(reply.status).toBe(200)
    await until(() => first.answer().includes('too_many_bodies'))
    expect(statusOf(first.answer())).toBe(503)
    for (const header of ['retry-after: 1', 'connection: close'])
      expect(first.answer().toLowerCase()).toContain(header)
    expect(second.answer()).toBe('')
    expect(proxy.lines().find(line => line.status === 503)).toMatchObject({
      code: 'too_many_bodies',
    })
  })

  it('are bounded in number, however little they send', async () => {
    const proxy = await serve(limits)
    const slow: ReturnType<typeof begin>[] = []
    for (let i = 1; i <= 20; i++) {
      slow.push(begin(proxy, '{'))
      await arrived(proxy, i)
    }
    // 16 times 64 KB are 1 MB.
    await until(() => slow.slice(0, 4).every(({ answer }) => statusOf(answer()) === 503))
    expect(slow.slice(4).map(({ answer }) => answer())).toEqual(Array(16).fill(''))
    expect((await quick(proxy, 'm')).status).toBe(200)
  })

  it('do not count when they are over, however they ended', async () => {
    const proxy = await serveNode(`upstream: http://127.0.0.1:9/v1\n${limits}`)
    open.push(() => proxy.close())
    const waiting = begin(proxy, '{')
    await arrived(proxy, 1)
    const file = { 'content-type': 'text/csv' }
    for (let i = 0; i < 20; i++) {
      await send(`${proxy.origin}/v1/files`, { body: kilobytes(100), headers: file })
      await send(`${proxy.origin}${path}`, { body: '{' })
      const before = await bytesIn(proxy)
      const gone = begin(proxy, 'a', 'POST /v1/files', 'text/csv')
      await arrived(proxy, before + 1)
      gone.socket.destroy()
    }
    await until(() => proxy.lines().filter(line => line.msg === 'request').length === 60)
    expect(waiting.answer()).toBe('')
    expect(proxy.log()).not.toContain('too_many_bodies')
  })
})

describe('what a client sends, in the log', () => {
  it('is cut, and obeyed by no terminal', async () => {
    const proxy = await serve()
    const nasty = 'a\u009b31m\u0085\u2028\u202e\u007fz'
    await exchange(proxy.port, [
      rawRequest(
        `POST /v1/${'p'.repeat(5000)} HTTP/1.1`,
        { 'content-type': 'application/json', 'x-request-id': `id\u009b${'x'.repeat(5000)}` },
        JSON.stringify({ model: `${nasty}${'m'.repeat(5000)}` }),
      ),
    ])
    await until(() => proxy.lines().some(line => line.msg === 'request'))
    const line = proxy.lines().find(each => each.msg === 'request')
    for (const field of [line?.id, line?.model, line?.path]) expect(String(field)).toHaveLength(128)
    expect(line?.model).toBe(`${nasty}${'m'.repeat(128)}`.slice(0, 128))
    expect(proxy.log()).toContain('a\\u009b31m\\u0085\\u2028\\u202e\\u007fz')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be there.
    expect(proxy.log()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202e]/)
  })

  it.each([
    ['/v1/chat/completions', { messages: [{ role: 'r'.repeat(1_000_000), content: 'x' }] }],
    ['/v1/responses', { input: 'x', tool_choice: { type: 'function', name: 'n'.repeat(1e6) } }],
    ['/v1/messages', { max_tokens: 5, messages: [{ role: 'r'.repeat(1_000_000), content: 'x' }] }],
  ])('is cut in errors, and in the answer too: %s', async (path, body) => {
    const proxy = await serve()
    const reply = await send(`${proxy.origin}${path}`, { body: { model: 'm', ...body } })
    expect(reply.status).toBe(400)
    expect(reply.body.length).toBeLessThan(5000)
    expect(String(proxy.lines().at(-1)?.error).length).toBeLessThan(5000)
  })

  it('is cut in the middle of no character', async () => {
    const proxy = await serve()
    const model = `${'m'.repeat(127)}😀`
    await send(`${proxy.origin}/v1/chat/completions`, { body: chatBody(model) })
    await until(() => proxy.lines().some(line => line.msg === 'request'))
    expect(proxy.lines().find(line => line.msg === 'request')?.model).toBe('m'.repeat(127))
  })

  it('is no label of the metrics', async () => {
    const proxy = await serve()
    await send(`${proxy.origin}/v1/${'p'.repeat(500)}`, { body: { model: 'm'.repeat(500) } })
    const metrics = await send(`${proxy.origin}/metrics`, { method: 'GET' })
    expect(metrics.body).toContain('route="other"')
    expect(metrics.body).not.toMatch(/p{100}|m{100}/)
  })
})
