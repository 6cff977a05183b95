import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { dieInCall } from './broken-upstream.js'
import {
  description,
  modes,
  question,
  type Trip,
  toolName,
  translatedModes,
  useTrips,
} from './trip.js'

const startTrip = useTrips()
const schema = z.object({ city: z.string(), days: z.number().int().optional() })
const messages = [{ role: 'user' as const, content: question }]

function agentOf(trip: Trip, model: string, useResponsesApi: boolean) {
  const configuration = { baseURL: trip.proxy.baseUrl }
  const chat = new ChatOpenAI({
    model,
    apiKey: 'none',
    maxRetries: 0,
    configuration,
    useResponsesApi,
  })
  const weather = tool(args => trip.tool(args), { name: toolName, description, schema })
  return createAgent({ model: chat, tools: [weather] })
}

/** The text of the last message, and how many pieces came before it. */
async function streamAgent(agent: ReturnType<typeof agentOf>) {
  let text = ''
  let pieces = 0
  for await (const [mode, chunk] of await agent.stream(
    { messages },
    { streamMode: ['values', 'messages'] },
  )) {
    if (mode === 'values') text = chunk.messages.at(-1)?.text ?? ''
    else pieces++
  }
  return { text, pieces }
}

describe.each([
  ...modes.map(each => ({ ...each, useResponsesApi: false })),
  ...translatedModes.map(each => ({ ...each, useResponsesApi: true })),
])(
  'an agent of LangChain, $mode, a $model model, responses: $useResponsesApi',
  ({ mode, model, useResponsesApi }) => {
    const asked = ({ upstream }: Trip) => upstream.requests.map(({ body }) => body?.stream ?? false)

    it('runs its loop', async () => {
      const trip = await startTrip(mode)
      const result = await agentOf(trip, model, useResponsesApi).invoke({ messages })
      trip.check(result.messages.at(-1)?.text)
      expect(asked(trip)).toEqual([false, false, false])
    })

    it('runs its loop, streamed', async () => {
      const trip = await startTrip(mode)
      const { text, pieces } = await streamAgent(agentOf(trip, model, useResponsesApi))
      trip.check(text)
      expect(pieces).toBeGreaterThan(10)
      expect(asked(trip)).toEqual([true, true, true])
    })
  },
)

it.each([false, true])(
  'an agent of LangChain runs nothing when the server dies in a call, responses: %s',
  async isResponse => {
    const trip = await startTrip('prompt', { intercept: dieInCall })
    const runs: unknown[] = []
    const agent = agentOf({ ...trip, tool: args => String(runs.push(args)) }, 'perfect', isResponse)
    await expect(streamAgent(agent)).rejects.toThrow(/closed the connection/)
    expect(runs).toEqual([])
  },
)
