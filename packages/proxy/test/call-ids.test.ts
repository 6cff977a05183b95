import { expect, it } from 'vitest'
import { send } from './support/raw-client.js'
import { sendJson } from './support/scripted-upstream.js'
import { serveBoth } from './support/serve-both.js'

const fn = (name: string) => ({
  id: 'call_0',
  type: 'function',
  function: { name, arguments: '{}' },
})
const message = { role: 'assistant', content: null, tool_calls: [fn('a'), fn('b')] }
const answer = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }

const schema = { type: 'object', properties: {} }
const list = [{ role: 'user', content: 'Hi' }]
const names = ['a', 'b']
const bodies = {
  'chat/completions': {
    messages: list,
    tools: names.map(name => ({ type: 'function', function: { name, parameters: schema } })),
  },
  responses: {
    input: list,
    tools: names.map(name => ({ type: 'function', name, parameters: schema })),
  },
  messages: {
    messages: list,
    max_tokens: 9,
    tools: names.map(name => ({ name, input_schema: schema })),
  },
}

it.each(Object.entries(bodies))(
  'calls of a server that gives all of them one id have an id each, in %s',
  async (path, body) => {
    const { server } = await serveBoth(
      {
        intercept(_, response) {
          sendJson(response, 200, answer)
          return true
        },
      },
      { rule: { mode: 'rescue' } },
    )
    const reply = await send(`${server.baseUrl}/${path}`, { body: { model: 'm', ...body } })
    const ids = [...reply.body.matchAll(/"(?:call_id|id)":"(call_\w+)"/g)].map(([, id]) => id)
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(2)
    expect(ids[0]).toBe('call_0')
  },
)
