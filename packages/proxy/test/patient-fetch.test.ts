import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createPatientFetch } from '../src/node/patient-fetch.js'
import { until } from './support/raw-client.js'

type Play = (request: IncomingMessage, response: ServerResponse) => void

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function startServer(play: Play) {
  const sockets = new Set<Socket>()
  const seen = { asked: 0, gone: 0 }
  const server = createServer((request, response) => {
    seen.asked++
    sockets.add(request.socket)
    response.on('close', () => {
      if (!response.writableFinished) seen.gone++
    })
    play(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    sockets,
    seen,
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request.setEncoding('utf8')) text += piece
  return text
}

const fetch = createPatientFetch()

describe('a fetch that reads from the connection directly', () => {
  it('sends method, path, headers and text, and returns status, headers and body', async () => {
    const { url } = await startServer(async (request, response) => {
      const { method, url: path, headers } = request
      const seen = {
        method,
        path,
        key: headers['x-key'],
        length: headers['content-length'],
        body: await textOf(request),
      }
      response.writeHead(418, 'Tea', { 'x-two': ['a', 'b'], 'content-type': 'application/json' })
      response.end(JSON.stringify(seen))
    })
    const answer = await fetch(`${url}/v1/chat?x=1`, {
      method: 'POST',
      headers: { 'X-Key': 'k' },
      body: 'wörld',
    })
    expect([answer.status, answer.statusText, answer.ok]).toEqual([418, 'Tea', false])
    expect(answer.headers.get('x-two')).toBe('a, b')
    expect(await answer.json()).toEqual({
      method: 'POST',
      path: '/v1/chat?x=1',
      key: 'k',
      length: '6',
      body: 'wörld',
    })
  })

  it('sends bytes, and a stream of bytes while it comes', async () => {
    const received: string[] = []
    const { url } = await startServer(async (request, response) => {
      for await (const piece of request) received.push(piece.toString('latin1'))
      response.end(request.headers['content-length'] ?? request.headers['transfer-encoding'])
    })
    const bytes = Uint8Array.from([0xff, 0, 0x80])
    expect(await (await fetch(url, { method: 'POST', body: bytes })).text()).toBe('3')
    expect(received.splice(0)).toEqual(['\u00ff\u0000\u0080'])
    let send: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = controller
      },
    })
    const answer = fetch(url, { method: 'POST', body })
    send?.enqueue(Uint8Array.of(0xfe))
    await until(() => received.length === 1)
    send?.close()
    expect(await (await answer).text()).toBe('chunked')
    expect(received).toEqual(['\u00fe'])
  })

  it('ends a request whose stream fails, and cancels a stream that is no longer needed', async () => {
    const { url, seen } = await startServer(() => {})
    const failing = new ReadableStream<Uint8Array>({
      pull: controller => controller.error(new Error('no more bytes')),
    })
    await expect(fetch(url, { method: 'POST', body: failing })).rejects.toThrow('fetch failed')
    let isCancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull: controller => controller.enqueue(new Uint8Array(10)),
      cancel() {
        isCancelled = true
      },
    })
    const controller = new AbortController()
    const init = { method: 'POST', body: endless, signal: controller.signal }
    const asking = expect(fetch(url, init)).rejects.toThrow()
    await until(() => seen.asked > 0)
    controller.abort(new Error('enough'))
    await asking
    await until(() => isCancelled)
  })

  it('does not follow a redirect with a stream', async () => {
    const { url } = await startServer((_, response) => {
      response.writeHead(307, { location: '/new' }).end()
    })
    const body = new ReadableStream<Uint8Array>({ start: controller => controller.close() })
    await expect(fetch(url, { method: 'POST', body })).rejects.toThrow('cannot be sent again')
  })

  it('leaves an answer encoded if the request names its encodings', async () => {
    const encoded = gzipSync('so it is')
    const { url } = await startServer((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(encoded)
    })
    const raw = await fetch(url, { headers: { 'accept-encoding': 'gzip' } })
    expect(raw.headers.get('content-encoding')).toBe('gzip')
    expect(Buffer.from(await raw.arrayBuffer()).equals(encoded)).toBe(true)
    const decoded = await fetch(url)
    expect(decoded.headers.get('content-encoding')).toBeNull()
    expect(await decoded.text()).toBe('so it is')
  })

  it('hands on each piece when it comes', async () => {
    let write = (_: string) => {}
    const { url } = await startServer((_, response) => {
      write = text => response.write(text)
      response.flushHeaders()
    })
    const reader = (await fetch(url)).body?.getReader()
    for (const text of ['a', 'b', 'c']) {
      write(text)
      expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(text)
    }
    await reader?.cancel()
  })

  it('slows a server down whose answer nobody reads, and then reads all of it', async () => {
    const piece = Buffer.alloc(65_536, 'x')
    const pieces = 400
    let written = 0
    const { url } = await startServer((_, response) => {
      const step = () => {
        while (written < pieces) {
          written++
          if (!response.write(piece)) return void response.once('drain', step)
        }
        response.end()
      }
      step()
    })
    const answer = await fetch(url)
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(written).toBeLessThan(pieces / 2)
    expect((await answer.arrayBuffer()).byteLength).toBe(pieces * piece.length)
  })

  it('reads an answer whose reason phrase a Response would not take', async () => {
    const { url } = await startServer((_, response) => {
      response.writeHead(200, 'D\u00e9j\u00e0 vu')
      response.end('seen before')
    })
    const answer = await fetch(url)
    expect([answer.status, await answer.text()]).toEqual([200, 'seen before'])
  })

  it('closes the connection when the reader goes away', async () => {
    const { url, seen } = await startServer((_, response) => void response.write('a'))
    const answer = await fetch(url)
    await answer.body?.cancel()
    await until(() => seen.gone === 1)
  })

  it.each(['before it begins', 'before the headers', 'after them'])(
    'ends when it is aborted %s',
    async when => {
      const { url, seen } = await startServer((_, response) => {
        if (when === 'after them') response.write('a')
      })
      const controller = new AbortController()
      const reason = new Error('enough')
      if (when === 'before it begins') controller.abort(reason)
      const asked = fetch(url, { signal: controller.signal })
      if (when === 'before the headers') {
        await until(() => seen.asked === 1)
        controller.abort(reason)
      }
      if (when !== 'after them') {
        await expect(asked).rejects.toBe(reason)
      } else {
        const reader = (await asked).body?.getReader()
        await reader?.read()
        controller.abort(reason)
        await expect(reader?.read()).rejects.toBe(reason)
      }
      await until(() => seen.gone === seen.asked)
      expect(seen.asked).toBe(when === 'before it begins' ? 0 : 1)
    },
  )

  it('fails as fetch does if nobody listens, or the connection breaks', async () => {
    await expect(fetch('http://127.0.0.1:9/')).rejects.toThrow(new TypeError('fetch failed'))
    let breakOff = () => {}
    const { url } = await startServer((request, response) => {
      if (request.url === '/early') return void request.socket.destroy()
      response.writeHead(200, { 'content-length': '10' })
      response.write('half ')
      breakOff = () => request.socket.destroy()
    })
    await expect(fetch(`${url}/early`)).rejects.toThrow(new TypeError('fetch failed'))
    const answer = await fetch(`${url}/late`)
    breakOff()
    await expect(answer.text()).rejects.toThrow(new TypeError('fetch failed'))
  })

  it('takes answers without a body', async () => {
    const { url } = await startServer((request, response) => {
      response.writeHead(request.method === 'HEAD' ? 200 : 204, { 'x-seen': 'yes' }).end()
    })
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(url, { method })
      expect([answer.headers.get('x-seen'), await answer.text()]).toEqual(['yes', ''])
    }
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ] as const)('reads what a server encodes unasked: %s', async (encoding, encode) => {
    const { url } = await startServer((request, response) => {
      expect(request.headers['accept-encoding']).toBeUndefined()
      response.writeHead(200, { 'content-encoding': encoding }).end(encode('so it is'))
    })
    expect(await (await fetch(url)).text()).toBe('so it is')
  })

  it('follows a redirect unless the request forbids it', async () => {
    const { url } = await startServer(async (request, response) => {
      if (request.url === '/old') response.writeHead(307, { location: '/new' }).end()
      else response.end(`${request.method} ${request.url} ${await textOf(request)}`)
    })
    const post = { method: 'POST', body: 'x' }
    expect(await (await fetch(`${url}/old`, post)).text()).toBe('POST /new x')
    const manual = await fetch(`${url}/old`, { ...post, redirect: 'manual' })
    expect([manual.status, manual.headers.get('location')]).toEqual([307, '/new'])
  })

  it('uses connections again', async () => {
    const { url, sockets } = await startServer((_, response) => void response.end('ok'))
    for (let i = 0; i < 5; i++) expect(await (await fetch(url)).text()).toBe('ok')
    // One may be asked for before the last answer has left it.
    expect(sockets.size).toBeLessThanOrEqual(2)
  })
})
