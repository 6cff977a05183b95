import { describe, expect, it } from 'vitest'
import { type ConfigFlags, loadConfig } from '../src/config-file/load-config.js'
import { formatProblem } from '../src/config-file/problem.js'

const files: Readonly<Record<string, string>> = {
  'a.yaml':
    'upstream: http://file/v1\nlisten: { host: 127.0.0.2, port: 1 }\nlog: { level: error }\n',
  'b.yaml': 'upstream: http://other/v1\n',
  'hosts.yaml': 'upstream: http://file/v1\nhosts: []\n',
  'broken.yaml': 'upstreem: http://file/v1\n',
}

function load(flags: ConfigFlags, env: Record<string, string> = {}) {
  const readFile = (name: string) => {
    const text = files[name]
    if (text === undefined) throw new Error(`ENOENT: no such file or directory, open '${name}'`)
    return text
  }
  return loadConfig({ flags, env, readFile })
}

const problemsOf = (flags: ConfigFlags, env: Record<string, string> = {}) =>
  (load(flags, env).problems ?? []).map(formatProblem)

describe('flags, environment and file', () => {
  it.each([
    ['--upstream', { upstream: 'nowhere' }, {}],
    ['TOOLGLOT_UPSTREAM', {}, { TOOLGLOT_UPSTREAM: 'nowhere' }],
  ])('name a wrong URL of %s once', (path, flags, env) => {
    expect(problemsOf(flags, env)).toEqual([
      expect.stringContaining(`${path}: is not an http(s) URL.`),
    ])
  })

  it.each([
    ['TOOLGLOT_API_KEYS', {}, { TOOLGLOT_API_KEYS: ' , ' }],
    ['--api-key-env', { 'api-key-env': 'MINE' }, { MINE: ',' }],
  ])('do not switch client keys off by a list without a key: %s', (path, flags, env) => {
    expect(problemsOf({ config: 'a.yaml', ...flags }, env)).toEqual([
      `${path}: contains no key. Write keys, separated by commas.`,
    ])
  })

  it('do not mistake what every object has for a variable', () => {
    for (const name of ['constructor', '__proto__', 'toString'])
      expect(problemsOf({ config: 'a.yaml', 'upstream-key-env': name })).toEqual([
        `--upstream-key-env: The environment variable ${name} is not set. Set it, or leave the option out.`,
      ])
  })

  it('count in this order', () => {
    const env = { TOOLGLOT_CONFIG: 'a.yaml', TOOLGLOT_PORT: '2', TOOLGLOT_LOG_LEVEL: 'warn' }
    expect(load({ port: '3' }, env).config).toMatchObject({
      listen: { host: '127.0.0.2', port: 3 },
      log: { level: 'warn' },
      upstreams: [{ baseUrl: 'http://file/v1' }],
    })
    expect(load({ config: 'b.yaml' }, env).config?.upstreams).toEqual([
      { name: 'default', baseUrl: 'http://other/v1' },
    ])
  })

  it.each<[string, ConfigFlags, Record<string, string>, object]>([
    [
      'host',
      { host: '127.0.0.3' },
      { TOOLGLOT_HOST: '127.0.0.4' },
      { listen: { host: '127.0.0.3' } },
    ],
    ['host', {}, { TOOLGLOT_HOST: '127.0.0.4' }, { listen: { host: '127.0.0.4' } }],
    [
      'that everybody may use it',
      { host: '0.0.0.0', insecure: true },
      {},
      { listen: { host: '0.0.0.0' }, insecure: true, hosts: ['*'], clientKeys: [] },
    ],
    [
      'that everybody may use it, with the empty list of hosts that docs/proxy.md shows as the default',
      { config: 'hosts.yaml', host: '0.0.0.0', insecure: true },
      {},
      { hosts: ['*'] },
    ],
    ['that on this machine nobody else may', { insecure: true }, {}, { hosts: [] }],
    ['port', {}, { TOOLGLOT_PORT: '99' }, { listen: { port: 99 } }],
    [
      'upstream',
      { upstream: 'http://flag/v1' },
      { TOOLGLOT_UPSTREAM: 'http://env/v1' },
      { upstreams: [{ baseUrl: 'http://flag/v1' }] },
    ],
    [
      'upstream',
      {},
      { TOOLGLOT_UPSTREAM: 'http://env/v1' },
      { upstreams: [{ baseUrl: 'http://env/v1' }] },
    ],
    [
      'the key of the upstream',
      { 'upstream-key-env': 'MINE' },
      { MINE: ' mine\n', TOOLGLOT_UPSTREAM_API_KEY: 'env' },
      { upstreams: [{ apiKey: 'mine' }] },
    ],
    [
      'the key of the upstream',
      {},
      { TOOLGLOT_UPSTREAM_API_KEY: 'env' },
      { upstreams: [{ apiKey: 'env' }] },
    ],
    [
      'keys of clients',
      { 'api-key-env': 'MINE' },
      { MINE: 'a, b,', TOOLGLOT_API_KEYS: 'c' },
      { clientKeys: ['a', 'b'] },
    ],
    ['keys of clients', {}, { TOOLGLOT_API_KEYS: 'c,d' }, { clientKeys: ['c', 'd'] }],
    [
      'protocol',
      { protocol: 'hermes' },
      { TOOLGLOT_PROTOCOL: 'wire' },
      { models: [{ protocol: 'hermes' }] },
    ],
    ['protocol', {}, { TOOLGLOT_PROTOCOL: 'wire' }, { models: [{ protocol: 'wire' }] }],
    ['mode', { mode: 'off' }, { TOOLGLOT_MODE: 'rescue' }, { models: [{ mode: 'off' }] }],
    ['mode', {}, { TOOLGLOT_MODE: 'rescue' }, { models: [{ mode: 'rescue' }] }],
    [
      'log level',
      { 'log-level': 'debug' },
      { TOOLGLOT_LOG_LEVEL: 'warn' },
      { log: { level: 'debug' } },
    ],
    ['log bodies', { 'log-bodies': true }, {}, { log: { bodies: true } }],
    ['reasoning', { reasoning: true }, {}, { models: [{ match: '*', reasoning: true }] }],
    ['drain', { drain: '2m' }, {}, { server: { drainMs: 120_000 } }],
    [
      'a variable that is empty, which counts as not set',
      {},
      { TOOLGLOT_HOST: ' ' },
      { listen: { host: '127.0.0.2' } },
    ],
  ])('say %s', (_, flags, env, expected) => {
    expect(load({ config: 'a.yaml', ...flags }, env).config).toMatchObject(expected)
  })

  it.each<[string, ConfigFlags, Record<string, string>, string]>([
    ['a port', { port: 'http' }, {}, '--port: is "http". Write a whole number from 0 to 65535.'],
    [
      'a port of the environment',
      {},
      { TOOLGLOT_PORT: '99999' },
      'TOOLGLOT_PORT: is "99999". Write a whole number',
    ],
    ['a mode', { mode: 'on' }, {}, '--mode: is "on". Choose one of: prompt, rescue, off.'],
    [
      'a level',
      {},
      { TOOLGLOT_LOG_LEVEL: 'x' },
      'TOOLGLOT_LOG_LEVEL: is "x". Choose one of: trace, debug,',
    ],
    [
      'a protocol',
      { protocol: 'hermse' },
      {},
      '--protocol: is not a protocol. Did you mean "hermes"? Write auto, or a name',
    ],
    [
      'an address',
      { upstream: 'localhost' },
      {},
      '--upstream: is not an http(s) URL. Write it with http:// and its path:',
    ],
    [
      'an address with a key',
      { upstream: 'http://u:p@h/' },
      {},
      '--upstream: contains a user name or password.',
    ],
    ['a duration', { drain: 'soon' }, {}, '--drain: is "soon". Write a duration such as 30s.'],
    [
      'a variable that is not there',
      { 'upstream-key-env': 'NONE' },
      {},
      '--upstream-key-env: The environment variable NONE is not set. Set it, or leave the option out.',
    ],
    [
      'keys that are not there',
      { 'api-key-env': 'NONE' },
      {},
      '--api-key-env: The environment variable NONE is not set.',
    ],
    [
      'an address that others reach, without keys',
      { host: '0.0.0.0' },
      {},
      'The address to listen on is "0.0.0.0", which other machines may reach, and there are no client keys. Set clients.keys or TOOLGLOT_API_KEYS, listen on 127.0.0.1, or let everybody in with --insecure.',
    ],
    ['a file that is not there', { config: 'none.yaml' }, {}, 'none.yaml: cannot be read: ENOENT'],
    [
      'a broken file',
      { config: 'broken.yaml' },
      {},
      'broken.yaml:1:1: upstreem: is not a known key. Did you mean "upstream"?',
    ],
  ])('are refused for %s', (_, flags, env, message) => {
    const problems = problemsOf({ config: 'a.yaml', ...flags }, env)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(message)
  })

  it('name a server, or the error says how to', () => {
    expect(problemsOf({})).toEqual([
      expect.stringContaining('No upstream is configured. Set the URL of a server:'),
    ])
  })
})
