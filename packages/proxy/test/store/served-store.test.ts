import type { ResponseStore } from '@toolglot/proxy'
import { readConfig, serveProxy } from '@toolglot/proxy/node'
import { afterEach, describe, expect, it } from 'vitest'
import { startScriptedUpstream } from '../support/scripted-upstream.js'
import { responsesClient } from './ask-responses.js'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** A proxy as `serveProxy` runs it, and the lines of its log about requests. */
async function serve(file: string, store?: ResponseStore) {
  const upstream = await startScriptedUpstream()
  open.push(upstream.close)
  const { config } = readConfig(`upstream: ${upstream.baseUrl}\n${file}`, {
    overrides: { port: 0 },
  })
  if (!config) throw new Error('The configuration is wrong.')
  const lines: string[] = []
  const proxy = await serveProxy({ config, store, output: { write: line => lines.push(line) } })
  open.push(() => Promise.all([proxy.close(), proxy.close()]))
  const requests = (): unknown[] =>
    lines.map(line => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  return { client: responsesClient(`${proxy.address}/v1`), requests }
}

describe('the store of a proxy that listens', () => {
  it('is one of your own, if there is one', async () => {
    const texts = new Map<string, string>()
    const { client } = await serve('', {
      getItem: key => texts.get(key),
      setItem: (key, text) => texts.set(key, text),
      removeItem: key => texts.delete(key),
    })
    const { id } = await client.create('one')
    expect([...texts.keys()]).toEqual([`toolglot:response:anyone:${id.slice(5, 25)}`])
  })

  it('is named in the log with the reason if it fails', async () => {
    const { client, requests } = await serve('', {
      getItem: () => null,
      setItem() {
        throw new Error('no connection')
      },
      removeItem: () => {},
    })
    await client.create('one')
    expect(requests()).toMatchObject([
      {
        ...{ level: 'warn', status: 200 },
        storeError: {
          message: 'The store of responses failed.',
          code: 'store_unavailable',
          cause: { message: 'no connection' },
        },
      },
    ])
  })

  it('stores nothing with store: 0 in the file', async () => {
    const { client } = await serve('store: 0')
    expect((await client.create('one')).store).toBe(false)
  })
})
