import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runDemo } from '../src/demo/run-demo.js'
import { createFakeOutput } from './fake-terminal.js'

const requestSchema = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
  tools: z.unknown().optional(),
})
type ChatRequest = z.infer<typeof requestSchema> & { authorization: string | undefined }
type Answer = (response: ServerResponse) => void

const closers: (() => Promise<unknown>)[] = []
const closeServers = () => Promise.all(closers.splice(0).map(close => close()))
afterEach(closeServers)

/** A chat completions server that sends these answers, one per request. */
async function serve(...answers: Answer[]) {
  const requests: ChatRequest[] = []
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const piece of request) body += piece
    requests.push({
      ...requestSchema.parse(JSON.parse(body)),
      authorization: request.headers.authorization,
    })
    const answer = answers[requests.length - 1]
    // One request too many must not leave the demo waiting.
    if (answer) answer(response)
    else response.writeHead(500).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    return closed
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { requests, baseUrl: `http://127.0.0.1:${port}/v1` }
}

const chunk = (delta: object, finishReason: string | null = null) =>
  `data: ${JSON.stringify({
    id: 'chat-1',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  })}\n\n`

const streamOf =
  (text: string): Answer =>
  response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of text.match(/.{1,4}/gsu) ?? []) response.write(chunk({ content: piece }))
    response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
  }

async function demo(
  baseUrl: string,
  argv: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const stdout = createFakeOutput()
  const stderr = createFakeOutput()
  const exitCode = await runDemo({
    argv: ['--base-url', baseUrl, '--model', 'tiny', ...argv],
    stdout,
    stderr,
    env,
  })
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() }
}

const call =
  'I look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Lisbon"}}\n</tool_call>'

describe('the demo with an endpoint', () => {
  it('runs the loop on what the endpoint writes', async () => {
    const { baseUrl, requests } = await serve(streamOf(call), streamOf('It is windy.'))
    const { exitCode, stdout, stderr } = await demo(baseUrl, ['--prompt', 'How is Lisbon?'])
    expect(stderr).toBe('')
    expect(stdout).toContain('  tool-call  get_weather {"city":"Lisbon"}')
    expect(stdout).toContain('  result  get_weather  {"city":"Lisbon","celsius":17,"sky":"windy"}')
    expect(stdout).toContain('  text       "It is windy."')
    expect(stdout).toContain('Summary: 2 steps, 1 call, 0 invalid, 0 recovered')
    expect(stdout).not.toContain('missing')
    expect(exitCode).toBe(0)

    expect(requests.map(request => request.model)).toEqual(['tiny', 'tiny'])
    expect(requests.map(request => request.tools)).toEqual([undefined, undefined])
    const [first, second] = requests.map(request => request.messages)
    expect(first?.map(message => message.role)).toEqual(['system', 'user'])
    expect(first?.[0]?.content).toContain('set_reminder')
    expect(first?.[1]?.content).toBe('How is Lisbon?')
    expect(second?.map(message => message.role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(second?.[3]?.content).toContain('"sky": "windy"')
  })

  it('asks in the format that the name of the model suggests', async () => {
    const { baseUrl, requests } = await serve(streamOf('Hello.'))
    const { stdout } = await demo(baseUrl, ['--model', 'qwen3-coder'])
    expect(stdout).toContain('protocol auto (asks in qwen3_coder), model qwen3-coder at')
    expect(requests[0]?.messages[0]?.content).toContain('<function=')
  })

  it('only reports a tool that fails and a call that is never corrected', async () => {
    const failing = call
      .replace('Lisbon', 'Atlantis')
      .replace('</tool_call>', '</tool_call><tool_call>{"name": "nap"}')
    const { baseUrl } = await serve(streamOf(failing), streamOf('Never mind.'))
    const { exitCode, stdout } = await demo(baseUrl, ['--protocol', 'hermes'])
    expect(stdout).toContain('There is no weather station in Atlantis.')
    expect(stdout).toContain(
      'Summary: 2 steps, 2 calls, 1 invalid, 0 recovered, 1 failed in the tool',
    )
    expect(exitCode).toBe(0)
  })

  it.each([
    [{}, undefined],
    [{ OPENAI_API_KEY: 'other' }, 'Bearer other'],
    [{ OPENAI_API_KEY: 'other', TOOLGLOT_API_KEY: 'own' }, 'Bearer own'],
    [{ OPENAI_API_KEY: 'other', TOOLGLOT_API_KEY: '' }, 'Bearer other'],
  ])('reads the key from %o', async (env, authorization) => {
    const { baseUrl, requests } = await serve(streamOf('Hello.'))
    const { exitCode } = await demo(baseUrl, [], env)
    expect(requests.map(request => request.authorization)).toEqual([authorization])
    expect(exitCode).toBe(0)
  })

  const refuse: Answer = response => {
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ error: { message: 'wrong key\nfor this', type: 'auth', code: null } }),
    )
  }
  const breakOff: Answer = response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk({ content: 'I lo' }), () => response.destroy())
  }
  const breakOffLate: Answer = response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk({ content: 'I look.' }), () => setTimeout(() => response.destroy(), 200))
  }
  const answerPage: Answer = response => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>')
  }
  it.each([
    ['an HTTP error', refuse, /answered with HTTP 401: wrong key for this$/],
    ['a connection that breaks', breakOff, /sent an answer that is cut off or cannot be read: \S/],
    [
      'a connection that breaks later',
      breakOffLate,
      /sent an answer that is cut off or cannot be read: \S/,
    ],
    ['a web page', answerPage, /sent an answer that is cut off or cannot be read: \S/],
  ])('reports in one line: %s', async (_, answer, message) => {
    const { baseUrl } = await serve(answer)
    const { exitCode, stderr } = await demo(baseUrl)
    expect(stderr).toContain(`toolglot: The endpoint ${baseUrl} `)
    expect(stderr.trimEnd()).toMatch(message)
    expect(stderr.trimEnd()).not.toContain('\n')
    expect(exitCode).toBe(1)
  })

  it('reports in one line that the server cannot be reached', async () => {
    const { baseUrl } = await serve()
    await closeServers()
    const { exitCode, stderr } = await demo(baseUrl)
    expect(stderr).toBe(
      `toolglot: The endpoint ${baseUrl} cannot be reached: connect ECONNREFUSED ${new URL(baseUrl).host}\n`,
    )
    expect(exitCode).toBe(1)
  })

  it('shows the parts before a connection broke', async () => {
    const { baseUrl } = await serve(breakOffLate)
    const { exitCode, stdout } = await demo(baseUrl)
    expect(stdout).toContain('  | I look.')
    expect(exitCode).toBe(1)
  })
})
