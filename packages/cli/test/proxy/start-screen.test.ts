import { spawnSync } from 'node:child_process'
import type { ServerConfig, UpstreamState } from '@toolglot/proxy/node'
import { readConfig } from '@toolglot/proxy/node'
import { describe, expect, it } from 'vitest'
import { startScreen, upstreamScreen } from '../../src/proxy/start-screen.js'

function configOf(text: string): ServerConfig {
  const { config } = readConfig(`upstream: http://127.0.0.1:8080/v1\n${text}`)
  if (!config) throw new Error('The configuration is invalid.')
  return config
}

const config = configOf('')
const reached: UpstreamState = {
  ...{ name: 'default', baseUrl: 'http://127.0.0.1:8080/v1', isReached: true },
  ...{ kind: 'llama.cpp', models: ['qwen3', 'gemma3'], problem: undefined },
}

describe('the screen at the start', () => {
  it('names the addresses for clients', () => {
    expect(startScreen('http://127.0.0.1:4141', config)).toBe(`
toolglot proxy is listening. Ctrl+C stops it.

  OpenAI clients     http://127.0.0.1:4141/v1
  Anthropic clients  http://127.0.0.1:4141
  API key            any
`)
  })

  it.each(['http://0.0.0.0:4141', 'http://[::]:4141'])(
    'names an address that a client can use for %s',
    address => {
      expect(startScreen(address, config)).toContain('http://127.0.0.1:4141/v1')
    },
  )

  it('shows what the server is, and a line to try', () => {
    expect(upstreamScreen('http://127.0.0.1:4141', config, [reached], 80)).toBe(`
  Upstream           http://127.0.0.1:8080/v1
                     reached: llama.cpp, 2 models
                     qwen3
                     gemma3

  Try it:

  curl http://127.0.0.1:4141/v1/chat/completions \\
    -H 'content-type: application/json' \\
    -d '{"model": "qwen3",
         "messages": [{"role": "user", "content": "Hello"}]}'

`)
  })

  it('shows why a server was not reached, in lines that fit, and no line to try', () => {
    const problem = 'nothing listens there. Start it, before or after.'
    const state = { ...reached, isReached: false, kind: undefined, models: [], problem }
    expect(upstreamScreen('http://127.0.0.1:4141', config, [state], 60)).toBe(`
  Upstream           http://127.0.0.1:8080/v1
                     not reached: nothing listens there.
                     Start it, before or after.

`)
  })

  it('tries a model that the configuration names, with a key where one is needed', () => {
    const own = configOf('clients: { keys: [secret] }\nmodels: [{ match: "a*" }, { match: fast }]')
    const state = { ...reached, models: ['qwen3', 'fast'] }
    const shown = upstreamScreen('http://127.0.0.1:4141', own, [state], 80)
    expect(shown).toContain('"model": "fast"')
    expect(shown).toContain("-H 'authorization: Bearer CLIENT_KEY'")
    expect(startScreen('http://127.0.0.1:4141', own)).toContain('one of the configured client keys')
    expect(shown).not.toContain('secret')
  })

  it.each([
    // the rules; what the first and the second server list; the model that is tried
    ['', undefined, ['b'], undefined],
    ['{ match: b, upstream: cloud }', undefined, ['a', 'b'], 'b'],
    ['{ match: b, upstream: cloud, model: org/b }', ['a'], ['org/b'], 'b'],
    ['{ match: typo }', ['a'], [], 'a'],
    ['{ match: "text-embed*", mode: "off" }', ['text-embed-1', 'a'], [], 'a'],
    ['', [`${'long/'.repeat(50)}`, 'a'], [], 'a'],
  ])('tries a model that answers, with the rule %s', (rule, first, second, model) => {
    const both = `upstreams: [{ name: local, baseUrl: 'http://a/v1' }, { name: cloud, baseUrl: 'http://b/v1' }]\nmodels: [${rule}]`
    const { config: two } = readConfig(both)
    if (!two) throw new Error('The configuration is invalid.')
    const states = [
      { ...reached, name: 'local', isReached: first !== undefined, models: first ?? [] },
      { ...reached, name: 'cloud', models: second },
    ]
    const shown = upstreamScreen('http://x:1', two, states, 80)
    expect(/"model": "(.*)"/.exec(shown)?.[1]).toBe(model)
  })

  it('says of a server that no rule names that it gets no requests', () => {
    const { config: two } = readConfig(
      "upstreams: [{ name: a, baseUrl: 'http://a/v1' }, { name: b, baseUrl: 'http://b/v1' }]",
    )
    if (!two) throw new Error('The configuration is invalid.')
    const states = ['a', 'b'].map(name => ({ ...reached, name, baseUrl: `http://${name}/v1` }))
    const [first = '', second = ''] = upstreamScreen('http://x:1', two, states, 90).split(
      'http://b',
    )
    expect(first).not.toContain('No request')
    expect(second).toContain('No request goes to it: no rule of a model has upstream: b.')
  })

  it('shows a server whose kind is not known only by its problem', () => {
    const state = { ...reached, kind: undefined, models: [], problem: 'it needs a key (401).' }
    expect(upstreamScreen('http://x:1', config, [state], 80)).toContain(
      'reached, but it needs a key (401).',
    )
  })

  it('names three models, and counts the others', () => {
    const models = ['a', 'b', 'c', 'd', 'e']
    const shown = upstreamScreen('http://x:1', config, [{ ...reached, models }], 80)
    expect(shown).toContain('5 models')
    expect(shown).toMatch(/c\n +and 2 more\n/)
  })

  it.each(['/bin/sh', 'bash', 'zsh', 'fish'])('shows a line that is right in %s', shell => {
    const model = '\u001b[2Jx\'; exit 1; \' C:\\models\\qwen3.gguf "a" $HOME `b` \u202e!c'
    const shown = upstreamScreen('http://x:1', config, [{ ...reached, models: [model] }], 80)
    expect(shown).not.toContain('\u001b')
    expect(shown).not.toContain('\u202e')
    // The text between the quotes, as the shell reads it.
    const quoted = /-d ('[\s\S]*')/.exec(shown)?.[1]
    const { stdout, error } = spawnSync(shell, ['-c', `printf %s ${quoted}`], { encoding: 'utf8' })
    // This shell is not on every machine.
    if (error) return
    expect(JSON.parse(stdout)).toMatchObject({ model })
  })
})
