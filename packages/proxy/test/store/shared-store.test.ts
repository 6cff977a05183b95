import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ResponseStore } from '@toolglot/proxy'
import { createStorage } from 'unstorage'
import fsDriver from 'unstorage/drivers/fs'
import { describe, expect, it } from 'vitest'
import { open, until } from '../support/raw-client.js'
import { serveBoth } from '../support/serve-both.js'
import { reference, responsesClient, user } from './ask-responses.js'

/** Two proxies on one store. */
async function startTwo(store: ResponseStore) {
  const options = { ownStore: { store } }
  const [left, right] = [await serveBoth({}, options), await serveBoth({}, options)]
  return {
    left: responsesClient(left.server.baseUrl),
    right: responsesClient(right.server.baseUrl),
    /** What the model of the right one got last. */
    prompt: () => right.upstream.requests.at(-1)?.body?.messages.map(({ content }) => content),
  }
}

/** Checks that the right proxy continues what the left one began. */
async function checkSharing(store: ResponseStore) {
  const { left, right, prompt } = await startTwo(store)
  const first = await left.stream('Is it "warm"? 🌍')
  const said = 'I cannot say.'
  await right.create('Why?', { previous_response_id: first.id })
  expect(prompt()).toEqual(['Is it "warm"? 🌍', said, 'Why?'])
  const second = await right.create([
    user('Is it?'),
    reference(first.output[0]?.id),
    user('And now?'),
  ])
  expect(prompt()).toEqual(['Is it?', said, 'And now?'])
  expect(await left.get(second.id)).toEqual(second)
  await left.remove(second.id)
  expect(await right.getRefused(second.id)).toMatchObject({ status: 404 })
}

describe('two proxies on one store', () => {
  it('continue the responses of each other, with unstorage in memory', () =>
    checkSharing(createStorage()))

  it('do so with unstorage in files, which names a file by the key', async () => {
    const base = await mkdtemp(join(tmpdir(), 'toolglot-store-'))
    try {
      await checkSharing(createStorage({ driver: fsDriver({ base }) }))
      expect((await readdir(base, { recursive: true })).length).toBeGreaterThan(2)
    } finally {
      await rm(base, { recursive: true })
    }
  })

  it('do so with a map of texts', async () => {
    const texts = new Map<string, string>()
    await checkSharing({
      getItem: key => texts.get(key) ?? null,
      setItem: (key, text) => texts.set(key, text),
      removeItem: key => texts.delete(key),
    })
  })

  it('tell the store how long to keep a response', async () => {
    const ttls: number[] = []
    const { server } = await serveBoth(
      {},
      {
        store: { responses: 1, bytes: 1, ageMs: 90_500 },
        ownStore: {
          store: {
            getItem: () => null,
            setItem: (_key, _text, { ttl }) => ttls.push(ttl),
            removeItem: () => {},
          },
        },
      },
    )
    expect((await responsesClient(server.baseUrl).create('one')).store).toBe(true)
    expect(ttls).toEqual([91])
  })
})

const never = () => new Promise<never>(() => {})
const broken: readonly [string, () => unknown, string][] = [
  [
    'throws',
    () => {
      throw new Error('no connection')
    },
    'The store of responses failed.',
  ],
  ['rejects', () => Promise.reject(new Error('no connection')), 'The store of responses failed.'],
  ['hangs', never, 'The store of responses did not answer within 50 ms.'],
]

describe.each(broken)('a store that %s', (_, operation, message) => {
  const unavailable = { status: 503, code: 'store_unavailable', message }
  const start = async (store: Partial<ResponseStore>) => {
    const ok = { getItem: () => null, setItem: () => {}, removeItem: () => {} }
    const { server, upstream } = await serveBoth(
      {},
      { ownStore: { store: { ...ok, ...store }, storeTimeoutMs: 50 } },
    )
    return { server, upstream, client: responsesClient(server.baseUrl) }
  }

  it.each(['create', 'stream'] as const)(
    'when it is written to takes no answer away, with %s',
    async way => {
      const { client, server } = await start({ setItem: operation })
      const { status, store, output } = await client[way]('one')
      expect([status, store]).toEqual(['completed', false])
      expect(output).toMatchObject([{ type: 'message' }])
      expect(server.records).toMatchObject([{ status: 200, storeError: { message } }])
    },
  )

  it('when it is read gets a 503, and the server is not asked', async () => {
    const { client, upstream } = await start({ getItem: operation })
    const id = 'resp_aaaaaaaaaaaaaaaaaaaaaaaa'
    expect(await client.refused('one', { previous_response_id: id })).toMatchObject(unavailable)
    expect(await client.refused([reference(id)])).toMatchObject(unavailable)
    expect(await client.getRefused(id)).toMatchObject(unavailable)
    expect(upstream.requests).toEqual([])
  })

  it('when it is read does not matter to a request that refers to nothing', async () => {
    const { client } = await start({ getItem: operation })
    expect(await client.create('one')).toMatchObject({ status: 'completed', store: true })
  })

  it('when a response is deleted gets a 503', async () => {
    const texts = new Map<string, string>()
    const { client } = await start({
      getItem: key => texts.get(key),
      setItem: (key, text) => texts.set(key, text),
      removeItem: operation,
    })
    const { id } = await client.create('one')
    expect(await client.removeRefused(id)).toMatchObject(unavailable)
    expect((await client.get(id)).id).toBe(id)
  })
})

describe('a store of foreign content', () => {
  it.each([
    ['no JSON', '{"version":1,'],
    ['another value', '"text"'],
    ['another version', '{"version":2,"response":{},"input":[]}'],
    ['a number', 5],
    ['the response of another id', '{"version":1,"response":{"id":"resp_x"},"input":[]}'],
  ])('has no response at %s', async (_, value) => {
    const { server } = await serveBoth(
      {},
      {
        ownStore: {
          store: { getItem: () => value, setItem: () => {}, removeItem: () => {} },
        },
      },
    )
    const client = responsesClient(server.baseUrl)
    const id = 'resp_aaaaaaaaaaaaaaaaaaaaaaaa'
    expect(await client.getRefused(id)).toMatchObject({ status: 404 })
    expect(await client.refused('one', { previous_response_id: id })).toMatchObject({ status: 400 })
    expect(await client.refused([reference(id)])).toMatchObject({ status: 404 })
  })

  it('whose responses continue one another in a circle, or without end, is given up', async () => {
    let next = (id: string) => id
    let reads = 0
    const { server } = await serveBoth(
      {},
      {
        ownStore: {
          store: {
            getItem(key) {
              reads++
              const id = `resp_${key.slice(-20)}0000`
              const previous_response_id = next(id)
              return { version: 1, response: { id, previous_response_id, output: [] }, input: [] }
            },
            setItem: () => {},
            removeItem: () => {},
          },
        },
      },
    )
    const client = responsesClient(server.baseUrl)
    const previous_response_id = `resp_${'a'.repeat(20)}0000`
    expect(await client.refused('one', { previous_response_id })).toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
    })
    expect(reads).toBe(1)
    next = () => `resp_${String(reads).padStart(20, 'a')}0000`
    expect(await client.refused('one', { previous_response_id })).toMatchObject({
      status: 400,
      message: expect.stringContaining('has more than 1000 responses before it'),
    })
  })
})

it('a store that hangs is not asked while 100 operations wait for it', async () => {
  const waiting: (() => void)[] = []
  const { server } = await serveBoth(
    {},
    {
      ownStore: {
        storeTimeoutMs: 20,
        store: {
          getItem: () => null,
          setItem: () => new Promise<void>(resolve => waiting.push(resolve)),
          removeItem: () => {},
        },
      },
    },
  )
  const client = responsesClient(server.baseUrl)
  const ask = (count: number) =>
    Promise.all(Array.from({ length: count }, () => client.create('one')))
  await ask(100)
  expect(waiting).toHaveLength(100)
  const [refused] = await ask(1)
  expect(refused?.store).toBe(false)
  expect(waiting).toHaveLength(100)
  expect(server.records.at(-1)?.storeError?.message).toBe(
    'The store of responses has not answered 100 earlier operations.',
  )
  for (const resolve of waiting) resolve()
  await ask(1)
  expect(waiting).toHaveLength(101)
})

it('a request whose client is gone while the store hangs is recorded so, and sent nowhere', async () => {
  const { server, upstream } = await serveBoth(
    {},
    {
      ownStore: {
        store: { getItem: never, setItem: () => {}, removeItem: () => {} },
        storeTimeoutMs: 200,
      },
    },
  )
  const request = open(`${server.baseUrl}/responses`, {
    body: { model: 'plain', input: 'x', previous_response_id: 'resp_aaaaaaaaaaaaaaaaaaaaaaaa' },
  })
  await until(() => server.proxy.active() === 1)
  request.destroy()
  await until(() => server.records.length === 1)
  expect(server.records).toMatchObject([{ status: 499, error: { code: 'client_gone' } }])
  expect(upstream.requests).toEqual([])
})
