import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer, request as openRequest } from 'node:http'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { type ByteRequest, type ByteUpstream, startByteUpstream } from './support/byte-upstream.js'
import { send, until } from './support/raw-client.js'
import { exchange, rawRequest, statusOf } from './support/raw-socket.js'
import { type NodeProxy, serveNode } from './support/serve-node.js'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function serve(
  answer: (request: ByteRequest, response: ServerResponse) => void,
  more: { readonly upstream?: string; readonly top?: string } = {},
): Promise<{ readonly upstream: ByteUpstream; readonly proxy: NodeProxy }> {
  const upstream = await startByteUpstream(answer)
  open.push(() => upstream.close())
  const yaml = `upstreams:\n  - { name: local, baseUrl: "${upstream.baseUrl}"${more.upstream ?? ''} }\n${more.top ?? ''}`
  const proxy = await serveNode(yaml)
  open.push(() => proxy.close())
  return { upstream, proxy }
}

const ok = (_: ByteRequest, response: ServerResponse) => void response.end('{}')

describe('a request that is passed through', () => {
  it.each([
    ['an audio file', 'audio/wav'],
    ['a form with a file', 'multipart/form-data; boundary=x'],
    ['bytes without a type', undefined],
  ])('is sent byte by byte: %s', async (_, type) => {
    const { upstream, proxy } = await serve(ok)
    // Bytes that are not UTF-8, in more than one piece.
    const body = Buffer.concat([Buffer.from([0xff, 0xfe, 0x00]), randomBytes(300_000)])
    const headers = type === undefined ? {} : { 'content-type': type }
    const reply = await fetch(`${proxy.origin}/v1/audio/transcriptions`, {
      method: 'POST',
      headers,
      body,
    })
    expect(reply.status).toBe(200)
    const [seen] = upstream.requests
    expect(seen?.path).toBe('/v1/audio/transcriptions')
    expect(seen?.headers['content-type']).toBe(type)
    expect(seen?.headers['content-length']).toBe(String(body.length))
    expect(digest(seen?.body ?? Buffer.alloc(0))).toBe(digest(body))
  })

  it('is sent as it was written, though it is JSON', async () => {
    const { upstream, proxy } = await serve(ok)
    const text = '\ufeff{ "model" : "m",\r\n "input": "\\u00e4 ä \u2028", "n": 1.0, "n": 2 }\n'
    await fetch(`${proxy.origin}/v1/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
    })
    expect(upstream.requests[0]?.body.toString()).toBe(text)
  })

  it('is sent encoded as it came, and its model is read nevertheless', async () => {
    const { upstream, proxy } = await serve(ok)
    const body = gzipSync(JSON.stringify({ model: 'qwen3', input: 'x' }))
    await fetch(`${proxy.origin}/v1/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body,
    })
    const [seen] = upstream.requests
    expect(seen?.headers['content-encoding']).toBe('gzip')
    expect(seen?.body.equals(body)).toBe(true)
    await until(() => proxy.log().includes('"model":"qwen3"'))
  })

  it('is sent while it arrives', async () => {
    let piece = ''
    const server = createServer((request, response) => {
      request.setEncoding('utf8').on('data', text => {
        piece += text
      })
      request.on('end', () => response.end('{}'))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    open.push(async () => {
      server.closeAllConnections()
      server.close()
    })
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const proxy = await serveNode(`upstream: http://127.0.0.1:${port}/v1`)
    open.push(() => proxy.close())
    const request = openRequest(`${proxy.origin}/v1/files`, {
      method: 'POST',
      headers: { 'content-type': 'text/csv' },
    })
    request.write('first')
    await until(() => piece === 'first')
    request.end(',second')
    const [response] = await once(request, 'response')
    response.resume()
    await until(() => piece === 'first,second')
  })

  it('may wait for "100 Continue"', async () => {
    const { upstream, proxy } = await serve(ok)
    const request = openRequest(`${proxy.origin}/v1/files`, {
      method: 'POST',
      headers: { 'content-type': 'text/csv', expect: '100-continue', 'content-length': '5' },
    })
    request.flushHeaders()
    await once(request, 'continue')
    request.end('a,b,c')
    const [response] = await once(request, 'response')
    expect(response.statusCode).toBe(200)
    response.resume()
    expect(upstream.requests[0]?.body.toString()).toBe('a,b,c')
    expect(upstream.requests[0]?.headers.expect).toBeUndefined()
  })

  it('goes without the keys and cookies of the client, and without headers of its connection', async () => {
    const { upstream, proxy } = await serve(ok, { upstream: ', apiKey: sk-of-the-server' })
    const answer = await exchange(proxy.port, [
      rawRequest(
        'POST /v1/embeddings HTTP/1.1',
        {
          'content-type': 'application/json',
          connection: 'close, X-Secret',
          'x-secret': 'a',
          'keep-alive': 'timeout=5',
          'proxy-authorization': 'Basic b',
          'proxy-connection': 'keep-alive',
          te: 'trailers',
          trailer: 'x-end',
          upgrade: 'h2c',
          authorization: 'Bearer sk-of-the-client',
          'x-api-key': 'sk-of-the-client',
          'api-key': 'sk-of-the-client',
          'x-goog-api-key': 'sk-of-the-client',
          cookie: 'session=1',
          origin: 'http://localhost:3000',
          referer: 'http://localhost:3000/private',
          'sec-fetch-site': 'same-site',
          'x-title': 'kept',
        },
        '{"model":"m"}',
      ),
    ])
    expect(statusOf(answer)).toBe(200)
    const { host, ...headers } = upstream.requests[0]?.headers ?? {}
    expect(headers).toEqual({
      accept: '*/*',
      'accept-encoding': 'identity',
      authorization: 'Bearer sk-of-the-server',
      connection: 'keep-alive',
      'content-length': '13',
      'content-type': 'application/json',
      'x-title': 'kept',
    })
  })

  it('that is too long ends the request to the server, and is answered with 413', async () => {
    const { upstream, proxy } = await serve(ok, { top: 'limits: { body: 10kb }' })
    const body = new ReadableStream({
      async pull(controller) {
        await new Promise(resolve => setTimeout(resolve, 1))
        controller.enqueue(new Uint8Array(5000).fill(1))
      },
    })
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' }
    const reply = await fetch(`${proxy.origin}/v1/files`, init)
    expect([reply.status, (await reply.json()).error.code]).toEqual([413, 'body_too_large'])
    expect(upstream.requests).toHaveLength(0)
  })
})

describe('an answer that is passed through', () => {
  it('comes byte by byte, as it is encoded', async () => {
    const bytes = randomBytes(200_000)
    const { proxy } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': bytes.length })
      response.end(bytes)
    })
    const reply = await fetch(`${proxy.origin}/v1/audio/speech`)
    expect(reply.headers.get('content-length')).toBe(String(bytes.length))
    expect(digest(new Uint8Array(await reply.arrayBuffer()))).toBe(digest(bytes))
  })

  it('stays gzip, with its length', async () => {
    const body = gzipSync('{"data":[]}')
    const { proxy } = await serve((request, response) => {
      expect(request.headers['accept-encoding']).toBe('gzip, br')
      const headers = { 'content-encoding': 'gzip', 'content-length': body.length }
      response.writeHead(200, headers).end(body)
    })
    const request = openRequest(`${proxy.origin}/v1/models`, {
      headers: { 'accept-encoding': 'gzip, br' },
    }).end()
    const [response] = await once(request, 'response')
    const pieces: Buffer[] = []
    for await (const piece of response) pieces.push(piece)
    expect(response.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(body.length),
    })
    expect(gunzipSync(Buffer.concat(pieces)).toString()).toBe('{"data":[]}')
  })

  it('has no cookie, no key, no header of its connection, and no leave for other pages', async () => {
    const { proxy } = await serve((_, response) => {
      response.writeHead(200, {
        connection: 'close, x-hop',
        'x-hop': 'a',
        'set-cookie': ['a=1', 'b=2'],
        'api-key': 'k',
        'x-goog-api-key': 'k',
        'access-control-allow-origin': '*',
        'access-control-allow-credentials': 'true',
        'x-request-id': 'kept',
      })
      response.end('{}')
    })
    const reply = await send(`${proxy.origin}/v1/embeddings`, { body: {} })
    const { connection, date, ...headers } = reply.headers
    expect(headers).toEqual({
      'content-type': 'application/octet-stream',
      'transfer-encoding': 'chunked',
      'x-request-id': 'kept',
    })
  })
})

describe('an answer that the server cuts off', () => {
  it.each(['', ', apiKey: sk-1234567'])('never looks complete (upstream: %j)', async more => {
    const { proxy } = await serve(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'audio/mpeg' })
        response.write(Buffer.alloc(70_000, 'a'))
        setTimeout(() => response.socket?.destroy(), 50)
      },
      { upstream: more },
    )
    const reply = await send(`${proxy.origin}/v1/audio/speech`, { body: {} })
    expect(reply.isWhole).toBe(false)
    expect(reply.body).toMatch(/^a*$/)
  })
})

describe('a redirect of the server', () => {
  const redirect = (target: string) => (request: ByteRequest, response: ServerResponse) => {
    if (request.path.endsWith('/old')) response.writeHead(307, { location: target }).end()
    else response.end('{}')
  }

  it('is passed to the client, and not followed with the key', async () => {
    const thief = await startByteUpstream(ok)
    open.push(() => thief.close())
    const { proxy } = await serve(redirect(`${thief.baseUrl}/new`), {
      upstream: ', apiKey: sk-1234567',
    })
    const reply = await send(`${proxy.origin}/v1/old`, { body: { model: 'm' } })
    expect([reply.status, reply.headers.location]).toEqual([307, `${thief.baseUrl}/new`])
    expect(thief.requests).toHaveLength(0)
  })

  it.each([true, false])(
    'ends a chat with a sentence, and is not followed (stream: %s)',
    async stream => {
      const thief = await startByteUpstream(ok)
      open.push(() => thief.close())
      const { proxy } = await serve(
        (_, response) => void response.writeHead(308, { location: `${thief.baseUrl}/x` }).end(),
        { upstream: ', apiKey: sk-1234567' },
      )
      const messages = [{ role: 'user', content: 'Hello.' }]
      const reply = await send(`${proxy.origin}/v1/chat/completions`, {
        body: { model: 'm', messages, stream },
      })
      expect(reply.status).toBe(502)
      expect(JSON.parse(reply.body).error).toMatchObject({
        code: 'upstream_redirect',
        message: 'The upstream redirects to another address. Set its baseUrl to that address.',
      })
      expect(thief.requests).toHaveLength(0)
      await until(() => proxy.log().includes(`Redirect to ${thief.baseUrl}/x`))
    },
  )
})
