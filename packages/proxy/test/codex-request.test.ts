import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type PlayedEvent, readEvents } from './dialects/play.js'
import { send } from './support/raw-client.js'
import { writeCalls } from './support/scripted-manners.js'
import { serveBoth } from './support/serve-both.js'

// Two turns of Codex with an MCP server, in the shape in which it sends them; the texts are made up.

const fn = (name: string, properties: object, required: readonly string[] = []) => ({
  ...{ type: 'function', name, description: `Does ${name}.`, strict: false },
  parameters: { type: 'object', properties, required, additionalProperties: false },
})
const text = { type: 'string' }
const tools = [
  fn('exec_command', { cmd: text, login: { type: 'boolean' }, yield_time_ms: { type: 'number' } }, [
    'cmd',
  ]),
  fn('write_stdin', { chars: text, session_id: { type: 'number' } }, ['session_id']),
  fn('view_image', { path: text }, ['path']),
  {
    ...{ type: 'namespace', name: 'multi_agent_v1', description: 'Tools for sub-agents.' },
    tools: [fn('spawn_agent', { message: text }), fn('close_agent', { target: text }, ['target'])],
  },
  fn('get_goal', {}),
  {
    ...{ type: 'namespace', name: 'mcp__notes', description: 'Tools in the mcp__notes namespace.' },
    tools: [fn('read_note', { title: text, lines: { type: 'integer' } }, ['title'])],
  },
  { type: 'web_search', external_web_access: true },
]
const message = (role: string, content: string) => ({
  ...{ type: 'message', id: `msg_${content.length}`, role },
  content: [{ type: 'input_text', text: content }],
})
const conversation = [
  message('developer', 'You are a coding agent.'),
  message('developer', '<skills_instructions>None.</skills_instructions>'),
  message('user', '<environment_context><cwd>/work</cwd></environment_context>'),
  message('user', 'What is in my note?'),
]
const request = {
  ...{ model: 'qwen3', tools, tool_choice: 'auto', parallel_tool_calls: true },
  ...{ reasoning: { summary: 'auto' }, store: false, stream: true },
  ...{ include: ['reasoning.encrypted_content'], prompt_cache_key: 'key' },
  client_metadata: { session_id: 'session' },
}
const ended = z.object({
  type: z.string(),
  response: z.object({
    id: z.string(),
    usage: z.object({
      input_tokens: z.number(),
      output_tokens: z.number(),
      total_tokens: z.number(),
    }),
  }),
})
const doneItems = (events: readonly PlayedEvent[]) =>
  events
    .filter(({ event }) => event === 'response.output_item.done')
    .map(({ data }) => z.object({ item: z.unknown() }).parse(data).item)

describe('Codex in its default configuration', () => {
  it('gets a call of an MCP tool with its namespace, and sends the result', async () => {
    const call = { name: 'mcp__notes__read_note', args: { title: 'a "b"', lines: 3 } }
    const { upstream, server } = await serveBoth({
      play: ({ messages }) =>
        messages.some(({ role }) => role === 'assistant')
          ? { text: 'Lemons.', toolCalls: [] }
          : { text: writeCalls([call], 'hermes'), toolCalls: [] },
    })
    const url = `${server.baseUrl}/responses`
    const first = await send(url, { body: { ...request, input: conversation } })
    expect([first.status, first.headers['x-toolglot-warning']]).toEqual([
      200,
      'left out tools that the proxy cannot offer: web_search',
    ])
    const events = readEvents(first.body)
    const [item, ...others] = doneItems(events)
    expect(others).toEqual([])
    expect(item).toEqual({
      ...{ type: 'function_call', id: expect.any(String), call_id: expect.any(String) },
      ...{ status: 'completed', name: 'read_note', namespace: 'mcp__notes' },
      arguments: JSON.stringify({ title: 'a "b"', lines: 3 }),
    })
    expect(ended.parse(events.at(-1)?.data).type).toBe('response.completed')
    const { call_id } = z.object({ call_id: z.string() }).parse(item)
    const output = [{ type: 'input_text', text: '7 lemons' }]
    const history = [item, { type: 'function_call_output', id: 'fco_1', call_id, output }]
    const second = await send(url, { body: { ...request, input: [...conversation, ...history] } })
    const answer = { type: 'message', content: [{ text: 'Lemons.' }] }
    expect(doneItems(readEvents(second.body))).toMatchObject([answer])
    const [asked = '', told = ''] = upstream.requests.map(({ raw }) => raw)
    for (const name of ['exec_command', 'multi_agent_v1__spawn_agent', 'mcp__notes__read_note'])
      expect(asked).toContain(name)
    expect(asked).not.toContain('web_search')
    expect(told).toContain('7 lemons')
    expect(told.split('mcp__notes__read_note').length).toBeGreaterThan(
      asked.split('mcp__notes__read_note').length,
    )
  })

  it('gets an error that names the tool, if such tools are refused', async () => {
    const { upstream, server } = await serveBoth({}, { serverTools: 'refuse' })
    const { status, body } = await send(`${server.baseUrl}/responses`, {
      body: { ...request, input: conversation },
    })
    expect(status).toBe(400)
    expect(JSON.parse(body).error).toMatchObject({
      param: 'tools[6].type',
      message:
        'tools[6].type: is "web_search", which only the server of its vendor can run; leave the tool out, or set serverTools: drop in the proxy\'s configuration.',
    })
    expect(upstream.requests).toEqual([])
  })
})

describe('what was left out of a request', () => {
  const ask = async (path: string, body: object) => {
    const { server } = await serveBoth()
    const reply = await send(`${server.baseUrl}/${path}`, { body })
    const [record] = server.records
    return { status: reply.status, header: reply.headers['x-toolglot-warning'], record }
  }
  const user = { role: 'user', content: 'Hi' }
  const search = { type: 'web_search_20250305', name: 'web_search' }
  const leftOut = (type: string) => `left out tools that the proxy cannot offer: ${type}`

  it.each<[string, object, string]>([
    ['responses', { model: 'plain', input: 'Hi', tools: [{ type: 'mcp' }] }, leftOut('mcp')],
    [
      'chat/completions',
      { model: 'plain', messages: [user], tools: [{ type: 'web_search' }], stream: true },
      leftOut('web_search'),
    ],
    [
      'messages',
      { model: 'plain', max_tokens: 9, messages: [user], tools: [search] },
      leftOut('web_search_20250305'),
    ],
    [
      'responses',
      { model: 'plain', input: [{ type: 'compaction' }, user], tools: [{ type: 'mcp' }] },
      `${leftOut('mcp')}; left out parts of the conversation that the model cannot read: compaction`,
    ],
  ])('is in a header and in the record of a request to %s', async (path, body, warning) => {
    const { status, header, record } = await ask(path, body)
    expect({ status, header }).toEqual({ status: 200, header: warning })
    expect(record?.warnings?.join('; ')).toBe(warning)
  })

  it('is nothing in most requests', async () => {
    const { header, record } = await ask('chat/completions', { model: 'plain', messages: [user] })
    expect(header).toBeUndefined()
    expect(record).not.toHaveProperty('warnings')
  })
})
