import { type FunctionTool, listProtocols } from '@toolglot/parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readEvents } from './dialects/play.js'
import { type ProxyServer, startProxyServer } from './support/proxy-server.js'
import { send } from './support/raw-client.js'
import { writeCalls } from './support/scripted-manners.js'
import { type ScriptedUpstream, startScriptedUpstream } from './support/scripted-upstream.js'

// The text of a custom tool arrives byte by byte as the model wrote it, whatever format it wrote the
// call in, and whatever the text looks like.

/** The tool as the model sees it; some protocols write a call by its schema. */
const shown: FunctionTool = {
  type: 'function',
  name: 'apply_patch',
  inputSchema: {
    type: 'object',
    properties: { input: { type: 'string' } },
    required: ['input'],
    additionalProperties: false,
  },
}
const inputs = [
  `*** Begin Patch\n*** Update File: a.ts\n@@\n-const a = "x"\n+const a = \`\${'y'}\` // \\n é 😀\n*** End Patch\n`,
  '<div class="a">\n  <b>x</b> &amp; &lt;\n</div>\n',
  'a </input>\n</parameter>\n</tool_call> <tool_call>{"name": "x"}\n```\nEND\n',
  '\n\n  a\t\r\n  b  \n\n',
  '{"a": [1, "b", null]}',
  '"a"',
  '007',
  'null',
  '',
]

let upstream: ScriptedUpstream
let written = ''
const proxies = new Map<string, ProxyServer>()
beforeAll(async () => {
  upstream = await startScriptedUpstream({ play: () => ({ text: written, toolCalls: [] }) })
  for (const protocol of listProtocols())
    proxies.set(protocol, await startProxyServer(upstream.baseUrl, { rule: { protocol } }))
})
afterAll(async () => {
  for (const proxy of proxies.values()) await proxy.close()
  await upstream.close()
})

const calls = z.array(z.object({ type: z.string(), id: z.string(), input: z.string() }))
const response = z.object({ output: calls })
const items = z.object({ output: z.array(z.unknown()) })
const delta = z.object({ item_id: z.string(), delta: z.string() })

describe.each(listProtocols())('custom calls in %s', protocol => {
  it('have the texts that the model wrote, whole, streamed and in pieces', async () => {
    const one = inputs.map(input => ({ name: 'apply_patch', args: { input } }))
    written = writeCalls(one, protocol, [shown])
    const url = `${proxies.get(protocol)?.baseUrl}/responses`
    const body = { model: 'm', input: 'Hi', tools: [{ type: 'custom', name: 'apply_patch' }] }
    const textsOf = (output: z.output<typeof calls>) => output.map(({ input }) => input)

    const whole = await send(url, { body })
    const { output } = response.parse(JSON.parse(whole.body))
    expect(textsOf(output), written).toEqual(inputs)

    const events = readEvents((await send(url, { body: { ...body, stream: true } })).body)
    const last = z.object({ response }).parse(events.at(-1)?.data).response.output
    expect(textsOf(last), written).toEqual(inputs)

    const deltas = events
      .filter(({ event }) => event === 'response.custom_tool_call_input.delta')
      .map(({ data }) => delta.parse(data))
    const joined = last.map(({ id }) =>
      deltas.map(each => (each.item_id === id ? each.delta : '')).join(''),
    )
    expect(joined, written).toEqual(inputs)
  })
})

describe('a server that parses calls itself', () => {
  it.each([false, true])('has its calls written for the client too, streamed: %s', async stream => {
    const toolCalls = [
      { name: 'apply_patch', arguments: JSON.stringify({ input: inputs[0] }) },
      { name: 'mcp__notes__read_note', arguments: '{"title":"x"}' },
    ]
    const server = await startScriptedUpstream({
      play: ({ tools }) => ({ text: '', toolCalls: tools?.length === 2 ? toolCalls : [] }),
    })
    const proxy = await startProxyServer(server.baseUrl, { rule: { mode: 'rescue' } })
    const readNote = { type: 'function', name: 'read_note', parameters: { type: 'object' } }
    const tools = [
      { type: 'custom', name: 'apply_patch' },
      { type: 'namespace', name: 'mcp__notes', tools: [readNote] },
    ]
    const body = { model: 'm', input: 'Hi', tools, stream }
    const reply = await send(`${proxy.baseUrl}/responses`, { body })
    const { output } = stream
      ? z.object({ response: items }).parse(readEvents(reply.body).at(-1)?.data).response
      : items.parse(JSON.parse(reply.body))
    expect(output).toMatchObject([
      { type: 'custom_tool_call', name: 'apply_patch', input: inputs[0] },
      {
        ...{ type: 'function_call', name: 'read_note', namespace: 'mcp__notes' },
        arguments: '{"title":"x"}',
      },
    ])
    await proxy.close()
    await server.close()
  })
})
