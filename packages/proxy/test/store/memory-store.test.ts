import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../src/store/memory-store.js'
import type { ResponseStore } from '../../src/store/response-store.js'
import { propertyRuns } from '../support/property-runs.js'

const large = { responses: 100, bytes: 1000, ageMs: 60_000 }
const ttl = { ttl: 60 }

/** A store with a clock that a test sets. */
function startStore(limits: Partial<typeof large> = {}) {
  const state = { limits: { ...large, ...limits }, now: 0 }
  const store = createMemoryStore(
    () => state.limits,
    () => state.now,
  )
  const left = (...keys: string[]) => keys.filter(key => store.getItem(key) !== undefined)
  return { state, store, left }
}

/** Stores a text. False if the store has refused it. */
function canStore(store: ResponseStore, key: string, text: string): boolean {
  try {
    store.setItem(key, text, ttl)
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError)
    return false
  }
}

describe('the store in memory', () => {
  it('returns what was stored, also a text that is not ASCII', () => {
    const { store } = startStore()
    store.setItem('a', '{"text":"Grüße 🌍"}', ttl)
    expect(store.getItem('a')).toBe('{"text":"Grüße 🌍"}')
    store.removeItem('a')
    expect(store.getItem('a')).toBeUndefined()
    store.removeItem('a')
  })

  it('removes the response that was not used for the longest time when there are too many', () => {
    const { store, left } = startStore({ responses: 2 })
    store.setItem('a', 'x', ttl)
    store.setItem('b', 'x', ttl)
    store.getItem('a')
    store.setItem('c', 'x', ttl)
    expect(left('a', 'b', 'c')).toEqual(['a', 'c'])
  })

  it('counts bytes, not characters', () => {
    const { store, left } = startStore({ bytes: 10 })
    store.setItem('a', 'ééé', ttl)
    store.setItem('b', 'xxxx', ttl)
    expect(left('a', 'b')).toEqual(['a', 'b'])
    store.setItem('c', 'x', ttl)
    expect(left('a', 'b', 'c')).toEqual(['b', 'c'])
  })

  it('counts a response that is stored again once', () => {
    const { store, left } = startStore({ bytes: 10 })
    store.setItem('b', 'xx', ttl)
    for (let i = 0; i < 9; i++) store.setItem('a', 'xxxxxxxx', ttl)
    expect(left('a', 'b')).toEqual(['a', 'b'])
  })

  it('refuses a response that alone is too large, and keeps the others', () => {
    const { store, left } = startStore({ bytes: 10 })
    store.setItem('a', 'x', ttl)
    expect(() => store.setItem('b', 'x'.repeat(11), ttl)).toThrow(
      'The response has 11 bytes with its input, more than store.bytes, which is 10.',
    )
    expect(left('a', 'b')).toEqual(['a'])
  })

  it('counts the age from the last use', () => {
    const { state, store, left } = startStore({ ageMs: 100 })
    store.setItem('a', 'x', ttl)
    store.setItem('b', 'x', ttl)
    state.now = 99
    store.getItem('a')
    state.now = 100
    expect(left('b')).toEqual([])
    state.now = 198
    expect(left('a')).toEqual(['a'])
    state.now = 298
    expect(left('a')).toEqual([])
  })

  it('applies the limits of a reload', () => {
    const { state, store, left } = startStore()
    for (const key of ['a', 'b', 'c']) store.setItem(key, 'x', ttl)
    state.limits = { ...large, responses: 1 }
    expect(left('a', 'b', 'c')).toEqual(['c'])
    state.limits = { ...large, responses: 0 }
    store.applyLimits()
    state.limits = large
    expect(left('c')).toEqual([])
  })

  it.each(['__proto__', 'constructor', 'toString'])('has nothing at %s', key => {
    const { store } = startStore()
    expect(store.getItem(key)).toBeUndefined()
    store.setItem(key, 'x', ttl)
    expect(store.getItem(key)).toBe('x')
  })

  it('takes from the client that has the most bytes, and of its responses the oldest', () => {
    const { store, left } = startStore({ bytes: 10 })
    store.setItem('small:1', 'x', ttl)
    for (const id of '12345678') store.setItem(`large:${id}`, 'x', ttl)
    store.setItem('new:1', 'xxx', ttl)
    expect(left('small:1', 'large:1', 'large:2', 'large:3', 'new:1')).toEqual([
      'small:1',
      'large:3',
      'new:1',
    ])
    for (let i = 0; i < 1000; i++) store.setItem(`large:${i}`, 'x', ttl)
    expect(left('small:1', 'large:993', 'large:994', 'large:999', 'new:1')).toEqual([
      'small:1',
      'large:994',
      'large:999',
      'new:1',
    ])
  })

  it('takes from the client that has the most responses', () => {
    const { store, left } = startStore({ responses: 4 })
    store.setItem('few:1', 'x'.repeat(100), ttl)
    for (const id of '12345') store.setItem(`many:${id}`, 'x', ttl)
    expect(left('few:1', 'many:2', 'many:3')).toEqual(['few:1', 'many:3'])
  })

  it('takes from the client that was not used for the longest time, if all have as many', () => {
    const { store, left } = startStore({ responses: 2 })
    store.setItem('a:1', 'x', ttl)
    store.setItem('b:1', 'x', ttl)
    store.getItem('a:1')
    store.setItem('c:1', 'x', ttl)
    expect(left('a:1', 'b:1', 'c:1')).toEqual(['a:1', 'c:1'])
  })

  it('refuses a response that would take from clients with less, and keeps all others', () => {
    const { store, left } = startStore({ bytes: 10 })
    store.setItem('a:1', 'xxxxx', ttl)
    store.setItem('b:1', 'xx', ttl)
    expect(() => store.setItem('b:2', 'x'.repeat(6), ttl)).toThrow(
      'The response has 6 bytes with its input, more than other clients leave of store.bytes, which is 10.',
    )
    expect(left('a:1', 'b:1')).toEqual(['a:1', 'b:1'])
    store.setItem('b:2', 'xxxxx', ttl)
    expect(left('a:1', 'b:1', 'b:2')).toEqual(['a:1', 'b:2'])
  })

  it('forgets a client whose responses are gone', () => {
    const { state, store, left } = startStore({ bytes: 10, ageMs: 100 })
    store.setItem('a:1', 'x'.repeat(9), ttl)
    state.now = 100
    store.setItem('b:1', 'x'.repeat(10), ttl)
    store.removeItem('b:1')
    store.setItem('c:1', 'x'.repeat(10), ttl)
    expect(left('a:1', 'b:1', 'c:1')).toEqual(['c:1'])
  })

  it('keeps the last responses of many clients', () => {
    const { store, left } = startStore({ responses: 2000, bytes: 100_000 })
    for (let i = 0; i < 20_000; i++) store.setItem(`${i % 500}:${i}`, 'x'.repeat(50), ttl)
    expect(left('0:0', '499:17999', '0:18000', '499:19999')).toEqual(['0:18000', '499:19999'])
  })

  it('never lets a client push out what another one has of its share', () => {
    const step = fc.record({
      client: fc.constantFrom(...'abc'),
      chars: fc.integer({ min: 1, max: 30 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        const { store, left } = startStore({ bytes: 100 })
        // Less than a fourth of 100 bytes.
        store.setItem('own:1', 'x'.repeat(20), ttl)
        steps.forEach(({ client, chars }, i) => {
          const text = 'x'.repeat(chars)
          const isStored = canStore(store, `${client}:${i}`, text)
          // What was stored is there.
          if (isStored) expect(store.getItem(`${client}:${i}`)).toBe(text)
        })
        expect(left('own:1')).toEqual(['own:1'])
      }),
      propertyRuns(200),
    )
  })

  it('never has more than its limits, whatever is stored', () => {
    const key = fc.constantFrom(...['a:1', 'a:2', 'a:3', 'a:4', 'b:1', 'b:2', 'c:1', 'd'])
    const step = fc.oneof(
      fc.record({ set: key, chars: fc.nat(40) }),
      fc.record({ get: key }),
      fc.record({ remove: key }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        const { state, store, left } = startStore({ responses: 4, bytes: 60 })
        const texts = new Map<string, string>()
        for (const each of steps) {
          if ('set' in each) {
            const text = 'x'.repeat(each.chars)
            if (canStore(store, each.set, text)) texts.set(each.set, text)
          } else if ('get' in each) store.getItem(each.get)
          else store.removeItem(each.remove)
        }
        // Reading removes nothing that writing has left.
        state.limits = large
        const kept = left('a:1', 'a:2', 'a:3', 'a:4', 'b:1', 'b:2', 'c:1', 'd')
        expect(kept.length).toBeLessThanOrEqual(4)
        for (const each of kept) expect(store.getItem(each)).toBe(texts.get(each))
        const chars = kept.reduce((sum, each) => sum + (texts.get(each)?.length ?? 0), 0)
        expect(chars).toBeLessThanOrEqual(60)
      }),
      propertyRuns(200),
    )
  })
})
