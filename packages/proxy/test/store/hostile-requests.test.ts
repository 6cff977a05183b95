import { createProxy, defaultLimits, defaultRule } from '@toolglot/proxy'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { wholeAnswer } from '../support/chat-wire.js'
import { propertyRuns } from '../support/property-runs.js'
import { reference } from './ask-responses.js'

const secret = 'the secret of Ann'

/** A proxy whose model repeats everything that it gets. */
function startProxy() {
  const proxy = createProxy(
    {
      upstreams: [{ name: 'echo', baseUrl: 'http://echo.example/v1' }],
      models: [defaultRule],
      clientKeys: ['key-for-Ann', 'key-for-Bob'],
      limits: { ...defaultLimits, bodyBytes: 100_000 },
      heartbeatMs: 15_000,
    },
    {
      fetch: async (_, init) => {
        const body = { model: 'm', messages: [] }
        return Response.json(wholeAnswer(body, { text: String(init?.body), toolCalls: [] }))
      },
    },
  )
  return async (key: string, method: string, path: string, body?: unknown) => {
    const answer = await proxy.fetch(
      new Request(`http://127.0.0.1/v1/responses${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    return { status: answer.status, text: await answer.text() }
  }
}

it('no request of one client shows or ends what another has stored, or fails the proxy', async () => {
  const ask = startProxy()
  const input = [{ role: 'user', content: secret }]
  const stored = await ask('key-for-Ann', 'POST', '', { model: 'm', input })
  expect(stored.text).toContain(secret)
  const ids = [...stored.text.matchAll(/"((?:resp|msg)_\w+)"/g)].map(([, id = '']) => id)
  expect(ids).toHaveLength(2)
  const [responseId = ''] = ids
  const listed = await ask('key-for-Ann', 'GET', `/${responseId}/input_items`)
  const inputId = /"(msg_\w+)"/.exec(listed.text)?.[1] ?? ''
  const { id: ownId } = JSON.parse(
    (await ask('key-for-Bob', 'POST', '', { model: 'm', input: 'x' })).text,
  )

  const id = fc.oneof(
    fc.constantFrom(...ids, inputId, ownId, '__proto__', 'constructor', '', '../x', 'resp_'),
    fc.string(),
    fc.jsonValue(),
  )
  const item = fc.oneof(
    id.map(value => ({ type: 'item_reference', id: value })),
    id.map(value => ({ id: value })),
    id.map(value => ({ type: null, role: 'user', id: value, content: 'x' })),
    fc.jsonValue(),
  )
  const body = fc.record(
    {
      model: fc.constant('m'),
      input: fc.oneof(fc.array(item, { maxLength: 4 }), item),
      previous_response_id: id,
      store: fc.oneof(fc.boolean(), fc.jsonValue()),
      stream: fc.boolean(),
    },
    { requiredKeys: ['model', 'input'] },
  )
  const path = id.map(value => `/${encodeURIComponent(String(value))}`)
  const request = fc.oneof(
    body.map(value => ['POST', '', value] as const),
    path.map(value => ['GET', value, undefined] as const),
    path.map(value => ['GET', `${value}/input_items`, undefined] as const),
    path.map(value => ['DELETE', value, undefined] as const),
  )
  await fc.assert(
    fc.asyncProperty(request, async ([method, at, value]) => {
      const { status, text } = await ask('key-for-Bob', method, at, value)
      expect(status, text).toBeLessThan(500)
      expect(text).not.toContain(secret)
    }),
    propertyRuns(300),
  )
  const again = await ask('key-for-Ann', 'POST', '', {
    model: 'm',
    input: [...ids.slice(1), inputId].map(reference),
  })
  expect([again.status, again.text.includes(secret)]).toEqual([200, true])
})
