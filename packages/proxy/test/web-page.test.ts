import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ByteUpstream, startByteUpstream } from './support/byte-upstream.js'
import { until } from './support/raw-client.js'
import { type NodeProxy, serveNode } from './support/serve-node.js'
import { hasChromium, startChromium } from './support/start-chromium.js'

// A real browser shows pages of `evil.test` and of `localhost`. Both are this machine, so nothing but
// the proxy is between them and the server.

const answered = JSON.stringify({
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
})
const chat = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello.' }] })

/** Each returns what the page could read, as text. `at` is the address of the proxy. */
const attacks: Readonly<Record<string, string>> = {
  'fetch with JSON': `fetch(at + '/v1/chat/completions',
    { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(read)`,
  'fetch with JSON and a key': `fetch(at + '/v1/messages',
    { method: 'POST', headers: { 'content-type': 'application/json', 'x-api-key': 'x' }, body }).then(read)`,
  'fetch with a simple type': `fetch(at + '/v1/chat/completions', { method: 'POST', body }).then(read)`,
  'fetch with no-cors': `fetch(at + '/v1/chat/completions',
    { method: 'POST', mode: 'no-cors', body: new Blob([body]) }).then(read)`,
  'fetch of another path with no-cors': `fetch(at + '/v1/embeddings',
    { method: 'POST', mode: 'no-cors', body }).then(read)`,
  'fetch without a path of its own': `fetch(at + '/chat/completions',
    { method: 'POST', mode: 'no-cors', body }).then(read)`,
  'fetch with GET': `fetch(at + '/v1/models').then(read)`,
  'a beacon': `Promise.resolve(String(!navigator.sendBeacon(at + '/v1/chat/completions', body) || ''))`,
  'an image': `load('img', at + '/v1/models')`,
  'a script': `load('script', at + '/v1/models')`,
  'a form': `submit('text/plain', at + '/v1/chat/completions')`,
  'a form with fields': `submit('application/x-www-form-urlencoded', at + '/v1/responses')`,
  'a form with a file': `submit('multipart/form-data', at + '/v1/audio/transcriptions')`,
  'an EventSource': `new Promise(resolve => {
    const source = new EventSource(at + '/v1/models')
    source.onopen = () => resolve('open')
    source.onerror = () => { source.close(); resolve('') }
  })`,
  'a WebSocket': `new Promise(resolve => {
    const socket = new WebSocket(at.replace('http', 'ws') + '/v1/realtime')
    socket.onopen = () => resolve('open')
    socket.onerror = () => resolve('')
  })`,
  'a page in a sandbox': `new Promise(resolve => {
    addEventListener('message', ({ data }) => resolve(data))
    const frame = document.createElement('iframe')
    frame.sandbox = 'allow-scripts'
    frame.srcdoc = '<script>fetch(' + JSON.stringify(at + '/v1/chat/completions') + ', ' +
      '{ method: "POST", headers: { "content-type": "application/json" }, body: "{}" })' +
      '.then(r => r.text()).catch(() => "").then(text => parent.postMessage(text, "*"))<' + '/script>'
    document.body.append(frame)
  })`,
}

const helpers = `
  const read = answer => answer.text()
  const load = (tag, src) => new Promise(resolve => {
    const element = document.createElement(tag)
    element.onload = () => resolve('loaded')
    element.onerror = () => resolve('')
    element.src = src
    document.body.append(element)
  })
  const submit = (type, action) => new Promise(resolve => {
    const frame = document.createElement('iframe')
    frame.name = 'answer' + type
    document.body.append(frame)
    const form = document.createElement('form')
    Object.assign(form, { method: 'post', action, enctype: type, target: frame.name })
    const field = document.createElement('input')
    Object.assign(field, { name: body.slice(0, -1) + ', "x": "', value: '"}' })
    form.append(field)
    document.body.append(form)
    frame.onload = () => {
      try { resolve(frame.contentDocument?.body.textContent ?? '') } catch { resolve('') }
    }
    form.submit()
  })
`

async function servePage() {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><body>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

describe.skipIf(!hasChromium)('a web page in Chromium', () => {
  let browser: Browser
  let pages: Awaited<ReturnType<typeof servePage>>
  let pagesPort = 0
  let upstream: ByteUpstream
  let proxy: NodeProxy
  let page: Page

  beforeAll(async () => {
    browser = await startChromium(['evil.test'])
    upstream = await startByteUpstream((_, response) => {
      const headers = { 'content-type': 'application/json', 'access-control-allow-origin': '*' }
      response.writeHead(200, headers).end(answered)
    })
    pages = await servePage()
    pagesPort = pages.port
  })
  afterAll(async () => {
    await browser.close()
    await pages.close()
    await upstream.close()
  })
  beforeEach(async () => {
    page = await browser.newPage()
  })
  afterEach(async () => {
    await page.close()
    await proxy.close()
  })

  async function start(more = '', overrides = {}): Promise<void> {
    proxy = await serveNode(`upstream: ${upstream.baseUrl}\n${more}`, { overrides })
  }

  /** Returns what the page could read; an empty text if it was not allowed to. */
  function run(script: string, at = proxy.origin): Promise<string> {
    const body = JSON.stringify(chat)
    return page.evaluate(
      `(async () => { const at = ${JSON.stringify(at)}; const body = ${body}; ${helpers}
        try { return await (${script}) } catch { return '' } })()`,
    )
  }

  it.each(Object.entries(attacks))(
    'of another origin reaches nothing with %s',
    async (_, script) => {
      const before = upstream.requests.length
      await start()
      await page.goto(`http://evil.test:${pagesPort}/`)
      expect(await run(script)).toBe('')
      // The request was made, and it was the proxy that refused it.
      await until(() => proxy.lines().some(line => line.status === 403))
      expect(upstream.requests).toHaveLength(before)
    },
  )

  it.each([
    ['fetch with JSON', '/v1/chat/completions', 'POST'],
    ['fetch with GET', '/v1/models', 'GET'],
    ['fetch of its counters', '/metrics', 'GET'],
  ])('whose name now leads to the proxy reaches nothing with %s', async (_, path, method) => {
    const before = upstream.requests.length
    // The attacker's server has the name and the port first, then the proxy has.
    const attacker = await servePage()
    const { port } = attacker
    const origin = `http://evil.test:${port}`
    await page.goto(origin)
    await attacker.close()
    await start('', { port })
    const headers = "{ 'content-type': 'application/json' }"
    const init = method === 'POST' ? `{ method: 'POST', headers: ${headers}, body }` : '{}'
    const text = await run(`fetch('${path}', ${init}).then(read)`, origin)
    expect(JSON.parse(text).error.code).toBe('host_not_allowed')
    expect(upstream.requests).toHaveLength(before)
  })

  it('of this machine may use the proxy', async () => {
    await start()
    await page.goto(`http://localhost:${pagesPort}/`)
    const text = await run(attacks['fetch with JSON'] ?? '')
    expect(JSON.parse(text).choices[0].message.content).toBe('Hi.')
    expect(await run(attacks['fetch with GET'] ?? '')).toBe(answered)
  })

  it('of an origin that the configuration names may use the proxy', async () => {
    await start(`cors: { origins: ["http://evil.test:${pagesPort}"] }`)
    await page.goto(`http://evil.test:${pagesPort}/`)
    const text = await run(attacks['fetch with JSON'] ?? '')
    expect(JSON.parse(text).choices[0].message.content).toBe('Hi.')
  })

  it('cannot use the key of another client', async () => {
    const before = upstream.requests.length
    await start('clients: { keys: [client-key] }')
    await page.goto(`http://evil.test:${pagesPort}/`)
    for (const script of Object.values(attacks)) expect(await run(script)).toBe('')
    expect(upstream.requests).toHaveLength(before)
  })
})

it.skipIf(hasChromium)('no page was tried: there is no Chromium at /usr/bin/chromium', () => {})
