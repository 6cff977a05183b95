import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultLimits, defaultStore } from '../src/config.js'
import { formatProblem } from '../src/config-file/problem.js'
import { readConfig } from '../src/config-file/read-config.js'
import { configJsonSchema, configSchema } from '../src/config-file/schema.js'
import type { Overrides } from '../src/config-file/server-config.js'
import { propertyRuns } from './support/property-runs.js'

const env = {
  KEY: 'sk-secret-1',
  KEYS: 'one-key, two-key',
  PORT: '5151',
  WORD: 'quiet',
  EMPTY: '',
  COMMA: ',',
}

function read(text: string, overrides: Overrides = {}) {
  const { config, problems } = readConfig(text, { fileName: 'toolglot.yaml', env, overrides })
  if (!config) throw new Error(problems.map(formatProblem).join('\n'))
  return config
}

function problemsOf(text: string): string[] {
  return (readConfig(text, { fileName: 'toolglot.yaml', env }).problems ?? []).map(formatProblem)
}

const full = `
listen: { host: 0.0.0.0, port: 8000 }
upstreams:
  - name: local
    baseUrl: http://127.0.0.1:8080/v1
  - name: cloud
    baseUrl: https://models.example/v1
    apiKeyEnv: KEY
    headers: { x-team: red }
models:
  - match: qwen3-coder*
    protocol: qwen3_coder
    mode: prompt
    upstream: cloud
    model: Qwen/Qwen3-Coder
    reasoning: true
    startWithReasoning: false
    callsInReasoning: true
    tolerance: exact
    keepSpecialTokens: true
    set: { temperature: 0.2, stop: [a, b] }
    strip: [logit_bias]
  - match: '*'
    mode: rescue
clients:
  keys: [first-key]
  keysEnv: KEYS
hosts: [host.docker.internal, '*.lan', '[fd00::1]']
cors: { origins: ['https://chat.example', 'vscode-webview://*', 'null'] }
limits: { body: 1.5mb, bodies: 9mb, bodyTimeout: 20s, request: 10m, firstByte: 90 s, idle: 2000, concurrency: 9, answer: 2mb, heldChars: 500, headers: 64kb, headersTimeout: 5s, keepAlive: 1h, drain: 500ms }
serverTools: refuse
heartbeat: 20s
store: { responses: 50, bytes: 1mb, age: 1h }
log: { level: debug, bodies: true }
`

describe('a configuration file', () => {
  it('may contain every setting', () => {
    expect(read(full)).toEqual({
      listen: { host: '0.0.0.0', port: 8000 },
      upstreams: [
        { name: 'local', baseUrl: 'http://127.0.0.1:8080/v1' },
        {
          name: 'cloud',
          baseUrl: 'https://models.example/v1',
          apiKey: 'sk-secret-1',
          headers: { 'x-team': 'red' },
        },
      ],
      models: [
        {
          match: 'qwen3-coder*',
          protocol: 'qwen3_coder',
          mode: 'prompt',
          upstream: 'cloud',
          model: 'Qwen/Qwen3-Coder',
          reasoning: true,
          startWithReasoning: false,
          callsInReasoning: true,
          tolerance: 'exact',
          keepSpecialTokens: true,
          set: { temperature: 0.2, stop: ['a', 'b'] },
          strip: ['logit_bias'],
        },
        { match: '*', protocol: 'auto', mode: 'rescue' },
      ],
      clientKeys: ['first-key', 'one-key', 'two-key'],
      hosts: ['host.docker.internal', '*.lan', '[fd00::1]'],
      cors: { origins: ['https://chat.example', 'vscode-webview://*', 'null'] },
      insecure: false,
      limits: {
        ...defaultLimits,
        bodyBytes: 1.5 * 1024 * 1024,
        bodiesBytes: 9 * 1024 * 1024,
        bodyMs: 20_000,
        requestMs: 600_000,
        firstByteMs: 90_000,
        idleMs: 2000,
        concurrency: 9,
        answerBytes: 2 * 1024 * 1024,
        heldChars: 500,
      },
      heartbeatMs: 20_000,
      serverTools: 'refuse',
      store: { responses: 50, bytes: 1024 * 1024, ageMs: 3_600_000 },
      server: { headerBytes: 65_536, headersMs: 5000, keepAliveMs: 3_600_000, drainMs: 500 },
      log: { level: 'debug', bodies: true },
    })
  })

  it('needs nothing but a server', () => {
    expect(read('upstream: http://127.0.0.1:8080/v1')).toMatchObject({
      listen: { host: '127.0.0.1', port: 4141 },
      upstreams: [{ name: 'default', baseUrl: 'http://127.0.0.1:8080/v1' }],
      models: [],
      clientKeys: [],
      limits: defaultLimits,
      store: defaultStore,
      log: { level: 'info', bodies: false },
    })
  })

  it.each([
    // limits                      the bound on all bodies, in MB
    ['body: 1kb', 256],
    ['body: 64mb', 512],
    ['body: 64mb, bodies: 64mb', 64],
    ['body: 1kb, bodies: 1mb', 1],
  ])('bounds all bodies that are arriving: %s', (limits, megabytes) => {
    const { bodiesBytes } = read(`${server}limits: { ${limits} }`).limits
    expect(bodiesBytes).toBe(megabytes * 1024 * 1024)
  })

  it.each([
    ['body: 8mb, bodies: 4mb', 8 * 1024 * 1024],
    ['bodies: 16mb', 32 * 1024 * 1024],
    ['body: 1kb, bodies: 64kb', 1024 * 1024],
  ])('needs room for the longest body, and for a few: %s', (limits, least) => {
    const [problem, ...others] = problemsOf(`${server}limits: { ${limits} }`)
    expect(others).toEqual([])
    expect(problem).toMatch(new RegExp(`limits\\.bodies.*too small.*Write ${least} or more`))
  })

  it('may switch the store off, or change a part of it', () => {
    expect(read('upstream: http://a/v1\nstore: 0').store).toMatchObject({ responses: 0 })
    expect(read('upstream: http://a/v1\nstore: { age: 5m }').store).toEqual({
      ...defaultStore,
      ageMs: 300_000,
    })
  })

  it.each([
    ['{ responses: 0 }', '2:21: store.responses: is too small. Write 1 or more.'],
    ['{ byte: 1 }', '2:10: store.byte: is not a known key. Did you mean "bytes"?'],
    ['{ age: soon, bytes: x }', '2:15: store.age: is not a duration.'],
    ['{ age: soon, bytes: x }', '2:28: store.bytes: is not a size.'],
    ['{ bytes: -3 }', '2:17: store.bytes: is too small. Write at least 1 byte.'],
    ['{ bytes: 0 }', '2:17: store.bytes: is too small. Write at least 1 byte.'],
    ['{ bytes: 99999999gb }', '2:17: store.bytes: is too large. Write at most 8388607gb.'],
    ['{ age: -1 }', '2:15: store.age: is too short. Write at least 1ms.'],
    ['off', '2:8: store: is neither 0 nor a mapping. Write 0 to store nothing'],
    ['1', '2:8: store: is neither 0 nor a mapping.'],
  ])('names what is wrong with the store %s', (store, problem) => {
    const text = `upstream: http://a/v1\nstore: ${store}`
    expect(problemsOf(text).join('\n')).toContain(problem)
  })

  it('may be JSON', () => {
    const json = JSON.stringify(
      { $schema: 'x', upstream: 'http://127.0.0.1:8080/v1', listen: { port: 1 } },
      null,
      2,
    )
    expect(read(json).listen.port).toBe(1)
    expect(problemsOf('{\n  "upstream": "http://a/v1",\n  "lisen": {}\n}')).toEqual([
      'toolglot.yaml:3:3: lisen: is not a known key. Did you mean "listen"? Choose one of: listen, upstream, upstreams, models, clients, hosts, cors, limits, serverTools, heartbeat, store, log.',
    ])
  })

  it('may begin with a byte order mark, and share parts by an alias', () => {
    const text =
      '\uFEFFupstream: http://a/v1\nmodels:\n  - { match: a, set: &s { seed: 1 } }\n  - { match: b, set: *s }\n'
    expect(read(text).models[1]?.set).toEqual({ seed: 1 })
  })

  it('takes variables from the environment', () => {
    const text = `
upstreams: [{ name: a, baseUrl: "http://\${WORD}:\${PORT}/v1", apiKey: "\${KEY}" }]
listen: { port: "\${PORT}" }
models: [{ match: x, set: { stop: "$\${KEY}" } }]`
    const { upstreams, listen, models } = read(text)
    expect(upstreams[0]).toEqual({
      name: 'a',
      baseUrl: 'http://quiet:5151/v1',
      apiKey: 'sk-secret-1',
    })
    expect(listen.port).toBe(5151)
    expect(models[0]?.set).toEqual({ stop: `\${KEY}` })
  })

  const server = 'upstream: http://127.0.0.1:8080/v1\n'
  const servers = 'upstreams:\n  - name: local\n    baseUrl: http://a/v1\n'
  it.each<[string, string, string]>([
    [
      'an address that others reach, without client keys',
      `${server}listen:\n  host: 0.0.0.0`,
      '3:9: listen.host: is "0.0.0.0", which other machines may reach, and there are no client keys. Set clients.keys or TOOLGLOT_API_KEYS, listen on 127.0.0.1, or let everybody in with --insecure.',
    ],
    [
      'a host with its port',
      `${server}hosts: [my-host:4141]`,
      '2:9: hosts[0]: is not the name of a host. Write only the name, without http:// and port: my-host.lan.',
    ],
    [
      'an origin with a path',
      `${server}cors: { origins: ["https://chat.example/"] }`,
      '2:19: cors.origins[0]: is not an origin. Write scheme and host without a path: https://chat.example, app://obsidian.md, or null.',
    ],
    [
      'a text that is not YAML',
      `${server}models: [`,
      '2:10: is not valid YAML or JSON: Flow sequence in block',
    ],
    [
      'a key that is given twice',
      `${server}${server}`,
      '2:1: is not valid YAML or JSON: Map keys must be unique',
    ],
    [
      'a second document',
      `${server}---\n${server}`,
      '2:1: is a second document. Keep one document in the file.',
    ],
    ['a file that is a list', '- a', '1:1: must be a mapping of keys to values. Found: a list.'],
    [
      'no server',
      'listen: { port: 1 }',
      ' No upstream is configured. Set the URL of a server: upstream: http',
    ],
    [
      'a misspelt key of a rule',
      `${server}models:\n  - match: a\n    protocl: hermes`,
      '4:5: models[0].protocl: is not a known key. Did you mean "protocol"? Choose one of: match, protocol, mode,',
    ],
    [
      'a strange key',
      `${server}zebra: 1`,
      '2:1: zebra: is not a known key. Choose one of: listen,',
    ],
    [
      'a strange key of listen',
      `${server}listen:\n  prot: 1`,
      '3:3: listen.prot: is not a known key. Did you mean "port"? Choose one of: host, port.',
    ],
    [
      'a misspelt mode',
      `${server}models:\n  - match: a\n    mode: promt`,
      '4:11: models[0].mode: is "promt". Did you mean "prompt"? Choose one of: prompt, rescue, off.',
    ],
    [
      'a misspelt protocol',
      `${server}models:\n  - { match: a, protocol: hermse }`,
      '3:27: models[0].protocol: is not a protocol. Did you mean "hermes"? Write auto, or a name that "toolglot formats" lists.',
    ],
    [
      'a rule without match',
      `${server}models:\n  - mode: off`,
      '3:5: models[0].match: is missing. Add it here.',
    ],
    [
      'an empty match',
      `${server}models:\n  - match: ""`,
      '3:12: models[0].match: is empty. Write a value,',
    ],
    ['a text for a list', `${server}models: all`, '2:9: models: must be a list. Found: a string.'],
    [
      'nothing for a mapping',
      `${server}listen:`,
      '2:8: listen: must be a mapping of keys to values. Found: no value.',
    ],
    [
      'a text for a truth value',
      `${server}log:\n  bodies: sometimes`,
      '3:11: log.bodies: must be true or false. Found: a string.',
    ],
    [
      'a port out of range',
      `${server}listen: { port: 70000 }`,
      '2:17: listen.port: is too large. Write 65535 or less.',
    ],
    [
      'half a port',
      `${server}listen: { port: 1.5 }`,
      '2:17: listen.port: must be a whole number. Found: a number.',
    ],
    [
      'a port below 0',
      `${server}listen: { port: -1 }`,
      '2:17: listen.port: is too small. Write 0 or more.',
    ],
    [
      'a duration of no unit that there is',
      `${server}heartbeat: 3 parsecs`,
      '2:12: heartbeat: is not a duration. Write milliseconds as a number, or a string such as 500ms, 30s, 10m or 1h.',
    ],
    [
      'a duration of nothing',
      `${server}heartbeat: 0`,
      '2:12: heartbeat: is too short. Write at least 1ms.',
    ],
    [
      'a duration that no timer runs',
      `${server}heartbeat: 900h`,
      '2:12: heartbeat: is too long. Write at most 596h.',
    ],
    [
      'a size that is none',
      `${server}limits:\n  body: big`,
      '3:9: limits.body: is not a size. Write bytes as a number,',
    ],
    [
      'no requests at a time',
      `${server}limits:\n  concurrency: 0`,
      '3:16: limits.concurrency: is too small. Write 1',
    ],
    [
      'a server without a scheme',
      'upstream: localhost:8080',
      '1:11: upstream: is not an http(s) URL. Write it with http:// and its path:',
    ],
    [
      'a server with a password',
      'upstream: http://a:b@c/v1',
      '1:11: upstream: contains a user name or password. Leave',
    ],
    [
      'a server with a query',
      'upstream: http://c/v1?key=x',
      '1:11: upstream: has a query or a fragment. End it',
    ],
    ['no servers', 'upstreams: []', '1:12: upstreams: is empty. Name at least one server.'],
    [
      'a server without an address',
      'upstreams:\n  - name: local',
      '2:5: upstreams[0].baseUrl: is missing. Add it here.',
    ],
    [
      'both forms of servers',
      `${servers}${server}`,
      '4:11: upstream: is set together with upstreams. Keep one of the two;',
    ],
    [
      'two servers of one name',
      `${servers}  - name: local\n    baseUrl: http://b/v1`,
      '4:11: upstreams[1].name: is used twice. Give each server its own name.',
    ],
    [
      'two keys of a server',
      `${servers}    apiKey: abc\n    apiKeyEnv: KEY`,
      '5:16: upstreams[0].apiKeyEnv: is set together with apiKey. Keep one of the two.',
    ],
    [
      'a variable that is not set',
      `${servers}    apiKeyEnv: NO_SUCH`,
      '4:16: upstreams[0].apiKeyEnv: The environment variable NO_SUCH is not set. Set it, or leave the key out.',
    ],
    [
      'a variable that is empty',
      `${servers}    apiKeyEnv: EMPTY`,
      '4:16: upstreams[0].apiKeyEnv: The environment variable EMPTY is empty.',
    ],
    [
      'a value in place of the name of a variable',
      `${servers}    apiKeyEnv: $KEY`,
      '4:16: upstreams[0].apiKeyEnv: is not the name of a variable. Write only the name, without $: UPSTREAM_KEY.',
    ],
    [
      'a variable in a text that is not set',
      `${server}listen:\n  host: "\${NO_SUCH}"`,
      '3:9: The environment variable NO_SUCH is not set. Set it, or write $${NO_SUCH} for the literal text.',
    ],
    [
      'a variable of the wrong kind',
      `${server}listen:\n  port: "\${WORD}"`,
      '3:9: listen.port: must be a number. Found: another type.',
    ],
    [
      'a key of two lines',
      `${servers}    apiKey: "a\\nb"`,
      '4:13: upstreams[0].apiKey: cannot be sent as a key. A key is one line',
    ],
    [
      'a header with a blank',
      `${servers}    headers:\n      x team: a`,
      '5:7: upstreams[0].headers.x team: is not the name of a header. Use letters',
    ],
    [
      'a header of two lines',
      `${servers}    headers:\n      x-team: "a\\nb"`,
      '5:15: upstreams[0].headers.x-team: cannot be sent as a header.',
    ],
    [
      'a rule for a server that is not there',
      `${servers}models:\n  - match: a\n    upstream: locale`,
      '6:15: models[0].upstream: is not the name of an upstream. Did you mean "local"? Choose one of: local.',
    ],
    [
      'a rule that is never asked',
      `${server}models:\n  - match: "*"\n  - match: a`,
      '4:12: models[1].match: is never used, because models[0] matches every model. Move it above that rule.',
    ],
    [
      'client keys of a variable that is not set',
      `${server}clients:\n  keysEnv: NO_SUCH`,
      '3:12: clients.keysEnv: The environment variable NO_SUCH is not set.',
    ],
    [
      'client keys of a variable without a key',
      `${server}clients:\n  keysEnv: COMMA`,
      '3:12: clients.keysEnv: The value of COMMA contains no key. Write keys, separated by commas.',
    ],
    [
      'a variable that is only what every object has',
      `${server}clients:\n  keysEnv: constructor`,
      '3:12: clients.keysEnv: The environment variable constructor is not set.',
    ],
    [
      'a text with such a variable',
      `upstream: http://a/\${__proto__}`,
      '1:11: The environment variable __proto__ is not set.',
    ],
    [
      'a level that is none',
      `${server}log: { level: loud }`,
      '2:15: log.level: is "loud". Choose one of: trace, debug, info, warn, error, fatal, silent.',
    ],
  ])('refuses %s, and says where', (_, text, message) => {
    const problems = problemsOf(text)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(`toolglot.yaml:${message}`)
  })

  it('names all problems at once', () => {
    expect(problemsOf(`${server}listen: { port: x, hots: a }\nlog: { level: 1 }`)).toHaveLength(3)
  })

  it('refuses aliases of aliases that would fill the memory', () => {
    const lines = ['a: &a [x,x,x,x,x,x,x,x,x,x]']
    for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef'].map(pair => [...pair]))
      lines.push(`${to}: &${to} [${Array(10).fill(`*${from}`).join(',')}]`)
    expect(problemsOf(lines.join('\n'))[0]).toContain('Excessive alias count')
  })

  it('reports problems and never throws, for any text', () => {
    const piece = fc.constantFrom(
      ...full.split(/(?<=[\s:,{}[\]])/),
      '- ',
      '&a ',
      '*a ',
      '"',
      "'",
      '${',
      '}',
      '? ',
      '!!x ',
      '<<: ',
      '__proto__: ',
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece).map(pieces => pieces.join('')),
    )
    fc.assert(
      fc.property(text, written => {
        const { config, problems } = readConfig(written, { fileName: 'a.yaml', env })
        expect(config === undefined).toBe((problems?.length ?? 0) > 0)
        for (const { line = 1, column = 1 } of problems ?? [])
          expect(Math.min(line, column)).toBeGreaterThan(0)
      }),
      propertyRuns(500),
    )
    // Any value in the place of any other.
    const value = fc.jsonValue({ maxDepth: 2 })
    const keys = fc.constantFrom(...Object.keys(configSchema.shape))
    fc.assert(
      fc.property(keys, value, (key, given) => {
        readConfig(JSON.stringify({ [key]: given }), { env })
      }),
      propertyRuns(500),
    )
  })

  it('never repeats a value that may be a key', () => {
    for (const text of [
      `${servers}    apiKey: ["sk-in-a-list"]`,
      `${servers}    apiKey: "sk-in-a-list\\n"`,
      `${server}log: { level: "\${KEY}" }`,
      `upstream: http://u:sk-in-a-list@c/`,
    ])
      expect(problemsOf(text).join()).not.toMatch(/sk-/)
  })

  it('tells all mistakes at once, of whatever kind, in the order of the file', () => {
    const text = `
listen: { prot: 4141 }
upstreams:
  - { name: a, baseUrl: "localhost:8080", apiKeyEnv: NOT_SET }
  - { name: a, baseUrl: http://x.test/v1 }
models:
  - { match: "*", mode: promt }
  - { match: qwen, upstream: b }
limits: { body: 5zb }
clients: { keys: ["\${NOT_SET_EITHER}", 5] }`
    const problems = problemsOf(text).map(problem => problem.replace(/\. .*/, ''))
    expect(problems).toEqual([
      'toolglot.yaml:2:11: listen.prot: is not a known key',
      'toolglot.yaml:4:25: upstreams[0].baseUrl: is not an http(s) URL',
      'toolglot.yaml:4:54: upstreams[0].apiKeyEnv: The environment variable NOT_SET is not set',
      'toolglot.yaml:5:13: upstreams[1].name: is used twice',
      'toolglot.yaml:7:25: models[0].mode: is "promt"',
      'toolglot.yaml:8:14: models[1].match: is never used, because models[0] matches every model',
      'toolglot.yaml:8:30: models[1].upstream: is not the name of an upstream',
      'toolglot.yaml:9:17: limits.body: is not a size',
      'toolglot.yaml:10:19: The environment variable NOT_SET_EITHER is not set',
      'toolglot.yaml:10:40: clients.keys[1]: must be a string',
    ])
  })

  it.each<[string, string, readonly string[]]>([
    [
      'a URL that is wrong is not missing as well',
      'upstream: nowhere',
      ['1:11: upstream: is not an http(s) URL'],
    ],
    [
      'a variable that is not set is one problem',
      `upstream: "$\{NOT_SET}"`,
      ['1:11: The environment variable NOT_SET is not set'],
    ],
    [
      'servers that are no list are one problem',
      'upstreams: 5\nmodels: [{ match: a, upstream: b }]',
      ['1:12: upstreams: must be a list'],
    ],
    [
      'a server without its name hides none of a rule',
      'upstreams: [{ nmae: b, baseUrl: http://x/v1 }]\nmodels: [{ match: a, upstream: b }]',
      ['1:13: upstreams[0].name: is missing', '1:15: upstreams[0].nmae: is not a known key'],
    ],
    [
      'a rule that is no mapping leaves the others',
      'upstream: http://x/v1\nmodels: [5, { match: "*" }, { match: a }]',
      [
        '2:10: models[0]: must be a mapping of keys to values',
        '2:38: models[2].match: is never used, because models[1] matches every model',
      ],
    ],
  ])('%s', (_, text, wanted) => {
    const problems = problemsOf(text).map(problem => problem.replace(/\. .*/, ''))
    expect(problems).toEqual(wanted.map(problem => `toolglot.yaml:${problem}`))
  })

  it('has a JSON Schema for editors that is up to date; vitest -u writes it', async () => {
    const text = `${JSON.stringify(configJsonSchema(), null, 2)}\n`
    await expect(text).toMatchFileSnapshot('../config.schema.json')
  })
})

describe('what flags and environment say', () => {
  const twoServers = `
upstreams:
  - { name: a, baseUrl: http://a/v1, apiKey: key-of-a, headers: { x-for: a } }
  - { name: b, baseUrl: http://b/v1, apiKey: key-of-b }
models: [{ match: m, upstream: b, mode: off }]
`

  it('replaces the URL of the first server, without the key and headers of the old one', () => {
    expect(read(twoServers, { upstream: 'http://c/v1' }).upstreams).toEqual([
      { name: 'a', baseUrl: 'http://c/v1' },
      { name: 'b', baseUrl: 'http://b/v1', apiKey: 'key-of-b' },
    ])
  })

  it('replaces the key of the first server', () => {
    expect(read(twoServers, { upstreamKey: 'new' }).upstreams[0]).toEqual({
      name: 'a',
      baseUrl: 'http://a/v1',
      apiKey: 'new',
      headers: { 'x-for': 'a' },
    })
  })

  it('applies to all models', () => {
    expect(
      read(twoServers, { protocol: 'hermes', mode: 'prompt', reasoning: true }).models,
    ).toEqual([
      { match: 'm', upstream: 'b', mode: 'prompt', protocol: 'hermes', reasoning: true },
      { match: '*', mode: 'prompt', protocol: 'hermes', reasoning: true },
    ])
  })

  it('wins over the file', () => {
    const overrides = {
      host: '::1',
      port: 0,
      clientKeys: ['k'],
      logLevel: 'warn',
      logBodies: false,
      drainMs: 7,
    } as const
    expect(read(full, overrides)).toMatchObject({
      listen: { host: '::1', port: 0 },
      clientKeys: ['k'],
      log: { level: 'warn', bodies: false },
      server: { drainMs: 7 },
    })
  })
})
