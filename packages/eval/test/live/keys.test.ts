import { describe, expect, it } from 'vitest'
import type { Fetch } from '../../src/live/retrying-fetch.js'
import { bench, createDirectory, serve } from './bench.js'

const openRouter = 'https://openrouter.ai/api/v1'
const zai = 'https://api.z.ai/api/paas/v4'
const elsewhere = 'https://models.example/v1'

const openRouterKey = { OPENROUTER_API_KEY: 'key-of-openrouter' }
const zaiKey = { ZAI_API_KEY: 'key-of-zai-itself' }
const ownKey = { TOOLGLOT_API_KEY: 'key-of-the-flag' }

interface Sent {
  readonly model: string
  readonly address: string
  readonly key: string | undefined
}

/**
 * Runs one task per model, in which the model only talks. No request leaves the machine: all go to
 * a scripted server, and are noted as they were sent.
 */
async function run(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  task = 'single/thermometer',
) {
  const { baseUrl } = await serve({ play: () => ({ text: 'VERDICT: right', toolCalls: [] }) })
  const sent: Sent[] = []
  const checked: string[] = []
  const fetch: Fetch = (input, init) => {
    const url = String(input)
    const path = /\/(?:chat\/completions|models)$/.exec(url)?.[0] ?? ''
    const address = url.slice(0, url.length - path.length)
    const authorization = new Headers(init?.headers).get('authorization')
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    const model =
      typeof body === 'object' && body !== null && 'model' in body ? String(body.model) : undefined
    if (model === undefined) {
      // Whether an endpoint is there is asked without a key.
      expect(authorization, url).toBeNull()
      checked.push(address)
    } else sent.push({ model, address, key: authorization?.replace('Bearer ', '') })
    return globalThis.fetch(`${baseUrl}${path}`, init)
  }
  const only = ['--protocols', 'native', '--cases', task, '--reps', '1', '--out', createDirectory()]
  const result = await bench([...argv, ...only], { env, fetch })
  return { ...result, sent, checked }
}

describe('a key', () => {
  it.each<[string, readonly string[], Readonly<Record<string, string>>, readonly Sent[]]>([
    [
      'of OpenRouter goes to OpenRouter, which needs no --base-url',
      ['--models', 'perfect,wrong'],
      openRouterKey,
      [
        { model: 'perfect', address: openRouter, key: 'key-of-openrouter' },
        { model: 'wrong', address: openRouter, key: 'key-of-openrouter' },
      ],
    ],
    [
      'of OpenRouter also goes there if --base-url names it',
      ['--base-url', `${openRouter}/`, '--model', 'perfect'],
      openRouterKey,
      [{ model: 'perfect', address: openRouter, key: 'key-of-openrouter' }],
    ],
    ...[
      elsewhere,
      'http://openrouter.ai/api/v1',
      'https://openrouter.ai.example/api/v1',
      zai.replace('z.ai', 'zz.ai'),
    ].map(
      (address): [string, readonly string[], Readonly<Record<string, string>>, readonly Sent[]] => [
        `of a vendor is not sent to ${address}`,
        ['--base-url', address, '--model', 'perfect'],
        { ...openRouterKey, ...zaiKey, ZAI_BASE_URL: 'https://zai.example/v4', ZAI_MODEL: 'wrong' },
        [{ model: 'perfect', address, key: undefined }],
      ],
    ),
    [
      'for --base-url is sent there, and those of vendors are not',
      ['--base-url', elsewhere, '--model', 'perfect'],
      { ...openRouterKey, ...zaiKey, ...ownKey },
      [{ model: 'perfect', address: elsewhere, key: 'key-of-the-flag' }],
    ],
    [
      'for --base-url is not sent to a vendor',
      [],
      { ...ownKey, ZAI_BASE_URL: 'https://zai.example/v4', ZAI_MODEL: 'perfect' },
      [{ model: 'perfect', address: 'https://zai.example/v4', key: undefined }],
    ],
    [
      'of Z.ai goes to ZAI_BASE_URL',
      [],
      { ...zaiKey, ZAI_BASE_URL: 'https://zai.example/v4/', ZAI_MODEL: 'perfect' },
      [{ model: 'perfect', address: 'https://zai.example/v4', key: 'key-of-zai-itself' }],
    ],
    [
      'of Z.ai goes to the address of Z.ai if there is no other',
      ['--model', 'perfect'],
      { ...zaiKey, ZAI_MODEL: 'wrong' },
      [{ model: 'perfect', address: zai, key: 'key-of-zai-itself' }],
    ],
    [
      'of each vendor goes to that vendor: ZAI_MODEL to Z.ai, others to OpenRouter',
      ['--models', 'wrong,perfect'],
      { ...openRouterKey, ...zaiKey, ZAI_MODEL: 'perfect' },
      [
        { model: 'wrong', address: openRouter, key: 'key-of-openrouter' },
        { model: 'perfect', address: zai, key: 'key-of-zai-itself' },
      ],
    ],
    [
      'that is empty is not there',
      ['--base-url', elsewhere, '--model', 'perfect'],
      { TOOLGLOT_API_KEY: '', ...openRouterKey },
      [{ model: 'perfect', address: elsewhere, key: undefined }],
    ],
  ])('%s', async (_, argv, env, expected) => {
    const { exitCode, stdout, stderr, sent, checked } = await run(argv, env)
    expect(exitCode, stderr).toBe(0)
    expect(sent).toEqual(expected)
    expect(checked).toEqual([...new Set(expected.map(({ address }) => address))])
    for (const value of Object.values(env).filter(value => value.startsWith('key-'))) {
      expect(stdout + stderr).not.toContain(value)
    }
  })

  it.each([
    ['the endpoint, by default', [], ownKey.TOOLGLOT_API_KEY],
    ['OpenRouter', ['--judge-base-url', openRouter], openRouterKey.OPENROUTER_API_KEY],
    ['neither', ['--judge-base-url', 'https://judge.example/v1'], undefined],
  ])('of the judge is that of the address it is at: %s', async (_, flags, key) => {
    const target = [
      '--base-url',
      elsewhere,
      '--model',
      'perfect',
      '--judge-model',
      'strict',
      ...flags,
    ]
    const { sent } = await run(target, { ...ownKey, ...openRouterKey }, 'agent/bank-rent')
    expect(sent.at(0)).toEqual({
      model: 'perfect',
      address: elsewhere,
      key: ownKey.TOOLGLOT_API_KEY,
    })
    expect(sent.at(-1)).toEqual({ model: 'strict', address: flags[1] ?? elsewhere, key })
  })

  it('does not follow a redirect to another address', async () => {
    const other = await serve()
    const { baseUrl, requests } = await serve({
      intercept: (_, response) => {
        response.writeHead(307, { location: `${other.baseUrl}/chat/completions` }).end()
        return true
      },
    })
    const target = [
      '--base-url',
      baseUrl,
      '--model',
      'perfect',
      '--protocols',
      'native',
      '--out',
      createDirectory(),
    ]
    await bench([...target, '--cases', 'single/thermometer', '--reps', '1'], { env: ownKey })
    expect(requests.map(({ authorization }) => authorization)).toEqual(['Bearer key-of-the-flag'])
    expect(other.requests.map(({ authorization }) => authorization)).toEqual([undefined])
  })
})

describe('without a model or an endpoint', () => {
  it.each([
    [
      [],
      {},
      '--base-url is missing: the URL of an endpoint, such as http://localhost:8080/v1. Or set OPENROUTER_API_KEY or ZAI_API_KEY',
    ],
    [['--model', 'perfect'], {}, '--base-url is missing'],
    [['--model', 'perfect'], { ZAI_MODEL: 'perfect', ...ownKey }, '--base-url is missing'],
    [
      [],
      openRouterKey,
      '--model is missing: the name of the model at the endpoint. --models accepts several',
    ],
    [[], zaiKey, '--model is missing'],
    [['--base-url', elsewhere], { ...zaiKey, ZAI_MODEL: 'perfect' }, '--model is missing'],
    [
      [],
      { ...zaiKey, ZAI_BASE_URL: 'z.ai', ZAI_MODEL: 'perfect' },
      'ZAI_BASE_URL is "z.ai"; expected a URL like http',
    ],
    [
      ['--models', 'a,b', '--judge-model', 'c'],
      { ...zaiKey, ...openRouterKey, ZAI_MODEL: 'a' },
      '--judge-model needs --judge-base-url',
    ],
  ])('nothing is sent: %j %j', async (argv, env, message) => {
    const { exitCode, stdout, stderr, sent, checked } = await run(argv, env)
    expect(stderr).toContain(message)
    expect({ exitCode, stdout, sent, checked }).toEqual({
      exitCode: 2,
      stdout: '',
      sent: [],
      checked: [],
    })
  })
})
