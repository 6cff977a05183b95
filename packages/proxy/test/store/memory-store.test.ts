import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../src/store/memory-store.js'
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

  it('never has more than its limits, whatever is stored', () => {
    const key = fc.constantFrom(...'abcdefgh')
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
            texts.set(each.set, 'x'.repeat(each.chars))
            store.setItem(each.set, 'x'.repeat(each.chars), ttl)
          } else if ('get' in each) store.getItem(each.get)
          else store.removeItem(each.remove)
        }
        // Reading removes nothing that writing has left.
        state.limits = large
        const kept = left(...'abcdefgh')
        expect(kept.length).toBeLessThanOrEqual(4)
        for (const each of kept) expect(store.getItem(each)).toBe(texts.get(each))
        const chars = kept.reduce((sum, each) => sum + (texts.get(each)?.length ?? 0), 0)
        expect(chars).toBeLessThanOrEqual(60)
      }),
      propertyRuns(200),
    )
  })
})
