import { describe, expect, it, vi } from 'vitest'
import {
  defaultLimits,
  defaultRule,
  type ModelRule,
  type ProxyConfig,
  ruleFor,
} from '../src/config.js'
import { matchesGlob } from '../src/glob.js'

const configOf = (models: readonly ModelRule[]): ProxyConfig => ({
  upstreams: [{ name: 'one', baseUrl: 'http://127.0.0.1/v1' }],
  models,
  clientKeys: [],
  limits: defaultLimits,
  heartbeatMs: 1000,
})

describe('a pattern for model ids', () => {
  it.each([
    // pattern       text                 matches
    ['qwen3', 'qwen3', true],
    ['qwen3', 'qwen3-8b', false],
    ['qwen3*', 'Qwen3-8B', true],
    ['*embed*', 'text-embedding-3', true],
    ['*embed*', 'embed', true],
    ['*', '', true],
    ['**', 'a', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['ab*ba', 'aba', false],
    ['ab*ba', 'abba', true],
    ['a.c', 'abc', false],
    ['a*\nb', 'a x\nb', true],
    ['', '', true],
    ['', 'a', false],
  ])('%j for %j: %s', (glob, text, matches) => {
    expect(matchesGlob(glob, text)).toBe(matches)
  })

  it('agrees with a regular expression for all short patterns and texts', () => {
    const words = (letters: string, chars: number): string[] =>
      chars === 0
        ? ['']
        : words(letters, chars - 1).flatMap(word => [
            word,
            ...[...letters].map(each => word + each),
          ])
    const texts = new Set(words('ab', 5))
    for (const glob of new Set(words('ab*', 4))) {
      const pattern = new RegExp(`^${glob.replaceAll('*', '.*')}$`)
      for (const text of texts)
        expect(matchesGlob(glob, text), `${glob} for ${text}`).toBe(pattern.test(text))
    }
  })

  it('is one of 200 for a long id, which is written in lower case once', () => {
    const id = 'Q'.repeat(200_000)
    const models = Array.from({ length: 200 }, (_, i) => ({ ...defaultRule, match: `x${i}*y*z` }))
    const lowered = vi.spyOn(String.prototype, 'toLowerCase')
    const rule = ruleFor(configOf([...models, { ...defaultRule, match: '*q', mode: 'off' }]), id)
    const times = lowered.mock.contexts.filter(text => String(text).length === id.length).length
    lowered.mockRestore()
    expect([rule.mode, times]).toEqual(['off', 1])
  })

  it('is compared once with a long id, however many stars it has', () => {
    // As a regular expression this takes longer than the universe has existed.
    const match = `${'a*'.repeat(40)}b`
    const config = configOf([{ ...defaultRule, match, mode: 'off' }])
    expect(ruleFor(config, 'a'.repeat(200_000)).mode).toBe('prompt')
    expect(ruleFor(config, `${'a'.repeat(200_000)}b`).mode).toBe('off')
  })
})
