import type { ServerResponse } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import {
  chatBody,
  errorOf,
  headOf,
  open,
  outcomeOf,
  send,
  sleep,
  until,
} from './support/raw-client.js'
import type { SeenRequest } from './support/scripted-upstream.js'
import { serveBoth } from './support/serve-both.js'
import { passTime, stopClock } from './support/stopped-clock.js'

const textEvent = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`

const firstPiece = (response: NodeJS.ReadableStream) =>
  new Promise(resolve => response.once('data', resolve))

/** Begins a stream and says no more. */
function stallAfter(text: string) {
  return (_: SeenRequest, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(text)
    return true
  }
}

describe.each(['prompt', 'off'] as const)('a client that vanishes, in mode %s', mode => {
  it.each([true, false])(
    'before the first byte: the request to the server is aborted at once (stream: %s)',
    async stream => {
      const { chat, upstream, server } = await serveBoth(
        { intercept: () => true },
        { rule: { mode } },
      )
      const request = open(chat, { body: chatBody('perfect', { stream }) })
      await until(() => upstream.requests.length === 1)
      expect(server.proxy.active()).toBe(1)
      request.destroy()
      await until(() => upstream.aborts() === 1 && server.proxy.active() === 0)
      expect(server.records).toMatchObject([{ status: 499 }])
    },
  )

  it('while the server stalls', async () => {
    const { chat, upstream, server } = await serveBoth(
      { intercept: stallAfter(textEvent('Sun')) },
      { rule: { mode } },
    )
    const request = open(chat, { body: chatBody('perfect') })
    await firstPiece(await headOf(request))
    expect(upstream.aborts()).toBe(0)
    request.destroy()
    await until(() => upstream.aborts() === 1 && server.proxy.active() === 0)
    expect(server.records).toMatchObject([{ status: 499 }])
  })

  it('in the middle of a stream that flows', async () => {
    const { chat, upstream, server } = await serveBoth(
      {
        intercept(_, response) {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          const timer = setInterval(() => response.write(textEvent('on and on ')), 2)
          response.on('close', () => clearInterval(timer))
          return true
        },
      },
      { rule: { mode } },
    )
    const request = open(chat, { body: chatBody('perfect') })
    const response = await headOf(request)
    await firstPiece(response)
    await firstPiece(response)
    request.destroy()
    await until(() => upstream.aborts() === 1 && server.proxy.active() === 0)
  })

  it('in the middle of its own body', async () => {
    const { chat, upstream, server } = await serveBoth({}, { rule: { mode } })
    const request = open(chat, { headers: { 'content-length': '1000' }, body: '{"model":' })
    await until(() => server.openSockets() === 1)
    await sleep(20)
    // A request has a slot only once its body is there.
    expect(server.proxy.active()).toBe(0)
    request.destroy()
    await until(() => server.records.length === 1)
    expect(server.records).toMatchObject([{ status: 499 }])
    expect(upstream.requests).toHaveLength(0)
  })

  it('slows the server down if the client is slow, and does not mistake that for a silent server', async () => {
    const totalBytes = 50_000_000
    const event = textEvent('and on '.repeat(2000))
    let sent = 0
    stopClock()
    const { chat, server } = await serveBoth(
      {
        intercept(_, response) {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          const pour = () => {
            while (sent < totalBytes && !response.destroyed) {
              sent += event.length
              if (!response.write(event)) {
                response.once('drain', pour)
                return
              }
            }
          }
          pour()
          return true
        },
      },
      { rule: { mode }, limits: { idleMs: 1000 } },
    )
    const request = open(chat, { body: chatBody('perfect') })
    const response = await headOf(request)
    await firstPiece(response)
    response.pause()
    // As long as it takes until nothing moves any more.
    let before = -1
    while (before !== sent) {
      before = sent
      await sleep(300)
    }
    passTime(2000)
    // Most of this is in the kernel's buffers, for four ends of two sockets.
    expect(sent).toBeLessThan(30_000_000)
    expect(server.proxy.active()).toBe(1)
    response.resume()
    await until(() => sent > before)
    request.destroy()
  })
})

describe('a client that asks for what it cannot have', () => {
  it('returns 429 beyond the concurrency limit, and serves again afterwards', async () => {
    const { chat, upstream, server } = await serveBoth(
      {
        intercept: ({ body }, response) =>
          body?.model === 'stall' && stallAfter(textEvent('x'))({ ...seenNothing, body }, response),
      },
      { limits: { concurrency: 2 } },
    )
    const stalled = [1, 2].map(() => open(chat, { body: chatBody('stall') }))
    await until(() => upstream.requests.length === 2)
    const refused = await send(chat, { body: chatBody('perfect') })
    expect([refused.status, errorOf(refused).code]).toEqual([429, 'too_many_requests'])
    expect(refused.headers['retry-after']).toBe('1')
    for (const request of stalled) request.destroy()
    await until(() => server.proxy.active() === 0)
    const served = await send(chat, { body: chatBody('perfect') })
    expect(outcomeOf(served.body).calls).toHaveLength(1)
  })

  it.each([true, false])(
    'returns 413 for too large a body (with its length: %s)',
    async hasLength => {
      const { chat, upstream } = await serveBoth({}, { limits: { bodyBytes: 10_000 } })
      const body = JSON.stringify(chatBody('perfect', { padding: 'x'.repeat(200_000) }))
      const headers: Record<string, string> = hasLength
        ? { 'content-length': String(Buffer.byteLength(body)) }
        : { 'transfer-encoding': 'chunked' }
      const reply = await send(chat, { body, headers })
      expect([reply.status, errorOf(reply).code]).toEqual([413, 'body_too_large'])
      expect(upstream.requests).toHaveLength(0)
    },
  )

  it('returns 400 for a body that is not JSON, and names a wrong field', async () => {
    const { chat } = await serveBoth()
    for (const body of ['', '{"model":', 'model=x', '\u0000']) {
      const reply = await send(chat, { body })
      expect([reply.status, errorOf(reply).code]).toEqual([400, 'invalid_json'])
    }
    for (const [body, param] of [
      ['[]', 'body'],
      ['{"model":"perfect"}', 'messages'],
      ['{"model":"perfect","messages":[{"role":"user","content":7}]}', 'messages[0].content'],
    ] as const) {
      const reply = await send(chat, { body })
      expect(reply.status).toBe(400)
      expect(errorOf(reply).param).toContain(param === 'body' ? '' : param)
    }
  })

  it('returns 401 without a valid key, on any path', async () => {
    const { chat, server, upstream } = await serveBoth({}, { clientKeys: ['secret-1', 'secret-2'] })
    for (const url of [chat, `${server.baseUrl}/embeddings`]) {
      for (const authorization of ['', 'Bearer wrong', 'Bearer secret-', 'secret-1']) {
        const reply = await send(url, { headers: { authorization }, body: chatBody('perfect') })
        expect([reply.status, errorOf(reply).code]).toEqual([401, 'invalid_api_key'])
      }
    }
    expect(upstream.requests).toHaveLength(0)
    const reply = await send(chat, {
      headers: { authorization: 'Bearer secret-2' },
      body: chatBody('perfect'),
    })
    expect(reply.status).toBe(200)
    expect(upstream.requests[0]?.headers.authorization).toBeUndefined()
  })

  it('returns 405 for another method, and passes unknown paths through', async () => {
    const { chat, server } = await serveBoth()
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const reply = await send(chat, { method })
      expect([reply.status, reply.headers.allow]).toEqual([405, 'POST'])
    }
    const echo = await send(`${server.baseUrl}/embeddings?a=b`, {
      method: 'PUT',
      body: '{"input":"ä"}',
    })
    expect(JSON.parse(echo.body)).toMatchObject({
      method: 'PUT',
      path: '/v1/embeddings?a=b',
      raw: '{"input":"ä"}',
    })
    expect((await send(`${server.baseUrl}/nothing`, { method: 'GET' })).status).toBe(404)
    expect((await send(`${server.baseUrl}/models`, { method: 'GET' })).body).toContain('"perfect"')
  })
})

describe('a proxy that has seen a lot', () => {
  it('keeps no memory of requests, however they ended', async () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const { chat, server, upstream } = await serveBoth({
      intercept({ body }, response) {
        if (body?.model === 'refuse') response.writeHead(500).end('no')
        else if (body?.model === 'reset') response.socket?.destroy()
        else if (body?.model === 'cut') {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.end(textEvent('<tool_call>{"name": "get_wea'))
        } else if (body?.model === 'stall') {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.write(textEvent('x'.repeat(1000)))
        } else return false
        return true
      },
    })
    const round = async () => {
      const models = ['perfect', 'sloppy', 'native', 'refuse', 'reset', 'cut']
      await Promise.all(
        models.map(model => send(chat, { body: chatBody(model, { padding: 'x'.repeat(20_000) }) })),
      )
      const gone = open(chat, { body: chatBody('stall') })
      await firstPiece(await headOf(gone))
      gone.destroy()
      await until(() => server.proxy.active() === 0)
      server.forget()
      upstream.forget()
    }
    const heapAfter = async (rounds: number) => {
      for (let i = 0; i < rounds; i++) await round()
      collect()
      return process.memoryUsage().heapUsed
    }
    const before = await heapAfter(15)
    const after = await heapAfter(30)
    // Each of the 210 requests in between uses 20 kB or more while it lasts.
    expect(after - before).toBeLessThan(8_000_000)
  })
})

const seenNothing: SeenRequest = {
  method: 'POST',
  path: '/',
  headers: {},
  raw: '',
  body: undefined,
}

describe('a body that never ends', () => {
  it('ends with the time of the request, without a server that would watch it', async () => {
    const { proxy } = (await serveBoth({}, { limits: { requestMs: 100 } })).server
    const body = new ReadableStream({
      start: controller => controller.enqueue(new TextEncoder().encode('{"model"')),
    })
    const headers = { 'content-type': 'application/json' }
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
    const response = await proxy.fetch(new Request('http://localhost/v1/chat/completions', init))
    expect(response.status).toBe(504)
    expect(proxy.active()).toBe(0)
  })
})
