import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type ProxyServer, startProxyServer } from '../support/proxy-server.js'
import { writeCalls } from '../support/scripted-manners.js'
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.js'
import { description, parameters, question, toolName } from './trip.js'

// A model that writes the name of a tool wrong makes a call all the same: of the tool that it means,
// or of one that the client does not have. The client says so, and the agent goes on.

const args = { city: 'Oslo' }
const names = [
  // as written     as called
  ['no_such_tool', 'no_such_tool'],
  ['get_wether', 'get_wether'],
  ['Get_Weather', 'get_weather'],
  ['get-weather', 'get_weather'],
  ['functions.get_weather', 'get_weather'],
] as const
/** Models, and the formats that `auto` asks them for. */
const models = [
  ['some-model', 'hermes'],
  ['qwen3-coder', 'qwen3_coder'],
  ['glm-4.6', 'glm'],
] as const

/** What a client gets: the name and the arguments of each call, and why the answer ended. */
interface Seen {
  readonly calls: readonly (readonly [name: string, input: unknown])[]
  readonly reason: unknown
}

let upstream: ScriptedUpstream
let proxy: ProxyServer
let written = ''
beforeAll(async () => {
  upstream = await startScriptedUpstream({ play: () => ({ text: written, toolCalls: [] }) })
  proxy = await startProxyServer(upstream.baseUrl)
})
afterAll(async () => {
  await proxy.close()
  await upstream.close()
})

async function askChat(model: string, isStream: boolean): Promise<Seen> {
  const client = new OpenAI({ baseURL: proxy.baseUrl, apiKey: 'none', maxRetries: 0 })
  const body = {
    model,
    messages: [{ role: 'user' as const, content: question }],
    tools: [{ type: 'function' as const, function: { name: toolName, description, parameters } }],
  }
  const { completions } = client.chat
  const { choices } = isStream
    ? await completions.stream(body).finalChatCompletion()
    : await completions.create(body)
  const calls = choices[0]?.message.tool_calls ?? []
  return {
    calls: calls.flatMap(call =>
      call.type === 'function' ? [[call.function.name, JSON.parse(call.function.arguments)]] : [],
    ),
    reason: choices[0]?.finish_reason,
  }
}

async function askResponses(model: string, isStream: boolean): Promise<Seen> {
  const client = new OpenAI({ baseURL: proxy.baseUrl, apiKey: 'none', maxRetries: 0 })
  const tool = { type: 'function' as const, name: toolName, description, parameters, strict: false }
  const body = { model, input: question, tools: [tool] }
  const { output, status } = isStream
    ? await client.responses.stream(body).finalResponse()
    : await client.responses.create(body)
  const calls = output.flatMap(item => (item.type === 'function_call' ? [item] : []))
  expect(output).toHaveLength(calls.length)
  return { calls: calls.map(call => [call.name, JSON.parse(call.arguments)]), reason: status }
}

async function askMessages(model: string, isStream: boolean): Promise<Seen> {
  const client = new Anthropic({ baseURL: proxy.origin, apiKey: 'none', maxRetries: 0 })
  const body = {
    model,
    max_tokens: 1000,
    messages: [{ role: 'user' as const, content: question }],
    tools: [{ name: toolName, description, input_schema: parameters }],
  }
  const { content, stop_reason } = isStream
    ? await client.messages.stream(body).finalMessage()
    : await client.messages.create(body)
  const calls = content.flatMap(block => (block.type === 'tool_use' ? [block] : []))
  return { calls: calls.map(call => [call.name, call.input]), reason: stop_reason }
}

const apis = [
  { api: 'chat completions', ask: askChat, reason: 'tool_calls' },
  { api: 'Responses', ask: askResponses, reason: 'completed' },
  { api: 'Messages', ask: askMessages, reason: 'tool_use' },
]

describe.each(apis)('a wrong name of a tool on $api', ({ ask, reason }) => {
  describe.each(models)('by %s, in %s', (model, format) => {
    it.each(names)('%s is a call of %s', async (name, called) => {
      written = writeCalls([{ name, args }], format)
      const seen = { calls: [[called, args]], reason }
      expect(await ask(model, false), `whole: ${written}`).toEqual(seen)
      expect(await ask(model, true), `streamed: ${written}`).toEqual(seen)
    })
  })
})

// The model sees `mcp__notes__read_note`; Codex wants the name and the namespace in fields of their own.
describe.each(models)('a wrong name of a tool in a namespace, by %s, in %s', (model, format) => {
  const fn = (name: string) => ({ type: 'function', name, description, parameters })
  const namespaceOf = (name: string, tools: readonly string[]) => ({
    type: 'namespace',
    name,
    description: '',
    tools: tools.map(fn),
  })
  const tools = [
    fn('exec_command'),
    namespaceOf('mcp__notes', ['read_note', 'search']),
    namespaceOf('mcp__files', ['search']),
  ]

  it.each([
    ['mcp__notes__read_note', 'mcp__notes', 'read_note'],
    ['mcp__notes.read_note', 'mcp__notes', 'read_note'],
    ['functions.mcp__notes__read_note', 'mcp__notes', 'read_note'],
    ['functions.mcp__notes.read_note', 'mcp__notes', 'read_note'],
    ['read_note', 'mcp__notes', 'read_note'],
    ['mcp__files.search', 'mcp__files', 'search'],
    ['functions.exec_command', undefined, 'exec_command'],
    // Two namespaces have it.
    ['search', undefined, 'search'],
  ])('%s is called in the namespace %s: %s', async (name, namespace, called) => {
    written = writeCalls([{ name, args }], format)
    for (const stream of [false, true]) {
      const response = await fetch(`${proxy.baseUrl}/responses`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model, input: question, tools, stream }),
      })
      const calls = callsIn(await response.text())
      const place = namespace === undefined ? {} : { namespace }
      expect(calls, `stream: ${stream}, ${written}`).toEqual([
        expect.objectContaining({ name: called, ...place, arguments: '{"city":"Oslo"}' }),
      ])
      expect(calls[0]?.namespace).toBe(namespace)
    }
  })
})

const callItem = z.looseObject({ type: z.literal('function_call') })

/** The calls of a response, or those that the events of one are done with. */
function callsIn(body: string) {
  const values: unknown[] = body.startsWith('{')
    ? JSON.parse(body).output
    : body
        .split('\n')
        .filter(line => line.startsWith('data: {"type":"response.output_item.done"'))
        .map(line => JSON.parse(line.slice('data: '.length)).item)
  return values.flatMap(value => callItem.safeParse(value).data ?? [])
}
