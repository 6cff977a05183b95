import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, stepCountIs, streamText, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { cutByLimit, dieInCall } from './broken-upstream.js'
import { description, modes, question, type Trip, toolName, useTrips } from './trip.js'

const startTrip = useTrips()
const inputSchema = z.object({ city: z.string(), days: z.number().int().optional() })

function settings(trip: Trip, model: string) {
  const provider = createOpenAICompatible({ name: 'proxy', baseURL: trip.proxy.baseUrl })
  const weather = tool({ description, inputSchema, execute: async args => trip.tool(args) })
  return {
    ...{ model: provider(model), tools: { [toolName]: weather }, prompt: question, maxRetries: 0 },
    stopWhen: stepCountIs(5),
  }
}

describe.each(modes)('the AI SDK, $mode, a $model model', ({ mode, model }) => {
  it('runs its loop with generateText', async () => {
    const trip = await startTrip(mode)
    const { text, steps } = await generateText(settings(trip, model))
    trip.check(text)
    expect(steps.map(({ finishReason }) => finishReason)).toEqual([
      'tool-calls',
      'tool-calls',
      'stop',
    ])
  })

  it('runs its loop with streamText', async () => {
    const trip = await startTrip(mode)
    const result = streamText(settings(trip, model))
    const deltas: string[] = []
    for await (const part of result.fullStream)
      if (part.type === 'tool-input-delta') deltas.push(part.delta)
    trip.check(await result.text)
    // A call that is rescued is held until it is whole; others come as they are written.
    expect(deltas.length).toBeGreaterThan(mode === 'rescue' ? 0 : 2)
  })
})

it.each([
  ['dies in the middle of a call', dieInCall],
  ['meets its limit in the middle of a call', cutByLimit],
])('the AI SDK runs nothing when the server %s', async (_, intercept) => {
  const trip = await startTrip('prompt', { intercept })
  const runs: unknown[] = []
  const result = streamText({
    ...settings({ ...trip, tool: args => String(runs.push(args)) }, 'perfect'),
    stopWhen: stepCountIs(1),
    onError: () => {},
  })
  await result.consumeStream()
  expect(runs).toEqual([])
})
