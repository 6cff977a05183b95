import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { type ByteRequest, startByteUpstream } from './support/byte-upstream.js'
import { chatBody, send } from './support/raw-client.js'
import { startScriptedUpstream } from './support/scripted-upstream.js'
import { type NodeProxy, serveNode } from './support/serve-node.js'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const KEY = 'sk-of/the"server'

async function serve(
  answer: (request: ByteRequest, response: ServerResponse) => void,
  key = KEY,
): Promise<NodeProxy> {
  const upstream = await startByteUpstream(answer)
  open.push(() => upstream.close())
  const yaml = `upstreams:\n  - { name: local, baseUrl: "${upstream.baseUrl}", apiKey: '${key}' }`
  const proxy = await serveNode(`${yaml}\nmodels: [{ match: raw, mode: off }]`)
  open.push(() => proxy.close())
  return proxy
}

/** Repeats what it got, in pieces of so many bytes. */
const echo =
  (status: number, chunkBytes: number, type = 'application/json') =>
  ({ headers }: ByteRequest, response: ServerResponse) => {
    const text = JSON.stringify({ got: headers, again: headers.authorization })
    response.writeHead(status, { 'content-type': type, 'x-got': headers.authorization ?? '' })
    const write = (at: number): void => {
      if (at >= text.length) return void response.end()
      response.write(text.slice(at, at + chunkBytes))
      setImmediate(write, at + chunkBytes)
    }
    write(0)
  }

function expectHidden(reply: { readonly body: string; readonly headers: object }): void {
  const all = `${reply.body}${JSON.stringify(reply.headers)}`
  expect(all).toContain('[redacted]')
  for (const key of [KEY, JSON.stringify(KEY).slice(1, -1), 'the\\"server', 'the\\\\\\"server'])
    expect(all).not.toContain(key)
}

describe('the key of the server, which repeats it', () => {
  it.each([
    [200, 3],
    [200, 16],
    [200, 9000],
    [401, 5],
    [500, 9000],
  ])(
    'is not in an answer that is passed through (%d, pieces of %d bytes)',
    async (status, size) => {
      const proxy = await serve(echo(status, size))
      for (const path of ['/v1/embeddings', '/v1/audio/speech', '/any']) {
        const reply = await send(`${proxy.origin}${path}`, { body: { model: 'm' } })
        expect(reply.status).toBe(status)
        expectHidden(reply)
        expect(JSON.parse(reply.body).again).toBe('Bearer [redacted]')
      }
      const reply = await send(`${proxy.origin}/v1/models`, { method: 'GET' })
      expectHidden(reply)
    },
  )

  it('is not in one of mode off, streamed', async () => {
    const proxy = await serve(echo(200, 4, 'text/event-stream'))
    expectHidden(await send(`${proxy.origin}/v1/chat/completions`, { body: chatBody('raw') }))
  })

  it.each(['gzip', 'deflate', 'x-gzip', 'GZIP', 'identity, gzip'])(
    'is not in one that is encoded unasked: %s',
    async encoding => {
      const { deflateSync } = await import('node:zlib')
      const encode = encoding === 'deflate' ? deflateSync : gzipSync
      const proxy = await serve(({ headers }, response) => {
        expect(headers['accept-encoding']).toBe('identity')
        response.writeHead(200, {
          'content-encoding': encoding,
          'content-type': 'application/json',
        })
        response.end(encode(JSON.stringify(headers)))
      })
      const reply = await send(`${proxy.origin}/v1/embeddings`, { body: {} })
      expectHidden(reply)
      expect(reply.headers['content-encoding']).toBeUndefined()
    },
  )

  it.each(['k1', 'abc', 'a.b'])('is not in an error, however short it is: %s', async key => {
    const proxy = await serve(({ headers, path }, response) => {
      const message = `Incorrect API key provided: ${key}. You sent ${headers.authorization}.`
      response.writeHead(path.endsWith('models') ? 401 : 400, { 'x-key': key })
      response.end(JSON.stringify({ error: { message } }))
    }, key)
    const chat = `${proxy.origin}/v1/chat/completions`
    const replies = [
      await send(`${proxy.origin}/v1/models`, { method: 'GET' }),
      await send(chat, { body: chatBody('m') }),
      await send(chat, { body: chatBody('m', { stream: false }) }),
      await send(chat, { body: chatBody('raw') }),
    ]
    for (const reply of replies) {
      expect(reply.body).toContain('[redacted]')
      expect(reply.body).not.toMatch(new RegExp(`: ${key}\\.|Bearer ${key}`))
      expect(reply.headers['x-key']).not.toBe(key)
    }
  })

  it('is kept where it is a word of a type or of a text', async () => {
    const proxy = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"kind":"json"}')
    }, 'json')
    const reply = await send(`${proxy.origin}/v1/embeddings`, { body: {} })
    expect(reply.headers['content-type']).toBe('application/json')
    expect(reply.body).toBe('{"kind":"json"}')
  })

  it('is not in what the model says, however it is cut', async () => {
    for (const chunkChars of [1, 5, 1000]) {
      const upstream = await startScriptedUpstream({
        chunkChars,
        play: () => ({
          reasoning: `I was sent ${KEY}.`,
          text: `The key is ${KEY}, not sk-of. ${KEY}`,
          toolCalls: [{ name: 'get_weather', arguments: JSON.stringify({ city: KEY }) }],
        }),
      })
      open.push(() => upstream.close())
      const yaml = `upstreams: [{ name: local, baseUrl: "${upstream.baseUrl}", apiKey: '${KEY}' }]`
      const proxy = await serveNode(
        `${yaml}\nmodels: [{ match: '*', mode: rescue, reasoning: true }]`,
      )
      open.push(() => proxy.close())
      const { messages } = chatBody('m')
      const tools = [{ type: 'function', name: 'get_weather', parameters: { type: 'object' } }]
      const thinking = { type: 'enabled', budget_tokens: 1000 }
      for (const stream of [true, false]) {
        const replies = [
          await send(`${proxy.origin}/v1/chat/completions`, { body: chatBody('m', { stream }) }),
          await send(`${proxy.origin}/v1/responses`, {
            body: { model: 'm', input: 'x', stream, tools },
          }),
          await send(`${proxy.origin}/v1/messages`, {
            body: {
              ...{ model: 'm', messages, max_tokens: 50, stream, thinking },
              tools: [{ name: 'get_weather', input_schema: { type: 'object' } }],
            },
          }),
        ]
        for (const reply of replies) {
          expect(reply.status).toBe(200)
          expectHidden(reply)
          expect(textIn(reply.body)).toContain('The key is [redacted], not sk-of. [redacted]')
          expect(textIn(reply.body)).not.toContain(KEY)
        }
        const [id = ''] = /resp_\w+/.exec(replies[1]?.body ?? '') ?? []
        const stored = await send(`${proxy.origin}/v1/responses/${id}`, { method: 'GET' })
        expect(stored.status).toBe(200)
        expectHidden(stored)
      }
    }
  })
})

/** All texts of a body, in their order: those of deltas follow one another. */
function textIn(body: string): string {
  const texts = [...body.matchAll(/"(?:content|text|delta)":("(?:[^"\\]|\\.)*")/g)]
  return texts.map(([, json = '""']) => JSON.parse(json)).join('')
}
