import { describe, expect, it } from 'vitest'
import { upstreamError } from '../../src/upstream/upstream-error.js'

const server = { name: 'local', baseUrl: 'http://127.0.0.1:8080/v1' }

describe('a 401 of the server', () => {
  it.each([
    [
      server,
      'The upstream "local" needs a key, and the configuration of the proxy has none for it.',
    ],
    [{ ...server, apiKey: 'secret' }, 'The upstream "local" rejected the proxy\'s own key.'],
    [
      { ...server, headers: { 'x-api-key': 'secret' } },
      'The upstream "local" rejected the proxy\'s own key.',
    ],
  ])('is about the key that was sent (%#)', (upstream, message) => {
    expect(upstreamError({ statusCode: 401, message: 'no' }, upstream)).toMatchObject({
      ...{ status: 502, code: 'upstream_auth', message },
    })
  })
})
