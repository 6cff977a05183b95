import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { cutByLimit, dieInCall } from './broken-upstream.js'
import {
  description,
  modes,
  parameters,
  question,
  type Trip,
  toolName,
  translatedModes,
  useTrips,
} from './trip.js'

const startTrip = useTrips()
const clientOf = ({ proxy }: Trip) =>
  new OpenAI({ baseURL: proxy.baseUrl, apiKey: 'none', maxRetries: 0 })
const tools: OpenAI.ChatCompletionFunctionTool[] = [
  { type: 'function', function: { name: toolName, description, parameters } },
]
const flatTools: OpenAI.Responses.FunctionTool[] = [
  { type: 'function', name: toolName, description, parameters, strict: false },
]

describe.each(modes)('the openai client, chat, $mode, a $model model', ({ mode, model }) => {
  it.each(['create', 'stream'] as const)('runs a loop of its own with %s', async way => {
    const trip = await startTrip(mode)
    const { completions } = clientOf(trip).chat
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: question }]
    for (let step = 0; step < 5; step++) {
      const body = { model, messages, tools }
      const completion =
        way === 'create'
          ? await completions.create(body)
          : await completions.stream(body).finalChatCompletion()
      const choice = completion.choices[0]
      if (!choice) throw new Error('There is no choice.')
      const { tool_calls: calls } = choice.message
      if (!calls?.length) {
        expect(choice.finish_reason).toBe('stop')
        return trip.check(choice.message.content)
      }
      expect(choice.finish_reason).toBe('tool_calls')
      messages.push(choice.message)
      for (const call of calls) {
        if (call.type !== 'function') throw new Error('This is not a function.')
        messages.push({
          role: 'tool',
          tool_call_id: call.id,
          content: trip.tool(JSON.parse(call.function.arguments)),
        })
      }
    }
    throw new Error('The loop does not end.')
  })

  it.each([false, true])('runs tools by itself, streamed: %s', async stream => {
    const trip = await startTrip(mode)
    const { completions } = clientOf(trip).chat
    const run = (args: string) => trip.tool(JSON.parse(args))
    const runnable = [
      {
        type: 'function' as const,
        function: { name: toolName, description, parameters, function: run },
      },
    ]
    const body = {
      model,
      messages: [{ role: 'user' as const, content: question }],
      tools: runnable,
    }
    const runner = stream ? completions.runTools({ ...body, stream }) : completions.runTools(body)
    trip.check(await runner.finalContent())
  })
})

describe.each(translatedModes)(
  'the openai client, responses, $mode, a $model model',
  ({ mode, model }) => {
    it.each(['create', 'stream'] as const)('runs a loop of its own with %s', async way => {
      const trip = await startTrip(mode)
      const { responses } = clientOf(trip)
      const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: question }]
      for (let step = 0; step < 5; step++) {
        const body = { model, input, tools: flatTools, store: false }
        const response =
          way === 'create'
            ? await responses.create(body)
            : await responses.stream(body).finalResponse()
        expect(response.status).toBe('completed')
        expect(response.usage?.total_tokens).toBeGreaterThan(0)
        const calls = response.output.flatMap(item => (item.type === 'function_call' ? [item] : []))
        if (calls.length === 0) return trip.check(response.output_text)
        for (const item of response.output) {
          if (item.type === 'function_call' || item.type === 'reasoning' || item.type === 'message')
            input.push(item)
        }
        for (const { call_id, arguments: args } of calls) {
          input.push({ type: 'function_call_output', call_id, output: trip.tool(JSON.parse(args)) })
        }
      }
      throw new Error('The loop does not end.')
    })
  },
)

describe('the openai client', () => {
  it('hears of arguments while they are written', async () => {
    const trip = await startTrip('prompt')
    const pieces: string[] = []
    const stream = clientOf(trip).responses.stream({
      model: 'perfect',
      input: question,
      tools: flatTools,
    })
    stream.on('response.function_call_arguments.delta', ({ delta }) => pieces.push(delta))
    const { output } = await stream.finalResponse()
    expect(pieces.length).toBeGreaterThan(2)
    expect(output).toMatchObject([{ type: 'function_call', arguments: pieces.join('') }])
  })

  it.each(['create', 'stream'] as const)(
    'gets the reasoning of a model in a response, with %s',
    async way => {
      const trip = await startTrip('prompt')
      const { responses } = clientOf(trip)
      const body = { model: 'reasoning', input: question, tools: flatTools }
      const { output } =
        way === 'create'
          ? await responses.create(body)
          : await responses.stream(body).finalResponse()
      expect(output.map(({ type }) => type)).toEqual(['reasoning', 'function_call'])
      expect(output[0]).toMatchObject({
        content: [{ type: 'reasoning_text', text: expect.stringContaining('call a tool') }],
      })
    },
  )

  it('throws when the server dies in the middle of a call', async () => {
    const trip = await startTrip('prompt', { intercept: dieInCall })
    const client = clientOf(trip)
    const body = {
      model: 'perfect',
      messages: [{ role: 'user' as const, content: question }],
      tools,
    }
    await expect(client.chat.completions.stream(body).finalChatCompletion()).rejects.toThrow(
      /closed the connection/,
    )
    const response = client.responses.stream({
      model: 'perfect',
      input: question,
      tools: flatTools,
    })
    await expect(response.finalResponse()).rejects.toThrow(/closed the connection/)
  })

  it('gets a call that the limit cut as one that cannot be run', async () => {
    const trip = await startTrip('prompt', { intercept: cutByLimit })
    const client = clientOf(trip)
    const messages = [{ role: 'user' as const, content: question }]
    const completion = await client.chat.completions
      .stream({ model: 'm', messages, tools })
      .finalChatCompletion()
    expect(completion.choices).toMatchObject([
      {
        finish_reason: 'length',
        message: { tool_calls: [{ function: { arguments: '{"city":"Ro' } }] },
      },
    ])
    const response = await client.responses
      .stream({ model: 'm', input: question, tools: flatTools })
      .finalResponse()
    expect(response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    })
    expect(response.output).toMatchObject([{ type: 'function_call', status: 'incomplete' }])
  })

  it('learns which field is wrong', async () => {
    const trip = await startTrip('prompt', { proxy: { serverTools: 'refuse' } })
    const { responses } = clientOf(trip)
    const asked = responses.create({ model: 'm', input: question, tools: [{ type: 'web_search' }] })
    await expect(asked).rejects.toMatchObject({ status: 400, param: 'tools[0].type' })
    await expect(
      responses.create({ model: 'm', input: 'x', previous_response_id: 'resp_1' }),
    ).rejects.toMatchObject({
      ...{ status: 400, param: 'previous_response_id' },
      message: expect.stringContaining('stores nothing between requests'),
    })
  })

  it('lists the models of the server, or those that the configuration names', async () => {
    const trip = await startTrip('prompt')
    const listed = await clientOf(trip).models.list()
    expect(listed.data.map(({ id }) => id)).toContain('perfect')
    const bare = await startTrip('prompt', {
      intercept(_, response) {
        response.writeHead(404).end()
        return true
      },
      proxy: { rule: { match: 'qwen' } },
    })
    const named = await clientOf(bare).models.list()
    expect(named.data).toEqual([{ id: 'qwen', object: 'model', created: 0, owned_by: 'scripted' }])
  })
})
