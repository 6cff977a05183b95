import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { createRetryingFetch, type Fetch, readRetryAfter } from '../../src/live/retrying-fetch.js'

// The tests see how long the fetch wants to wait, and one of them waits for nothing.
vi.mock('node:timers/promises', async importOriginal => {
  const original = await importOriginal<typeof import('node:timers/promises')>()
  return { ...original, setTimeout: vi.fn(original.setTimeout) }
})

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
const done = { choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }] }

/** A `fetch` that returns these answers one after another. */
function answers(...list: (() => Response)[]): { fetch: Fetch; count: () => number } {
  let count = 0
  return {
    count: () => count,
    fetch: async () => {
      const next = list[count++]
      if (!next) throw new Error('one request too many')
      return next()
    },
  }
}
const broken = (): Response => {
  throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
}
const request = { method: 'POST', body: '{"ä":1}' }

describe('the fetch of the benchmark', () => {
  it('tries again after 429, 5xx and broken connections, and keeps count', async () => {
    const endpoint = answers(
      () => json({}, 429),
      () => json({}, 503),
      broken,
      () => json(done),
    )
    const wire = createRetryingFetch({ retries: 3, fetch: endpoint.fetch, firstDelayMs: 1 })
    const response = await wire.fetch('http://x', request)
    expect(await response.json()).toEqual(done)
    expect(wire.exchanges()).toMatchObject([
      { tries: 4, status: 200, requestBytes: 8, answer: { text: 'hi' } },
    ])
  })

  it('stops after the last try, and returns its answer', async () => {
    const endpoint = answers(
      () => json({}, 500),
      () => json({ error: { message: 'overloaded' } }, 500),
    )
    const wire = createRetryingFetch({ retries: 1, fetch: endpoint.fetch, firstDelayMs: 1 })
    const response = await wire.fetch('http://x', request)
    expect(response.status).toBe(500)
    await response.text()
    expect(wire.exchanges()).toMatchObject([
      { tries: 2, status: 500, answer: { error: 'overloaded' } },
    ])
    const dead = createRetryingFetch({ retries: 0, fetch: answers(broken).fetch, firstDelayMs: 1 })
    await expect(dead.fetch('http://x', request)).rejects.toThrow('fetch failed')
    expect(dead.exchanges()).toMatchObject([{ tries: 1, brokeOff: 'connect ECONNREFUSED' }])
  })

  it('does not try again what would fail again', async () => {
    const endpoint = answers(() => json({ error: { message: 'no tools here' } }, 400))
    const wire = createRetryingFetch({ retries: 5, fetch: endpoint.fetch, firstDelayMs: 1 })
    expect((await wire.fetch('http://x', request)).status).toBe(400)
    expect(endpoint.count()).toBe(1)
  })

  it('stops waiting when it is aborted', async () => {
    const controller = new AbortController()
    const endpoint = answers(() => json({}, 429, { 'retry-after': '3600' }))
    const wire = createRetryingFetch({ retries: 5, fetch: endpoint.fetch })
    const realSleep = vi.mocked(sleep).getMockImplementation() ?? sleep
    const waiting = new Promise<void>(resolve => {
      vi.mocked(sleep).mockImplementationOnce((...args) => {
        resolve()
        return realSleep(...args)
      })
    })
    const pending = wire.fetch('http://x', { ...request, signal: controller.signal })
    await waiting
    controller.abort()
    await expect(pending).rejects.toThrow('aborted')
    expect(endpoint.count()).toBe(1)
  })

  it('reads Retry-After as seconds and as a date', () => {
    expect(readRetryAfter('2')).toBe(2000)
    expect(readRetryAfter('0.5')).toBe(500)
    expect(
      readRetryAfter('Wed, 01 Jan 2031 00:00:10 GMT', Date.parse('2031-01-01T00:00:00Z')),
    ).toBe(10_000)
    expect(readRetryAfter('Wed, 01 Jan 2020 00:00:10 GMT')).toBe(0)
    expect(readRetryAfter('soon')).toBeUndefined()
    expect(readRetryAfter(null)).toBeUndefined()
  })

  it('waits at least as long as Retry-After says', async () => {
    const endpoint = answers(
      () => json({}, 429, { 'retry-after': '0.3' }),
      () => json(done),
    )
    const wire = createRetryingFetch({ retries: 1, fetch: endpoint.fetch, firstDelayMs: 1 })
    vi.mocked(sleep).mockResolvedValueOnce(undefined)
    await wire.fetch('http://x', request)
    expect(vi.mocked(sleep).mock.lastCall?.[0]).toBe(300)
    expect(endpoint.count()).toBe(2)
  })

  it('keeps what came of a stream that ended early, and says so', async () => {
    const chunk = (content: string) =>
      new TextEncoder().encode(`data: {"choices":[{"delta":{"content":"${content}"}}]}\n\n`)
    let pulls = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (pulls++ < 2) controller.enqueue(chunk(`part${pulls} `))
        else controller.error(new TypeError('terminated'))
      },
    })
    const endpoint = answers(
      () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    )
    const wire = createRetryingFetch({ retries: 0, fetch: endpoint.fetch })
    const response = await wire.fetch('http://x', request)
    await expect(response.text()).rejects.toThrow('terminated')
    expect(wire.exchanges()).toMatchObject([
      { brokeOff: 'terminated', status: 200, answer: { text: 'part1 part2 ' } },
    ])
  })
})
