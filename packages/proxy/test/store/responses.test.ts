import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { defaultLimits, defaultStore, type StoreLimits } from '../../src/config.js'
import { cutByLimit, dieInCall } from '../clients/broken-upstream.js'
import type { ProxyServerOptions } from '../support/proxy-server.js'
import { headOf, open, send } from '../support/raw-client.js'
import type { UpstreamOptions } from '../support/scripted-upstream.js'
import { serveBoth } from '../support/serve-both.js'
import { reference, responsesClient, user } from './ask-responses.js'

/** A server whose model repeats the last message, and says how many it has seen. */
async function start(options: ProxyServerOptions = {}, upstreamOptions: UpstreamOptions = {}) {
  const { upstream, server } = await serveBoth(
    {
      play: ({ messages }) => ({
        text: `${messages.length}: ${String(messages.at(-1)?.content)}`,
        toolCalls: [],
      }),
      ...upstreamOptions,
    },
    options,
  )
  const prompt = () =>
    (upstream.requests.at(-1)?.body?.messages ?? []).map(({ role, content }) => [role, content])
  return { upstream, server, prompt, client: responsesClient(server.baseUrl) }
}

const weather = {
  type: 'function',
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
}

describe('previous_response_id', () => {
  it.each(['create', 'stream'] as const)('continues a conversation, with %s', async way => {
    const { client, prompt } = await start()
    const first = await client[way]('one')
    expect(first).toMatchObject({ store: true, previous_response_id: null, status: 'completed' })
    const second = await client[way]([user('two')], { previous_response_id: first.id })
    expect(second.previous_response_id).toBe(first.id)
    await client[way]('three', { previous_response_id: second.id })
    expect(prompt()).toEqual([
      ['user', 'one'],
      ['assistant', '1: one'],
      ['user', 'two'],
      ['assistant', '3: two'],
      ['user', 'three'],
    ])
  })

  it('may be continued twice from the same response', async () => {
    const { client, prompt } = await start()
    const { id } = await client.create('one')
    await client.create('left', { previous_response_id: id })
    await client.create('right', { previous_response_id: id })
    expect(prompt()).toEqual([
      ['user', 'one'],
      ['assistant', '1: one'],
      ['user', 'right'],
    ])
  })

  it('does not carry the instructions on', async () => {
    const { client, prompt } = await start()
    const { id } = await client.create('one', { instructions: 'Speak French.' })
    await client.create('two', { previous_response_id: id, instructions: 'Speak German.' })
    expect(prompt()[0]).toEqual(['system', 'Speak German.'])
    expect(JSON.stringify(prompt())).not.toContain('French')
  })

  it('brings the call to the result that the client sends', async () => {
    const { upstream, server } = await serveBoth()
    const client = responsesClient(server.baseUrl)
    const more = { model: 'perfect', tools: [weather] }
    const first = await client.stream('How is the weather?', more)
    expect(first.output).toMatchObject([{ type: 'function_call', name: 'get_weather' }])
    const output = {
      type: 'function_call_output',
      call_id: first.output[0]?.call_id,
      output: 'sun',
    }
    const second = await client.stream([output], { ...more, previous_response_id: first.id })
    expect(second.output).toMatchObject([{ type: 'message' }])
    expect(upstream.requests[1]?.raw).toMatch(/How is the weather[\s\S]*get_weather[\s\S]*sun/)
  })

  it('names the field in the request, not in the conversation', async () => {
    const { client } = await start()
    const { id } = await client.create('one')
    const refused = await client.refused([user('two'), { role: 'king', content: 'x' }], {
      previous_response_id: id,
    })
    expect(refused).toMatchObject({ status: 400, param: 'input[1].role' })
  })

  it.each([
    ['in a short form', 'resp_1'],
    ['in the form of the proxy', 'resp_aaaaaaaaaaaaaaaaaaaaaaaa'],
    ['__proto__', '__proto__'],
    ['empty', ''],
    ['of 200 KB', `resp_${'a'.repeat(200_000)}`],
  ])('that is unknown gets the error of OpenAI: %s', async (_, id) => {
    const { client, upstream } = await start()
    const { message, ...rest } = await client.refused('two', { previous_response_id: id })
    expect(rest).toEqual({
      status: 400,
      type: 'invalid_request_error',
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    })
    expect(message).toMatch(
      /^Previous response with id '.{0,129}' not found\. .*Send the earlier items/,
    )
    expect(upstream.requests).toEqual([])
  })

  it('must be a text', async () => {
    const { client } = await start()
    expect(await client.refused('two', { previous_response_id: { id: 1 } })).toMatchObject({
      status: 400,
      message: 'previous_response_id: must be a string, not an object.',
    })
  })
})

describe('item_reference', () => {
  it.each(['create', 'stream'] as const)(
    'is replaced by the text of before, with %s',
    async way => {
      const { client, prompt } = await start()
      const first = await client[way]('one')
      const second = await client[way]([user('one'), reference(first.output[0]?.id), user('two')])
      await client[way]([
        user('one'),
        { id: first.output[0]?.id },
        user('two'),
        { type: null, id: second.output[0]?.id },
        user('three'),
      ])
      expect(prompt()).toEqual([
        ['user', 'one'],
        ['assistant', '1: one'],
        ['user', 'two'],
        ['assistant', '3: two'],
        ['user', 'three'],
      ])
    },
  )

  it('leads to every item of a response: reasoning, text and calls', async () => {
    const play: UpstreamOptions['play'] = () => ({
      reasoning: 'Hm, Rome.',
      text: 'Let me see. <tool_call>{"name":"get_weather","arguments":{"city":"Rome"}}</tool_call>',
      toolCalls: [],
    })
    const { upstream, client } = await start({ rule: { reasoning: true } }, { play })
    const { output } = await client.stream('one', { tools: [weather] })
    expect(output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call'])
    await client.create([
      user('one'),
      ...output.map(({ id }) => reference(id)),
      { type: 'function_call_output', call_id: output[2]?.call_id, output: 'sun' },
    ])
    expect(upstream.requests[1]?.raw).toMatch(/Let me see[\s\S]*Rome[\s\S]*sun/)
  })

  it('leads to the call of a custom tool, and keeps its tools', async () => {
    const play: UpstreamOptions['play'] = () => ({
      text: '<tool_call>{"name":"write_patch","arguments":{"input":"*** Begin\\n+a"}}</tool_call>',
      toolCalls: [],
    })
    const { upstream, client } = await start({}, { play })
    const patch = { type: 'custom', name: 'write_patch', description: 'Applies a patch.' }
    const first = await client.stream('one', { tools: [patch] })
    const [call] = first.output
    expect(call).toMatchObject({ type: 'custom_tool_call', input: '*** Begin\n+a' })
    const result = { type: 'custom_tool_call_output', call_id: call?.call_id, output: 'applied' }
    await client.create([user('one'), reference(call?.id), result], { tools: [patch] })
    expect(upstream.requests[1]?.raw).toMatch(/write_patch[\s\S]*\*\*\* Begin[\s\S]*applied/)
  })

  it('may be a part of the conversation that previous_response_id continues', async () => {
    const { client, prompt } = await start()
    const first = await client.create('one')
    const second = await client.create([user('one'), reference(first.output[0]?.id), user('two')])
    await client.create('three', { previous_response_id: second.id })
    expect(prompt().map(([, content]) => content)).toEqual([
      ...['one', '1: one', 'two', '3: two', 'three'],
    ])
  })

  it('gets the item as the model wrote it, not as another request repeats it', async () => {
    const { client, prompt } = await start()
    const first = await client.create('one')
    const changed = { ...first.output[0], content: 'changed' }
    const second = await client.create([user('one'), changed, user('two')])
    await client.create([
      reference(second.output[0]?.id),
      reference(first.output[0]?.id),
      user('x'),
    ])
    // The first message is of the user: the conversation begins with the assistant.
    expect(prompt()[1]).toEqual(['assistant', expect.stringContaining('1: one')])
    expect(JSON.stringify(prompt())).not.toContain('changed')
  })

  it('also leads to an item of an input, whose id input_items shows', async () => {
    const { client, prompt } = await start()
    const first = await client.create([user('one'), user('two')])
    const { data } = await client.items(first.id)
    await client.create([reference(data[0]?.id)])
    expect(prompt()).toEqual([['user', 'two']])
  })

  it.each(['msg_1', 'msg_aaaaaaaaaaaaaaaaaaaaaaaa', 'constructor', `msg_${'a'.repeat(200_000)}`])(
    'that is unknown gets the error of OpenAI: %s',
    async id => {
      const { client, upstream } = await start()
      const { message, ...rest } = await client.refused([reference(id), user('two')])
      expect(rest).toEqual({
        status: 404,
        type: 'invalid_request_error',
        param: 'input',
        code: null,
      })
      expect(message).toMatch(
        /^Item with id '.{1,129}' not found\. Items are not persisted when `store` is set to false\. Try again/,
      )
      expect(upstream.requests).toEqual([])
    },
  )

  it('without an id is not found', async () => {
    const { client } = await start()
    expect(await client.refused([{ type: 'item_reference' }])).toMatchObject({ status: 404 })
    expect(await client.refused([{ type: 'item_reference', id: 5 }])).toMatchObject({ status: 404 })
  })

  it('cannot make a short request endless', async () => {
    const { client, upstream } = await start({ limits: { bodyBytes: 20_000 } })
    const { output } = await client.create('x'.repeat(5000))
    const many = Array.from({ length: 100 }, () => reference(output[0]?.id))
    expect(await client.refused(many)).toMatchObject({
      status: 413,
      message: 'The items that the request refers to are longer than 20000 characters.',
    })
    expect(upstream.requests).toHaveLength(1)
  })

  it('is not searched in thousands of responses', async () => {
    const { client } = await start()
    const stem = (i: number) => String(i).padStart(20, 'a')
    const many = Array.from({ length: 1001 }, (_, i) => reference(`msg_${stem(i)}0000`))
    expect(await client.refused(many)).toMatchObject({
      status: 400,
      message: 'input: refers to items of more than 1000 responses.',
    })
  })
})

describe('what is stored', () => {
  it.each(['create', 'stream'] as const)(
    'is nothing where the request says store: false, with %s',
    async way => {
      const { client } = await start()
      const { id, store, output } = await client[way]('one', { store: false })
      expect(store).toBe(false)
      expect(await client.getRefused(id)).toMatchObject({ status: 404 })
      expect(await client.refused([reference(output[0]?.id)])).toMatchObject({ status: 404 })
      expect(await client.refused('two', { previous_response_id: id })).toMatchObject({
        code: 'previous_response_not_found',
      })
    },
  )

  it('can be continued by a request that itself is not stored', async () => {
    const { client, prompt } = await start()
    const first = await client.create('one')
    const second = await client.create('two', { previous_response_id: first.id, store: false })
    expect(prompt()).toHaveLength(3)
    expect(await client.getRefused(second.id)).toMatchObject({ status: 404 })
  })

  it.each(['create', 'stream'] as const)(
    'is a response that a limit cut, too, with %s',
    async way => {
      const { client } = await start({}, { intercept: cutByLimit })
      const { id, status } = await client[way]('one', { tools: [weather] })
      expect(status).toBe('incomplete')
      expect(await client.get(id)).toMatchObject({
        status: 'incomplete',
        output: [{ type: 'function_call', status: 'incomplete' }],
      })
    },
  )

  it('is not a response that failed', async () => {
    const { client } = await start({}, { intercept: dieInCall })
    const { id, status } = await client.stream('one', { tools: [weather] })
    expect(status).toBe('failed')
    expect(await client.getRefused(id)).toMatchObject({ status: 404 })
  })

  it('is there before the client gets the end of the stream', async () => {
    let isStored = false
    const { server } = await start({
      ownStore: {
        store: {
          getItem: () => undefined,
          async setItem() {
            await sleep(100)
            isStored = true
          },
          removeItem: () => undefined,
        },
      },
    })
    const body = { model: 'plain', input: 'one', stream: true }
    const seen: [string, boolean][] = []
    const head = await headOf(open(`${server.baseUrl}/responses`, { body }))
    for await (const chunk of head) {
      for (const [, name = ''] of String(chunk).matchAll(/^event: (.*)$/gm)) {
        seen.push([name, isStored])
      }
    }
    expect(seen[0]).toEqual(['response.created', false])
    expect(seen.at(-1)).toEqual(['response.completed', true])
  })

  it('has only the items of one request, however long the conversation is', async () => {
    const texts: string[] = []
    const values = new Map<string, string>()
    const { client } = await start({
      ownStore: {
        store: {
          getItem: key => values.get(key),
          setItem(key, text) {
            texts.push(text)
            values.set(key, text)
          },
          removeItem: key => values.delete(key),
        },
      },
    })
    let id: string | undefined
    for (let turn = 0; turn < 12; turn++) {
      const more = id === undefined ? {} : { previous_response_id: id }
      id = (await client.create('x'.repeat(1000), more)).id
    }
    expect(texts).toHaveLength(12)
    expect((texts.at(-1)?.length ?? 0) - (texts[1]?.length ?? 0)).toBeLessThan(10)
  })

  it('goes when it was not used for too long, and the message says what to do', async () => {
    const { client } = await start({ store: { ...defaultStore, ageMs: 1 } })
    const { id, output } = await client.create('one')
    await sleep(5)
    expect(await client.getRefused(id)).toMatchObject({
      status: 404,
      message: `Response with id '${id}' not found. It has expired, or it was not stored for this key.`,
    })
    expect((await client.refused([reference(output[0]?.id)])).message).toContain(
      'send the item itself',
    )
  })

  it('stays within its bytes under a flood', async () => {
    const { client } = await start({ store: { ...defaultStore, bytes: 20_000 } })
    const ids: string[] = []
    for (let i = 0; i < 20; i++) ids.push((await client.create('x'.repeat(2000))).id)
    const found = await Promise.all(
      ids.map(id =>
        client.get(id).then(
          () => true,
          () => false,
        ),
      ),
    )
    expect(found.at(-1)).toBe(true)
    expect(found.filter(Boolean).length).toBeLessThanOrEqual(5)
  })

  it('is nothing, truthfully, if the response alone is too large', async () => {
    const { client, server } = await start({ store: { ...defaultStore, bytes: 3000 } })
    expect((await client.create('one')).store).toBe(true)
    for (const way of ['create', 'stream'] as const) {
      const { store, status, id } = await client[way]('x'.repeat(4000))
      expect([store, status]).toEqual([false, 'completed'])
      expect(await client.getRefused(id)).toMatchObject({ status: 404 })
    }
    expect(server.records.map(({ storeError }) => storeError?.cause)).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('more than store.bytes') }),
    )
  })

  it('is nothing if the configuration says store: 0, and the errors say so', async () => {
    const { client } = await start({ store: { ...defaultStore, responses: 0 } })
    const { id, store, output } = await client.stream('one', { store: true })
    expect(store).toBe(false)
    expect(await client.refused('two', { previous_response_id: id })).toMatchObject({
      param: 'previous_response_id',
      message: expect.stringContaining('the proxy stores nothing between requests'),
    })
    expect(await client.refused([reference(output[0]?.id)])).toMatchObject({
      status: 400,
      param: 'input[0].type',
      message: expect.stringContaining('the proxy stores nothing'),
    })
    expect(await client.getRefused(id)).toMatchObject({
      status: 404,
      message: expect.stringContaining('The proxy stores nothing.'),
    })
  })

  it('goes when a reload switches the store off', async () => {
    const { client, server } = await start()
    const { id } = await client.create('one')
    const reload = (store?: StoreLimits) =>
      server.proxy.reload({
        ...{ upstreams: [{ name: 'a', baseUrl: 'http://127.0.0.1:1/v1' }], models: [], store },
        ...{ clientKeys: [], limits: defaultLimits, heartbeatMs: 15_000 },
      })
    reload()
    expect((await client.get(id)).id).toBe(id)
    reload({ ...defaultStore, responses: 0 })
    reload()
    expect(await client.getRefused(id)).toMatchObject({ status: 404 })
  })

  it('is no conversation: the error names what to send instead', async () => {
    const { client } = await start()
    expect(await client.refused('one', { conversation: 'conv_1' })).toMatchObject({
      status: 400,
      param: 'conversation',
      message: expect.stringContaining('send previous_response_id, or the earlier items in input'),
    })
  })
})

describe('a stored response', () => {
  it('is returned as it was sent', async () => {
    const { client } = await start()
    const sent = await client.create('one', { metadata: { a: 'b' }, tools: [weather] })
    expect(sent).toMatchObject({ metadata: { a: 'b' }, tools: [weather] })
    expect(await client.get(sent.id)).toEqual(sent)
  })

  it('can be deleted, and then not be continued', async () => {
    const { client } = await start()
    const { id } = await client.create('one')
    expect(await client.remove(id)).toEqual({ id, object: 'response', deleted: true })
    expect(await client.removeRefused(id)).toMatchObject({ status: 404 })
    expect(await client.getRefused(id)).toMatchObject({
      status: 404,
      type: 'invalid_request_error',
      param: null,
      code: null,
    })
    expect(await client.refused('two', { previous_response_id: id })).toMatchObject({ status: 400 })
  })

  it('lists the items of its request in pages, the last one first', async () => {
    const { client } = await start()
    const first = await client.create('zero')
    const { id } = await client.create([
      reference(first.output[0]?.id),
      ...['one', 'two', 'three'].map(user),
    ])
    const page = await client.items(id, '?limit=2')
    expect(page.data).toMatchObject([{ content: 'three' }, { content: 'two' }])
    expect(page.has_more).toBe(true)
    expect(page.last_id).toBe(page.data[1]?.id)
    const rest = await client.items(id, `?limit=2&after=${page.last_id}`)
    expect(rest.data).toEqual([
      expect.objectContaining({ type: 'message', content: 'one' }),
      first.output[0],
    ])
    expect(rest.has_more).toBe(false)
    const ascending = await client.items(id, '?order=asc')
    expect(ascending.data).toEqual([...page.data, ...rest.data].reverse())
    expect((await client.items(first.id)).data).toMatchObject([
      { role: 'user', content: [{ type: 'input_text', text: 'zero' }] },
    ])
  })

  it.each([
    ['limit', '?limit=0'],
    ['limit', '?limit=1000'],
    ['limit', '?limit=x'],
    ['after', '?after=x'],
  ])('refuses a wrong %s: %s', async (param, query) => {
    const { client } = await start()
    const { id } = await client.create('one')
    expect(await client.itemsRefused(id, query)).toMatchObject({ status: 400, param })
  })

  it.each([
    ['a short id', 'resp_1'],
    ['__proto__', '__proto__'],
    ['an id of 5000 characters', 'x'.repeat(5000)],
  ])('is not found at %s', async (_, id) => {
    const { client, upstream } = await start()
    expect(await client.getRefused(id)).toMatchObject({ status: 404 })
    expect(upstream.requests).toEqual([])
  })

  it('is asked of the server if the id is not one of the proxy and a model has mode off', async () => {
    const { client, upstream, server } = await start({ rule: { mode: 'off' } })
    const foreign = 'resp_0f09a275409f8c00aa69824731e89b31bd5725218b0e9fb98'
    await send(`${server.baseUrl}/responses/${foreign}`, { method: 'GET' })
    expect(upstream.requests).toMatchObject([{ method: 'GET', path: `/v1/responses/${foreign}` }])
    await client.getRefused('resp_aaaaaaaaaaaaaaaaaaaaaaaa')
    expect(upstream.requests).toHaveLength(1)
  })
})

describe('with client keys', () => {
  it('belongs to the key that made it', async () => {
    const { server } = await start({ clientKeys: ['key-for-Ann!', 'key-for-Bob!'] })
    const ann = responsesClient(server.baseUrl, 'key-for-Ann!')
    const bob = responsesClient(server.baseUrl, 'key-for-Bob!')
    const { id, output } = await ann.create('secret')
    const unknown = 'resp_aaaaaaaaaaaaaaaaaaaaaaaa'
    const same = async (ask: (id: string) => Promise<{ readonly message: string }>) => {
      const [theirs, nobodys] = [await ask(id), await ask(unknown)]
      expect({ ...theirs, message: theirs.message.replace(id, unknown) }).toEqual(nobodys)
    }
    await same(bob.getRefused)
    await same(bob.removeRefused)
    await same(bob.itemsRefused)
    await same(previous_response_id => bob.refused('two', { previous_response_id }))
    expect(await bob.refused([reference(output[0]?.id)])).toMatchObject({ status: 404 })
    expect((await ann.get(id)).id).toBe(id)
    expect((await ann.create('two', { previous_response_id: id })).status).toBe('completed')
  })

  it('needs one of them', async () => {
    const { server } = await start({ clientKeys: ['key-for-Ann!'] })
    const { id } = await responsesClient(server.baseUrl, 'key-for-Ann!').create('secret')
    expect(await responsesClient(server.baseUrl).getRefused(id)).toMatchObject({ status: 401 })
    expect(await responsesClient(server.baseUrl, 'no').getRefused(id)).toMatchObject({
      status: 401,
    })
  })

  it('gives the store no key', async () => {
    const keys: string[] = []
    const values: string[] = []
    const { server } = await start({
      clientKeys: ['key-for-Ann!'],
      ownStore: {
        store: {
          getItem: () => undefined,
          setItem: (key, value) => [keys.push(key), values.push(value)],
          removeItem: () => undefined,
        },
      },
    })
    await responsesClient(server.baseUrl, 'key-for-Ann!').create('one')
    expect(keys).toHaveLength(1)
    expect(keys[0]).toMatch(/^toolglot:response:[0-9a-f]{64}:[A-Za-z0-9]{20}$/)
    expect(keys.join() + values.join()).not.toContain('Ann!')
  })

  it('are one client without keys in the configuration, whatever they send', async () => {
    const { server } = await start()
    const { id } = await responsesClient(server.baseUrl, 'any').create('one')
    expect((await responsesClient(server.baseUrl, 'other').get(id)).id).toBe(id)
  })
})
