import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ByteUpstream, startByteUpstream } from './support/byte-upstream.js'
import { chatBody } from './support/raw-client.js'
import { exchange, rawRequest, statusOf } from './support/raw-socket.js'
import { type NodeProxy, serveNode } from './support/serve-node.js'

const answered = JSON.stringify({
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
})
const { model, messages, tools } = chatBody('m', { stream: false })
const chat = JSON.stringify({ model, messages, tools })
const flatTools = tools.map(({ function: tool }) => ({ type: 'function', ...tool }))
const responses = JSON.stringify({ model, input: 'Hi', tools: flatTools })
const message = JSON.stringify({
  ...{ model, messages, max_tokens: 5 },
  tools: [{ name: 'get_weather', input_schema: { type: 'object' } }],
})

let upstream: ByteUpstream
let proxy: NodeProxy
beforeEach(async () => {
  upstream = await startByteUpstream((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(answered)
  })
  proxy = await serveNode(
    `upstream: ${upstream.baseUrl}\nmodels: [{ match: raw, mode: off }, { match: found, mode: rescue }]`,
  )
})
afterEach(async () => {
  await proxy.close()
  await upstream.close()
})

function post(path: string, body: string, headers: Record<string, string> = {}): Promise<string> {
  const type = { 'content-type': 'application/json' }
  return exchange(proxy.port, [rawRequest(`POST ${path} HTTP/1.1`, { ...type, ...headers }, body)])
}

/** The tools as the server got them: as text in the prompt, and not as a field. */
function expectPrompt(): void {
  expect(upstream.requests).toHaveLength(1)
  const [seen] = upstream.requests
  const sent = JSON.parse(seen?.body.toString() ?? '{}')
  expect(seen?.path).toBe('/v1/chat/completions')
  expect(sent).not.toHaveProperty('tools')
  expect(JSON.stringify(sent.messages)).toContain('get_weather')
}

describe('a spelling of a path does not get around the prompt', () => {
  it.each([
    ['/chat/completions', chat],
    ['/v1/v1/chat/completions', chat],
    ['/v1/chat/completions/', chat],
    ['//v1//chat//completions//', chat],
    ['/v1/chat%2fcompletions', chat],
    ['/v1/chat%252Fcompletions', chat],
    ['/v1/%63hat/completion%73', chat],
    ['/V1/Chat/Completions', chat],
    ['/v1/./chat/x/../completions', chat],
    ['/v1/x%2f..%2fchat/completions', chat],
    ['/v1/chat/completions;x=1', chat],
    ['/v1/chat/completions%20', chat],
    ['/v1/chat/completions?api-version=1', chat],
    ['http://127.0.0.1/v1/chat/completions', chat],
    ['/responses', responses],
    ['/v1/v1/responses/', responses],
    ['/messages', message],
    ['/v1/v1/messages', message],
    ['/v1/Messages/', message],
  ])('%s', async (path, body) => {
    expect(statusOf(await post(path, body))).toBe(200)
    expectPrompt()
  })

  it('answers a wrong method on all of them', async () => {
    for (const path of ['/chat/completions/', '/v1/v1/messages', '/Responses'])
      for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
        const line = `${method} ${path} HTTP/1.1`
        expect(statusOf(await exchange(proxy.port, [rawRequest(line, {})])), line).toBe(405)
      }
    expect(upstream.requests).toHaveLength(0)
  })

  it('is a 400 with a user name or a password in it', async () => {
    for (const target of ['user:password@localhost', 'user@localhost', ':password@localhost']) {
      const answer = await post(`http://${target}/v1/chat/completions`, chat)
      expect(statusOf(answer), target).toBe(400)
    }
    expect(upstream.requests).toHaveLength(0)
  })

  it('passes no TRACE on, which would repeat the key', async () => {
    for (const method of ['TRACE', 'PROPFIND']) {
      const answer = await exchange(proxy.port, [rawRequest(`${method} /v1/x HTTP/1.1`, {})])
      expect(statusOf(answer)).toBe(405)
    }
    expect(upstream.requests).toHaveLength(0)
  })
})

describe('a request with tools to another path', () => {
  it.each<[string, string, string, Record<string, string>]>([
    ['to an unknown path', '/api/chat', chat, {}],
    ['to an old API', '/v1/completions', chat, {}],
    ['to another version', '/v2/chat/completions', chat, {}],
    ['with the type of a text', '/api/chat', chat, { 'content-type': 'text/plain' }],
    [
      'with the type of a form',
      '/api/chat',
      ` \n${chat}`,
      { 'content-type': 'multipart/form-data' },
    ],
    ['with a byte order mark', '/api/chat', `\ufeff${chat}`, { 'content-type': 'text/plain' }],
    ['with functions', '/api/chat', chat.replace('"tools"', '"functions"'), {}],
    ['in a list', '/api/batch', `[${chat}]`, {}],
    ['in a list with the type of a text', '/x', `[${chat}]`, { 'content-type': 'text/plain' }],
  ])('is refused with a sentence: %s', async (_, path, body, headers) => {
    const answer = await post(path, body, headers)
    expect(statusOf(answer)).toBe(404)
    expect(JSON.parse(answer.slice(answer.indexOf('{'))).error).toMatchObject({
      code: 'tools_not_supported',
      message: `The proxy cannot write tools into the prompt of a request to "${path}". Send it to /v1/chat/completions, /v1/responses or /v1/messages, or set mode "off" for this model.`,
    })
    expect(upstream.requests).toHaveLength(0)
  })

  it.each(['raw', 'found'])('passes if the server shall have the tools: model %s', async id => {
    const body = chat.replace('"model":"m"', `"model":"${id}"`)
    expect(statusOf(await post('/api/chat', body))).toBe(200)
    expect(upstream.requests[0]?.body.toString()).toBe(body)
  })

  it('passes without tools', async () => {
    for (const body of ['{"model":"m","input":"x"}', '{"tools":[]}', '{"tools":null}', '[1]', ''])
      expect(statusOf(await post('/v1/embeddings', body)), body).toBe(200)
  })

  it('is refused if nobody can look into it', async () => {
    expect(statusOf(await post('/api/chat', '{"tools":'))).toBe(400)
    const encoded = await post('/api/chat', 'x', { 'content-encoding': 'br' })
    expect(statusOf(encoded)).toBe(415)
    const broken = await post('/api/chat', 'x', { 'content-encoding': 'gzip' })
    expect(statusOf(broken)).toBe(400)
    expect(upstream.requests).toHaveLength(0)
  })
})

describe('a proxy that passes everything through', () => {
  it('passes what is not JSON, whatever its type says', async () => {
    const off = await serveNode(
      `upstream: ${upstream.baseUrl}\nmodels: [{ match: '*', mode: off }]`,
    )
    const deep = '['.repeat(1000)
    for (const body of [`${chat}\n${chat}`, '{"tools":', deep]) {
      const head = { 'content-type': 'application/json' }
      const answer = await exchange(off.port, [rawRequest('POST /x HTTP/1.1', head, body)])
      expect(statusOf(answer)).toBe(200)
      expect(upstream.requests.at(-1)?.body.toString()).toBe(body)
    }
    await off.close()
  })
})

describe('a path that would leave the address of the server', () => {
  it.each([
    '/v1/..%2f..%2fadmin',
    '/v1/x/..%5c..%5cadmin',
    '/v1/%252e%252e/admin',
    '/v1/..;/admin',
  ])('%s is refused', async path => {
    expect(statusOf(await post(path, '{}'))).toBe(400)
    expect(upstream.requests).toHaveLength(0)
  })

  it('stays within it, if the dots are plain', async () => {
    await post('/v1/../../admin', '{}')
    expect(upstream.requests[0]?.path).toBe('/v1/admin')
  })
})
