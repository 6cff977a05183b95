import { createProxy, defaultLimits } from '@toolglot/proxy'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ByteUpstream, startByteUpstream } from './support/byte-upstream.js'
import { exchange, rawRequest, statusOf } from './support/raw-socket.js'
import { type NodeProxy, serveNode } from './support/serve-node.js'

const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello.' }] })
const answered = JSON.stringify({
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
})
const json = { 'content-type': 'application/json' }
const paths = [
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/messages',
  '/v1/messages/count_tokens',
  '/chat/completions',
  '/v1/embeddings',
  '/anything',
]

let upstream: ByteUpstream
let asked = 0
beforeAll(async () => {
  upstream = await startByteUpstream((_, response) => {
    asked++
    response.writeHead(200, {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
    })
    response.end(answered)
  })
})
afterAll(() => upstream.close())
beforeEach(() => {
  asked = 0
})
const open: NodeProxy[] = []
afterEach(async () => {
  for (const proxy of open.splice(0)) await proxy.close()
})

async function serve(more = '', overrides = {}): Promise<NodeProxy> {
  const proxy = await serveNode(`upstream: ${upstream.baseUrl}\n${more}`, { overrides })
  open.push(proxy)
  return proxy
}

const post = (path: string, headers: Record<string, string>) =>
  rawRequest(`POST ${path} HTTP/1.1`, headers, body)
const headersOf = (answer: string) => answer.slice(0, answer.indexOf('\r\n\r\n')).toLowerCase()

describe('what a web page of another origin can send', () => {
  it.each<[string, Record<string, string>]>([
    ['a JSON request', { ...json, origin: 'https://evil.test' }],
    ['a request of a page without an origin', { ...json, origin: 'null' }],
    ['a request of an extension', { ...json, origin: 'chrome-extension://abcdef' }],
    ['a name that it had resolved to this machine', { ...json, host: 'evil.test:4141' }],
    ['such a name with its origin', { ...json, host: 'evil.test', origin: 'http://evil.test' }],
    ['a name that begins like an address', { ...json, host: '127.0.0.1.evil.test' }],
    ['the address 0.0.0.0', { ...json, host: '0.0.0.0' }],
    ['a link or an image', { ...json, 'sec-fetch-site': 'cross-site' }],
  ])('is refused on every path: %s', async (_, headers) => {
    const proxy = await serve()
    for (const path of paths) {
      const answer = await exchange(proxy.port, [post(path, headers)])
      expect(statusOf(answer), path).toBe(403)
      expect(headersOf(answer)).not.toContain('access-control-')
    }
    for (const path of ['/health', '/ready', '/metrics', '/v1/models', '/']) {
      const answer = await exchange(proxy.port, [rawRequest(`GET ${path} HTTP/1.1`, headers)])
      expect(statusOf(answer), path).toBe(403)
    }
    expect(asked).toBe(0)
  })

  it.each([
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'text/plain, application/json',
  ])('is refused by its type on the paths of the APIs: %s', async type => {
    const proxy = await serve()
    for (const path of paths.slice(0, 5)) {
      const answer = await exchange(proxy.port, [post(path, { 'content-type': type })])
      expect(statusOf(answer), path).toBe(403)
    }
    expect(asked).toBe(0)
  })

  it('is refused without a type, too', async () => {
    const proxy = await serve()
    expect(statusOf(await exchange(proxy.port, [post('/v1/responses', {})]))).toBe(403)
    expect(asked).toBe(0)
  })

  it('is no WebSocket either', async () => {
    const proxy = await serve()
    const headers = {
      ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
      ...{ 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', origin: 'https://evil.test' },
    }
    const answer = await exchange(proxy.port, [
      rawRequest('GET /v1/realtime HTTP/1.1', headers).replace(
        '\r\n\r\n',
        '\r\nconnection: close\r\n\r\n',
      ),
    ])
    expect(statusOf(answer)).toBe(403)
    expect(asked).toBe(0)
  })

  it('is refused in the shape of the API, and with the setting to change', async () => {
    const proxy = await serve()
    const answer = await exchange(proxy.port, [
      post('/v1/messages', { ...json, origin: 'https://evil.test' }),
    ])
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({
      type: 'error',
      error: {
        type: 'permission_error',
        message:
          'The web pages of "https://evil.test" may not use this proxy. To let them, add this origin to "cors.origins" in the configuration.',
      },
    })
    expect(proxy.lines().at(-1)).toMatchObject({ status: 403, code: 'origin_not_allowed' })
  })
})

describe('a preflight', () => {
  const preflight = (origin: string) =>
    rawRequest('OPTIONS /v1/chat/completions HTTP/1.1', {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
      'access-control-request-private-network': 'true',
    })

  it('is answered by the proxy itself, for pages of this machine', async () => {
    const proxy = await serve()
    const answer = await exchange(proxy.port, [preflight('http://localhost:3000')])
    expect(statusOf(answer)).toBe(204)
    expect(headersOf(answer)).toContain('access-control-allow-origin: http://localhost:3000')
    expect(headersOf(answer)).toContain('access-control-allow-headers: authorization,content-type')
    expect(headersOf(answer)).toContain('access-control-allow-private-network: true')
    expect(headersOf(answer)).not.toContain('allow-credentials')
    expect(asked).toBe(0)
  })

  it('is refused for others, whatever the path', async () => {
    const proxy = await serve()
    for (const path of paths) {
      const text = preflight('https://evil.test').replace('/v1/chat/completions', path)
      const answer = await exchange(proxy.port, [text])
      expect(statusOf(answer)).toBe(403)
      expect(headersOf(answer)).not.toContain('access-control-')
    }
    expect(asked).toBe(0)
  })

  it('allows nothing to a foreign page where clients have keys', async () => {
    const proxy = await serve('clients: { keys: [client-key] }')
    const answer = await exchange(proxy.port, [preflight('https://evil.test')])
    expect(statusOf(answer)).toBe(204)
    expect(headersOf(answer)).not.toContain('access-control-allow-origin')
    expect(asked).toBe(0)
  })
})

describe('who may use the proxy', () => {
  const statusFor = async (proxy: NodeProxy, headers: Record<string, string>) =>
    statusOf(await exchange(proxy.port, [post('/v1/chat/completions', { ...json, ...headers })]))

  it('is every program and page of this machine', async () => {
    const proxy = await serve()
    for (const host of ['127.0.0.1', 'localhost:4141', '[::1]:4141', 'LOCALHOST'])
      expect(await statusFor(proxy, { host }), host).toBe(200)
    const answer = await exchange(proxy.port, [
      post('/v1/embeddings', {
        ...json,
        origin: 'http://localhost:3000',
        'sec-fetch-site': 'same-site',
      }),
    ])
    expect(statusOf(answer)).toBe(200)
    // Not the server's `*`.
    expect(headersOf(answer).match(/access-control-allow-origin: .*/g)).toEqual([
      'access-control-allow-origin: http://localhost:3000',
    ])
    expect(headersOf(answer)).toContain('vary: origin')
  })

  it('is who the configuration names', async () => {
    const proxy = await serve(
      'hosts: [host.docker.internal]\ncors: { origins: ["app://obsidian.md", "vscode-webview://*", "null"] }',
    )
    expect(await statusFor(proxy, { host: 'host.docker.internal:4141' })).toBe(200)
    expect(await statusFor(proxy, { host: 'other.docker.internal' })).toBe(403)
    for (const origin of ['app://obsidian.md', 'vscode-webview://1a2b', 'null'])
      expect(await statusFor(proxy, { origin }), origin).toBe(200)
    expect(await statusFor(proxy, { origin: 'https://evil.test' })).toBe(403)
  })

  it('is who has a key, where there are keys', async () => {
    const proxy = await serve('clients: { keys: [client-key] }')
    const key = { authorization: 'Bearer client-key' }
    expect(await statusFor(proxy, { host: 'proxy.example' })).toBe(401)
    expect(await statusFor(proxy, { host: 'proxy.example', ...key })).toBe(200)
    const typed = post('/v1/chat/completions', { ...key, 'content-type': 'text/plain' })
    expect(statusOf(await exchange(proxy.port, [typed]))).toBe(200)
  })

  it('is everybody with --insecure, but no foreign page', async () => {
    const proxy = await serve('', { host: '0.0.0.0', insecure: true })
    expect(await statusFor(proxy, { host: '192.168.1.7:4141' })).toBe(200)
    expect(await statusFor(proxy, { origin: 'https://evil.test' })).toBe(403)
  })

  it('is decided without Node as well', async () => {
    const config = {
      ...{ upstreams: [{ name: 'a', baseUrl: upstream.baseUrl }], models: [], clientKeys: [] },
      ...{ limits: defaultLimits, heartbeatMs: 1000 },
    }
    const ask = (proxy: ReturnType<typeof createProxy>, url: string) =>
      proxy.fetch(new Request(url, { method: 'POST', headers: json, body }))
    const url = 'https://worker.example/v1/chat/completions'
    expect((await ask(createProxy(config), url)).status).toBe(403)
    expect((await ask(createProxy({ ...config, hosts: ['worker.example'] }), url)).status).toBe(200)
    expect(
      (await ask(createProxy(config), url.replace('worker.example', 'localhost'))).status,
    ).toBe(200)
  })
})
