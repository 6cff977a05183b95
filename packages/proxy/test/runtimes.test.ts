import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chatBody, errorOf, headOf, open, outcomeOf, send, until } from './support/raw-client.js'
import {
  type ScriptedUpstream,
  startScriptedUpstream,
  weatherAnswer,
  weatherArgs,
} from './support/scripted-upstream.js'
import { hasRuntime, runtimes, startRuntime } from './support/start-runtime.js'

// `.ci/run` installs them where it can.
describe.each(Object.keys(runtimes))('the same handler on %s', name => {
  const isThere = hasRuntime(name)
  let upstream: ScriptedUpstream
  let server: Awaited<ReturnType<typeof startRuntime>>
  let chat = ''

  beforeAll(async () => {
    if (!isThere) return
    upstream = await startScriptedUpstream({
      intercept({ body }, response) {
        if (body?.model !== 'dies' && body?.model !== 'thinks') return false
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const content = 'Let me see. <tool_call>\n{"name": "get_weather"'
        response.write(
          `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`,
        )
        if (body.model === 'dies') setTimeout(() => response.socket?.destroy(), 50)
        return true
      },
    })
    server = await startRuntime(name, upstream.baseUrl)
    chat = `${server.origin}/v1/chat/completions`
  }, 60_000)
  afterAll(async () => {
    await server?.close()
    await upstream?.close()
  })

  it.skipIf(!isThere)('streams a call and the answer after it', async () => {
    const first = await send(chat, { body: chatBody('perfect') })
    expect(first.headers['content-type']).toContain('text/event-stream')
    const { calls, finish, isDone } = outcomeOf(first.body)
    expect(calls.map(({ name: tool, arguments: args }) => [tool, JSON.parse(args)])).toEqual([
      ['get_weather', weatherArgs],
    ])
    expect([finish, isDone]).toEqual(['tool_calls', true])
    const messages = [
      { role: 'user', content: 'How is the weather?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: calls[0] }],
      },
      { role: 'tool', tool_call_id: 'c', content: '{"sky":"sunny"}' },
    ]
    const second = outcomeOf((await send(chat, { body: chatBody('perfect', { messages }) })).body)
    expect([second.content, second.finish]).toEqual([weatherAnswer, 'stop'])
  })

  it.skipIf(!isThere)('returns a whole answer, an error and its counters', async () => {
    const reply = await send(chat, { body: chatBody('sloppy', { stream: false }) })
    expect(JSON.parse(reply.body).choices[0].message.tool_calls[0].function.name).toBe(
      'get_weather',
    )
    const refused = await send(chat, { body: { model: 'perfect', messages: [] } })
    expect([refused.status, errorOf(refused).param]).toEqual([400, 'messages'])
    const metrics = await send(`${server.origin}/metrics`, { method: 'GET' })
    expect(metrics.body).toContain('# TYPE')
  })

  it.skipIf(!isThere)('stores a response, so that another request continues it', async () => {
    const responses = `${server.origin}/v1/responses`
    const ask = (input: unknown, more: object = {}) =>
      send(responses, { body: { model: 'plain', input, ...more } })
    const first = await ask('One?', { stream: true })
    const id = /"id":"(resp_\w+)"/.exec(first.body)?.[1]
    const item = /"id":"(msg_\w+)"/.exec(first.body)?.[1]
    await ask('Two?', { previous_response_id: id })
    await ask([
      { type: 'item_reference', id: item },
      { role: 'user', content: 'Three?' },
    ])
    const prompts = upstream.requests
      .slice(-2)
      .map(({ body }) => body?.messages.map(({ content }) => content))
    expect(prompts).toEqual([
      ['One?', 'I cannot say.', 'Two?'],
      ['[The conversation begins with the assistant.]', 'I cannot say.', 'Three?'],
    ])
    expect((await send(`${responses}/${id}`, { method: 'GET' })).status).toBe(200)
    expect((await send(`${responses}/${id}`, { method: 'DELETE' })).status).toBe(200)
    expect((await send(`${responses}/${id}`, { method: 'GET' })).status).toBe(404)
  })

  it.skipIf(!isThere)(
    'reports that a server closed the connection in a call, and makes no call of it',
    async () => {
      const { calls, error, finish } = outcomeOf(
        (await send(chat, { body: chatBody('dies') })).body,
      )
      // Some platforms report a connection that is gone as the end of the body.
      expect(error).toMatch(/^upstream_unrea/)
      expect(finish).not.toBe('tool_calls')
      for (const call of calls) expect(() => JSON.parse(call.arguments)).toThrow()
    },
  )

  it.skipIf(!isThere)('passes a body through as it came, and serves no foreign page', async () => {
    const url = `${server.origin}/v1/embeddings`
    const body = 'a,ä,😀\n'.repeat(20_000)
    const headers = { 'content-type': 'text/csv' }
    const echo = await send(url, { body, headers })
    expect(JSON.parse(echo.body).raw).toBe(body)
    for (const foreign of [{ origin: 'https://evil.test' }, { host: 'evil.test' }]) {
      const refused = await send(url, { body, headers: { ...headers, ...foreign } })
      expect(refused.status).toBe(403)
    }
  })

  it.skipIf(!isThere)('lets the server go when the client is gone', async () => {
    const before = upstream.aborts()
    const request = open(chat, { body: chatBody('thinks') })
    await headOf(request)
    request.destroy()
    await until(() => upstream.aborts() > before)
  })
})
