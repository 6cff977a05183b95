import { describe, expect, it } from 'vitest'
import { forwardPath, routePath } from '../../src/http/request-path.js'

describe('the path that a request is routed by', () => {
  it.each([
    '/v1/chat/completions',
    '/chat/completions',
    '/v1/v1/chat/completions',
    '/v1/chat/completions/',
    '/v1//chat///completions//',
    '//v1/chat/completions',
    '/v1/chat%2fcompletions',
    '/v1/chat%2Fcompletions%2F',
    '/v1%2f%2fchat/completions',
    '/v1/chat%252fcompletions',
    '/v1/chat%5ccompletions',
    '/v1/%63hat/complet%69ons',
    '/v1/%2563hat/completions',
    '/V1/Chat/Completions',
    '/v1/chat/./completions',
    '/v1/x%2f..%2fchat/completions',
    '/v1/x/%2e%2e/chat/completions',
    '/v1/chat/completions;a=b',
    '/v1;a/chat;b/completions',
    '/v1/chat/completions%20',
    '/v1/chat/completions%00',
    '/v1/chat/completions%0d%0a',
  ])('%s is /v1/chat/completions', path => {
    expect(routePath(path)).toBe('/v1/chat/completions')
  })

  it.each([
    ['/messages', '/v1/messages'],
    ['/v1/messages/count_tokens/', '/v1/messages/count_tokens'],
    ['/responses', '/v1/responses'],
    ['/Responses/resp_aB/', '/v1/responses/resp_aB'],
    ['/models', '/v1/models'],
    ['/models/Qwen%2FQwen3', '/v1/models/Qwen/Qwen3'],
    ['/health/', '/health'],
    ['/%68ealth', '/health'],
    ['/v1/health', '/v1/health'],
    ['/v1/embeddings', '/v1/embeddings'],
    ['/v10/chat/completions', '/v10/chat/completions'],
    ['/x%ff', '/x%ff'],
    ['/%', '/%'],
    ['/', '/'],
    ['', '/'],
    ['/v1', '/v1'],
  ])('%s is %s', (path, route) => {
    expect(routePath(path)).toBe(route)
  })
})

describe('the path that the server gets', () => {
  it.each([
    ['/v1/embeddings', '/embeddings'],
    ['/v1/v1/embeddings', '/embeddings'],
    ['/embeddings', '/embeddings'],
    ['/v1', ''],
    ['/v10/x', '/v10/x'],
    ['/v1/models/Qwen%2FQwen3', '/models/Qwen%2FQwen3'],
    ['/v1/files/a..b', '/files/a..b'],
    ['/v1/..%2f..%2fadmin', undefined],
    ['/v1/%252e%252e/admin', undefined],
    ['/v1/x%5c..%5cadmin', undefined],
    ['/v1/..;/admin', undefined],
  ])('%s is %s', (path, forwarded) => {
    expect(forwardPath(path)).toBe(forwarded)
  })
})
