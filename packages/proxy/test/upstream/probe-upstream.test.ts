import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { probeUpstream } from '../../src/upstream/probe-upstream.js'

const servers: (() => void)[] = []
afterEach(() => {
  for (const close of servers.splice(0)) close()
})

interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A server that answers the paths named and 404 to all others. Returns its URL without a path. */
async function serve(answers: Readonly<Record<string, Answer | 'never'>>, seen: string[] = []) {
  const server = createServer((request, response) => {
    seen.push(`${request.url} ${request.headers.authorization ?? ''}`.trim())
    const answer = answers[request.url ?? '']
    if (answer === 'never') return
    const { status = 200, headers = {}, body = {} } = answer ?? { status: 404 }
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  servers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

const list = (owner: string, ...ids: readonly string[]) => ({
  body: { object: 'list', data: ids.map(id => ({ id, object: 'model', owned_by: owner })) },
})
const models = { '/v1/models': list('vllm', 'a') }
const empty = { body: { object: 'list', data: [] } }

describe('a server that is asked for its models', () => {
  it.each<[string | undefined, Readonly<Record<string, Answer>>]>([
    ['llama.cpp', { '/v1/models': { ...list('me', 'a'), headers: { server: 'llama.cpp' } } }],
    ['llama.cpp', { '/v1/models': list('llamacpp', 'a') }],
    ['Ollama', { '/v1/models': list('library', 'a') }],
    ['vLLM', { '/v1/models': list('vllm', 'a') }],
    ['SGLang', { '/v1/models': list('sglang', 'a') }],
    ['LM Studio', { '/v1/models': list('organization_owner', 'a') }],
    ['LM Studio', { '/v1/models': list('me', 'a'), '/api/v0/models': empty }],
    [undefined, { '/v1/models': list('me', 'a') }],
    [undefined, { '/v1/models': list('constructor', 'a') }],
    [undefined, { '/v1/models': list('__proto__', 'a') }],
  ])('is %s', async (kind, answers) => {
    const origin = await serve(answers)
    expect(await probeUpstream({ name: 'x', baseUrl: `${origin}/v1/` })).toEqual({
      ...{ name: 'x', baseUrl: `${origin}/v1`, isReached: true },
      ...{ kind, models: ['a'], problem: undefined },
    })
  })

  it('is Ollama by its own path where it has no model yet, and that is a problem', async () => {
    const origin = await serve({
      '/v1/models': { body: { object: 'list', data: null } },
      '/api/version': { body: { version: '0.12.0' } },
    })
    expect(await probeUpstream({ name: 'x', baseUrl: `${origin}/v1` })).toMatchObject({
      kind: 'Ollama',
      models: [],
      problem: 'it lists no models. Load one first.',
    })
  })

  it('gets the key and the headers of the configuration, and a redirect does not', async () => {
    const elsewhere: string[] = []
    const other = await serve({ '/models': list('vllm', 'a') }, elsewhere)
    const seen: string[] = []
    const origin = await serve(
      { '/v1/models': { status: 302, headers: { location: `${other}/models` } } },
      seen,
    )
    const upstream = { name: 'x', baseUrl: `${origin}/v1`, apiKey: 'secret' }
    const { problem } = await probeUpstream(upstream)
    expect(seen).toEqual(['/v1/models Bearer secret'])
    expect(elsewhere).toEqual([])
    expect(problem).toBe(
      `it redirects to ${other}/models, and the proxy does not follow. Write the URL that it moved to.`,
    )
  })

  it.each<[string, Readonly<Record<string, Answer>>, string, RegExp]>([
    ['needs a key', { '/v1/models': { status: 401 } }, '/v1', /^it needs a key \(401\)\. Set /],
    ['has /v1', models, '', /^its API is at .*:\d+\/v1\. Write this URL/],
    ['has another path', models, '/api', /^its API is at .*:\d+\/v1\. Write this URL/],
    [
      'has the path of one API',
      models,
      '/v1/chat/completions',
      /^its API is at .*:\d+\/v1\. Write this URL/,
    ],
    ['has no list', {}, '/v1', /^it has no list of models \(404 at .*\/v1\/models\)/],
    ['failed', { '/v1/models': { status: 500 } }, '/v1', /^it failed \(500\)\. Look at its log/],
    ['loads its model', { '/v1/models': { status: 503 } }, '/v1', /^it is not ready \(503\)/],
    ['is a website', { '/models': { body: '<html>' } }, '', /is not a list of models/],
  ])('is reached, but %s', async (_, answers, path, problem) => {
    const origin = await serve(answers)
    expect(await probeUpstream({ name: 'x', baseUrl: origin + path })).toMatchObject({
      isReached: true,
      models: [],
      problem: expect.stringMatching(problem),
    })
  })

  it('rejects the key of the configuration', async () => {
    const origin = await serve({ '/v1/models': { status: 401 } })
    const upstream = { name: 'x', baseUrl: `${origin}/v1`, headers: { 'x-api-key': 'secret' } }
    expect((await probeUpstream(upstream)).problem).toMatch(
      /^it rejects the key \(401\)\. Correct /,
    )
  })

  it('redirects to a URL that may repeat the key, which is not shown', async () => {
    const location = `https://elsewhere.example/?key=the-secret&${'x'.repeat(500)}`
    const origin = await serve({ '/v1/models': { status: 307, headers: { location } } })
    const upstream = { name: 'x', baseUrl: `${origin}/v1`, apiKey: 'the-secret' }
    const { problem = '' } = await probeUpstream(upstream)
    expect(problem).toContain('https://elsewhere.example/?key=[redacted]')
    expect(problem.length).toBeLessThan(250)
  })

  it('is not reached by https where it speaks http', async () => {
    const origin = await serve({})
    const upstream = { name: 'x', baseUrl: `${origin.replace('http:', 'https:')}/v1` }
    expect(await probeUpstream(upstream)).toMatchObject({
      isReached: false,
      problem: 'it does not speak https. Write http:// in the URL.',
    })
  })

  it('is not reached where nothing listens', async () => {
    const origin = await serve({})
    for (const close of servers.splice(0)) close()
    expect(await probeUpstream({ name: 'x', baseUrl: `${origin}/v1` })).toMatchObject({
      isReached: false,
      problem: 'nothing listens there. Start the server, before or after the proxy.',
    })
  })

  it('is not reached where it never answers', async () => {
    const origin = await serve({ '/v1/models': 'never' })
    const upstream = { name: 'x', baseUrl: `${origin}/v1` }
    expect(await probeUpstream(upstream, { timeoutMs: 200 })).toMatchObject({
      isReached: false,
      problem: 'there was no answer within 0.2 s. Is it busy, or another program?',
    })
  })
})
