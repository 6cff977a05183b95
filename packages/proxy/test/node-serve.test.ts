import { EventEmitter, once } from 'node:events'
import { connect, createServer } from 'node:net'
import {
  handleSignals,
  type Overrides,
  readConfig,
  type ServerConfig,
  serveProxy,
} from '@toolglot/proxy/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askChat, textOfStream } from './support/ask-chat.js'
import { until } from './support/raw-client.js'
import {
  type ScriptedUpstream,
  sendJson,
  startScriptedUpstream,
} from './support/scripted-upstream.js'

const answer =
  'This answer is long enough to be on its way for a while, so that something may happen to it.'

function configOf(text: string, overrides: Overrides = {}): ServerConfig {
  const { config, problems } = readConfig(text, { overrides: { port: 0, ...overrides }, env: {} })
  if (!config) throw new Error(JSON.stringify(problems))
  return config
}

function createOutput() {
  const text: string[] = []
  return {
    write: (line: string) => text.push(line),
    text: () => text.join(''),
    lines: () =>
      text
        .join('')
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line)),
  }
}

let upstream: ScriptedUpstream
const open: (() => Promise<unknown>)[] = []
const settings = (more = '') =>
  `upstreams: [{ name: local, baseUrl: "${upstream.baseUrl}" }]\n${more}`

async function start(
  text = settings(),
  overrides: Overrides = {},
  load?: () => ReturnType<typeof readConfig>,
) {
  const output = createOutput()
  const proxy = await serveProxy({ config: configOf(text, overrides), output, load })
  open.push(() => Promise.all([proxy.close(), proxy.close()]))
  return { proxy, output, requests: () => output.lines().filter(line => line.msg === 'request') }
}

beforeEach(async () => {
  upstream = await startScriptedUpstream({
    script: ({ body }) => ({ text: body.model === 'plain-long' ? answer.repeat(20) : answer }),
    chunkChars: 4,
    delayMs: 20,
  })
})
afterEach(async () => {
  for (const close of open.splice(0)) await close()
  await upstream.close()
})

describe('the log', () => {
  it('says what was left out of a request', async () => {
    const { proxy, requests } = await start()
    const tools = [{ type: 'web_search' }]
    await fetch(`${proxy.address}/v1/responses`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'plain', input: 'Hi', tools }),
    })
    expect(requests()).toMatchObject([
      { status: 200, warnings: ['left out tools that the proxy cannot offer: web_search'] },
    ])
  })

  it('says at the start where it listens and whom it asks, and no key', async () => {
    const text = `upstreams: [{ name: local, baseUrl: "${upstream.baseUrl}", apiKey: sk-very-secret }]\nclients: { keys: [client-secret] }`
    const { proxy, output } = await start(text)
    expect(proxy.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(output.lines()[0]).toMatchObject({
      level: 'info',
      msg: 'listening',
      address: proxy.address,
      upstreams: [{ name: 'local', baseUrl: upstream.baseUrl }],
    })
    expect(output.text()).not.toContain('secret')
  })

  it('has one line for a request', async () => {
    const { proxy, requests } = await start()
    await (
      await askChat(proxy.address, { stream: true, headers: { 'x-request-id': 'my-id' } })
    ).text()
    await until(() => requests().length === 1)
    expect(requests()[0]).toMatchObject({
      id: 'my-id',
      method: 'POST',
      path: '/v1/chat/completions',
      model: 'plain',
      upstream: 'local',
      mode: 'prompt',
      stream: true,
      status: 200,
      ms: expect.any(Number),
    })
    expect(requests()[0]).not.toHaveProperty('body')
  })

  it('names the error of a request', async () => {
    const { proxy, requests } = await start(settings('clients: { keys: [client-secret] }'))
    expect((await askChat(proxy.address, { key: 'wrong-secret' })).status).toBe(401)
    await until(() => requests().length === 1)
    expect(requests()[0]).toMatchObject({ level: 'info', status: 401, code: 'invalid_api_key' })
    expect(JSON.stringify(requests())).not.toContain('secret')
  })

  it('has bodies only where they are asked for, and no key in them', async () => {
    const text = settings('clients: { keys: [client-secret] }\nlog: { bodies: true }')
    const { proxy, requests, output } = await start(text)
    const said = 'My key is client-secret, is it not?'
    await (await askChat(proxy.address, { key: 'client-secret', text: said })).text()
    await until(() => requests().length === 1)
    expect(requests()[0].body).toContain('My key is [redacted], is it not?')
    expect(requests()[0].answer).toContain('"choices"')
    expect(output.text()).not.toContain('client-secret')
  })

  it('has the beginning of a long body', async () => {
    const { proxy, requests } = await start(settings('log: { bodies: true }'))
    await (await askChat(proxy.address, { text: 'x'.repeat(300_000) })).text()
    await until(() => requests().length === 1)
    expect(requests()[0].body).toMatch(/^\{"model":"plain"/)
    expect(requests()[0].body).toHaveLength(100_000)
  })

  it('hides a key that the server repeats in its error, and so does the answer', async () => {
    const broken = await startScriptedUpstream({
      intercept: ({ headers }, response) => {
        sendJson(response, 500, { error: { message: `bad key ${headers.authorization}` } })
        return true
      },
    })
    open.push(() => broken.close())
    const text = `upstreams: [{ name: local, baseUrl: "${broken.baseUrl}", apiKey: sk-very-secret }]`
    const { proxy, requests, output } = await start(text)
    const response = await askChat(proxy.address)
    expect(response.status).toBe(502)
    expect(await response.text()).toContain('bad key Bearer [redacted]')
    await until(() => requests().length === 1)
    expect(requests()[0]).toMatchObject({ level: 'error', status: 502, code: 'upstream_error' })
    expect(output.text()).toContain('[redacted]')
    expect(output.text()).not.toContain('sk-very-secret')
  })

  it('warns if everybody may ask', async () => {
    const { output } = await start(settings(), { host: '0.0.0.0', insecure: true })
    expect(output.lines()[1]).toMatchObject({
      level: 'warn',
      msg: expect.stringContaining('no client keys'),
    })
  })

  it('is silent where that is asked for', async () => {
    const { proxy, output } = await start(settings('log: { level: silent }'))
    await (await askChat(proxy.address)).text()
    expect(output.text()).toBe('')
  })
})

describe('the server', () => {
  it('refuses headers that are too long', async () => {
    const { proxy } = await start(settings('limits: { headers: 4kb }'))
    expect((await askChat(proxy.address, { headers: { 'x-long': 'x'.repeat(8000) } })).status).toBe(
      431,
    )
    expect((await askChat(proxy.address)).status).toBe(200)
  })

  it('ends a connection whose headers never come', async () => {
    const { proxy } = await start(settings('limits: { headersTimeout: 200ms }'))
    const socket = connect(Number(new URL(proxy.address).port), '127.0.0.1')
    socket.write('POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\n')
    const [data] = await once(socket, 'data')
    expect(String(data)).toContain('408')
    socket.destroy()
  })

  it('says that a port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const config = configOf(settings(), { port })
    await expect(serveProxy({ config, output: createOutput() })).rejects.toThrow(
      `127.0.0.1:${port} is in use. Stop the program that listens there, or choose another port with --port.`,
    )
    other.close()
  })

  it.each([
    ['192.0.2.1', '192.0.2.1 is not an address of this machine.'],
    ['no-such-host.invalid', 'The host "no-such-host.invalid" was not found.'],
  ])('says that %s cannot be listened on', async (host, message) => {
    const config = configOf(settings(), { host, clientKeys: ['a-key'] })
    await expect(serveProxy({ config, output: createOutput() })).rejects.toThrow(message)
  })

  it('does not listen where others reach it without keys', async () => {
    const config = { ...configOf(settings()), listen: { host: '0.0.0.0', port: 0 } }
    await expect(serveProxy({ config, output: createOutput() })).rejects.toThrow(
      'listen.host is "0.0.0.0", which other machines may reach, and there are no client keys. Set clients.keys',
    )
  })

  it('writes an address of version 6 as a URL has it', async () => {
    const { proxy } = await start(settings(), { host: '::1' }).catch(() => ({ proxy: undefined }))
    // Where the machine has none.
    if (!proxy) return
    expect(proxy.address).toMatch(/^http:\/\/\[::1\]:\d+$/)
    expect((await fetch(`${proxy.address}/health`)).status).toBe(200)
  })
})

describe('reload', () => {
  it('uses the new configuration for new requests and drops no stream', async () => {
    const other = await startScriptedUpstream({ script: () => ({ text: 'From the other.' }) })
    open.push(() => other.close())
    let text = settings()
    const load = () => readConfig(text, { overrides: { port: 0 } })
    const { proxy, output } = await start(text, {}, load)
    const streaming = await askChat(proxy.address, { stream: true })
    text = `upstreams: [{ name: other, baseUrl: "${other.baseUrl}" }]\nclients: { keys: [new-secret] }`
    expect(proxy.reload()).toBe(true)
    expect((await askChat(proxy.address)).status).toBe(401)
    const next = await (await askChat(proxy.address, { key: 'new-secret' })).json()
    expect(next.choices[0].message.content).toBe('From the other.')
    expect(textOfStream(await streaming.text())).toBe(answer)
    expect(output.text()).not.toContain('new-secret')
    expect(output.lines().find(line => line.msg === 'reloaded')).toMatchObject({
      upstreams: [{ name: 'other' }],
    })
  })

  it('keeps the old configuration if the new one is broken, and says where', async () => {
    const load = () => readConfig('upstreem: http://a/v1', { fileName: 'toolglot.yaml' })
    const { proxy, output } = await start(settings(), {}, load)
    expect(proxy.reload()).toBe(false)
    expect((await askChat(proxy.address)).status).toBe(200)
    expect(output.lines().find(line => line.level === 'error')).toMatchObject({
      msg: 'the configuration is invalid; the old one stays in use',
      problems: [expect.stringContaining('toolglot.yaml:1:1: upstreem: is not a known key.')],
    })
  })

  it('keeps the keys of an address that others reach, whatever the new file says', async () => {
    const load = () => readConfig(settings('listen: { host: 127.0.0.1 }'))
    const keys = { host: '0.0.0.0', clientKeys: ['client-secret'] }
    const { proxy, output } = await start(settings(), keys, load)
    expect(proxy.reload()).toBe(false)
    const { port } = new URL(proxy.address)
    expect((await askChat(`http://127.0.0.1:${port}`)).status).toBe(401)
    expect(output.lines().find(line => line.level === 'error')?.problems).toEqual([
      expect.stringContaining('listen.host is "0.0.0.0", which other machines may reach'),
    ])
  })

  it('changes the level of the log, and says what needs a restart', async () => {
    const load = () => readConfig(settings('log: { level: debug }'), { overrides: { port: 1 } })
    const { proxy, output } = await start(settings('log: { level: error }'), {}, load)
    proxy.reload()
    expect(output.lines().map(line => line.msg)).toEqual([
      'reloaded',
      'changes of listen, headers, headersTimeout and keepAlive take effect only after a restart',
    ])
  })
})

describe('shutting down', () => {
  it('lets a stream end, refuses what is new, and frees the port', async () => {
    const { proxy, output } = await start()
    const streaming = await askChat(proxy.address, { stream: true })
    const closing = proxy.close()
    await expect(askChat(proxy.address)).rejects.toThrow()
    expect(textOfStream(await streaming.text())).toBe(answer)
    expect(await closing).toBe(true)
    expect(output.lines().at(-1)).toMatchObject({ msg: 'stopped', isCut: false })
    open.length = 0
  })

  it('does not wait for connections that ask nothing', async () => {
    // Longer than a test may take.
    const { proxy } = await start(settings('limits: { drain: 10m }'))
    await (await fetch(`${proxy.address}/health`)).text()
    expect(await proxy.close()).toBe(true)
    open.length = 0
  })

  it('cuts a stream off when it takes too long, and ends the request to the server', async () => {
    const { proxy, output, requests } = await start(settings('limits: { drain: 100ms }'))
    const streaming = await askChat(proxy.address, { stream: true, model: 'plain-long' })
    const reading = expect(streaming.text()).rejects.toThrow()
    expect(await proxy.close()).toBe(false)
    await reading
    await until(() => upstream.aborts() === 1)
    expect(output.lines().find(line => line.level === 'warn')).toMatchObject({
      msg: 'answers are cut off',
      active: 1,
    })
    await until(() => requests().length === 1)
    expect(requests()[0]).toMatchObject({ status: 503, code: 'shutting_down' })
    open.length = 0
  })

  it('goes by signals, and a second one does not wait', async () => {
    const { proxy, output } = await start()
    const target = new EventEmitter()
    const done = handleSignals(proxy, { target })
    const streaming = await askChat(proxy.address, { stream: true, model: 'plain-long' })
    const reading = expect(streaming.text()).rejects.toThrow()
    target.emit('SIGTERM')
    await until(() => output.lines().some(line => line.msg === 'shutting down'))
    target.emit('SIGINT')
    expect(await done).toBe(false)
    await reading
    expect(target.eventNames()).toEqual([])
    open.length = 0
  })

  it('does not end at an error that nobody caught', async () => {
    const { proxy, output } = await start()
    const target = new EventEmitter()
    const done = handleSignals(proxy, { target })
    target.emit('uncaughtException', new Error('nobody caught this'))
    target.emit('unhandledRejection', 'nor this')
    expect((await askChat(proxy.address)).status).toBe(200)
    const errors = output.lines().filter(line => line.msg === 'uncaught error')
    expect(errors.map(({ err }) => err.message)).toEqual(['nobody caught this', 'nor this'])
    target.emit('SIGTERM')
    expect(await done).toBe(true)
    open.length = 0
  })
})
