import { describe, expect, it } from 'vitest'
import { createReadableLog } from '../../src/proxy/readable-log.js'

const at = '2031-02-03T04:05:06.000Z'
const clock = new Date(at).toTimeString().slice(0, 8)

function show(line: object | string, width = 80): string {
  let shown = ''
  const log = createReadableLog({ write: text => (shown += text) }, () => width)
  log.write(typeof line === 'string' ? line : `${JSON.stringify({ time: at, ...line })}\n`)
  return shown
}

const request = {
  ...{ level: 'info', msg: 'request', id: 'x', method: 'POST', path: '/v1/messages' },
  ...{ model: 'qwen3', upstream: 'local', mode: 'prompt', stream: true, status: 200, ms: 1234 },
}

describe('the log in a terminal', () => {
  it('shows a request as one line', () => {
    expect(show(request)).toBe(`${clock}  200  POST /v1/messages  qwen3  1.2 s\n`)
  })

  it('shows one without a model', () => {
    expect(show({ ...request, path: '/v1/models', model: undefined, ms: 4 })).toBe(
      `${clock}  200  POST /v1/models  0.0 s\n`,
    )
  })

  it('shows errors and warnings below, in lines that fit', () => {
    const error = 'The upstream "local" cannot be reached, or closed the connection.'
    const warnings = ['set startWithReasoning: true for the model "qwen3"']
    expect(show({ ...request, status: 502, error, warnings }, 60)).toBe(`\
${clock}  502  POST /v1/messages  qwen3  1.2 s
          The upstream "local" cannot be reached, or closed
          the connection.
          warning: set startWithReasoning: true for the
          model "qwen3"
`)
  })

  it('shows why a server could not be reached', () => {
    const inner = { type: 'Error', message: 'connect ECONNREFUSED 127.0.0.1:8080' }
    const cause = { type: 'AI_APICallError', message: 'Cannot connect to API', cause: inner }
    expect(show({ ...request, status: 502, error: 'It cannot be reached.', cause })).toBe(
      `${clock}  502  POST /v1/messages  qwen3  1.2 s
          It cannot be reached.
          cause: connect ECONNREFUSED 127.0.0.1:8080
`,
    )
  })

  it('says what it waits for when it stops', () => {
    const stopping = { level: 'info', msg: 'shutting down', drainMs: 30_000 }
    expect(show({ ...stopping, active: 0 })).toBe(`${clock}  shutting down\n`)
    expect(show({ ...stopping, active: 3 })).toBe(`\
${clock}  shutting down: waiting up to 30 s for 3 answers; Ctrl+C again cuts off
          what is left
`)
    expect(show({ level: 'info', msg: 'stopped', isCut: true })).toBe(
      `${clock}  stopped; answers were cut off\n`,
    )
    expect(show({ level: 'info', msg: 'stopped', isCut: false })).toBe(`${clock}  stopped\n`)
  })

  it('shows what is not about a request', () => {
    expect(show({ level: 'info', msg: 'stopped' })).toBe(`${clock}  stopped\n`)
    const problems = ['a.yaml:1:1: x. y.']
    expect(show({ level: 'error', msg: 'the configuration is invalid', problems })).toBe(
      `${clock}  error: the configuration is invalid\n          a.yaml:1:1: x. y.\n`,
    )
    expect(show({ level: 'error', msg: 'it failed', err: { message: 'out of memory' } })).toBe(
      `${clock}  error: it failed\n          out of memory\n`,
    )
  })

  it('shows bodies where they are logged', () => {
    expect(show({ ...request, body: '{"a":1}', answer: 'data: x\n\n' })).toBe(
      `${clock}  200  POST /v1/messages  qwen3  1.2 s\n          request: {"a":1}\n          answer:  data: x\\u000a\\u000a\n`,
    )
  })

  it('leaves out the line that the screen at the start replaces', () => {
    expect(show({ level: 'info', msg: 'listening', address: 'http://127.0.0.1:1' })).toBe('')
  })

  it('passes on what is no JSON', () => {
    expect(show('plain\n')).toBe('plain\n')
  })

  it.each(['model', 'path', 'method', 'error', 'answer'])(
    'lets no %s control the terminal',
    key => {
      const bad = '\u001b[2J\u009b31m\u0007\r\u202e'
      const shown = show({ ...request, [key]: bad })
      expect(shown).toContain('\\u001b[2J\\u009b31m\\u0007\\u000d\\u202e')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that must not be there.
      expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    },
  )

  it('cuts a long model', () => {
    expect(show({ ...request, model: 'x'.repeat(200_000) }).length).toBeLessThan(200)
  })
})
