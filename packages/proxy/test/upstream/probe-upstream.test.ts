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
    expect(problem).toBe(`${origin}/v1/models was answered with 302. Is the path of the URL right?`)
  })

  it.each<[string, Readonly<Record<string, Answer>>, string, RegExp]>([
    ['rejects the key', { '/v1/models': { status: 401 } }, '/v1', /rejects the key \(401\)/],
    ['has /v1', { '/v1/models': list('vllm', 'a') }, '', /answers at .*\/v1\. Add \/v1/],
    ['has no such path', {}, '/v1', /was answered with 404/],
    ['is a website', { '/models': { body: '<html>' } }, '', /is not a list of models/],
  ])('is reached, but %s', async (_, answers, path, problem) => {
    const origin = await serve(answers)
    expect(await probeUpstream({ name: 'x', baseUrl: origin + path })).toMatchObject({
      isReached: true,
      models: [],
      problem: expect.stringMatching(problem),
    })
  })

  it('is not reached where nothing listens', async () => {
    const origin = await serve({})
    for (const close of servers.splice(0)) close()
    expect(await probeUpstream({ name: 'x', baseUrl: `${origin}/v1` })).toMatchObject({
      isReached: false,
      problem: 'nothing listens there. Is the server running?',
    })
  })

  it('is not reached where it never answers', async () => {
    const origin = await serve({ '/v1/models': 'never' })
    const upstream = { name: 'x', baseUrl: `${origin}/v1` }
    expect(await probeUpstream(upstream, { timeoutMs: 200 })).toMatchObject({
      isReached: false,
      problem: 'there was no answer within 0.2 s.',
    })
  })
})
