import { describe, expect, it } from 'vitest'
import { type AccessPolicy, isAllowedOrigin, refuseAccess } from '../../src/http/access-policy.js'

const json = { 'content-type': 'application/json' }
const desktop: AccessPolicy = { hasClientKeys: false, hosts: [], origins: [] }
const listed: AccessPolicy = {
  hasClientKeys: false,
  hosts: ['host.docker.internal', '*.lan'],
  origins: ['null', 'app://obsidian.md', 'vscode-webview://*', 'https://chat.example'],
}

function codeOf(
  headers: Record<string, string>,
  { policy = desktop, method = 'POST', route = 'json' as 'json' | 'other' } = {},
): string {
  const question = { method, route, headers: new Headers(headers), urlHost: '127.0.0.1:4141' }
  const refusal = refuseAccess(question, policy)
  if (refusal) expect(refusal.status).toBe(403)
  return refusal?.code ?? 'served'
}

describe('the host that a request names', () => {
  it.each([
    // host                        without a list         with hosts
    ['127.0.0.1:4141', 'served', 'served'],
    ['127.8.9.1', 'served', 'served'],
    ['localhost:4141', 'served', 'served'],
    ['LocalHost.', 'served', 'served'],
    ['[::1]:4141', 'served', 'served'],
    ['host.docker.internal:4141', 'host_not_allowed', 'served'],
    ['nas.lan', 'host_not_allowed', 'served'],
    ['evil.test:4141', 'host_not_allowed', 'host_not_allowed'],
    ['127.0.0.1.evil.test', 'host_not_allowed', 'host_not_allowed'],
    ['localhost.evil.test', 'host_not_allowed', 'host_not_allowed'],
    ['evil-localhost', 'host_not_allowed', 'host_not_allowed'],
    ['0.0.0.0:4141', 'host_not_allowed', 'host_not_allowed'],
    ['192.168.1.7:4141', 'host_not_allowed', 'host_not_allowed'],
    ['[::ffff:127.0.0.1]', 'host_not_allowed', 'host_not_allowed'],
    ['127.0.0.1@evil.test', 'host_not_allowed', 'host_not_allowed'],
    ['', 'host_not_allowed', 'host_not_allowed'],
  ])('%j: %s, and with a list of hosts: %s', (host, alone, withList) => {
    expect(codeOf({ host, ...json })).toBe(alone)
    expect(codeOf({ host, ...json }, { policy: listed })).toBe(withList)
  })

  it('is that of the URL where there is no header', () => {
    const question = { method: 'GET', route: 'other', headers: new Headers() } as const
    expect(refuseAccess({ ...question, urlHost: 'localhost' }, desktop)).toBeUndefined()
    expect(refuseAccess({ ...question, urlHost: 'evil.test' }, desktop)?.code).toBe(
      'host_not_allowed',
    )
  })
})

describe('the origin of a web page', () => {
  it.each([
    // origin                       without a list         with origins
    ['http://localhost:3000', 'served', 'served'],
    ['https://127.0.0.1', 'served', 'served'],
    ['http://[::1]:8080', 'served', 'served'],
    ['https://chat.example', 'origin_not_allowed', 'served'],
    ['null', 'origin_not_allowed', 'served'],
    ['app://obsidian.md', 'origin_not_allowed', 'served'],
    ['vscode-webview://0a1b2c', 'origin_not_allowed', 'served'],
    ['https://evil.test', 'origin_not_allowed', 'origin_not_allowed'],
    ['https://chat.example.evil.test', 'origin_not_allowed', 'origin_not_allowed'],
    ['http://localhost.evil.test', 'origin_not_allowed', 'origin_not_allowed'],
    ['http://127.0.0.1.evil.test', 'origin_not_allowed', 'origin_not_allowed'],
    ['http://localhost:3000, https://evil.test', 'origin_not_allowed', 'origin_not_allowed'],
    ['chrome-extension://abc', 'origin_not_allowed', 'origin_not_allowed'],
    ['file://', 'origin_not_allowed', 'origin_not_allowed'],
    ['', 'origin_not_allowed', 'origin_not_allowed'],
  ])('%j: %s, and with a list of origins: %s', (origin, alone, withList) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      expect(codeOf({ origin, ...json }, { method })).toBe(alone)
      expect(codeOf({ origin, ...json }, { method, policy: listed })).toBe(withList)
    }
    expect(isAllowedOrigin(origin, desktop)).toBe(alone === 'served')
  })

  it.each([
    [{ 'sec-fetch-site': 'cross-site' }, 'origin_not_allowed'],
    // From localhost:3000 to 127.0.0.1:4141, which is another site to a browser.
    [{ 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' }, 'served'],
    [{ 'sec-fetch-site': 'same-origin' }, 'served'],
    // An address that the user typed.
    [{ 'sec-fetch-site': 'none' }, 'served'],
    [{}, 'served'],
  ])('%j of an image or a link: %s', (headers, code) => {
    expect(codeOf({ ...headers }, { method: 'GET', route: 'other' })).toBe(code)
  })
})

describe('the content type of a request to an API', () => {
  it.each([
    ['application/json', 'served'],
    ['Application/JSON; charset=utf-8', 'served'],
    ['text/plain', 'content_type_not_allowed'],
    ['text/plain; application/json', 'content_type_not_allowed'],
    ['application/jsonx', 'content_type_not_allowed'],
    ['application/x-www-form-urlencoded', 'content_type_not_allowed'],
    ['multipart/form-data; boundary=a', 'content_type_not_allowed'],
    ['', 'content_type_not_allowed'],
  ])('%j: %s', (type, code) => {
    expect(codeOf({ 'content-type': type })).toBe(code)
    expect(codeOf({ 'content-type': type }, { route: 'other' })).toBe('served')
    expect(codeOf({ 'content-type': type }, { method: 'GET' })).toBe('served')
  })

  it('must be there', () => {
    expect(codeOf({})).toBe('content_type_not_allowed')
  })
})

describe('a proxy with client keys', () => {
  it('asks for the key, and for nothing else', () => {
    const policy = { ...desktop, hasClientKeys: true }
    const headers = { host: 'evil.test', origin: 'https://evil.test', 'content-type': 'text/plain' }
    expect(codeOf(headers, { policy })).toBe('served')
    expect(isAllowedOrigin('https://evil.test', policy)).toBe(false)
  })
})

describe('the sentence of a refusal', () => {
  it.each([
    [{ host: 'evil.test', ...json }, '"evil.test"', '"hosts"'],
    [{ origin: 'https://evil.test', ...json }, '"https://evil.test"', '"cors.origins"'],
    [{ 'sec-fetch-site': 'cross-site', ...json }, 'another site', '"cors.origins"'],
    [{ 'content-type': 'text/plain' }, '"text/plain"', '"clients.keys"'],
  ])('for %j names %s and the setting %s', (headers, found, setting) => {
    const question = { method: 'POST', route: 'json', urlHost: 'localhost' } as const
    const message = refuseAccess({ ...question, headers: new Headers(headers) }, desktop)?.message
    expect(message).toContain(found)
    expect(message).toContain(setting)
  })

  it('repeats at most 128 characters of a header', () => {
    const question = { method: 'POST', route: 'json', urlHost: 'x'.repeat(9000) } as const
    const message = refuseAccess({ ...question, headers: new Headers() }, desktop)?.message ?? ''
    expect(message).toContain(`"${'x'.repeat(128)}"`)
  })
})
