import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { scriptOf } from '../support/scripted-upstream.js'
import { description, question, type Trip, toolName, translatedModes, useTrips } from './trip.js'

const startTrip = useTrips()

/** An agent, and what runs it without the vendor's tracing. */
function agentOf(trip: Trip, model: string, useResponses: boolean) {
  const weather = tool({
    ...{ name: toolName, description },
    strict: true,
    parameters: z.object({ city: z.string(), days: z.number().int().nullable() }),
    execute: ({ city, days }) => trip.tool({ city, ...(days === null ? {} : { days }) }),
  })
  const { baseUrl: baseURL } = trip.proxy
  const modelProvider = new OpenAIProvider({ apiKey: 'none', baseURL, useResponses })
  return {
    runner: new Runner({ modelProvider, tracingDisabled: true }),
    agent: new Agent({ name: 'Weather', instructions: 'Be brief.', model, tools: [weather] }),
  }
}

describe.each([
  ['chat', false],
  ['Responses', true],
] as const)('the Agents SDK, %s', (_, useResponses) => {
  describe.each(translatedModes)('$mode, a $model model', ({ mode, model }) => {
    it('runs its loop', async () => {
      const trip = await startTrip(mode)
      const { runner, agent } = agentOf(trip, model, useResponses)
      const { finalOutput } = await runner.run(agent, question)
      trip.check(finalOutput)
    })

    it('runs its loop with streams', async () => {
      const trip = await startTrip(mode)
      const { runner, agent } = agentOf(trip, model, useResponses)
      const result = await runner.run(agent, question, { stream: true })
      const events: string[] = []
      for await (const event of result) events.push(event.type)
      await result.completed
      trip.check(result.finalOutput)
      expect(events).toContain('raw_model_stream_event')
    })
  })

  it('goes on with its own history', async () => {
    const script = scriptOf([{ text: 'Rome is warm.' }, { text: 'Oslo is cold.' }])
    const trip = await startTrip('prompt', { script })
    const { runner, agent } = agentOf(trip, 'perfect', useResponses)
    const first = await runner.run(agent, 'Rome?')
    const next = [...first.history, { role: 'user' as const, content: 'Oslo?' }]
    expect((await runner.run(agent, next)).finalOutput).toBe('Oslo is cold.')
    expect(trip.upstream.requests[1]?.raw).toMatch(/Rome\?[\s\S]*Rome is warm\.[\s\S]*Oslo\?/)
  })
})

it.each([false, true])(
  'the Agents SDK continues by previousResponseId, streamed: %s',
  async stream => {
    const trip = await startTrip('prompt')
    const { runner, agent } = agentOf(trip, 'perfect', true)
    const run = async (input: string, previousResponseId?: string) => {
      const options = previousResponseId === undefined ? {} : { previousResponseId }
      if (!stream) return runner.run(agent, input, options)
      const result = await runner.run(agent, input, { ...options, stream: true })
      await result.completed
      return result
    }
    const first = await run(question)
    trip.check(first.finalOutput)
    const second = await run('Are you sure?', first.lastResponseId)
    expect(second.lastResponseId).not.toBe(first.lastResponseId)
    const sent = trip.proxy.records.at(-1)?.body ?? ''
    expect(sent).toContain('Are you sure?')
    expect(sent).not.toContain(question)
    expect(trip.upstream.requests.at(-1)?.raw).toMatch(/Oslo\?[\s\S]*21[\s\S]*Are you sure\?/)
  },
)
