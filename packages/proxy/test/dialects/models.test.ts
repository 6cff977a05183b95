import { createProxy, defaultLimits, defaultRule, type ProxyConfig } from '@toolglot/proxy'
import { expect, it } from 'vitest'

const config: ProxyConfig = {
  upstreams: [
    { name: 'first', baseUrl: 'http://first.test/v1' },
    { name: 'second', baseUrl: 'http://second.test/v1' },
  ],
  models: [
    { ...defaultRule, match: 'qwen3' },
    { ...defaultRule, match: 'glm', upstream: 'second' },
    { ...defaultRule, match: 'llama-*' },
  ],
  ...{ clientKeys: [], hosts: ['proxy.test'], limits: defaultLimits, heartbeatMs: 1000 },
}

async function listModels(answer: () => Response) {
  const asked: string[] = []
  const fetchUpstream: typeof fetch = async input => {
    asked.push(String(input))
    return answer()
  }
  const response = await createProxy(config, { fetch: fetchUpstream }).fetch(
    new Request('http://proxy.test/v1/models'),
  )
  return { status: response.status, body: await response.json(), asked }
}

it('models are those of the server', async () => {
  const list = { object: 'list', data: [{ id: 'x' }] }
  const asked = ['http://first.test/v1/models']
  expect(await listModels(() => Response.json(list))).toEqual({ status: 200, body: list, asked })
})

it('models are those that the configuration names, where the server lists none', async () => {
  const { status, body } = await listModels(() => new Response('nothing here', { status: 404 }))
  expect(status).toBe(200)
  expect(body).toEqual({
    object: 'list',
    data: [
      { id: 'qwen3', object: 'model', created: 0, owned_by: 'first' },
      { id: 'glm', object: 'model', created: 0, owned_by: 'second' },
    ],
  })
})

it('a server that fails is not mistaken for one without models', async () => {
  expect((await listModels(() => Response.json({ error: {} }, { status: 500 }))).status).toBe(500)
})
