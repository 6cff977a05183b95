import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProxyServer, startProxyServer } from '../support/proxy-server.js'
import { type ScriptedCall, writeCalls } from '../support/scripted-manners.js'
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.js'

// Tools that are no functions to the client: custom tools with OpenAI's client, and those that
// Anthropic's API knows by their type.

let upstream: ScriptedUpstream
let proxy: ProxyServer
/** The call that the model writes. */
let call: ScriptedCall = { name: '', args: {} }
beforeAll(async () => {
  upstream = await startScriptedUpstream({
    play: () => ({ text: writeCalls([call], 'hermes'), toolCalls: [] }),
  })
  proxy = await startProxyServer(upstream.baseUrl)
})
afterAll(async () => {
  await proxy.close()
  await upstream.close()
})

const input = '*** Begin Patch\n+"é" <b>\\n</b>\n*** End Patch\n'

describe.each(['create', 'stream'] as const)("OpenAI's client, with %s", way => {
  const start = () => {
    call = { name: 'apply_patch', args: { input } }
    return new OpenAI({ baseURL: proxy.baseUrl, apiKey: 'none', maxRetries: 0 })
  }

  it('gets the text of a custom tool in a chat', async () => {
    const { completions } = start().chat
    const tool = { type: 'custom' as const, custom: { name: 'apply_patch', description: 'Edits.' } }
    const messages = [{ role: 'user' as const, content: 'Hi' }]
    const body = { model: 'm', messages, tools: [tool] }
    if (way === 'create') {
      const { choices } = await completions.create(body)
      expect(choices).toMatchObject([
        {
          finish_reason: 'tool_calls',
          message: { tool_calls: [{ type: 'custom', custom: { name: 'apply_patch', input } }] },
        },
      ])
      return
    }
    const calls: unknown[] = []
    for await (const { choices } of await completions.create({ ...body, stream: true }))
      calls.push(...(choices[0]?.delta.tool_calls ?? []))
    expect(calls).toMatchObject([{ type: 'custom', custom: { name: 'apply_patch', input } }])
  })

  it('gets the text of a custom tool in a response', async () => {
    const { responses } = start()
    const body = {
      model: 'm',
      input: 'Hi',
      tools: [{ type: 'custom' as const, name: 'apply_patch', description: 'Edits.' }],
    }
    const want = [{ type: 'custom_tool_call', name: 'apply_patch', input }]
    if (way === 'create') {
      expect((await responses.create(body)).output).toMatchObject(want)
      return
    }
    const stream = responses.stream(body)
    const pieces: string[] = []
    stream.on('response.custom_tool_call_input.delta', ({ delta }) => pieces.push(delta))
    expect((await stream.finalResponse()).output).toMatchObject(want)
    expect(pieces.length).toBeGreaterThan(2)
    expect(pieces.join('')).toBe(input)
  })
})

const anthropicTools: readonly (readonly [Anthropic.Beta.BetaToolUnion, ScriptedCall])[] = [
  [
    { type: 'bash_20250124', name: 'bash' },
    { name: 'bash', args: { command: 'echo "a\nb"' } },
  ],
  [
    { type: 'text_editor_20250124', name: 'str_replace_editor' },
    {
      name: 'str_replace_editor',
      args: { command: 'view', path: '/a.txt', view_range: [1, -1] },
    },
  ],
  [
    { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
    {
      name: 'str_replace_based_edit_tool',
      args: { command: 'str_replace', path: '/a.txt', old_str: input, new_str: '' },
    },
  ],
  [
    { type: 'memory_20250818', name: 'memory' },
    { name: 'memory', args: { command: 'create', path: '/memories/a', file_text: input } },
  ],
  [
    {
      ...{ type: 'computer_20250124', name: 'computer' },
      ...{ display_width_px: 1024, display_height_px: 768 },
    },
    { name: 'computer', args: { action: 'left_click', coordinate: [10, 20] } },
  ],
]

describe.each(['create', 'stream'] as const)("Anthropic's client, with %s", way => {
  it.each(anthropicTools)('gets a call of its tool %j', async (tool, written) => {
    call = written
    const client = new Anthropic({ baseURL: proxy.origin, apiKey: 'none', maxRetries: 0 })
    const messages = [{ role: 'user' as const, content: 'Hi' }]
    const body = { model: 'm', max_tokens: 1000, messages, tools: [tool] }
    const { content, stop_reason } =
      way === 'create'
        ? await client.beta.messages.create(body)
        : await client.beta.messages.stream(body).finalMessage()
    expect(content).toMatchObject([{ type: 'tool_use', name: written.name, input: written.args }])
    expect(stop_reason).toBe('tool_use')
  })
})
