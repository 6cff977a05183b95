import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { describe, expect, it } from 'vitest'
import { cutByLimit, dieInCall } from './broken-upstream.js'
import {
  description,
  parameters,
  question,
  type Trip,
  toolName,
  translatedModes,
  useTrips,
} from './trip.js'

const startTrip = useTrips()
const clientOf = ({ proxy }: Trip) =>
  new Anthropic({ baseURL: proxy.origin, apiKey: 'none', maxRetries: 0 })
const tools: Anthropic.Tool[] = [{ name: toolName, description, input_schema: parameters }]
const ask = (
  model: string,
  messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }],
) => ({
  ...{ model, max_tokens: 1000, messages, tools },
})
const textOf = (content: readonly { readonly type: string; readonly text?: string }[]) =>
  content.map(block => (block.type === 'text' ? block.text : '')).join('')

describe.each(translatedModes)('the Anthropic client, $mode, a $model model', ({ mode, model }) => {
  it.each(['create', 'stream'] as const)('runs a loop of its own with %s', async way => {
    const trip = await startTrip(mode)
    const client = clientOf(trip)
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }]
    for (let step = 0; step < 5; step++) {
      const body = {
        ...ask(model, messages),
        thinking: { type: 'enabled' as const, budget_tokens: 1024 },
      }
      const message =
        way === 'create'
          ? await client.messages.create(body)
          : await client.messages.stream(body).finalMessage()
      expect(message.usage.output_tokens).toBeGreaterThan(0)
      expect(message.usage.input_tokens).toBeGreaterThan(0)
      const calls = message.content.flatMap(block => (block.type === 'tool_use' ? [block] : []))
      if (calls.length === 0) {
        expect(message.stop_reason).toBe('end_turn')
        return trip.check(textOf(message.content))
      }
      expect(message.stop_reason).toBe('tool_use')
      messages.push({ role: 'assistant', content: message.content })
      const results = calls.map(({ id, input }) => ({
        ...{ type: 'tool_result' as const, tool_use_id: id },
        content: [{ type: 'text' as const, text: trip.tool(input) }],
      }))
      messages.push({ role: 'user', content: results })
    }
    throw new Error('The loop does not end.')
  })

  it.each([false, true])('runs tools by itself, streamed: %s', async stream => {
    const trip = await startTrip(mode)
    const tool = betaTool({
      name: toolName,
      description,
      inputSchema: parameters,
      run: args => trip.tool(args),
    })
    // It counts on a server that keeps the conversation, and sends all of it when told that this
    // one does not.
    const runner = clientOf(trip).beta.messages.toolRunner({ ...ask(model), tools: [tool], stream })
    const last = await runner.runUntilDone()
    trip.check(textOf(last.content))
  })
})

describe('the Anthropic client', () => {
  it('gets reasoning if it asks for it', async () => {
    const trip = await startTrip('prompt')
    const deltas: string[] = []
    const stream = clientOf(trip).messages.stream({
      ...ask('reasoning'),
      thinking: { type: 'enabled', budget_tokens: 1024 },
    })
    stream.on('thinking', delta => deltas.push(delta))
    const { content } = await stream.finalMessage()
    expect(content.map(({ type }) => type)).toEqual(['thinking', 'tool_use'])
    expect(deltas.length).toBeGreaterThan(2)
    const quiet = await clientOf(trip).messages.create(ask('reasoning'))
    expect(quiet.content.map(({ type }) => type)).toEqual(['tool_use'])
  })

  it('hears of arguments while they are written, where its tool is eager', async () => {
    const trip = await startTrip('prompt')
    const pieces: string[] = []
    const eager = tools.map(tool => ({ ...tool, eager_input_streaming: true }))
    const stream = clientOf(trip).messages.stream({ ...ask('perfect'), tools: eager })
    stream.on('inputJson', piece => pieces.push(piece))
    const { content } = await stream.finalMessage()
    expect(pieces.length).toBeGreaterThan(2)
    expect(content).toMatchObject([{ type: 'tool_use', input: JSON.parse(pieces.join('')) }])
  })

  it('throws when the server dies in the middle of a call', async () => {
    const trip = await startTrip('prompt', { intercept: dieInCall })
    const stream = clientOf(trip).messages.stream(ask('perfect'))
    await expect(stream.finalMessage()).rejects.toThrow(/closed the connection/)
  })

  it.each(['create', 'stream'] as const)(
    'gets no call to run where the limit cut it, with %s',
    async way => {
      const { messages } = clientOf(await startTrip('prompt', { intercept: cutByLimit }))
      const body = ask('perfect')
      const message =
        way === 'create' ? await messages.create(body) : await messages.stream(body).finalMessage()
      expect(message.stop_reason).toBe('max_tokens')
      expect(message.content).toMatchObject([
        { type: 'text', text: expect.stringContaining('"city":"Ro') },
      ])
    },
  )

  it('learns what is wrong, in the words of its API', async () => {
    const trip = await startTrip('prompt', {
      proxy: { clientKeys: ['secret'], serverTools: 'refuse' },
    })
    await expect(clientOf(trip).messages.create(ask('perfect'))).rejects.toBeInstanceOf(
      Anthropic.AuthenticationError,
    )
    const client = new Anthropic({ baseURL: trip.proxy.origin, apiKey: 'secret', maxRetries: 0 })
    const search: Anthropic.ToolUnion = { type: 'web_search_20250305', name: 'web_search' }
    await expect(
      client.messages.create({ ...ask('perfect'), tools: [search] }),
    ).rejects.toMatchObject({
      status: 400,
      error: {
        type: 'error',
        error: { type: 'invalid_request_error', message: expect.stringContaining('tools[0].type') },
      },
    })
    await expect(
      client.messages.countTokens({ model: 'perfect', messages: [] }),
    ).rejects.toMatchObject({ status: 501 })
  })
})
